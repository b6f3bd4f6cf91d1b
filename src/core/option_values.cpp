// Numbers, lists of names and lengths of time, from JSON and from text.
#include "lgode/core/option_values.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

namespace lgode {

using nlohmann::json;

namespace {

template <class T>
std::optional<T> parse_whole(const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> as_double(const json& value) {
  if (!value.is_number()) return std::nullopt;
  const auto number = value.get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> as_integer(const json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  const std::optional<double> number = as_double(value);
  // Up to 2^53 every integer is a double.
  if (!number || std::abs(*number) > 9007199254740992.0 || std::trunc(*number) != *number) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::optional<std::uint64_t> as_unsigned(const json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  const std::optional<std::int64_t> number = as_integer(value);
  if (!number || *number < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

std::optional<json> parse_number(const std::string& text) {
  if (const auto integer = parse_whole<std::int64_t>(text)) return json(*integer);
  if (const auto integer = parse_whole<std::uint64_t>(text)) return json(*integer);
  const auto number = parse_whole<double>(text);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return json(*number);
}

std::optional<std::vector<std::string>> parse_names(std::string_view text) {
  std::vector<std::string> names;
  for (bool more = true; more;) {
    std::string name;
    if (text.starts_with('"')) {
      text.remove_prefix(1);
      for (;;) {
        const std::size_t quote = text.find('"');
        if (quote == std::string_view::npos) return std::nullopt;
        name += text.substr(0, quote);
        text.remove_prefix(quote + 1);
        if (!text.starts_with('"')) break;
        name += '"';  // it is written twice
        text.remove_prefix(1);
      }
      if (!text.empty() && text.front() != ',') return std::nullopt;
    } else {
      name = text.substr(0, text.find(','));
      text.remove_prefix(name.size());
    }
    if (name.empty()) return std::nullopt;
    names.push_back(std::move(name));
    more = !text.empty();
    if (more) text.remove_prefix(1);
  }
  return names;
}

std::optional<Length> parse_length(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double seconds = unit.empty() || unit == "s" ? 1
                         : unit == "ms"              ? 1e-3
                         : unit == "min"             ? 60
                         : unit == "h"               ? 3600
                         : unit == "d"               ? 86400
                                                     : 0;
  if (error != std::errc() || seconds == 0 || !(number > 0) || !std::isfinite(number)) return std::nullopt;
  return Length(number * seconds, !unit.empty(), text);
}

}  // namespace lgode
