// Parses values of flags; a list is read as one row of CSV.
#include "lgode/use/parse_values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "lgode/core/error.h"
#include "lgode/table/csv/cursor.h"

namespace lgode::use {

std::vector<std::string> parse_list(const std::string& text, const std::string& flag) {
  table::CsvCursor cursor(text, ',');
  std::vector<std::string> items;
  if (cursor.next() && !cursor.fault())
    for (const std::string_view field : cursor.fields()) items.emplace_back(field);
  for (const std::string& item : items)
    if (item.empty()) items.clear();
  if (items.empty() || cursor.next())
    throw ConfigError(fmt::format("{} {}: expected names with commas between them, such as a,b,c", flag, text));
  return items;
}

std::vector<std::pair<std::string, std::string>> parse_pairs(const std::string& text, const std::string& flag) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& item : parse_list(text, flag)) {
    const std::size_t at = item.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == item.size())
      throw ConfigError(fmt::format("{} {}: expected pairs such as a=b,c=d", flag, text));
    pairs.emplace_back(item.substr(0, at), item.substr(at + 1));
  }
  return pairs;
}

double parse_length(const std::string& text, const std::string& flag) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double seconds = unit.empty() || unit == "s" ? 1
                         : unit == "ms"              ? 1e-3
                         : unit == "min"             ? 60
                         : unit == "h"               ? 3600
                         : unit == "d"               ? 86400
                                                     : 0;
  if (error != std::errc() || seconds == 0 || !(number > 0) || !std::isfinite(number))
    throw ConfigError(
        fmt::format("{} {}: expected a length of time above 0, such as 12.5, or in seconds with a unit: 500ms, 30s, "
                    "5min, 2h, 1d",
                    flag, text));
  return number * seconds;
}

char parse_delimiter(const std::string& text, const std::string& flag) {
  if (text == "tab" || text == "\t" || text == "\\t") return '\t';
  if (text.size() == 1 && text[0] != '"' && text[0] != '\n' && text[0] != '\r' && text[0] != '.') return text[0];
  throw ConfigError(fmt::format("{} {}: expected one character such as , ; | or the word tab", flag, text));
}

}  // namespace lgode::use
