// Formats counts, numbers, shares, durations and errors for people, and words for a shell.
#include "lgode/use/format.h"

#include <fmt/format.h>

#include <cmath>

namespace lgode::use {

std::string format_count(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3;) {
    i -= 3;
    digits.insert(i, 1, ',');
  }
  return digits;
}

std::string format_plural(std::int64_t number, const std::string& noun) {
  return fmt::format("{} {}{}", format_count(number), noun, number == 1 ? "" : "s");
}

std::string format_number(double number) { return std::isnan(number) ? "-" : fmt::format("{:.4g}", number); }

std::string format_percent(double share) { return fmt::format("{:.4g} %", 100.0 * share); }

std::string format_duration(double seconds) {
  if (!(seconds >= 0)) return "-";
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string format_error(double mse) {
  if (std::isnan(mse)) return "-";
  const double hundredths = 100.0 * mse;
  if (std::abs(hundredths) >= 100) return fmt::format("{:.1f}", hundredths);
  // Four decimals as in the paper, more if only zeros would be left.
  return hundredths != 0 && std::abs(hundredths) < 0.01 ? fmt::format("{:.2g}", hundredths)
                                                        : fmt::format("{:.4f}", hundredths);
}

std::string format_word(const std::string& word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace lgode::use
