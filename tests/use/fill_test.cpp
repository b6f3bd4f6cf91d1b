// Fills gaps of tables with a model in memory. Predicted values are compared with eval::predict on data sets that the
// tests cut by hand.
#include "lgode/use/fill.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/table/import.h"
#include "support/runs.h"
#include "support/temp_folder.h"

namespace lgode::use {
namespace {

using eval::FillMethod;
using eval::predict;
using eval::PredictOptions;
using eval::Run;
using eval::SystemPrediction;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kRange = 2.0;  // length of a range, eight time steps
constexpr double kStep = 0.25;

using Words = std::vector<std::string>;

Words split(const std::string& text, char delimiter) {
  Words parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, delimiter);) parts.push_back(part);
  if (text.ends_with(delimiter) && delimiter != '\n') parts.emplace_back();
  return parts;
}

struct Row {
  double time = 0, x = 0, y = 0;
};

double x_at(int system, int object, double time) { return 3 * std::sin(time + object) + system; }
double y_at(int object, double time) { return std::cos(2 * time - object); }
std::string object_name(int object) { return std::string(1, static_cast<char>('p' + object)); }

data::Description description() {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"y", "m", 1, -1}};
  d.relation_types = {"spring"};
  d.time_scale = d.conditioning_length = kRange;
  d.max_length = 8, d.min_length = 1;  // a range is eight steps of kStep
  return d;
}

// Adds objects p, q, ... with these rows; p acts on q.
void add_system(data::DatasetBuilder& builder, const std::string& id, double origin,
                const std::vector<std::vector<Row>>& objects) {
  builder.begin_system(data::Part::kTrain, origin, id);
  for (std::size_t o = 0; o < objects.size(); ++o) {
    builder.add_object(object_name(static_cast<int>(o)));
    for (const Row& row : objects[o]) builder.add_observation(row.time, std::vector<double>{row.x, row.y});
  }
  if (objects.size() > 1) builder.add_relation({0, 1, 0, 1.0F});
}

std::vector<std::vector<Row>> rows_of(int system, int objects, int steps) {
  std::vector<std::vector<Row>> rows(static_cast<std::size_t>(objects));
  for (int o = 0; o < objects; ++o)
    for (int k = 0; k < steps; ++k)
      rows[static_cast<std::size_t>(o)].push_back({kStep * k, x_at(system, o, kStep * k), y_at(o, kStep * k)});
  return rows;
}

// Two systems of two objects over one range, with gaps in both.
std::vector<std::vector<std::vector<Row>>> gappy_rows() {
  std::vector<std::vector<std::vector<Row>>> rows{rows_of(0, 2, 8), rows_of(1, 2, 8)};
  rows[0][0][2].x = kNone;
  rows[0][1][3].x = rows[0][1][3].y = kNone;
  rows[0][1][6].y = kNone;
  rows[1][0][0].y = kNone;
  rows[1][1][7].x = kNone;
  return rows;
}

data::Dataset set_of(const std::vector<std::vector<std::vector<Row>>>& rows) {
  data::DatasetBuilder builder(description());
  for (std::size_t s = 0; s < rows.size(); ++s) add_system(builder, fmt::format("s{}", s), 0, rows[s]);
  return builder.finish("test");
}

// The mean path of one system, [objects, times, features].
SystemPrediction mean_path(const Run& run, const data::Dataset& set, std::int64_t system,
                           const std::vector<double>& times) {
  PredictOptions options;
  options.systems = {system};
  options.own_times = {times};
  options.samples = 0;
  SystemPrediction out;
  predict(run, set, options, [&](const SystemPrediction& p) { out = p; });
  return out;
}

FillOptions fill_options(std::vector<std::int64_t> systems) {
  FillOptions options;
  options.predict.systems = std::move(systems);
  options.predict.samples = 0;
  options.with = FillMethod::kModel;
  return options;
}

