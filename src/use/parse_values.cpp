// Parses values of flags that are not declared options.
#include "lgode/use/parse_values.h"

#include <fmt/format.h>

#include "lgode/core/error.h"
#include "lgode/core/options.h"

namespace lgode::use {

std::vector<std::string> parse_list(const std::string& text, const std::string& flag) {
  const auto names = parse_names(text);
  if (!names)
    throw ConfigError(fmt::format("{} {}: expected names with commas between them, such as a,b,c", flag, text));
  return *names;
}

double parse_length(const std::string& text, const std::string& flag) {
  const auto length = lgode::parse_length(text);
  if (!length) throw ConfigError(fmt::format("{} {}: expected {}", flag, text, kLengthAccepts));
  return *length;
}

}  // namespace lgode::use
