// Which data a run may be used on.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/eval/run_info.h"
#include "support/runs.h"
#include "support/temp_folder.h"

namespace lgode::eval {
namespace {

using lgode::testing::expect_error;

struct Plan {
  std::vector<data::Feature> features{{"x", "m", 0, -1}, {"vx", "m/s", 1, 0}};
  std::string time_unit = "s";
  double range = 2, step = 0.1, scale = 1, shift = 0;
  double glitch = 0;  // added to one value
  bool missing = false, empty_row = false;
};

data::Dataset make(const Plan& plan) {
  data::Description d;
  d.features = plan.features;
  d.relation_types = {"r"};
  d.time_unit = plan.time_unit;
  d.time_scale = d.conditioning_length = plan.range;
  data::DatasetBuilder builder(d);
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  for (int s = 0; s < 4; ++s) {
    builder.begin_system(data::Part::kTrain);
    builder.add_object();
    for (int k = 0; k < 20; ++k) {
      const double t = plan.step * k;
      std::vector<double> values = {plan.shift + plan.scale * std::sin(s + k), plan.scale * std::cos(s + k)};
      if (plan.features[1].derived || (plan.missing && k == 3)) values[1] = kMissing;
      if (plan.empty_row && k == 4) values = {kMissing, kMissing};
      if (s == 2 && k == 9) values[0] += plan.glitch;
      builder.add_observation(t, values);
    }
  }
  return builder.finish("plan");
}

RunInfo run_of(const Plan& plan, const data::TaskOptions& task = {}) {
  const data::Dataset set = make(plan);
  RunInfo info = lgode::testing::run_on(set, task).info;
  info.time_unit = plan.time_unit;
  info.typical_gap = data::typical_gap(set, set.systems_in(data::Part::kTrain));
  return info;
}

void expect_mismatch(const RunInfo& info, const Plan& plan, const std::vector<std::string>& parts) {
  expect_error<ConfigError>([&] { check_fits(info, make(plan)); }, parts);
  EXPECT_NO_THROW(check_fits(info, make(plan), {.allow_mismatch = true}));
}

TEST(CheckFits, TheSameDataFits) { EXPECT_NO_THROW(check_fits(run_of({}), make({}))); }

TEST(CheckFits, UnitsMustAgreeIfBothAreKnown) {
  Plan plan;
  plan.features[0].unit = "cm";
  expect_mismatch(run_of({}), plan, {"'x'", "was m", "is cm", "`allow_mismatch`"});
  plan.features[0].unit = "";
  EXPECT_NO_THROW(check_fits(run_of({}), make(plan)));
  plan = {};
  plan.time_unit = "ms";
  expect_mismatch(run_of({}), plan, {"time", "was s", "is ms"});
}

TEST(CheckFits, TimesMustBeOfTheSameOrder) {
  Plan plan;
  plan.time_unit = "";
  plan.step = 100;
  plan.range = 2000;
  expect_mismatch(run_of({}), plan, {"between two observations", "0.1 s", "100", "1e+03 times", "milliseconds?"});
  plan = {};
  plan.range = 30;
  expect_mismatch(run_of({}), plan, {"length of the first range", "2 s", "30", "`window`"});
  RunInfo old = run_of({});
  old.typical_gap = 0;
  plan = {};
  plan.step = 3;
  EXPECT_NO_THROW(check_fits(old, make(plan)));
}

TEST(CheckFits, MissingValuesNeedAModelThatKnowsThem) {
  Plan plan;
  plan.missing = true;
  expect_error<ConfigError>([&] { check_fits(run_of({}), make(plan), {.allow_mismatch = true}); },
                            {"lack values", "`hide_values` 0.2"});
  EXPECT_NO_THROW(check_fits(run_of({}), make(plan), {.allow_missing = true}));
  EXPECT_NO_THROW(check_fits(run_of(plan), make(plan)));
  // Empty rows are places to fill, not observations.
  plan = {};
  plan.empty_row = true;
  EXPECT_NO_THROW(check_fits(run_of({}), make(plan)));
}

TEST(CheckFits, DerivedFeaturesMustAgree) {
  Plan plan;
  plan.features[1].derived = true;
  expect_error<ConfigError>([&] { check_fits(run_of({}), make(plan)); }, {"'vx'", "derived"});
  expect_error<ConfigError>([&] { check_fits(run_of(plan), make({})); }, {"'vx'", "derived"});
  EXPECT_NO_THROW(check_fits(run_of(plan), make(plan)));
}

TEST(NotesOn, LargeAndSmallValues) {
  EXPECT_TRUE(notes_on(run_of({}), make({})).empty());
  Plan plan;
  plan.scale = 1000;
  const std::vector<std::string> large = notes_on(run_of({}), make(plan));
  ASSERT_EQ(large.size(), 2U);
  EXPECT_NE(large[0].find("largest value of 'x'"), std::string::npos) << large[0];
  plan.scale = 0.001;
  EXPECT_EQ(notes_on(run_of({}), make(plan)).size(), 2U);
  // Far away: odd, unless the run is centred.
  plan = {};
  plan.shift = 1000;
  EXPECT_EQ(notes_on(run_of({}), make(plan)).size(), 1U);
  data::TaskOptions task;
  task.centre = data::Centre::kSystem;
  EXPECT_TRUE(notes_on(run_of({}, task), make(plan)).empty());
}

TEST(NotesOn, AValueThatIsNotBelievedIsNoOtherUnit) {
  data::TaskOptions task;
  task.gate = data::OutlierGate{.reach = {8, 8}, .gap = 0.1};
  const RunInfo info = run_of({}, task);
  Plan plan;
  plan.glitch = 4000;
  const std::vector<std::string> flagged = notes_on(info, make(plan));
  ASSERT_EQ(flagged.size(), 1U) << flagged[0];
  EXPECT_NE(flagged[0].find("jumps away"), std::string::npos) << flagged[0];
  // Taken as it is, it is a value like others.
  const std::vector<std::string> used = notes_on(info, make(plan), data::Outliers::kUse);
  ASSERT_EQ(used.size(), 1U) << used[0];
  EXPECT_NE(used[0].find("largest value of 'x'"), std::string::npos) << used[0];
  // Where everything jumps, the data has another unit.
  plan = {};
  plan.scale = 1000;
  const std::vector<std::string> other = notes_on(info, make(plan));
  ASSERT_FALSE(other.empty());
  EXPECT_NE(other[0].find("another unit?"), std::string::npos) << other[0];
}

}  // namespace
}  // namespace lgode::eval
