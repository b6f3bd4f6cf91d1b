// Tables to data sets: what is read, what is refused and how, and that tables and files bring back what was written.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "lgode/core/error.h"
#include "lgode/core/random.h"
#include "lgode/table/csv/export.h"
#include "lgode/table/import.h"
#include "support/temp_folder.h"

namespace lgode::table {
namespace {

using lgode::testing::expect_error;
using lgode::testing::TempFolder;

std::vector<double> list(std::span<const double> values) { return {values.begin(), values.end()}; }

// The second tests.
constexpr const char* kTwoSystems =
    "system,object,time,x,v\n"
    "s,b,2,5,6\n"
    "t,a,0,9,\n"
    "s,a,1,3,4\n"
    "s,a,0,1,NaN\n";

class Import : public ::testing::Test {
 protected:
  void write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  // Options for a table with this text.
  ImportOptions table(std::string_view text) const {
    write("obs.csv", text);
    ImportOptions options;
    options.observations = {folder_ / "obs.csv"};
    options.scratch_folder = folder_.path();
    return options;
  }
  ImportOptions two_systems() const {
    ImportOptions options = table(kTwoSystems);
    options.arrangement.test_systems = {"t"};
    return options;
  }
  ImportOptions with_edges(std::string_view text, std::string_view edges) const {
    ImportOptions options = table(text);
    write("edges.csv", edges);
    options.relations.table = folder_ / "edges.csv";
    return options;
  }
  data::Dataset import(const ImportOptions& options) {
    report_ = {};
    return import_csv(options, report_);
  }
  template <class Error = DataError>
  void refuse(const ImportOptions& options, const std::vector<std::string>& parts) {
    expect_error<Error>([&] { import(options); }, parts);
  }