class Fill : public ::testing::Test {
 protected:
  // The lines of the written file, including the header.
  Words fill(const eval::Run& run, const data::Dataset& set, FillOptions options, const FillCallbacks& callbacks = {}) {
    options.scratch_folder = folder_.path();
    filled_ = write_filled(folder_ / "filled.csv", Overwrite::kAllow, run, set, options, callbacks);
    return split(read("filled.csv"), '\n');
  }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  // Imports a table with columns system, object, time, x, y as windows of one range.
  data::Dataset import(const std::filesystem::path& table) const {
    table::ImportOptions options;
    options.observations = {table};
    options.roles.features = {"x", "y"};
    options.arrangement.window = kRange;
    options.scratch_folder = folder_.path();
    table::ImportReport report;
    return table::import_csv(options, report);
  }

  lgode::testing::TempFolder folder_;
  Filled filled_;
};

void expect_number(const std::string& text, double expected) {
  char* end = nullptr;
  const double got = std::strtod(text.c_str(), &end);
  EXPECT_TRUE(end != text.c_str() && *end == '\0') << text;
  EXPECT_NEAR(got, expected, 1e-5 * std::max(1.0, std::abs(expected)));
}

TEST_F(Fill, GapsGetTheMeanAndObservedValuesStay) {
  const auto rows = gappy_rows();
  const data::Dataset set = set_of(rows);
  const eval::Run run = lgode::testing::run_on(set);
  const Words lines = fill(run, set, fill_options({0, 1}));
  ASSERT_EQ(lines.size(), 1U + 4 * 8);
  EXPECT_EQ(lines[0], "system,object,time,x,y,imputed");
  std::size_t at = 1;
  for (int s = 0; s < 2; ++s) {
    std::vector<double> times;
    for (int k = 0; k < 8; ++k) times.push_back(kStep * k);
    const SystemPrediction expected = mean_path(run, set, s, times);
    for (std::size_t o = 0; o < 2; ++o)
      for (std::size_t k = 0; k < 8; ++k) {
        SCOPED_TRACE(lines[at]);
        const Row& row = rows[static_cast<std::size_t>(s)][o][k];
        const Words fields = split(lines[at++], ',');
        ASSERT_EQ(fields.size(), 6U);
        EXPECT_EQ(fields[0], "s" + std::to_string(s));
        EXPECT_EQ(fields[1], object_name(static_cast<int>(o)));
        EXPECT_EQ(fields[2], fmt::format("{}", row.time));
        std::string names;
        for (std::size_t f = 0; f < 2; ++f) {
          const double observed = f == 0 ? row.x : row.y;
          if (!std::isnan(observed)) {
            EXPECT_EQ(fields[3 + f], fmt::format("{}", observed));
            continue;
          }
          expect_number(fields[3 + f], expected.mean[(o * 8 + k) * 2 + f]);
          names += (names.empty() ? "" : " ") + std::string(f == 0 ? "x" : "y");
        }
        EXPECT_EQ(fields[5], names);
      }
  }
  EXPECT_EQ(filled_.rows, 32);
  EXPECT_EQ(filled_.new_rows, 0);
  EXPECT_EQ(filled_.values, 6);
  EXPECT_EQ(filled_.open_values, 0);
  EXPECT_EQ(filled_.blind_times, 0);
}

