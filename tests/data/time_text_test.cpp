// Dates and times of day: what is read, and that it is written as it was.
#include "lgode/data/time_text.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgode/core/error.h"
#include "lgode/core/random.h"
#include "support/temp_folder.h"

namespace lgode::data {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(Iso8601, ReadsInstants) {
  const auto at = [](const char* text) {
    const auto instant = parse_iso8601(text);
    EXPECT_TRUE(instant) << text;
    return instant ? instant->nanoseconds : -1;
  };
  EXPECT_EQ(at("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(at("1970-01-01"), 0);
  EXPECT_EQ(at("1970-01-02 00:00"), 86400 * kSecond);
  EXPECT_EQ(at("2000-02-29T23:59:59.5Z"), 951868799 * kSecond + kSecond / 2);
  EXPECT_EQ(at("2000-03-01T01:59:59,250+02:00"), 951868799 * kSecond + kSecond / 4);
  EXPECT_EQ(at("2000-02-29T18:29:59-0530"), 951868799 * kSecond);
  EXPECT_EQ(at("1969-12-31T23:59:59.999999999Z"), -1);
  EXPECT_EQ(at("2024-03-01T12:00:00.1234567890Z") % kSecond, 123456789);
}

TEST(Iso8601, RefusesOtherTexts) {
  for (const char* text : {"",
                           "soon",
                           "2024",
                           "2024-3-1",
                           "2024-13-01",
                           "2024-02-30",
                           "2023-02-29",
                           "2024-03-01T",
                           "2024-03-01T24:00",
                           "2024-03-01T12:60",
                           "2024-03-01T12:00:61",
                           "2024-03-01T12:00:00.",
                           "2024-03-01T12:00:00+2",
                           "2024-03-01T12:00:00Zulu",
                           "2024-03-01x12:00",
                           "01.03.2024",
                           "1677-12-31",
                           "2262-01-01",
                           "9999-12-31",
                           "2024-03-01T12:00:00.1234567891Z"})
    EXPECT_FALSE(parse_iso8601(text)) << text;
}

TEST(Iso8601, WritesAsItWasRead) {
  for (const char* text : {"2024-03-01T12:30:45Z", "2024-03-01T12:30:45.250Z", "2024-03-01 12:30:45", "2024-03-01",
                           "2024-03-01T12:30", "2024-03-01T12:30:45.000001+05:30", "1969-07-20T20:17:40-04:00"}) {
    const auto instant = parse_iso8601(text);
    ASSERT_TRUE(instant) << text;
    EXPECT_EQ(format_iso8601(instant->nanoseconds, instant->style), text);
    const TimeStyle style = style_of_pattern(style_pattern(instant->style));
    EXPECT_EQ(format_iso8601(instant->nanoseconds, style), text) << style_pattern(instant->style);
  }
  for (const char* pattern : {"", "YYYY", "YYYY-MM-DDThh", "YYYY-MM-DDThh:mm:ssX", "YYYY-MM-DDThh:mm:ss+2"})
    EXPECT_THROW(style_of_pattern(pattern), DataError) << pattern;
}

TEST(TimeText, NumbersStayNumbers) {
  const TimeText text((Description()));
  EXPECT_FALSE(text.dates());
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text.parse("0.1"), 0.1);
  EXPECT_FALSE(text.parse("2024-03-01"));
  EXPECT_FALSE(text.parse("inf"));
}

TEST(TimeText, DatesCountFromTheOrigin) {
  Description description;
  description.time_origin = "2024-03-01T12:00:00.000+01:00";
  description.time_format = "YYYY-MM-DDThh:mm:ss.sss+01:00";
  const TimeText text(description);
  EXPECT_EQ(text(0), "2024-03-01T12:00:00.000+01:00");
  EXPECT_EQ(text(1.5), "2024-03-01T12:00:01.500+01:00");
  // Between the instants that the format can express, more digits are written.
  EXPECT_EQ(text(0.0001), "2024-03-01T12:00:00.000100+01:00");
  EXPECT_EQ(text.parse("2024-03-01T11:00:02Z"), 2.0);
  EXPECT_EQ(text.parse("7.5"), 7.5);

  description.time_origin = "2024-03-01T00:00:00";
  description.time_format = "YYYY-MM-DD";
  const TimeText days(description);
  EXPECT_EQ(days(86400), "2024-03-02");
  EXPECT_EQ(days(43200), "2024-03-01T12:00:00");
}

TEST(TimeText, TextsReadBackAsTheSameNumber) {
  Description description;
  description.time_origin = "1999-12-31T23:59:59.123Z";
  description.time_format = "YYYY-MM-DDThh:mm:ss.sssZ";
  const TimeText text(description);
  Random random(1, RandomUse::kTest);
  for (int i = 0; i < 2000; ++i) {
    // Milliseconds over twenty years are represented exactly by doubles and by the format.
    const double time = static_cast<double>(random.between(-600'000'000'000, 600'000'000'000)) / 1e3;
    EXPECT_TRUE(text.exact(time)) << text(time);
    EXPECT_EQ(text.parse(text(time)), time) << text(time);
  }
  EXPECT_FALSE(text.exact(M_PI * 1e-3));
}

TEST(TimeText, TimesOfDay) {
  EXPECT_EQ(parse_clock("12:30:05.25")->nanoseconds, 45005250000000);
  EXPECT_EQ(style_pattern(parse_clock("12:30")->style), "hh:mm");
  EXPECT_EQ(style_pattern(style_of_pattern("hh:mm:ss.ss")), "hh:mm:ss.ss");
  for (const char* text : {"12", "12:60", "1:30", "12:30:05.", "12:30Z", "12:30:60"})
    EXPECT_FALSE(parse_clock(text)) << text;
  EXPECT_THROW(style_of_pattern("hh:mmZ"), DataError);
  Description d;
  d.time_format = "hh:mm";
  const TimeText text(d);
  EXPECT_TRUE(text.clock());
  EXPECT_EQ(text(45000), "12:30");
  EXPECT_EQ(text(45000.5), "12:30:00.500");
  EXPECT_EQ(text(90000), "25:00");
  EXPECT_EQ(text(-1), "-1");
  for (const double time : {0.0, 45000.0, 45000.125, 90000.0, -3.0}) EXPECT_EQ(text.parse(text(time)), time);
  EXPECT_EQ(text.parse("00:01"), 60);
  EXPECT_FALSE(text.parse("noon"));
}

TEST(TimeText, CountsReadBack) {
  for (const double rate : {25.0, 29.97, 3.0})
    for (int count = 0; count < 2000; count += 7) EXPECT_EQ(count_text(count / rate, rate), std::to_string(count));
  EXPECT_EQ(count_text(0.42, 25), "10.5");
  EXPECT_EQ(count_text(0.42, 0), "0.42");
}

TEST(TimeText, ShiftBetweenOrigins) {
  Description a, b;
  EXPECT_EQ(time_shift(a, b), 0);
  a.time_origin = "2024-01-01T00:01:00Z";
  b.time_origin = "2024-01-01T00:00:00Z";
  EXPECT_EQ(time_shift(a, b), 60);
}

}  // namespace
}  // namespace lgode::data
