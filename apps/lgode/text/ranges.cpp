// Parses ranges and lists of times and of system indices.
#include "text/ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/use/parse_values.h"

namespace lgode::app {
namespace {

// More than this is surely a mistake, and would fill the memory.
constexpr double kMostTimes = 1e7;

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// The parts of `text` between any of `separators`; empty ones too.
std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find_first_of(separators);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

template <class T>
void sort_once(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

std::vector<double> parse_times(const std::string& text, const std::string& flag, const data::TimeText& time_text) {
  const auto fail = [&](const char* why) { return ConfigError(fmt::format("{} {}: {}", flag, text, why)); };
  const bool slashes = time_text.dates() && text.find('/') != std::string::npos;
  const bool colons = !time_text.dates() || (!time_text.clock() && text.find_first_of("-T") == std::string::npos);
  const bool list = !slashes && (!colons || text.find(':') == std::string::npos);
  const char* expected = time_text.dates()
                             ? "expected DATE/STEP/DATE such as 2024-03-01T12:00:00Z/10min/2024-03-01T18:00:00Z, or "
                               "dates with commas between them"
                             : "expected START:STEP:STOP, three numbers, or a list such as 1,2.5,7";
  std::vector<double> numbers;
  for (const std::string_view part : split(text, list ? "," : slashes ? "/" : ":")) {
    if (slashes && numbers.size() == 1) {
      numbers.push_back(use::parse_length(std::string(part), flag));
      continue;
    }
    const std::optional<double> number = time_text.parse(part);
    if (!number) throw fail(expected);
    numbers.push_back(*number);
  }
  if (list) {
    sort_once(numbers);
    return numbers;
  }
  if (numbers.size() != 3) throw fail(expected);
  const double start = numbers[0], step = numbers[1], stop = numbers[2];
  if (!(step > 0)) throw fail("STEP must be above 0");
  if (stop < start) throw fail("STOP is before START");
  // A millionth of a step is far above the rounding errors of any realistic range.
  const double steps = std::floor((stop - start) / step + 1e-6);
  if (steps > kMostTimes) throw fail("more than ten million times");
  std::vector<double> times;
  for (std::int64_t i = 0; i <= static_cast<std::int64_t>(steps); ++i)
    times.push_back(std::min(start + static_cast<double>(i) * step, stop));
  if (std::adjacent_find(times.begin(), times.end()) != times.end())
    throw fail("STEP is too small for numbers of this size");
  return times;
}

std::vector<double> read_times(const std::string& path, const data::TimeText& time_text) {
  const std::string text = read_text(path);
  std::vector<double> times;
  std::int64_t line = 0;
  for (std::string_view content : split(text, "\n")) {
    ++line;
    content = content.substr(0, content.find('#'));
    for (const std::string_view part : split(content, " \t\r,")) {
      if (part.empty()) continue;
      const std::optional<double> time = time_text.parse(part);
      if (!time) throw DataError(fmt::format("{}, line {}: expected a time, found \"{}\"", path, line, part));
      times.push_back(*time);
    }
  }
  if (times.empty()) throw DataError(fmt::format("{}: holds no times", path));
  sort_once(times);
  return times;
}

std::vector<std::int64_t> parse_indices(const std::string& text, std::int64_t count, const std::string& flag) {
  std::vector<std::int64_t> indices;
  for (const std::string_view part : split(text, ",")) {
    const std::size_t dash = part.find('-');
    const std::optional<std::int64_t> first = parse_whole<std::int64_t>(part.substr(0, dash));
    const std::optional<std::int64_t> last =
        dash == std::string_view::npos ? first : parse_whole<std::int64_t>(part.substr(dash + 1));
    if (!first || !last || *first > *last)
      throw ConfigError(fmt::format("{} {}: expected indices and ranges such as 0,3,5-9", flag, text));
    if (*last >= count)
      throw ConfigError(fmt::format("{} {}: the data set has {} systems, counted from 0", flag, text, count));
    for (std::int64_t i = *first; i <= *last; ++i) indices.push_back(i);
  }
  sort_once(indices);
  return indices;
}

}  // namespace lgode::app
