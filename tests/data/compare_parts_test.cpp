// What is said about parts that differ, and that equal parts pass in silence.
#include "lgode/data/compare_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "lgode/data/simulate.h"

namespace lgode::data {
namespace {

using Kind = PartDifference::Kind;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

struct Plan {
  int test_objects = 2, test_length = 20;
  double test_gap = 0.5;
  std::function<void(int k, std::vector<double>&)> change = [](int, auto&) {};  // of the test part's values
};

Dataset make(const Plan& plan) {
  Description d;
  d.features = {{"x", "m", 0, -1}, {"v", "", 1, 0, true}};
  d.relation_types = {"r"};
  d.time_unit = "s";
  d.time_scale = d.conditioning_length = 10;
  DatasetBuilder builder(d);
  for (int s = 0; s < 20; ++s) {
    const bool test = s >= 10;
    builder.begin_system(test ? Part::kTest : Part::kTrain);
    for (int o = 0; o < (test ? plan.test_objects : 2); ++o) {
      builder.add_object();
      for (int k = 0; k < (test ? plan.test_length : 20); ++k) {
        const double t = k * (test ? plan.test_gap : 0.5);
        std::vector<double> values = {std::sin(t + 0.3 * (s % 10) + o), kMissing};
        if (test) plan.change(k, values);
        builder.add_observation(t, values);
      }
    }
  }
  return builder.finish("plan");
}

const PartDifference* find(const std::vector<PartDifference>& all, Kind kind) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& d) { return d.kind == kind; });
  return found == all.end() ? nullptr : &*found;
}

TEST(CompareParts, EqualPartsPassInSilence) {
  for (const auto& difference : compare_parts(make({}))) ADD_FAILURE() << difference.what;
  for (const Physics physics : {Physics::kSprings, Physics::kCharged}) {
    SimulateOptions options;
    options.physics = physics;
    options.train = 60;
    options.test = 20;
    // Test systems have observations after the first range, as they should.
    for (const auto& difference : compare_parts(simulate(options))) ADD_FAILURE() << difference.what;
  }
}

TEST(CompareParts, SaysWhatIsFasterAndFartherOut) {
  Plan plan;
  plan.change = [](int, std::vector<double>& values) { values[0] = 10 * values[0] + 100; };
  const auto all = compare_parts(make(plan));
  const PartDifference* range = find(all, Kind::kRange);
  ASSERT_NE(range, nullptr);
  EXPECT_EQ(range->test, 1.0);
  EXPECT_EQ(range->feature, 0);
  EXPECT_NE(range->what.find("100 % of the test values of 'x' are outside"), std::string::npos) << range->what;
  const PartDifference* speed = find(all, Kind::kSpeed);
  ASSERT_NE(speed, nullptr);
  EXPECT_NEAR(speed->test / speed->train, 10, 1e-9);
  EXPECT_NE(speed->what.find("m/s in the training part"), std::string::npos) << speed->what;
  EXPECT_EQ(all.size(), 2U);  // the derived velocity is not compared
}

TEST(CompareParts, CentredPositionsMayLieAnywhere) {
  Plan plan;
  plan.change = [](int, std::vector<double>& values) { values[0] += 1000; };
  EXPECT_EQ(compare_parts(make(plan)).size(), 1U);
  for (const auto& difference : compare_parts(make(plan), true)) ADD_FAILURE() << difference.what;
}

TEST(CompareParts, CountsObjectsObservationsGapsAndMissingValues) {
  Plan plan;
  plan.test_objects = 4;
  EXPECT_NE(find(compare_parts(make(plan)), Kind::kObjects), nullptr);
  plan = {};
  plan.test_gap = 1;
  plan.test_length = 10;
  auto all = compare_parts(make(plan));
  ASSERT_NE(find(all, Kind::kGap), nullptr);
  EXPECT_EQ(find(all, Kind::kGap)->test, 1.0);
  ASSERT_NE(find(all, Kind::kObservations), nullptr);
  EXPECT_EQ(find(all, Kind::kObservations)->train, 20.0);
  EXPECT_EQ(find(all, Kind::kMissing), nullptr);  // empty rows are not observations
}

TEST(CompareParts, CountsMissingValuesOfObservations) {
  Description d;
  d.features = {{"x", "", 0, -1}, {"y", "", 0, -1}};
  d.relation_types = {"r"};
  DatasetBuilder builder(d);
  for (int s = 0; s < 2; ++s) {
    builder.begin_system(s == 1 ? Part::kTest : Part::kTrain);
    builder.add_object();
    for (int k = 0; k < 20; ++k)
      builder.add_observation(k, std::vector<double>{std::sin(k), s == 1 && k % 2 == 0 ? kMissing : std::cos(k)});
    for (int k = 20; k < 40; ++k) builder.add_observation(k, std::vector<double>{kMissing, kMissing});
  }
  const auto all = compare_parts(builder.finish("missing"));
  ASSERT_NE(find(all, Kind::kMissing), nullptr);
  EXPECT_EQ(find(all, Kind::kMissing)->train, 0.0);
  EXPECT_EQ(find(all, Kind::kMissing)->test, 0.25);
}

TEST(CompareParts, SaysNothingWithoutTwoParts) {
  Plan plan;
  plan.test_objects = 0;
  EXPECT_TRUE(compare_parts(make(plan)).empty());
}

}  // namespace
}  // namespace lgode::data