// Rows in any order, an extra column, and numbers in a format that cannot be reproduced from their values.
TEST_F(Fill, TheUsersTableKeepsItsBytes) {
  std::string text = "y,system,remark,object,time,x\r\n";
  for (int i = 0; i < 32; ++i) {
    const int at = i * 13 % 32, s = at % 2, o = at / 2 % 2, k = at / 4;
    const double t = kStep * k;
    text += fmt::format("{},s{},\"say \"\"{}\"\", please\",{},{:.3f},{}\r\n",
                        at % 7 == 3 ? "NA" : fmt::format("{:+.4e}", y_at(o, t)), s, i, object_name(o), t,
                        at % 5 == 1 ? "" : fmt::format("{:012.5f}", x_at(s, o, t)));
  }
  const std::filesystem::path table = write("obs.csv", text);
  const data::Dataset set = import(table);
  const eval::Run run = lgode::testing::run_on(set);
  FillOptions options = fill_options({0, 1});
  options.table = table;
  int read_tables = 0;
  FillCallbacks callbacks;
  callbacks.table_read = [&](const data::Dataset& whole) {
    ++read_tables;
    EXPECT_EQ(whole.rows(), 32);
  };
  const Words after = fill(run, set, options, callbacks), before = split(text, '\n');
  EXPECT_EQ(read_tables, 1);
  ASSERT_EQ(after.size(), before.size());
  EXPECT_EQ(after[0], "y,system,remark,object,time,x,imputed\r");
  std::vector<double> times;
  for (int k = 0; k < 8; ++k) times.push_back(kStep * k);
  std::map<std::string, SystemPrediction> expected;
  for (std::int64_t s = 0; s < 2; ++s)
    expected[set.description().recordings[static_cast<std::size_t>(s)]] = mean_path(run, set, s, times);
  int imputed = 0;
  for (std::size_t i = 1; i < before.size(); ++i) {
    SCOPED_TRACE(after[i]);
    // The remark has a comma: splitting gives seven fields before, eight after.
    const Words was = split(before[i].substr(0, before[i].size() - 1), ',');
    const Words is = split(after[i].substr(0, after[i].size() - 1), ',');
    ASSERT_EQ(was.size(), 7U);
    ASSERT_EQ(is.size(), 8U);
    EXPECT_TRUE(after[i].ends_with('\r'));
    const std::size_t o = was[4] == "p" ? 0 : 1, k = static_cast<std::size_t>(std::lround(std::stod(was[5]) / kStep));
    for (std::size_t c = 0; c < 7; ++c) {
      if (!was[c].empty() && was[c] != "NA") {
        EXPECT_EQ(is[c], was[c]);
        continue;
      }
      ++imputed;
      expect_number(is[c], expected[was[1]].mean[(o * 8 + k) * 2 + (c == 6 ? 0 : 1)]);
    }
    EXPECT_EQ(is[7], std::string(was[6].empty() ? "x" : "") + (was[6].empty() && was[0] == "NA" ? " " : "") +
                         (was[0] == "NA" ? "y" : ""));
  }
  EXPECT_GT(imputed, 8);
  EXPECT_EQ(filled_.values, imputed);
  EXPECT_EQ(filled_.rows, 32);
  EXPECT_EQ(filled_.bad_rows, 0);
}

// An object without a row where another of its system has one: added while it is there, not before its first row.
TEST_F(Fill, AllTimesAddsRows) {
  auto rows = gappy_rows();
  rows[0][1].erase(rows[0][1].begin() + 4);
  rows[0][1].erase(rows[0][1].begin());
  const data::Dataset set = set_of(rows);
  const eval::Run run = lgode::testing::run_on(set);
  EXPECT_EQ(fill(run, set, fill_options({0, 1})).size(), 1U + 30);
  EXPECT_EQ(filled_.new_rows, 0);

  FillOptions options = fill_options({0, 1});
  options.all_times = true;
  const Words lines = fill(run, set, options);
  ASSERT_EQ(lines.size(), 1U + 31);
  EXPECT_EQ(filled_.new_rows, 1);
  EXPECT_EQ(filled_.values, 6 + 2);
  const SystemPrediction expected = mean_path(run, set, 0, {1.0});
  const Words fields = split(lines[1 + 8 + 3], ',');
  ASSERT_EQ(fields.size(), 6U);
  EXPECT_EQ(fields[1] + " " + fields[2], "q 1");
  EXPECT_EQ(fields[5], "x y");
  for (std::size_t f = 0; f < 2; ++f) expect_number(fields[3 + f], expected.mean[2 + f]);
}

