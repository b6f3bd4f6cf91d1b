// Raw tables: several files, no line of names, counts as times, objects that come and go, places to fill, and parts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "lgode/core/error.h"
#include "lgode/core/random.h"
#include "lgode/core/wildcard.h"
#include "lgode/data/combine.h"
#include "lgode/data/recordings.h"
#include "lgode/table/csv/export.h"
#include "lgode/table/import.h"
#include "support/temp_folder.h"

namespace lgode::table {
namespace {

using lgode::testing::expect_error;
using lgode::testing::TempFolder;
using Words = std::vector<std::string>;

std::vector<double> list(std::span<const double> values) { return {values.begin(), values.end()}; }

class RawImport : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  ImportOptions table(std::string_view text) const {
    ImportOptions options;
    options.observations = {write("obs.csv", text)};
    options.scratch_folder = folder_.path();
    return options;
  }
  data::Dataset import(const ImportOptions& options) {
    report_ = {};
    return import_csv(options, report_);
  }
  template <class Error = DataError>
  void refuse(const ImportOptions& options, const Words& parts) {
    expect_error<Error>([&] { import(options); }, parts);
  }
  bool noted(std::string_view part) const {
    return std::any_of(report_.notes.begin(), report_.notes.end(),
                       [&](const std::string& note) { return note.find(part) != std::string::npos; });
  }
  static Words objects_of(const data::Dataset& d, std::int64_t system) {
    Words ids;
    for (std::int64_t o = 0; o < d.objects_of(system); ++o) ids.push_back(d.object_id(system, o));
    return ids;
  }

