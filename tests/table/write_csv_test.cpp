// Fields, numbers and times as CSV text.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "lgode/table/csv/cursor.h"
#include "lgode/table/csv/write.h"

namespace lgode::table {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(CsvText, QuotesFieldsWhereTheyNeedIt) {
  CsvText text;
  text.header(std::vector<std::string>{"a", "b,c", "d\"e", "f\ng", "h;i"});
  EXPECT_EQ(text.text(), "a,\"b,c\",\"d\"\"e\",\"f\ng\",h;i\n");
  CsvText other({.delimiter = ';', .line_end = "\r\n"});
  other.field("b,c").field("h;i").raw("x;y").empty().end_row();
  EXPECT_EQ(other.text(), "b,c;\"h;i\";x;y;\r\n");
}

TEST(CsvText, WritesTheShortestNumberThatReadsBack) {
  CsvText text;
  text.number(0.1).number(0.1F).number(1e300).number(-0.0).number(std::int64_t{7}).end_row();
  EXPECT_EQ(text.text(), "0.1,0.1,1e+300,-0,7\n");
}

TEST(CsvText, LeavesMissingValuesEmpty) {
  CsvText text;
  text.value(kNaN).value(1.5).number(kNaN).value(std::numeric_limits<float>::quiet_NaN()).end_row();
  EXPECT_EQ(text.text(), ",1.5,nan,\n");
}

TEST(CsvText, WritesDecimalCommasInNumbersOnly) {
  CsvText text({.delimiter = ';', .decimal_comma = true});
  const data::TimeText numbers{data::Description{}};
  text.field("a.b").number(1.5).number(2.25).time(numbers, 0.5).end_row();
  EXPECT_EQ(text.text(), "a.b;1,5;2,25;0,5\n");
}

TEST(CsvText, WritesTimesAsTheTableHasThem) {
  data::Description dates;
  dates.time_format = "YYYY-MM-DDThh:mm:ssZ";
  dates.time_origin = "2024-03-01T00:00:00Z";
  CsvText text({.delimiter = ';', .decimal_comma = true});
  text.time(data::TimeText(dates), 90.5).end_row();
  EXPECT_EQ(text.text(), "2024-03-01T00:01:30.500Z\n");
  CsvText counts;
  counts.time(data::TimeText(data::Description{}), 3 / 25.0, 25).end_row();
  EXPECT_EQ(counts.text(), "3\n");
}

// What is written is read as it was.
TEST(CsvText, RoundTripsThroughTheCursor) {
  const std::vector<std::string> fields = {"", "a\r\nb", "\"", ",", "plain", " blank "};
  CsvText text;
  text.header(fields);
  CsvCursor cursor(text.text(), ',');
  ASSERT_TRUE(cursor.next());
  EXPECT_EQ(std::vector<std::string>(cursor.fields().begin(), cursor.fields().end()), fields);
}

}  // namespace
}  // namespace lgode::table
