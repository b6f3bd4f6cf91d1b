// Physical times as text: plain numbers, dates after ISO 8601 that a data set counts as seconds from an origin, or
// times of day, counted from midnight. Times are written in the style in which they were read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lgode/data/dataset.h"

namespace lgode::data {

// How dates and times of day are written.
struct TimeStyle {
  bool date = true;      // false: a time of day alone, hh:mm[:ss[.fraction]]
  char separator = 'T';  // between date and time; 0: a date alone
  bool seconds = true;   // hh:mm:ss, or hh:mm
  int digits = 0;        // of the fraction of a second
  std::string zone;      // "Z", "+02:00", or empty: not given
};

// Nanoseconds since 1970-01-01T00:00:00Z (without a zone: as if it were Z), and the style in the text.
struct Instant {
  std::int64_t nanoseconds = 0;
  TimeStyle style;
};

// YYYY-MM-DD, then T or a blank and hh:mm[:ss[.fraction]], then Z or an offset such as +02:00. Empty where it is not
// such a text, or a time that 64 bits of nanoseconds do not hold (before 1678, after 2261).
std::optional<Instant> parse_iso8601(std::string_view text);
// hh:mm[:ss[.fraction]] since midnight, hours up to 99. Empty where it is not such a text.
std::optional<Instant> parse_clock(std::string_view text);
// Nanoseconds in seconds, as the nearest double for any number of them.
double seconds_of(std::int64_t nanoseconds);
std::string format_iso8601(std::int64_t nanoseconds, const TimeStyle& style);

// Added to times of `from`, they count from the origin of `to`. 0 unless both have dates.
double time_shift(const Description& from, const Description& to);

// A number in the form of a table: the count k with k / rate == time where there is one; rate 0: the time itself.
std::string count_text(double time, double rate);

// "YYYY-MM-DDThh:mm:ss.sssZ", "hh:mm:ss": a style as a data set's description keeps it, and back. DataError if it is
// not one.
std::string style_pattern(const TimeStyle& style);
TimeStyle style_of_pattern(const std::string& pattern);

// The times of one data set.
class TimeText {
 public:
  explicit TimeText(const Description& description);

  // Times are dates or times of day, not numbers.
  bool dates() const { return dates_; }
  bool clock() const { return dates_ && !style_.date; }
  // As text: a number that reads back as the same, or a date with as many digits as it takes. Where the set has times
  // of day, a time before midnight or beyond 99 hours is a number of seconds.
  std::string operator()(double time) const;
  // Whether the text reads back as the same number.
  bool exact(double time) const;
  // A number or, where the set has dates or times of day, such a text. Empty where it is neither.
  std::optional<double> parse(std::string_view text) const;

 private:
  std::int64_t nanoseconds(double time, int digits) const;

  bool dates_ = false;
  std::int64_t origin_ = 0;
  TimeStyle style_;
};

}  // namespace lgode::data
