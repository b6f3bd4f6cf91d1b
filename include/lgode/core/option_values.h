// Values of options, as JSON and as text of a flag: numbers, lists of names, lengths of time. Each function returns
// nothing where the value is not of its form; core/options.h makes the messages.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lgode {

// A JSON number. 1000.0 and 1e3 count as integers.
std::optional<double> as_double(const nlohmann::json& value);  // finite
std::optional<std::int64_t> as_integer(const nlohmann::json& value);
std::optional<std::uint64_t> as_unsigned(const nlohmann::json& value);

// The text of a finite number as JSON; integers stay exact.
std::optional<nlohmann::json> parse_number(const std::string& text);

// "a,b,c"; an item with a comma is written in double quotes, as in CSV. Nothing where an item is empty.
std::optional<std::vector<std::string>> parse_names(std::string_view text);

// A length of time: in the unit of the times, or with a unit of its own, which is converted to seconds.
struct Length {
  double value = 0;
  bool seconds = false;   // it was given with a unit
  std::string text = {};  // as it was given; empty: as a number

  Length() = default;
  Length(double number) : value(number) {}  // NOLINT(google-explicit-constructor): a length is most often a number
  Length(double number, bool has_unit, std::string as_given)
      : value(number), seconds(has_unit), text(std::move(as_given)) {}
  operator double() const { return value; }  // NOLINT(google-explicit-constructor)
};
// "12.5", "500ms", "30s", "5min", "2h", "1d". Nothing where it is not such a text, or not above 0.
std::optional<Length> parse_length(const std::string& text);
inline constexpr const char* kLengthAccepts =
    "a length of time above 0, such as 12.5, or in seconds with a unit: 500ms, 30s, 5min, 2h, 1d";

}  // namespace lgode
