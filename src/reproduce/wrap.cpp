// Breaks text at blanks.
#include "lgode/reproduce/wrap.h"

#include <algorithm>
#include <sstream>

namespace lgode::reproduce {
namespace {

constexpr std::size_t kColumns = 120;

// Displayed characters, not bytes: continuation bytes of UTF-8 have no width.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string wrapped(const std::string& text, const std::string& indent) {
  std::istringstream words(text);
  std::string result, word;
  std::size_t column = 0;
  while (words >> word) {
    if (result.empty()) {
      result = word;
    } else if (column + 1 + width(word) > kColumns) {
      result += "\n" + indent + word;
      column = indent.size();
    } else {
      result += " " + word;
      ++column;
    }
    column += width(word);
  }
  return result + "\n";
}

}  // namespace lgode::reproduce