TEST_F(Fill, AllTimesAddsRowsBehindTheUsersTable) {
  std::string text = "system,object,time,x,y\n";
  for (int k = 0; k < 8; ++k)
    for (int o = 0; o < 2; ++o)
      if (o == 0 || k != 5) text += fmt::format("s,{},{},{:.4f},{:.4f}\n", object_name(o), kStep * k, 1.0 + k, 2.0 - o);
  FillOptions options = fill_options({0});
  options.table = write("obs.csv", text);
  options.all_times = true;
  const data::Dataset set = import(options.table);
  const eval::Run run = lgode::testing::run_on(set);
  const Words after = fill(run, set, options), before = split(text, '\n');
  ASSERT_EQ(after.size(), before.size() + 1);
  for (std::size_t i = 1; i < before.size(); ++i) EXPECT_EQ(after[i], before[i] + ",");
  const Words last = split(after.back(), ',');
  ASSERT_EQ(last.size(), 6U);
  EXPECT_EQ(last[0] + " " + last[1] + " " + last[2] + " " + last[5], "s q 1.25 x y");
  const SystemPrediction expected = mean_path(run, set, 0, {1.25});
  for (std::size_t f = 0; f < 2; ++f) expect_number(last[3 + f], expected.mean[2 + f]);
  EXPECT_EQ(filled_.new_rows, 1);
  EXPECT_EQ(filled_.rows, 16);
}

// Twenty time steps are two and a half ranges: the first two start at 0 and 2; the last one ends with the last
// observation and therefore starts at 3. Gaps are predicted from the rows in their own range only.
TEST_F(Fill, ALongRecordingIsFilledRangeByRange) {
  std::vector<std::vector<Row>> rows = rows_of(0, 2, 20);
  for (const int k : {3, 10, 18}) rows[0][static_cast<std::size_t>(k)].x = kNone;
  const data::Dataset set = set_of({rows});
  const eval::Run run = lgode::testing::run_on(set);
  const Words lines = fill(run, set, fill_options({0}));
  ASSERT_EQ(lines.size(), 1U + 40);
  EXPECT_EQ(filled_.values, 3);
  const std::vector<std::pair<int, int>> gap_and_first{{3, 0}, {10, 8}, {18, 12}};
  for (const auto& [gap, first] : gap_and_first) {
    SCOPED_TRACE(gap);
    std::vector<std::vector<Row>> range;
    for (const std::vector<Row>& object : rows) range.emplace_back(object.begin() + first, object.begin() + first + 8);
    data::DatasetBuilder builder(description());
    add_system(builder, "range", kStep * first, range);
    const SystemPrediction expected = mean_path(run, builder.finish("range"), 0, {kStep * gap});
    const Words fields = split(lines[1 + static_cast<std::size_t>(gap)], ',');
    ASSERT_EQ(fields.size(), 6U);
    expect_number(fields[3], expected.mean[0]);
    EXPECT_EQ(fields[5], "x");
  }
}

// A system that is not in the data set stays as it is; an object that is not in it is filled without relations.
TEST_F(Fill, WhatTheDataSetDoesNotKnow) {
  std::string text = "system,object,time,x,y\n";
  for (int k = 0; k < 8; ++k) text += fmt::format("s,p,{},{:.4f},1\n", kStep * k, x_at(0, 0, kStep * k));
  const data::Dataset set = import(write("obs.csv", text));
  const eval::Run run = lgode::testing::run_on(set);
  std::string more = text;
  for (int k = 0; k < 8; ++k) more += fmt::format("other,p,{},{},{}\n", kStep * k, k % 3 == 0 ? "" : "1", k % 2);
  more += "other,p,1.9,,\n";
  const Words stay = split(more.substr(text.size()), '\n');
  more += "s,new,0.5,,2\ns,new,1.5,1,2\n";
  FillOptions options = fill_options({0});
  options.table = write("more.csv", more);
  // The model has never seen an observation without one of its values.
  lgode::testing::expect_error<ConfigError>([&] { fill(run, set, options); }, {"lack values", "`hide_values` 0.2"});
  options.with.reset();
  const Words lines = fill(run, set, options);
  EXPECT_TRUE(filled_.model_cannot);
  ASSERT_EQ(lines.size(), 1U + 8 + 9 + 2);
  for (std::size_t i = 0; i < stay.size(); ++i) EXPECT_EQ(lines[9 + i], stay[i] + ",");
  EXPECT_EQ(filled_.open_values, 5);
  EXPECT_EQ(filled_.open_rows, 4);
  EXPECT_EQ(filled_.values, 1);
  EXPECT_TRUE(lines[18].starts_with("s,new,0.5,") && lines[18].ends_with(",2,x")) << lines[18];
}