  TempFolder folder_;
  ImportReport report_;
};

TEST_F(Import, GroupsRowsOfAnyOrder) {
  const data::Dataset d = import(two_systems());
  ASSERT_EQ(d.systems(), 2);
  EXPECT_EQ(d.system_id(0), "s");
  EXPECT_EQ(d.object_id(0, 0), "b");
  EXPECT_EQ(d.object_id(0, 1), "a");
  EXPECT_EQ(list(d.times_of(1)), (std::vector<double>{0, 1}));
  EXPECT_EQ(d.values_of(1)[0], 1);
  EXPECT_TRUE(std::isnan(d.values_of(1)[1]));
  EXPECT_EQ(d.values_of(1)[3], 4);
  EXPECT_EQ(d.origin(0), 0);
  EXPECT_EQ(d.relations(), 0);
  EXPECT_EQ(d.description().edges.kind, data::EdgeRule::Kind::kAll);
  EXPECT_EQ(d.description().features[1].name, "v");
  EXPECT_NE(d.description().features[0].scale_group, d.description().features[1].scale_group);
  EXPECT_EQ(d.systems_in(data::Part::kTest).size(), 1U);
  EXPECT_EQ(report_.rows, 4);
}

TEST_F(Import, OneSystemNeedsNoName) {
  const data::Dataset d = import(table("object,time,x\na,0,1\na,1,2\n"));
  EXPECT_EQ(d.systems(), 1);
  EXPECT_TRUE(d.description().system_ids.empty());
  EXPECT_TRUE(d.description().columns[0].empty());
  EXPECT_EQ(d.part(0), data::Part::kTrain);
  EXPECT_FALSE(report_.notes.empty());
}

TEST_F(Import, TakesTheColumnsThatAreNamed) {
  ImportOptions options =
      table("\"row, no\";wer;wann;x;extra;vx\r\n1;\"a;b\";0;1,5;text;2\r\n2;\"a;b\";0,5;2,5;text;\r\n\r\n");
  options.roles.object = "wer";
  options.roles.time = "wann";
  options.roles.features = {"vx", "x"};
  options.roles.velocity_of = {{"vx", "x"}};
  options.roles.units = {{"x", "m"}};
  options.format.decimal_comma = true;
  const data::Dataset d = import(options);
  EXPECT_EQ(d.object_id(0, 0), "a;b");
  EXPECT_EQ(list(d.times_of(0)), (std::vector<double>{0, 0.5}));
  EXPECT_EQ(d.values_of(0)[1], 1.5);
  EXPECT_EQ(d.description().features[0].velocity_of, 1);
  EXPECT_EQ(d.description().features[1].unit, "m");
  EXPECT_EQ(d.description().columns, (std::vector<std::string>{"", "wer", "wann"}));
}

TEST_F(Import, ReadsDates) {
  const data::Dataset d =
      import(table("object,time,x\n"
                   "a,2024-03-01T14:00:01.25+02:00,2\n"
                   "a,2024-03-01T12:00:00Z,1\n"));
  EXPECT_EQ(list(d.times_of(0)), (std::vector<double>{0, 1.25}));
  EXPECT_EQ(d.description().time_unit, "s");
  EXPECT_EQ(d.description().time_origin, "2024-03-01T14:00:00.00+02:00");
  EXPECT_EQ(d.description().time_format, "YYYY-MM-DDThh:mm:ss.ss+02:00");
}

TEST_F(Import, RefusesColumnsThatAreNotThere) {
  ImportOptions options = table("system,object,time,speed\ns,a,0,1\n");
  options.roles.features = {"sped"};
  refuse<ConfigError>(options, {"`features` sped", "did you mean speed?", "system, object, time, speed"});
  options = table("robot,time,x\na,0,1\n");
  refuse<ConfigError>(options, {"no column 'object'", "`object`", "robot, time, x"});
  options.roles.object = "robo";
  refuse<ConfigError>(options, {"`object` robo", "did you mean robot?"});
  options = table("object,time,x\na,0,1\n");
  options.roles.velocity_of = {{"vx", "x"}};
  refuse<ConfigError>(options, {"`velocity_of` vx", "the features are x"});
  refuse<ConfigError>(table("object,time\na,0\n"), {"feature"});
  refuse(table("object,time,x,x\na,0,1,2\n"), {"columns 3 and 4", "'x'"});
  options = table("object,time,x\na,0,1\n");
  options.roles.features = {"time"};
  refuse<ConfigError>(options, {"`features` time"});
}

TEST_F(Import, TellsEveryBadRow) {
  ImportOptions options = table(
      "object,time,x\n"
      "a,0,1\n"
      "a,1,abc\n"
      "b,never,1\n"
      "b,2\n"
      ",3,1\n"
      "a,4,inf\n"
      "a,5,1e999\n"
      "a,,1\n"
      "a,0,7\n"
      "\"a\"b,6,1\n"
      "caf\xE9,7,1\n"
      "a,8,\"2,5\"\n");
  const std::vector<std::string> all = {
      "11 bad rows",
      "obs.csv, line 3, column 'x': found 'abc', expected a number",
      "line 4, column 'time': found 'never', expected a time",
      "line 5: found '2 fields', expected 3",
      "line 6, column 'object': found nothing, expected the id of the object",
      "line 7, column 'x': found 'inf', expected a finite number",
      "line 8, column 'x': found '1e999', expected a number, or an empty field where it is missing, from -1.8e308",
      "line 9, column 'time': found nothing, expected a time",
      "line 10: found 'a at 0', expected one row for each object and time; the first is in line 2",
      "line 11, column 'object': found '\"a\"b', expected nothing between",
      "line 12, column 'object': found 'caf\\xe9', expected the id of the object in UTF-8",
      "line 13, column 'x': found '2,5', expected a number",
      "numbers with decimal commas",
      "`skip_bad_rows`"};
  refuse(options, all);
  options.max_errors = 2;
  refuse(options, {"11 bad rows", "line 4", "and 9 more; `max_errors` 0"});
  options.skip_bad_rows = true;
  const data::Dataset d = import(options);
  EXPECT_EQ(d.observations(), 1);
  EXPECT_EQ(report_.rows, 1);
  EXPECT_EQ(report_.skipped_rows, 11);
  EXPECT_EQ(report_.bad_rows.size(), 3U);
}

TEST_F(Import, RefusesTimesThatDoNotFit) {
  refuse(table("object,time,x\na,0,1\na,1e999,1\n"), {"line 3, column 'time'", "1e999"});
  refuse(table("object,time,x\na,0,1\na,inf,1\n"), {"line 3, column 'time'", "in the range"});
  refuse(table("object,time,x\na,2024-03-01,1\na,2300-01-01,1\n"), {"line 3, column 'time'", "1678 to 2261"});
  refuse(table("object,time,x\na,2024-03-01,1\na,5,1\n"), {"line 3, column 'time'", "ISO 8601"});
  refuse(table("object,time,x\na,5,1\na,2024-03-01,1\n"), {"line 3, column 'time'", "not several kinds"});
  refuse(table("object,time,x\na,2024-03-01T12:00Z,1\na,2024-03-01T12:01,1\n"), {"line 3, column 'time'", "zone"});
}

TEST_F(Import, TellsBadRowsWhereAllAreBad) {
  ImportOptions options = table("object,time,x\na,2024-01-01,inf\na,2024-01-02,inf\n");
  refuse(options, {"2 bad rows", "line 2, column 'x'", "line 3, column 'x'"});
  options.skip_bad_rows = true;
  refuse(options, {"no rows"});
}

TEST_F(Import, AnOpenQuoteIsNotSkipped) {
  ImportOptions options = table("object,time,x\na,0,1\n\"a,1,2\na,2,3\na,3,4\n");
  refuse(options, {"line 3, column 'object'", "closing quote"});
  options.skip_bad_rows = true;
  refuse(options, {"line 3, column 'object'", "closing quote"});
}

TEST_F(Import, RefusesEmptyTablesAndFeatures) {
  refuse(table("object,time,x\n"), {"no rows"});
  refuse(table("object,time,x,y\na,0,1,\na,1,2,\n"), {"feature 'y'", "`features`"});
  import(table("object,time,x,y\na,0,1,3\na,1,2,3\n"));
  EXPECT_NE(report_.notes.at(0).find("feature 'y' is 3 everywhere"), std::string::npos) << report_.notes[0];
}

TEST_F(Import, RefusesATestPartWithoutValues) {
  ImportOptions options = table("system,object,time,x\ns,a,0,1\ns,a,1,2\nt,a,0,\nt,a,1,NA\n");
  options.arrangement.test_systems = {"t"};
  refuse(options, {"test part", "`test_systems`"});
  options.arrangement.test_systems = {"s"};
  refuse(options, {"trains"});
  options.arrangement.test_systems = {"u"};
  refuse<ConfigError>(options, {"`test_systems` u"});
  options.arrangement.split = 0.5;
  refuse<ConfigError>(options, {"`split`"});
}

constexpr const char* kThree = "system,object,time,x\ns,a,0,1\ns,b,0,2\ns,c,1,2.5\nt,a,0,3\nt,b,0,4\n";

TEST_F(Import, ReadsEdges) {
  ImportOptions options = with_edges(kThree,
                                     "system,source,target,type,weight\n"
                                     "s,a,b,bond,2.5\n"
                                     "s,b,c,wire,\n"
                                     "t,b,a,bond,1\n");
  const data::Dataset d = import(options);
  EXPECT_EQ(d.description().relation_types, (std::vector<std::string>{"bond", "wire"}));
  ASSERT_EQ(d.relations_of(0), 2);
  EXPECT_EQ(d.relation(0).weight, 2.5F);
  EXPECT_EQ(d.relation(1).source, 1);
  EXPECT_EQ(d.relation(1).target, 2);
  EXPECT_EQ(d.relation(1).type, 1);
  EXPECT_EQ(d.relation(1).weight, 1.0F);
  EXPECT_EQ(d.relation(2).source, 1);

  options.relations.undirected = true;
  EXPECT_EQ(import(options).relations(), 6);
}

TEST_F(Import, UndirectedEdgesMayBeListedBothWays) {
  ImportOptions options = with_edges(kThree, "system,source,target,weight\ns,a,b,2\ns,b,a,2\nt,a,b,\nt,b,a,1\n");
  EXPECT_EQ(import(options).relations(), 4);
  options.relations.undirected = true;
  const data::Dataset d = import(options);
  ASSERT_EQ(d.relations(), 4);
  EXPECT_EQ(d.relation(1).source, 1);
  EXPECT_EQ(d.relation(1).weight, 2);
  write("edges.csv", "system,source,target,weight\ns,a,b,2\ns,b,a,3\n");
  refuse(options, {"edges.csv, line 3: found 'b to a', expected one weight for both directions"});
}

TEST_F(Import, VelocitiesEndSomewhere) {
  ImportOptions options = table("object,time,x,v,w\na,0,1,2,3\na,1,2,3,4\n");
  options.roles.velocity_of = {{"v", "x"}, {"w", "v"}};
  EXPECT_EQ(import(options).description().features[2].velocity_of, 1);
  options.roles.velocity_of = {{"v", "x"}, {"x", "w"}, {"w", "v"}};
  refuse<ConfigError>(options, {"`velocity_of`: a circle, x of w of v of x"});
}

TEST_F(Import, EdgesWithoutASystemHoldInAll) {
  ImportOptions options = with_edges(kThree, "from,to\na,b\nb,c\n");
  options.relations.columns = {{"source", "from"}, {"target", "to"}};
  const data::Dataset d = import(options);
  EXPECT_EQ(d.relations_of(0), 2);
  EXPECT_EQ(d.relations_of(1), 1);
  EXPECT_EQ(d.description().relation_types, (std::vector<std::string>{"related"}));
  options.relations.columns = {{"source", "form"}};
  refuse<ConfigError>(options, {"form", "did you mean from?"});
  options.relations.columns = {{"sauce", "from"}};
  refuse<ConfigError>(options, {"sauce", "source"});
}

TEST_F(Import, RefusesBadEdges) {
  ImportOptions options = with_edges(kThree,
                                     "system,source,target,weight\n"
                                     "s,a,d,1\n"
                                     "u,a,b,1\n"
                                     "s,a,a,1\n"
                                     "s,a,b,0\n"
                                     "s,a,b,1\n"
                                     "s,a,b,1\n"
                                     "s,a\n"
                                     "t,a,c,1\n");
  refuse(options,
         {"edges.csv: 7 bad rows", "edges.csv, line 2, column 'target': found 'd', expected an object of system 's'",
          "line 3, column 'system': found 'u'", "line 4, column 'target': found 'a', expected another object",
          "line 5, column 'weight': found '0'", "line 7: found 'a to b', expected each edge once",
          "line 8: found '2 fields'", "line 9, column 'target': found 'c'"});
  options.skip_bad_rows = true;
  EXPECT_EQ(import(options).relations(), 1);
  EXPECT_EQ(report_.skipped_edges, 7);
}

TEST_F(Import, RulesAreForBatches) {
  ImportOptions options = table("object,time,x,y,v\na,0,0,0,1\nb,0,1,0,2\nc,0,5,1,3\nd,0,6,9,4\n");
  EXPECT_EQ(import(options).description().edges.kind, data::EdgeRule::Kind::kAll);
  options.relations.rule = data::EdgeRule::Kind::kListed;
  EXPECT_EQ(import(options).description().edges.kind, data::EdgeRule::Kind::kListed);
  options.roles.velocity_of = {{"v", "y"}};
  options.relations.rule = data::EdgeRule::Kind::kNearest;
  options.relations.neighbours = 2;
  const data::EdgeRule nearest = import(options).description().edges;
  EXPECT_EQ(nearest.kind, data::EdgeRule::Kind::kNearest);
  EXPECT_EQ(nearest.neighbours, 2);
  EXPECT_EQ(nearest.positions, (std::vector<int>{1}));
  options.relations.positions = {"y", "x"};
  options.relations.rule = data::EdgeRule::Kind::kWithin;
  options.relations.radius = 2.5;
  const data::Dataset d = import(options);
  EXPECT_EQ(d.relations(), 0);
  EXPECT_EQ(d.description().edges.kind, data::EdgeRule::Kind::kWithin);
  EXPECT_EQ(d.description().edges.radius, 2.5);
  EXPECT_EQ(d.description().edges.positions, (std::vector<int>{1, 0}));
  options.relations.positions = {"z"};
  refuse<ConfigError>(options, {"`positions` z"});
  options.relations.positions.clear();
  options.relations.radius = 0;
  refuse<ConfigError>(options, {"`edges` within=0", "above 0"});
}

std::string recording(int rows) {
  std::string text = "object,time,x\n";
  for (int i = 0; i < rows; ++i) text += "a," + std::to_string(0.5 * i) + "," + std::to_string(i) + "\n";
  return text;
}

TEST_F(Import, CutsWindows) {
  ImportOptions options = table(recording(23));  // 0 to 11
  options.arrangement.window = 3;
  options.arrangement.split = 0.5;
  const data::Dataset d = import(options);
  ASSERT_EQ(d.systems(), 3);
  for (std::int64_t s = 0; s < 3; ++s) {
    EXPECT_EQ(d.origin(s), 3.0 * static_cast<double>(s));
    EXPECT_EQ(d.times_of(s).size(), 6U);
    EXPECT_EQ(d.system_id(s), std::to_string(s));
  }
  EXPECT_EQ(d.description().conditioning_length, 3.0);
  EXPECT_EQ(report_.outside_windows, 5);
  EXPECT_EQ(d.part(0), data::Part::kTrain);
  EXPECT_EQ(d.part(2), data::Part::kTest);
}

TEST_F(Import, OneWrongTimeDoesNotMakeWindowsWithoutEnd) {
  ImportOptions options = table(recording(23) + "a,1.7e12,1\n");
  options.arrangement.window = 3;
  refuse<ConfigError>(options, {"`window` 3", "1700000000000", "windows for 24 observations", "is a time wrong"});
  options = table("object,time,x\na,1e20,1\n");
  options.arrangement.window = 3;
  refuse<ConfigError>(options, {"`window` 3", "is a time wrong"});
}

TEST_F(Import, WindowsOnBothSidesOfTheSplitAreLeftOut) {
  ImportOptions options = table(recording(40));
  options.arrangement.window = 4;
  options.arrangement.stride = 1;
  options.arrangement.split = 0.5;
  const data::Dataset d = import(options);
  double train_end = 0, test_begin = 1e9;
  for (std::int64_t s = 0; s < d.systems(); ++s) {
    if (d.part(s) == data::Part::kTrain) train_end = std::max(train_end, d.times_of(s).back());
    if (d.part(s) == data::Part::kTest) test_begin = std::min(test_begin, d.times_of(s).front());
  }
  EXPECT_LT(train_end, test_begin);
  // Seven windows overlap the last training one, or begin less than a window's length after it.
  EXPECT_EQ(report_.split_windows, 7);
  EXPECT_GE(test_begin, train_end + 4);
  EXPECT_EQ(report_.empty_windows, 0);
  EXPECT_EQ(report_.outside_windows, 0);
}

TEST_F(Import, OneSystemCannotBeSplit) {
  ImportOptions options = table(recording(5));
  options.arrangement.split = 0.8;
  refuse<ConfigError>(options, {"`split`", "`window`"});
  options.arrangement.split.reset();
  options.arrangement.stride = 1;
  refuse<ConfigError>(options, {"`stride`", "`window`"});
}

TEST_F(Import, TheLastObservationLiesInTheFirstRange) {
  const data::Dataset d = import(table(recording(5)));
  EXPECT_EQ(d.description().conditioning_length, 2.5);
  EXPECT_EQ(d.description().time_scale, 2.5);
  EXPECT_EQ(d.description().max_length, 5);
}

// The same bytes whatever the threads and wherever the rows are kept.
TEST_F(Import, DoesNotDependOnThreadsOrMemory) {
  std::string text = "system,object,time,x,y\n";
  Random random(3, RandomUse::kTest);
  while (text.size() < (std::size_t{12} << 20))
    text += "s" + std::to_string(random.below(50)) + ",\"o\n" + std::to_string(random.below(9)) + "\"," +
            std::to_string(random.uniform()) + "," + std::to_string(random.normal()) + ",\n";
  text += "s1,o,0,1,1\n";
  ImportOptions options = table(text);
  options.skip_bad_rows = true;  // a time may be drawn twice
  options.threads = 1;
  data::save_dataset(import(options), folder_ / "one", Overwrite::kRefuse);
  const std::int64_t rows = report_.rows;
  EXPECT_GT(rows, 200000);
  options.threads = 3;
  options.memory = 1000;
  data::save_dataset(import(options), folder_ / "three", Overwrite::kRefuse);
  EXPECT_EQ(report_.rows, rows);
  EXPECT_TRUE(read_text(folder_ / "one") == read_text(folder_ / "three"));
  EXPECT_EQ(folder_.entries(), 3U);
}

TEST_F(Import, StopsWhenAsked) {
  StopFlag stop;
  stop.request();
  const ImportOptions options = two_systems();
  EXPECT_THROW(import_csv(options, report_, {}, &stop), Interrupted);
}

// --- Round trips of random sets.

std::string random_text(Random& random) {
  const std::string pieces[] = {"a", "B", "7", " ", ",", "\"", "\n", "\r\n", "é", "日", ";", "-", "0"};
  std::string text;
  for (std::uint64_t k = 1 + random.below(5); k > 0; --k) text += pieces[random.below(std::size(pieces))];
  return text;
}

double random_number(Random& random) {
  switch (random.below(6)) {
    case 0:
      return random.normal();
    case 1:
      return std::ldexp(random.normal(), static_cast<int>(random.between(-1000, 60)));
    case 2:
      return static_cast<double>(random.between(-5, 5));
    case 3:
      return -0.0;
    case 4:
      return std::numeric_limits<double>::denorm_min() * static_cast<double>(random.below(9));
    default:
      return 1.7e9 + random.uniform();
  }
}

data::Dataset random_set(Random& random) {
  data::Description d;
  d.name = random_text(random);
  d.source = random_text(random);
  d.time_unit = random.coin() ? "s" : "";
  const auto features = static_cast<int>(1 + random.below(4));
  for (int f = 0; f < features; ++f)
    d.features.push_back({"f" + std::to_string(f) + random_text(random), random.coin() ? "m" : "",
                          static_cast<int>(random.below(3)), f > 0 && random.coin() ? f - 1 : -1});
  const bool derived = random.coin();
  if (derived) {
    d.features.push_back({"derived", "", 9, 0, true});
    if (random.coin()) std::swap(d.features.front(), d.features.back()), d.features.front().velocity_of = features;
  }
  if (random.coin()) {
    d.edges.kind = random.coin() ? data::EdgeRule::Kind::kAll : data::EdgeRule::Kind::kWithin;
    if (d.edges.kind == data::EdgeRule::Kind::kWithin)
      d.edges.radius = 0.3, d.edges.positions = {d.features.front().derived ? features : 0};
  }
  for (std::uint64_t r = 1 + random.below(3); r > 0; --r)
    d.relation_types.push_back("type" + std::to_string(r) + random_text(random));
  d.time_scale = 0.1 + random.uniform();
  d.conditioning_length = 0.1 + random.uniform();
  const bool dates = random.coin(), whole = random.coin();
  if (dates && random.below(3) == 0) {
    d.time_format = random.coin() ? "hh:mm" : "hh:mm:ss.sss";
  } else if (dates) {
    d.time_origin = "2024-02-28T23:59:59.500+01:00";
    d.time_format = random.coin() ? "YYYY-MM-DDThh:mm:ss.sss+01:00" : "YYYY-MM-DD hh:mm:ss";
  }
  const bool names = random.coin();
  data::DatasetBuilder builder(d);
  for (std::uint64_t s = random.below(6); s > 0; --s) {
    builder.begin_system(random.coin() ? data::Part::kTrain : data::Part::kTest, random_number(random),
                         names ? "s" + std::to_string(s) + random_text(random) : "");
    const auto objects = static_cast<std::int64_t>(random.below(5));
    for (std::int64_t o = 0; o < objects; ++o) {
      builder.add_object(names ? std::to_string(o) + random_text(random) : "");
      double time = dates ? 0.0 : random_number(random);
      for (std::uint64_t k = random.below(6); k > 0; --k) {
        time = dates ? time + (whole ? static_cast<double>(1 + random.below(100000)) / 1e3 : random.uniform())
                     : std::nextafter(time + random.uniform(), std::numeric_limits<double>::infinity());
        std::vector<double> values;
        values.reserve(d.features.size());
        for (const data::Feature& feature : d.features)
          values.push_back(feature.derived || random.below(4) == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                                   : random_number(random));
        if (std::isfinite(time)) builder.add_observation(time, values);
      }
    }
    const bool listed = d.edges.kind == data::EdgeRule::Kind::kListed;
    for (std::uint64_t e = objects < 2 || !listed ? 0 : random.below(7); e > 0; --e) {
      const auto source = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(objects)));
      const auto target = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(objects)));
      if (source != target)
        builder.add_relation(
            {source, target, static_cast<std::int32_t>(random.below(d.relation_types.size())),
             static_cast<float>(std::ldexp(0.5 + random.uniform(), static_cast<int>(random.between(-20, 20))))});
    }
  }
  return builder.finish("random set");
}

