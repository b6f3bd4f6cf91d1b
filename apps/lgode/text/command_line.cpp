// Keeps the words of the command line.
#include "text/command_line.h"

#include <string_view>
#include <vector>

#include "lgode/use/format.h"

namespace lgode::app {
namespace {

std::vector<std::string>& words() {
  static std::vector<std::string> kept;
  return kept;
}

}  // namespace

void keep_command_line(int argc, char** argv) { words().assign(argv, argv + argc); }

std::string command_line_with(const std::string& flag, const std::string& value) {
  std::string text = "lgode";
  for (std::size_t i = 1; i < words().size(); ++i) {
    const std::string& word = words()[i];
    if (word == flag) ++i;
    if (word == flag || word.starts_with(flag + "=")) continue;
    text += " " + use::format_word(word);
  }
  return text + " " + flag + " " + use::format_word(value);
}

}  // namespace lgode::app