// The second range has rows, but no values.
TEST_F(Fill, RangesWithoutAnyValueAreCounted) {
  std::vector<std::vector<Row>> rows = rows_of(0, 2, 24);
  for (std::vector<Row>& object : rows)
    for (std::size_t k = 8; k < 16; ++k) object[k].x = object[k].y = kNone;
  rows[0][20].y = kNone;
  const data::Dataset set = set_of({rows});
  const eval::Run run = lgode::testing::run_on(set);
  fill(run, set, fill_options({0}));
  EXPECT_EQ(filled_.blind_times, 2 * 8);
  EXPECT_EQ(filled_.values, 2 * 2 * 8 + 1);
}

// More ranges after the origin than a whole number counts.
TEST_F(Fill, ATimeFarAwayHasARangeOfItsOwn) {
  std::vector<std::vector<Row>> rows = rows_of(0, 2, 8);
  rows[0][2].x = kNone;
  rows[0].push_back({1e25, 1.0, kNone});
  const data::Dataset set = set_of({rows});
  const eval::Run run = lgode::testing::run_on(set);
  const Words lines = fill(run, set, fill_options({0}));
  EXPECT_EQ(lines.size(), 1U + 17U);
  EXPECT_EQ(filled_.values, 2);
}

TEST_F(Fill, AForecastingModelIsRefused) {
  const data::Dataset set = set_of(gappy_rows());
  eval::Run run = lgode::testing::run_on(set);
  run.info.task.task = data::Task::kExtrapolate;
  lgode::testing::expect_error<ConfigError>([&] { fill(run, set, fill_options({0})); },
                                            {"forecasts", "`task` interpolate"});
  EXPECT_EQ(folder_.entries(), 0U);
}

TEST_F(Fill, AColumnImputedIsRefused) {
  const std::filesystem::path table = write("obs.csv", "system,object,time,x,y,imputed\ns,p,0,1,,\ns,p,1,2,3,\n");
  data::DatasetBuilder builder(description());
  add_system(builder, "s", 0, rows_of(0, 1, 8));
  const data::Dataset set = builder.finish("test");
  FillOptions options = fill_options({0});
  options.table = table;
  const eval::Run run = lgode::testing::run_on(set);
  lgode::testing::expect_error<ConfigError>([&] { fill(run, set, options); }, {"obs.csv", "'imputed' already"});
}

TEST_F(Fill, StoppedItLeavesNoFile) {
  const data::Dataset set = set_of(gappy_rows());
  const eval::Run run = lgode::testing::run_on(set);
  const std::filesystem::path out = folder_ / "filled.csv";
  StopFlag before;
  before.request();
  EXPECT_THROW(write_filled(out, Overwrite::kAllow, run, set, fill_options({0, 1}), {}, &before), Interrupted);
  EXPECT_EQ(folder_.entries(), 0U);

  // After everything is predicted, and if there is nothing to predict.
  StopFlag late;
  FillCallbacks callbacks;
  callbacks.progress = [&](std::int64_t done, std::int64_t total) {
    if (done == total) late.request();
  };
  EXPECT_THROW(write_filled(out, Overwrite::kAllow, run, set, fill_options({0, 1}), callbacks, &late), Interrupted);
  EXPECT_EQ(folder_.entries(), 0U);
  const data::Dataset full = set_of({rows_of(0, 2, 8)});
  EXPECT_THROW(write_filled(out, Overwrite::kAllow, lgode::testing::run_on(full), full, fill_options({0}), {}, &before),
               Interrupted);
  EXPECT_EQ(folder_.entries(), 0U);

  callbacks.progress = {};
  callbacks.before_commit = [] { throw Interrupted(); };
  EXPECT_THROW(write_filled(out, Overwrite::kAllow, run, set, fill_options({0, 1}), callbacks), Interrupted);
  EXPECT_EQ(folder_.entries(), 0U);
}

}  // namespace
}  // namespace lgode::use