TEST_F(Import, RandomSetsSurviveTablesAndFiles) {
  std::int64_t observations = 0;
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    Random random(11, RandomUse::kTest, {trial});
    const data::Dataset set = random_set(random);
    observations += set.observations();
    const std::filesystem::path tables = folder_ / ("tables" + std::to_string(trial));
    data::save_dataset(set, folder_ / "a", Overwrite::kAllow);
    data::save_dataset(data::load_dataset(folder_ / "a"), folder_ / "b", Overwrite::kAllow);
    ASSERT_TRUE(read_text(folder_ / "a") == read_text(folder_ / "b")) << trial;
    export_csv(set, tables, Overwrite::kRefuse);
    data::save_dataset(import(folder_import(tables)), folder_ / "c", Overwrite::kAllow);
    ASSERT_TRUE(read_text(folder_ / "a") == read_text(folder_ / "c"))
        << trial << "\n"
        << read_text(tables / kObservationsName) << read_text(tables / kEdgesName);
  }
  EXPECT_GT(observations, 300);
}

TEST_F(Import, FoldersMustAgree) {
  export_csv(import(two_systems()), folder_ / "tables", Overwrite::kRefuse);
  expect_error<DataError>([&] { export_csv(import(two_systems()), folder_ / "tables", Overwrite::kRefuse); },
                          {"exists already"});
  write("tables/observations.csv", "system,object,time,x,v\ns,zz,2,5,6\n");
  refuse(folder_import(folder_ / "tables"), {"line 2", "zz", "dataset.json"});
  std::filesystem::remove(folder_ / "tables/dataset.json");
  EXPECT_THROW(folder_import(folder_ / "tables"), DataError);
  write("tables/dataset.json", "{}");
  expect_error<DataError>([&] { folder_import(folder_ / "tables"); }, {"dataset.json", "lgode export csv"});
}

TEST_F(Import, TablesNeedDifferentNames) {
  data::Description d;
  d.features = {{"x", "", 0, -1}};
  d.relation_types = {"r"};
  data::DatasetBuilder builder(d);
  builder.begin_system(data::Part::kTrain, 0, "s");
  builder.begin_system(data::Part::kTrain, 0, "s");
  const data::Dataset twice = builder.finish("twice");
  expect_error<DataError>([&] { export_csv(twice, folder_ / "t", Overwrite::kRefuse); }, {"two systems", "'s'"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "t"));
}

}  // namespace
}  // namespace lgode::table
