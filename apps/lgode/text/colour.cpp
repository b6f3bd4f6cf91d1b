// Colours text by ANSI sequences.
#include "text/colour.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace lgode::app {
namespace {

bool has_colours() {
  const char* off = std::getenv("NO_COLOR");  // https://no-color.org
  const char* terminal = std::getenv("TERM");
  return (off == nullptr || *off == '\0') && terminal != nullptr && std::string_view(terminal) != "dumb" &&
         ::isatty(STDOUT_FILENO) != 0;
}

}  // namespace

std::string coloured(const std::string& text, Colour colour) {
  if (text.empty() || !has_colours()) return text;
  const int code = colour == Colour::kGood ? 32 : colour == Colour::kBad ? 31 : 33;
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace lgode::app
