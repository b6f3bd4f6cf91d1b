// Times of a table become times of a data set in one way, as numbers, instants and texts.
#include "lgode/table/clock.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace lgode::table {
namespace {

data::Description dated(const char* format, const char* origin) {
  data::Description description;
  description.time_format = format;
  description.time_origin = origin;
  return description;
}

TEST(TableClock, CountsAreDividedByTheirRate) {
  data::Description description;
  description.rate = 120;
  description.decimal_comma = true;
  EXPECT_EQ(TableClock::from(description).number(7), 7 / 120.0);
  const TableTimes times(description);
  EXPECT_EQ(times(" 7,5 "), 7.5 / 120);
  EXPECT_FALSE(times("soon"));
  EXPECT_EQ(TableTimes({})("7.5"), 7.5);
  const std::vector<double> counts{0, 7};
  TimeColumn column;
  column.cells.data = reinterpret_cast<const std::byte*>(counts.data());
  column.cells.stride = sizeof(double);
  EXPECT_EQ(TableClock::from(description)(column, 1), 7 / 120.0);
}

TEST(TableClock, DatesCountFromTheirOrigin) {
  const data::Description description = dated("YYYY-MM-DDThh:mm:ssZ", "2024-03-01T12:00:00Z");
  const TableClock clock = TableClock::from(description);
  EXPECT_EQ(clock.instant(clock.origin + 1500000000), 1.5);
  const TableTimes times(description);
  EXPECT_EQ(times(" 2024-03-01T12:01:00Z"), 60.0);
  EXPECT_EQ(times("2024-03-01T14:01:00+02:00"), 60.0);
  EXPECT_FALSE(times("2024-03-32T12:01:00Z"));
}

TEST(TableClock, TimesOfDayCountFromMidnight) {
  const data::Description description = dated("hh:mm", "");
  EXPECT_EQ(TableClock::from(description).origin, 0);
  EXPECT_EQ(TableTimes(description)("00:02"), 120.0);
}

TEST(TableClock, InstantsCenturiesApartAreRefused) {
  const data::Description description = dated("YYYY-MM-DD", "1700-01-01T00:00:00Z");
  const TableClock clock = TableClock::from(description);
  EXPECT_TRUE(std::isnan(clock.instant(std::numeric_limits<std::int64_t>::max())));
  const TableTimes times(description);
  EXPECT_EQ(times("1700-01-02"), 86400.0);
  EXPECT_FALSE(times("2200-01-01"));
}

}  // namespace
}  // namespace lgode::table