  TempFolder folder_;
  ImportReport report_;
};

// --- Objects that come and go

// a from 0 to 5, b from 4 to 9, c only at 8, with a place to fill at 2 and one of b at 5.
constexpr const char* kComeAndGo =
    "object,time,x\n"
    "a,0,1\na,2,3\na,3,4\na,5,6\n"
    "b,4,1\nb,5,\nb,6,3\nb,9,6\n"
    "c,2,\nc,8,5\n";

TEST_F(RawImport, AWindowHoldsTheObjectsObservedInIt) {
  ImportOptions options = table(kComeAndGo);
  options.arrangement.window = 4;
  options.arrangement.stride = 2;
  options.arrangement.split = 1.0;
  const data::Dataset d = import(options);
  ASSERT_EQ(d.systems(), 4);
  EXPECT_EQ(objects_of(d, 0), (Words{"a"}));
  EXPECT_EQ(objects_of(d, 1), (Words{"a", "b"}));
  EXPECT_EQ(objects_of(d, 2), (Words{"a", "b"}));
  EXPECT_EQ(objects_of(d, 3), (Words{"b", "c"}));
  // The place to fill is in the windows in which b is observed.
  EXPECT_EQ(list(d.times_of(d.first_object(1) + 1)), (std::vector<double>{4, 5}));
  EXPECT_EQ(d.empty_rows(), 2);
  EXPECT_EQ(report_.empty_rows, 2);
  EXPECT_EQ(report_.rows, 10);
  const data::Dataset joined = join_recordings(d, {0, 1, 2, 3});
  ASSERT_EQ(joined.systems(), 1);
  EXPECT_EQ(objects_of(joined, 0), (Words{"a", "b", "c"}));
  EXPECT_EQ(list(joined.times_of(1)), (std::vector<double>{4, 5, 6, 9}));
}

TEST_F(RawImport, EdgesOfATableHoldAmongThosePresent) {
  ImportOptions options = table(kComeAndGo);
  options.relations.table = write("edges.csv", "source,target\na,b\nb,c\nc,a\n");
  options.arrangement.window = 4;
  options.arrangement.stride = 2;
  options.arrangement.split = 1.0;
  const data::Dataset d = import(options);
  EXPECT_EQ(d.relations_of(0), 0);
  EXPECT_EQ(d.relations_of(1), 1);
  ASSERT_EQ(d.relations_of(3), 1);
  EXPECT_EQ(d.relation(d.first_relation(3)).source, 0);
  EXPECT_EQ(d.relation(d.first_relation(3)).target, 1);
}

TEST_F(RawImport, WindowsAndSystemsWithoutObservationsAreCountedApart) {
  ImportOptions options = table(
      "system,object,time,x\n"
      "s,a,0,1\ns,a,1,2\ns,a,5,\ns,a,8,3\ns,a,9,5\n"
      "t,a,0,\nt,a,1,\n"
      "u,a,0,7\nu,a,1,8\n");
  options.arrangement.test_systems = {"u"};
  const data::Dataset whole = import(options);
  EXPECT_EQ(whole.systems(), 2);
  EXPECT_EQ(report_.empty_systems, 1);
  EXPECT_EQ(report_.empty_rows, 3);
  EXPECT_EQ(whole.observations(), 6);
  EXPECT_EQ(whole.empty_rows(), 1);
  options.arrangement.window = 2;
  const data::Dataset d = import(options);
  EXPECT_EQ(report_.empty_systems, 1);
  EXPECT_EQ(report_.empty_windows, 3);  // s from 2 to 8
  EXPECT_EQ(d.systems(), 3);
  options.arrangement.test_systems = {"t"};
  refuse(options, {"test part", "`test_systems`"});
  refuse(table("object,time,x\na,0,\na,1,NA\n"), {"no row has a value"});
}

TEST_F(RawImport, EmptyRowsDoNotCount) {
  const data::Dataset d = import(table("object,time,x\na,-3,\na,0,1\na,0.5,\na,1,2\na,2,3\na,9,\n"));
  EXPECT_EQ(d.origin(0), 0);
  EXPECT_EQ(d.description().conditioning_length, 3);  // last observation and a typical gap of 1
  EXPECT_EQ(d.description().max_length, 3);
  EXPECT_EQ(d.rows(), 6);
}

// --- Several files

TEST_F(RawImport, FilesAreSystems) {
  ImportOptions options;
  options.observations = {write("b.csv", "object,time,x\no,0,1\no,1,2\n"),
                          write("a.csv", "x,object,time\n3,o,0\n4,o,1\n")};
  options.arrangement.test_systems = {"a"};
  const data::Dataset d = import(options);
  ASSERT_EQ(d.systems(), 2);
  EXPECT_EQ(d.system_id(0), "b");
  EXPECT_EQ(d.system_id(1), "a");
  EXPECT_EQ(d.part(1), data::Part::kTest);
  EXPECT_EQ(list(d.values_of(1)), (std::vector<double>{3, 4}));
  EXPECT_TRUE(d.description().columns[0].empty());
  EXPECT_TRUE(table_import(d.description()).file_systems);
  EXPECT_EQ(recording_of(d, 1), "a");
}

TEST_F(RawImport, SystemsInSeveralFilesAreJoinedAndTold) {
  ImportOptions options;
  options.observations = {write("a.csv", "system,object,time,x\ns,o,0,1\n"),
                          write("b.csv", "system,object,time,x\ns,o,1,2\nt,o,0,2\nt,o,1,2\n")};
  options.arrangement.test_systems = {"t"};
  const data::Dataset d = import(options);
  EXPECT_EQ(d.systems(), 2);
  EXPECT_EQ(list(d.times_of(0)), (std::vector<double>{0, 1}));
  EXPECT_TRUE(noted("1 system has rows in several files, such as 's'"));
}

// Windows of length 4, 2 apart.
class NewSplit : public RawImport {
 protected:
  data::Dataset windows(int recordings) {
    std::string text = "system,object,time,x\n";
    for (int r = 0; r < recordings; ++r)
      for (int k = 0; k < 40; ++k) text += fmt::format("r{},o,{},{}\n", r, k, k % 7);
    ImportOptions options;
    options.observations = {write("obs.csv", text)};
    options.arrangement.window = 4, options.arrangement.stride = 2, options.arrangement.first_range = 3;
    options.arrangement.split = 1.0;
    return import(options);
  }
  // Training and test windows of one recording share no time.
  static void expect_apart(const data::Dataset& d) {
    for (const std::int64_t a : d.systems_in(data::Part::kTrain))
      for (const std::int64_t b : d.systems_in(data::Part::kTest))
        if (recording_of(d, a) == recording_of(d, b)) {
          EXPECT_GE(std::abs(d.origin(a) - d.origin(b)), 4) << d.system_id(a) << " and " << d.system_id(b);
        }
  }
};

TEST_F(NewSplit, FewRecordingsAreSplitInTime) {
  const data::Dataset d = windows(2);
  std::int64_t out = 0;
  const data::Dataset e = data::split(d, {.test = 0.5}, out);
  expect_apart(e);
  EXPECT_GT(out, 0);
  EXPECT_EQ(e.systems() + out, d.systems());
  std::set<std::string> tested;
  for (const std::int64_t s : e.systems_in(data::Part::kTest)) tested.insert(recording_of(e, s));
  EXPECT_EQ(tested.size(), 2U);
  // As the import does it.
  ImportOptions options;
  options.observations = {folder_ / "obs.csv"};
  options.arrangement.window = 4, options.arrangement.stride = 2, options.arrangement.split = 0.5;
  const data::Dataset same = import(options);
  EXPECT_EQ(e.description().system_ids, same.description().system_ids);
  EXPECT_EQ(e.systems_in(data::Part::kTest), same.systems_in(data::Part::kTest));
}

TEST_F(NewSplit, ManyRecordingsStayWhole) {
  std::int64_t out = 0;
  const data::Dataset d = windows(6);
  const data::Dataset e = data::split(d, {.test = 0.3}, out);
  EXPECT_EQ(out, 0);
  std::map<std::string, std::set<data::Part>> parts;
  for (std::int64_t s = 0; s < e.systems(); ++s) parts[recording_of(e, s)].insert(e.part(s));
  std::size_t tested = 0;
  for (const auto& [recording, in] : parts) {
    EXPECT_EQ(in.size(), 1U) << recording;
    tested += in.contains(data::Part::kTest) ? 1 : 0;
  }
  EXPECT_EQ(tested, 2U);
}

TEST_F(NewSplit, WindowsThatOverlapNamedOnesAreLeftOut) {
  std::int64_t out = 0;
  const data::Dataset d = windows(2);
  const data::Dataset e = data::split(d, {.test_systems = {"r0/3"}}, out);
  EXPECT_EQ(out, 2);
  EXPECT_EQ(e.systems_in(data::Part::kTest).size(), 1U);
  EXPECT_EQ(e.systems(), d.systems() - 2);
  expect_apart(e);
  EXPECT_EQ(data::split(d, {.test_systems = {"r0"}}, out).systems(), d.systems());
  expect_error<ConfigError>([&] { data::split(d, {.test_systems = {"r0/33"}}, out); },
                            {"`test_systems` r0/33", "r0/3"});
}

TEST_F(NewSplit, OneSystemCannotBeSplit) {
  ImportOptions options;
  options.observations = {write("obs.csv", "object,time,x\no,0,1\no,1,2\n")};
  const data::Dataset d = import(options);
  std::int64_t out = 0;
  expect_error<ConfigError>([&] { data::split(d, {}, out); }, {"`test` 0.2", "one system"});
  EXPECT_EQ(data::split(d, {.test = 0}, out).systems_in(data::Part::kTrain).size(), 1U);
}

TEST_F(RawImport, ColumnsOfEachFileAreFoundByName) {
  ImportOptions options;
  options.observations = {write("a.csv", "object,time,x,y\no,0,1,2\no,1,3,4\n"),
                          write("b.csv", "y,time,x,object\n6,0,5,o\n8,1,7,o\n")};
  options.arrangement.test_systems = {"b"};
  const data::Dataset d = import(options);
  EXPECT_EQ(list(d.values_of(0)), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(list(d.values_of(1)), (std::vector<double>{5, 6, 7, 8}));
  EXPECT_EQ(d.description().features[0].name, "x");
}

TEST_F(RawImport, WindowsOfATableWithoutSystemsAreNumbers) {
  std::string text = "object,time,x\n";
  for (int k = 0; k < 20; ++k) text += fmt::format("o,{},{}\n", k, k % 3);
  ImportOptions options;
  options.observations = {write("one.csv", text)};
  options.arrangement.window = 2;
  options.arrangement.test_systems = {"one/7"};
  refuse<ConfigError>(options, {"`test_systems` one/7", "windows are called 0 to 9"});
  options.arrangement.test_systems = {"7"};
  EXPECT_EQ(import(options).systems_in(data::Part::kTest).size(), 1U);
}

TEST_F(RawImport, EmptyRowsInNoWindowAreCounted) {
  ImportOptions options = table("object,time,x\na,0,1\na,1,\na,2,3\na,3,4\nb,0,\nb,2,1\na,4,\n");
  options.arrangement.window = 2, options.arrangement.split = 1.0;
  import(options);
  EXPECT_EQ(report_.empty_rows, 3);
  EXPECT_EQ(report_.empty_outside, 2);  // b at 0 and a at 4
  options.arrangement.every = 2;        // keeps a at 0, 2 and 4, b at 0 and 2
  const data::Dataset d = import(options);
  EXPECT_EQ(report_.empty_rows, 2);
  EXPECT_EQ(d.description().rows_left_out, 7 - d.rows());
}

TEST_F(RawImport, CountsHaveNoUnitOfTime) {
  ImportOptions options = table("object,time,x\na,0,1\na,25,2\n");
  options.roles.rate = 25;
  options.roles.time_unit = "frames";
  EXPECT_EQ(import(options).description().time_unit, "s");
  options.roles.time_unit = "ms";
  refuse<ConfigError>(options, {"`rate` 25", "`time_unit`", "ms"});
}

TEST_F(RawImport, FaultsNameTheirFile) {
  ImportOptions options;
  options.observations = {write("a.csv", "system,object,time,x\ns,o,0,1\n\ns,o,2,1\n"),
                          write("b.csv", "system,object,time,x\ns,o,1,2\ns,o,1,bad\ns,o,2,3\n")};
  refuse(options, {"2 bad rows", "b.csv, line 3, column 'x': found 'bad'",
                   "b.csv, line 4: found 'o at 2', expected one row for each object and time; the first is in",
                   "a.csv, line 4"});
  options.observations[1] = write("b.csv", "system,object,time,y\ns,o,1,2\n");
  refuse(options, {"b.csv: has the columns system, object, time, y, but", "a.csv has system, object, time, x"});
  options.observations[1] = write("b.csv", "system;object;time;x\ns;o;1;2\n");
  refuse(options, {"b.csv: has ';' between its fields", "','"});
  std::filesystem::create_directory(folder_ / "sub");
  options.observations = {write("n.csv", "object,time,x\no,1,2\n"), write("sub/n.csv", "object,time,x\no,1,2\n")};
  refuse<ConfigError>(options, {"n.csv and", "would both be system 'n'", "`system`"});
}

TEST_F(RawImport, PatternsAreExpanded) {
  const std::string folder = folder_.path().string();
  for (const char* name : {"b.txt", "a.txt", "c.csv", "odd[1].txt"}) write(name, "x");
  const auto names = [&](const Words& given) {
    Words found;
    for (const auto& path : find_files(given)) found.push_back(path.filename().string());
    return found;
  };
  EXPECT_EQ(names({folder + "/?.txt", folder + "/c.csv"}), (Words{"a.txt", "b.txt", "c.csv"}));
  EXPECT_EQ(names({folder + "/odd[1].txt"}), (Words{"odd[1].txt"}));
  EXPECT_EQ(names({folder + "/absent.txt"}), (Words{"absent.txt"}));
  expect_error<ConfigError>([&] { find_files({folder + "/*.tsv"}); }, {"*.tsv", "no file matches"});
  expect_error<ConfigError>([&] { find_files({folder + "/a.txt", folder + "/?.txt"}); }, {"a.txt is named twice"});
  expect_error<ConfigError>([&] { find_files({folder + "/a.txt", folder + "/./a.txt"}); }, {"named twice", "/./a.txt"});
}

// --- Tables without names, counts, own words

TEST_F(RawImport, ColumnsNameWhatTheTableDoesNot) {
  ImportOptions options = table("0\t1.0\t7\t2,5\n10\t1.0\t7\t999\n20\t1.0\t7\t4,5\n");
  refuse(options, {"line 1: found numbers", "`columns`, such as time,object,x,y"});
  options.format.columns = {"time", "object", "_", "x"};
  options.format.decimal_comma = true;
  options.format.missing = {"none", "999.0"};
  options.roles.rate = 25;
  options.roles.time_unit = "frame";
  const data::Dataset d = import(options);
  EXPECT_EQ(d.features(), 1);
  EXPECT_EQ(list(d.times_of(0)), (std::vector<double>{0, 0.4, 0.8}));
  EXPECT_EQ(d.values_of(0)[0], 2.5);
  EXPECT_EQ(report_.empty_rows, 1);
  EXPECT_EQ(d.description().time_unit, "s");
  EXPECT_EQ(d.description().rate, 25);
  EXPECT_EQ(d.description().header, options.format.columns);
  data::save_dataset(d, folder_ / "d", Overwrite::kRefuse);
  const data::Description read = data::load_dataset(folder_ / "d").description();
  EXPECT_EQ(read.header, options.format.columns);
  EXPECT_EQ(read.missing, options.format.missing);
  options.format.columns = {"time", "object", "x"};
  refuse<ConfigError>(options, {"`columns` time,object,x: names 3 columns", "has 4"});
  options = table("frame,who,x\n0,1,2\n");
  options.format.columns = {"time", "object", "x"};
  refuse<ConfigError>(options, {"`columns`: line 1 of", "has names already: frame, who, x", "leave `columns` out"});
  refuse<ConfigError>(table("car,0,5\ncar,1,6\n"), {"no column 'object'", "give them with `columns`"});
}

TEST_F(RawImport, DuplicatesOfCountsAreToldAsCounts) {
  ImportOptions options = table("object,time,x\na,10,1\na,10,2\n");
  options.roles.rate = 25;
  refuse(options, {"found 'a at 10'"});
  options = table("object,time,x\na,2024-01-01,1\na,2024-01-02,2\n");
  options.roles.rate = 25;
  refuse<ConfigError>(options, {"`rate` 25", "dates"});
}

TEST_F(RawImport, LargeValuesAreBadRows) {
  refuse(table("object,time,x\na,0,1\na,1,2e20\n"),
         {"line 3, column 'x': found '2e20', expected a number from -1e+20 to 1e+20"});
}

TEST_F(RawImport, UsualWordsForMissing) {
  const data::Dataset d = import(table("object,time,x,y\na,0,1,#N/A\na,1,-,2\na,2,3,4\n"));
  EXPECT_TRUE(std::isnan(d.values_of(0)[1]));
  EXPECT_TRUE(std::isnan(d.values_of(0)[2]));
  refuse(table("object,time,x\na,0,.\n"), {"found '.'"});
}

TEST_F(RawImport, SystemsOfSeveralColumns) {
  ImportOptions options =
      table("game,period,object,time,x\ng,1,a,0,1\ng,2,a,0,2\ng,1,a,1,3\nh,1,a,0,5\nh,1,a,1,6\ng,2,a,1,6\n");
  options.roles.system = "game,period";
  options.arrangement.test_systems = {"h/*"};
  const data::Dataset d = import(options);
  EXPECT_EQ(d.description().system_ids, (Words{"g/1", "g/2", "h/1"}));
  EXPECT_EQ(d.part(2), data::Part::kTest);
  EXPECT_EQ(d.description().columns[0], "game,period");
  EXPECT_EQ(d.features(), 1);
  options.roles.system = "game,perod";
  refuse<ConfigError>(options, {"`system` perod", "did you mean period?"});
}

TEST_F(RawImport, TimesOfDay) {
  const data::Dataset d = import(table("object,time,x\na,12:30:05.25,1\na,12:30,2\nb,12:31:00,3\n"));
  EXPECT_EQ(list(d.times_of(0)), (std::vector<double>{45000, 45005.25}));
  EXPECT_EQ(d.description().time_format, "hh:mm:ss.ss");
  EXPECT_EQ(d.description().time_unit, "s");
  export_csv(d, folder_ / "tables", Overwrite::kRefuse);
  const data::Dataset again = import(folder_import(folder_ / "tables"));
  EXPECT_EQ(again.fingerprint(), d.fingerprint());
  EXPECT_EQ(again.description().time_format, "hh:mm:ss.ss");
  refuse(table("object,time,x\na,12:30,1\na,5,2\n"), {"line 3, column 'time': found '5', expected a time of day"});
  refuse(table("object,time,x\na,5,1\na,12:30,2\n"), {"line 3, column 'time'", "not several kinds"});
  import(table("object,time,x\na,23:59,1\na,00:01,2\n"));
  EXPECT_TRUE(noted("before 06:00 and after 18:00"));
  import(table("object,time,x\na,13:59,1\na,14:01,2\n"));
  EXPECT_FALSE(noted("06:00"));
}

// --- Thinning and velocities

TEST_F(RawImport, ThinsToOneRowPerInterval) {
  ImportOptions options =
      table("object,time,x\na,10,0\na,10.1,1\na,10.2,2\na,10.3,3\na,11.2,4\nb,10.15,5\nb,10.19,6\nb,10.4,\nb,10.5,7\n");
  options.arrangement.every = 0.2;
  const data::Dataset d = import(options);
  EXPECT_EQ(list(d.times_of(0)), (std::vector<double>{10, 10.2, 11.2}));
  // An observation is kept rather than a place to fill.
  EXPECT_EQ(list(d.times_of(1)), (std::vector<double>{10.15, 10.5}));
  EXPECT_EQ(report_.thinned_rows, 4);
}

TEST_F(RawImport, VelocitiesByDifference) {
  ImportOptions options = table("object,time,x,y,u,vy\na,0,1,2,3,4\na,1,2,3,4,5\n");
  options.roles.velocities = Velocities::kDifference;
  options.roles.velocity_of = {{"u", "x"}};
  options.roles.units = {{"y", "m"}};
  options.roles.time_unit = "s";
  options.relations.rule = data::EdgeRule::Kind::kNearest;
  options.relations.neighbours = 1;
  options.relations.positions = {"x", "y"};
  const data::Dataset d = import(options);
  const auto& features = d.description().features;
  ASSERT_EQ(features.size(), 5U);
  EXPECT_EQ(features[4].name, "y_velocity");
  EXPECT_EQ(features[4].unit, "m/s");
  EXPECT_EQ(features[4].velocity_of, 1);
  EXPECT_TRUE(features[4].derived);
  EXPECT_TRUE(std::isnan(d.values_of(0)[4]));
  EXPECT_EQ(d.values_of(0)[5], 2);
  EXPECT_FALSE(d.has_missing());
  export_csv(d, folder_ / "tables", Overwrite::kRefuse);
  EXPECT_TRUE(read_text(folder_ / "tables/observations.csv").starts_with("system,object,time,x,y,u,vy\n"));
  EXPECT_EQ(import(folder_import(folder_ / "tables")).fingerprint(), d.fingerprint());
  options = table("object,time,x\na,0,1\na,1,2\n");
  options.roles.velocities = Velocities::kDifference;
  EXPECT_EQ(import(options).description().features[1].name, "vx");
}

// --- Parts

TEST(Wildcard, MatchesAsExpected) {
  EXPECT_TRUE(matches("zara*", "zara01"));
  EXPECT_TRUE(matches("*r?0*2", "zara0102"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_FALSE(matches("zara?", "zara01"));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_FALSE(matches("a*b", "abc"));
}

std::string recordings(const Words& names, int rows) {
  std::string text = "system,object,time,x\n";
  for (const std::string& name : names)
    for (int k = 0; k < rows; ++k) text += fmt::format("{},o,{},{}\n", name, k, k % 7);
  return text;
}

TEST_F(RawImport, TestSystemsMayBePatternsAndWindows) {
  ImportOptions options = table(recordings({"zara1", "zara2", "hotel"}, 40));
  options.arrangement.test_systems = {"zara*"};
  EXPECT_EQ(import(options).systems_in(data::Part::kTest).size(), 2U);
  options.arrangement.test_systems = {"zarra1"};
  refuse<ConfigError>(options, {"`test_systems` zarra1", "did you mean zara1?"});
  options.arrangement.test_systems = {"x*"};
  refuse<ConfigError>(options, {"`test_systems` x*", "none that matches"});
  options.arrangement.window = 10;
  options.arrangement.stride = 5;
  options.arrangement.test_systems = {"hotel/2", "zara1"};
  const data::Dataset d = import(options);
  EXPECT_EQ(report_.split_windows, 2);  // hotel/1 and hotel/3
  for (std::int64_t s = 0; s < d.systems(); ++s) {
    const std::string id = d.system_id(s);
    EXPECT_EQ(d.part(s) == data::Part::kTest, id.starts_with("zara1/") || id == "hotel/2") << id;
    EXPECT_TRUE(id != "hotel/1" && id != "hotel/3");
  }
}

// Fewer than five recordings: each in time. Five: whole ones.
TEST_F(RawImport, FewRecordingsAreSplitInTime) {
  ImportOptions options = table(recordings({"a", "b", "c"}, 100));
  options.arrangement.window = 10;
  options.arrangement.seed = 3;
  const data::Dataset d = import(options);
  EXPECT_EQ(report_.split_windows, 3);
  std::map<std::string, std::pair<double, double>> border;  // end of training, begin of test
  for (std::int64_t s = 0; s < d.systems(); ++s) {
    auto& [end, begin] = border.try_emplace(recording_of(d, s), -1, 1e9).first->second;
    if (d.part(s) == data::Part::kTrain)
      end = std::max(end, d.origin(s) + 10);
    else
      begin = std::min(begin, d.origin(s));
  }
  for (const auto& [name, at] : border) EXPECT_EQ(at.second, at.first + 10) << name;
  options = table(recordings({"a", "b", "c", "d", "e"}, 100));
  options.arrangement.window = 10;
  const data::Dataset whole = import(options);
  EXPECT_EQ(report_.split_windows, 0);
  std::map<std::string, std::set<data::Part>> parts;
  for (std::int64_t s = 0; s < whole.systems(); ++s) parts[recording_of(whole, s)].insert(whole.part(s));
  for (const auto& [name, of] : parts) EXPECT_EQ(of.size(), 1U) << name;
}

// Too few windows to spare some: the parts touch, and where windows overlap, one between them is skipped.
TEST_F(RawImport, FewWindowsAreSplitWithoutOverlap) {
  ImportOptions options = table(recordings({"a", "b"}, 50));
  options.arrangement.window = 20;
  options.arrangement.stride = 10;
  const data::Dataset d = import(options);
  EXPECT_EQ(report_.split_windows, 2);
  EXPECT_EQ(d.systems(), 6);
  EXPECT_EQ(d.systems_in(data::Part::kTest).size(), 2U);
  // Two windows that overlap are not split: whole recordings are.
  options.arrangement.window = 40;
  const data::Dataset whole = import(options);
  EXPECT_EQ(report_.split_windows, 0);
  EXPECT_EQ(whole.systems(), 4);
  EXPECT_EQ(whole.systems_in(data::Part::kTest).size(), 2U);
  options = table(recordings({"a"}, 50));
  options.arrangement.window = 40;
  options.arrangement.stride = 10;
  EXPECT_EQ(import(options).systems_in(data::Part::kTrain).size(), 2U);
  options.arrangement.split = 0.5;
  refuse<ConfigError>(options, {"`split` 0.5", "shorter `window`"});
}

// --- Exchanged columns

// People who walk across a place, each for a while.
std::string walkers(bool swapped) {
  Random random(5, RandomUse::kTest);
  std::string text;
  for (int person = 0; person < 60; ++person) {
    const double x = 20 * random.uniform(), y = 20 * random.uniform(), v = random.normal(), w = random.normal();
    for (int k = 0; k < 12; ++k) {
      const int frame = 10 * (person / 3 + k);
      text += fmt::format("{},{},{:.3f},{:.3f}\n", swapped ? person : frame, swapped ? frame : person, x + 0.4 * v * k,
                          y + 0.4 * w * k);
    }
  }
  return text;
}

TEST_F(RawImport, ExchangedColumnsAreRefused) {
  ImportOptions options = table(walkers(true));
  options.format.columns = {"time", "object", "x", "y"};
  refuse<ConfigError>(options, {"seem to be exchanged", "`columns` object,time,x,y", "`keep_columns`"});
  options.roles.keep_columns = true;
  import(options);
  options = table("frame,who,x,y\n" + walkers(false));
  options.roles.object = "frame";
  options.roles.time = "who";
  refuse<ConfigError>(options, {"'frame'", "'who'", "`object` who `time` frame"});
  options.roles.object = "who";
  options.roles.time = "frame";
  import(options);
}

// Oscillators with numbers as names, coarse and fine in time.
TEST_F(RawImport, OrdinaryTablesDoNotLookExchanged) {
  for (const double step : {0.1, 1.0, 3.0}) {
    std::string text = "object,time,x,y\n";
    for (int o = 0; o < 8; ++o)
      for (int k = 0; k < 60; ++k)
        text +=
            fmt::format("{},{},{:.4f},{:.4f}\n", o, k, std::sin(step * k + o * o), std::cos(0.7 * step * k + 3 * o));
    import(table(text));
  }
  std::string still = "object,time,x\n";
  for (int o = 0; o < 20; ++o)
    for (int k = 0; k < 20; ++k) still += fmt::format("{},{},{}\n", o, k, k);
  import(table(still));  // all objects share the value
}

// --- Merging

TEST_F(RawImport, MergedSetsNeedTheSameRule) {
  ImportOptions options = table("object,time,x\na,0,1\na,1,2\nb,0,1\nb,1,5\n");
  const data::Dataset all = import(options);
  options.relations.rule = data::EdgeRule::Kind::kNearest;
  options.relations.neighbours = 2;
  const data::Dataset nearest = import(options);
  options.roles.velocities = Velocities::kDifference;
  const data::Dataset derived = import(options);
  EXPECT_EQ(data::merge({nearest, nearest}, {"m", "n"}).description().edges.neighbours, 2);
  expect_error<DataError>([&] { data::merge({all, nearest}, {"m", "n"}); }, {"n: ", "k-nearest=2", "all", "`edges`"});
  expect_error<DataError>([&] { data::merge({nearest, derived}, {"m", "n"}); }, {"n: has other features"});
}

// Rows of one object and time that repeat or complete each other are one observation; contradictions are bad rows.
TEST(ImportJoinedRows, RepeatedRowsAreJoined) {
  const lgode::testing::TempFolder folder;
  ImportOptions options;
  options.observations = {folder / "twice.csv"};
  const auto import = [&](const std::string& rows, ImportReport& report) {
    std::ofstream(folder / "twice.csv") << "object,time,x,y\n" << rows;
    return import_csv(options, report);
  };
  ImportReport report;
  const data::Dataset set = import("a,0,1,2\na,0,1,2\na,1,,5\na,1,4,\na,2,,\na,2,7,8\na,3,1,1\n", report);
  EXPECT_EQ(report.joined_rows, 3);
  EXPECT_EQ(set.observations(), 4);
  EXPECT_EQ(set.empty_rows(), 0);
  EXPECT_EQ(set.values_of(0)[2], 4);
  EXPECT_EQ(set.values_of(0)[3], 5);
  EXPECT_EQ(set.values_of(0)[4], 7);
  ImportReport other;
  EXPECT_THROW(import("a,0,1,2\na,0,1,3\na,1,4,5\n", other), DataError);
}

}  // namespace
}  // namespace lgode::table
