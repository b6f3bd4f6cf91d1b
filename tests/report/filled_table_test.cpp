// Filled tables as they are drawn: what was imputed, intervals, errors against the truth, and bad input.
#include "lgode/report/filled_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "lgode/core/error.h"
#include "support/temp_folder.h"

namespace lgode::report {
namespace {

using lgode::testing::expect_error;
using lgode::testing::TempFolder;

constexpr const char* kTable =
    "run;who;when;x;a b;note;imputed\n"
    "r;one;1,5;3;8;;x\n"  // rows in any order
    "r;one;0,5;1,0;;\"a;b\";\n"
    "r;one;2;4;7;;a b\n"
    "r;two;0,5;-;2;;\n"
    "s;one;0,5;5;6;;x|a b\n"
    "s;one;half past;5;6;;x|a b\n"
    "s;one;1;5\n";

class Filled : public ::testing::Test {
 protected:
  Filled() {
    description_.columns = {"run", "who", "when"};
    description_.delimiter = ";";
    description_.decimal_comma = true;
    description_.features = {{"x", "m", -1, -1}, {"a b", "", -1, -1}};
    write("filled.csv", kTable);
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  FilledTable read(const std::string& name, bool filled = true) const {
    return read_filled_table(path(name), description_, filled);
  }

  TempFolder folder_;
  data::Description description_;
};

TEST_F(Filled, RowsInOrderOfTimeWithWhatWasImputed) {
  const FilledTable table = read("filled.csv");
  ASSERT_EQ(table.objects.size(), 3U);
  EXPECT_EQ(table.skipped_rows, 2);
  const FilledObject& one = table.objects[0];
  EXPECT_EQ(one.system + one.id, "rone");
  EXPECT_EQ(one.times, (std::vector<double>{0.5, 1.5, 2}));
  EXPECT_EQ(one.imputed, (std::vector<std::uint8_t>{0, 0, 1, 0, 0, 1}));
  EXPECT_EQ(one.values[0], 1);
  EXPECT_TRUE(std::isnan(one.values[1]));
  EXPECT_EQ(one.values[2], 3);
  EXPECT_TRUE(std::isnan(table.objects[1].values[0]));
  EXPECT_EQ(table.objects[2].imputed, (std::vector<std::uint8_t>{1, 1}));
  EXPECT_TRUE(is_filled_table(path("filled.csv")));
  write("obs.csv", "run;who;when;x\n");
  EXPECT_FALSE(is_filled_table(path("obs.csv")));
}

TEST_F(Filled, TablesWithoutALineOfNames) {
  description_.header = {"run", "who", "when", "x", "a b"};
  write("plain.csv", "r;one;1;2;3;x\nr;one;2;2;3;\n");
  write("plain.json", R"({"fill_with": "best", "data": "set.safetensors"})");
  EXPECT_TRUE(is_filled_table(path("plain.csv")));
  const FilledTable table = read("plain.csv");
  ASSERT_EQ(table.objects.size(), 1U);
  EXPECT_EQ(table.objects[0].imputed, (std::vector<std::uint8_t>{1, 0, 0, 0}));
}

TEST_F(Filled, IntervalsOfImputedValues) {
  write("filled.intervals.csv",
        "system,object,time,feature,value,method,q05,q50,q97.5\n"
        "r,one,1.5,x,3,model,2.5,3,3.75\nr,one,2,a b,7,linear,6,7,8\n");
  FilledTable table = read("filled.csv");
  read_intervals(path("filled.intervals.csv"), description_, table);
  EXPECT_EQ(table.interval, "92.5 % interval");
  EXPECT_EQ(table.objects[0].low[2], 2.5);
  EXPECT_EQ(table.objects[0].high[2], 3.75);
  EXPECT_EQ(table.objects[0].low[5], 6);
  EXPECT_TRUE(std::isnan(table.objects[2].low[0]));
  // A row that cannot be read, and one at the same time.
  write("twice.csv", "run;who;when;x;a b;note;imputed\nr;one;1,5;abc;8;;\nr;one;1,5;3;8;;x\nr;one;2;4;7;;a b\n");
  FilledTable twice = read("twice.csv");
  read_intervals(path("filled.intervals.csv"), description_, twice);
  EXPECT_EQ(twice.objects[0].low[2], 2.5);
  // Of another table, or of no values at all.
  write("other.csv", "system,object,time,feature,value,method,q05,q95\nr,one,0.5,x,1,model,0,2\n");
  expect_error<DataError>([&] { read_intervals(path("other.csv"), description_, table); },
                          {"other.csv", "1 of its rows"});
  write("none.csv", "system,object,time,feature,value\n");
  expect_error<DataError>([&] { read_intervals(path("none.csv"), description_, table); }, {"none.csv", "q05"});
}

TEST_F(Filled, ErrorsAgainstTheTruthAndTheStraightLine) {
  write("truth.csv", "run;who;when;x;a b\nr;one;0,5;1;1\nr;one;1,5;5;1\nr;one;2;4;1\ns;one;0,5;9;9\n");
  const FilledTable table = read("filled.csv"), truth = read("truth.csv", false);
  const FillErrors errors = fill_errors(table, truth, 0);
  // At 1.5: 3 for 5, and the line from (0.5, 1) to (2, 4) gives 3. In s nothing was observed: no line.
  EXPECT_EQ(errors.values, 1);
  EXPECT_DOUBLE_EQ(errors.root_mean_square, 2);
  EXPECT_DOUBLE_EQ(errors.straight, 2);
  check_truth(table, truth, description_, "truth.csv");
  // Other objects, or no values where some were imputed.
  write("other.csv", "run;who;when;x;a b\nr;three;1,5;5;1\nr;one;1,5;;1\n");
  expect_error<DataError>([&] { check_truth(table, read("other.csv", false), description_, "other.csv"); },
                          {"other.csv", "none of the imputed values", "run, who, when"});
}

TEST_F(Filled, NamesWhatIsMissing) {
  write("obs.csv", "run;who;when;x;a b\nr;one;1;2;3\n");
  expect_error<DataError>([&] { read("obs.csv"); }, {"obs.csv", "'imputed'", "lgode predict wrote with `fill`"});
  write("other.csv", "run;whom;when;x;a b;imputed\n");
  expect_error<DataError>([&] { read("other.csv"); }, {"other.csv", "'who'", "whom", "`data`"});
  const FilledTable table = read("filled.csv");
  FilledFigureOptions options;
  options.features = {0};
  options.system = "t";
  expect_error<ConfigError>([&] { filled_figure(table, description_, options); }, {"no system 't'"});
  options.system = "r";
  options.objects = {"tow"};
  expect_error<ConfigError>([&] { filled_figure(table, description_, options); },
                            {"'r'", "'tow'", "did you mean two?"});
}

TEST_F(Filled, ImputedValuesAreRingsWithTheirIntervals) {
  write("filled.intervals.csv",
        "system,object,time,feature,value,method,q05,q95\nr,one,1.5,x,3,model,2.5,3.75\nr,one,2,a b,7,linear,6,8\n");
  write("truth.csv", "run;who;when;x;a b\nr;one;0,5;1;1\nr;one;1,5;5;1\nr;one;2;4;1\n");
  FilledTable table = read("filled.csv");
  read_intervals(path("filled.intervals.csv"), description_, table);
  const FilledTable truth = read("truth.csv", false);
  FilledFigureOptions options;
  options.system = "r";
  options.features = {0, 1};
  options.truth = &truth;
  const Drawing drawing = filled_figure(table, description_, options);
  const auto count = [&](auto is) { return std::count_if(drawing.shapes().begin(), drawing.shapes().end(), is); };
  const auto disc = [](bool filled) {
    return [filled](const Shape& s) { return s.kind == Shape::Kind::kDisc && s.filled == filled; };
  };
  EXPECT_EQ(count(disc(true)), 4 + 1);   // x at 0.5 and 2, a b at 1.5, the second object's, and the key
  EXPECT_EQ(count(disc(false)), 2 + 1);  // one of each feature
  EXPECT_EQ(count([](const Shape& s) { return s.kind == Shape::Kind::kLine && s.width == 3; }), 2 + 1);
  const std::string text = svg(drawing, "");
  for (const char* word : {"90 % interval", "imputed", "truth", "x (m)"})
    EXPECT_NE(text.find(word), std::string::npos) << word;
  for (const Shape& shape : drawing.shapes())
    for (const Point& p : shape.points) {
      ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y));
      EXPECT_TRUE(p.x >= -20 && p.x <= drawing.width() + 20 && p.y >= -20 && p.y <= drawing.height() + 20);
    }
}

}  // namespace
}  // namespace lgode::report
