// Times of a table as times of a data set: seconds since the origin of dates, counts per second, or as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "lgode/data/time_text.h"
#include "lgode/table/column.h"

namespace lgode::table {

struct TableClock {
  std::int64_t origin = 0;  // of instants
  double rate = 0;          // of counts; 0: times are numbers

  static TableClock from(const data::Description& description);

  // NaN: the instant is more than 292 years from the origin.
  double instant(std::int64_t nanoseconds) const {
    std::int64_t since = 0;
    if (__builtin_sub_overflow(nanoseconds, origin, &since)) return std::numeric_limits<double>::quiet_NaN();
    return data::seconds_of(since);
  }
  double number(double count) const { return rate > 0 ? count / rate : count; }
  double operator()(const TimeColumn& times, std::size_t row) const {
    return times.instants ? instant(times.instant(row)) : number(times.number(row));
  }
};

// Reads the times of a data set's own table.
class TableTimes {
 public:
  explicit TableTimes(const data::Description& description);

  // Blanks around it do not count. Empty where it is not a time as the table has them.
  std::optional<double> operator()(std::string_view text) const;

 private:
  TableClock clock_;
  data::TimeText text_;
  bool decimal_comma_;
};

}  // namespace lgode::table
