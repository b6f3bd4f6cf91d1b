// Observations that cannot be believed: what is flagged, what is believed later, and what that does to scenes and
// scales.
#include "lgode/data/outliers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/simulate.h"

namespace lgode::data {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::vector<int> rows(const std::vector<FlaggedRow>& flagged, bool vindicated) {
  std::vector<int> out;
  for (const FlaggedRow& f : flagged)
    if (f.vindicated == vindicated) out.push_back(f.row);
  return out;
}

std::vector<FlaggedRow> judge(const std::vector<double>& x, double gap = 1) {
  std::vector<double> times(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) times[k] = gap * static_cast<double>(k);
  return flagged_rows({.reach = {2.0}, .gap = 1.0}, times, x);
}

TEST(OutlierTest, AGlitchIsFlaggedAndThePathGoesOn) {
  const auto flagged = judge({0, 1, 2, 4000, 3, 4, 5});
  EXPECT_EQ(rows(flagged, false), (std::vector<int>{3}));
  EXPECT_TRUE(rows(flagged, true).empty());
  EXPECT_TRUE(judge({0, 1, 2, 3, 4}).empty());
}

TEST(OutlierTest, AJumpIsBelievedOnceThreeObservationsAgree) {
  const auto flagged = judge({0, 1, 100, 101, 102, 103});
  EXPECT_EQ(rows(flagged, true), (std::vector<int>{2, 3}));
  EXPECT_TRUE(rows(flagged, false).empty());
  // Two are not enough, and neither are three that disagree.
  EXPECT_EQ(rows(judge({0, 1, 100, 101, 2, 3}), false), (std::vector<int>{2, 3}));
  EXPECT_EQ(rows(judge({0, 1, 100, -100, 300, 2}), false), (std::vector<int>{2, 3, 4}));
  // What does not end is open.
  EXPECT_EQ(rows(judge({0, 1, 100, 101}), false), (std::vector<int>{2, 3}));
}

// A large change that is between both sides of it is a step on the way, as of a velocity that reverses.
TEST(OutlierTest, AnObservationThatAgreesWithBothSidesVindicates) {
  const OutlierGate gate = {.reach = {2.0}, .gap = 1.0};
  const std::vector<double> times = {0, 1, 2, 4, 5}, x = {0, 0, 3, 3, 3};
  const auto flagged = flagged_rows(gate, times, x);
  EXPECT_EQ(rows(flagged, true), (std::vector<int>{2}));
  EXPECT_TRUE(rows(flagged, false).empty());
}

TEST(OutlierTest, AFirstObservationThatThreeContradictIsTheOutlier) {
  const auto flagged = judge({4000, 1, 2, 3, 4});
  EXPECT_EQ(rows(flagged, false), (std::vector<int>{0}));
  EXPECT_TRUE(rows(flagged, true).empty());
  // Until then it is not known which one is wrong; after two it is a jump.
  EXPECT_EQ(rows(judge({4000, 1, 2}), false), (std::vector<int>{1, 2}));
  EXPECT_EQ(rows(judge({4000, 4001, 1, 2, 3}), true), (std::vector<int>{2, 3}));
}

TEST(OutlierTest, WhatIsDoubtedIsBelievedOnceThreeAgree) {
  const OutlierGate gate = {.reach = {2.0}, .gap = 1.0, .forget = 5.0};
  const auto at = [](double x) { return std::vector<double>{x}; };
  OutlierTrack far;
  EXPECT_FALSE(far.knows(gate, 0));
  EXPECT_FALSE(far.judge(gate, 0, at(4000), true).believed);
  EXPECT_TRUE(far.waits(gate, 5));
  EXPECT_FALSE(far.waits(gate, 5.5));
  EXPECT_FALSE(far.judge(gate, 1, at(4001), true).believed);
  const OutlierTrack::Verdict third = far.judge(gate, 2, at(4002), true);
  EXPECT_TRUE(third.believed && !third.first_was_wrong);
  EXPECT_EQ(third.vindicated, 2);
  EXPECT_TRUE(far.knows(gate, 3));
  OutlierTrack glitch;
  EXPECT_FALSE(glitch.judge(gate, 0, at(4000), true).believed);
  EXPECT_TRUE(glitch.judge(gate, 1, at(1)).believed);
  EXPECT_EQ(glitch.judge(gate, 2, at(2)).vindicated, 0);
}

TEST(OutlierTest, LongerTimesAllowLargerChanges) {
  EXPECT_EQ(judge({0, 3}).size(), 1U);
  EXPECT_TRUE(judge({0, 3}, 2.0).empty());
  const OutlierGate gate = {.reach = {2.0}, .gap = 1.0, .forget = 5.0};
  EXPECT_EQ(flagged_rows(gate, std::vector<double>{0, 4}, std::vector<double>{0, 50}).size(), 1U);
  EXPECT_TRUE(flagged_rows(gate, std::vector<double>{0, 6}, std::vector<double>{0, 50}).empty());
}

TEST(OutlierTest, MissingValuesAndEmptyRowsDecideNothing) {
  const OutlierGate gate = {.reach = {2.0, 2.0}, .gap = 1.0};
  const std::vector<double> times = {0, 1, 2, 3, 4};
  const std::vector<double> values = {0, 0, kMissing, 1, kMissing, kMissing, 3, kMissing, kMissing, 500};
  EXPECT_EQ(rows(flagged_rows(gate, times, values), false), (std::vector<int>{4}));
  // A feature without a bound.
  const OutlierGate open = {.reach = {2.0, OutlierGate::kAny}, .gap = 1.0};
  EXPECT_TRUE(flagged_rows(open, times, values).empty());
}

// Random walks of two objects in each system, one value with a glitch if wanted.
Dataset walks(bool glitch, Part last = Part::kTrain) {
  Description d;
  d.name = "walks";
  d.features = {{"x", "m", 0, -1}};
  d.relation_types = {"any"};
  d.time_scale = 10, d.conditioning_length = 10;
  DatasetBuilder builder(d);
  Random random(1, RandomUse::kSeen, {});
  for (int s = 0; s < 6; ++s) {
    builder.begin_system(s == 5 ? last : Part::kTrain);
    for (int o = 0; o < 2; ++o) {
      builder.add_object();
      double x = 0;
      for (int k = 0; k < 20; ++k) {
        x += random.uniform(-1, 1);
        builder.add_observation(0.5 * k, std::vector<double>{glitch && s == 2 && o == 1 && k == 7 ? 4000.0 : x});
      }
    }
  }
  return builder.finish("walks");
}

TEST(OutlierTest, TheGateFollowsFromTraining) {
  const Dataset clean = walks(false);
  const OutlierGate gate = fit_outlier_gate(clean, clean.systems_in(Part::kTrain));
  EXPECT_DOUBLE_EQ(gate.gap, 0.5);
  EXPECT_GT(gate.reach[0], 10);
  EXPECT_LT(gate.reach[0], 16);
  EXPECT_EQ(count_outliers(clean, gate).count, 0);
  const Dataset dirty = walks(true);
  const OutlierGate again = fit_outlier_gate(dirty, dirty.systems_in(Part::kTrain));
  EXPECT_LT(again.reach[0], 16);
  const OutlierCount found = count_outliers(dirty, again);
  ASSERT_EQ(found.count, 1);
  EXPECT_EQ(found.first[0].system, 2);
  EXPECT_EQ(found.first[0].object, 1);
  EXPECT_EQ(found.first[0].row, 7);
}

// Particles bounce off walls that training never showed: no observation of the simulators is an outlier.
TEST(OutlierTest, CollisionsAreBelieved) {
  for (const bool charged : {false, true}) {
    SimulateOptions options;
    options.physics = charged ? Physics::kCharged : Physics::kSprings;
    options.train = 300, options.test = 150;
    const Dataset set = simulate(options);
    EXPECT_EQ(count_outliers(set, fit_outlier_gate(set, set.systems_in(Part::kTrain))).count, 0);
  }
}

TEST(OutlierTest, FewOrNoChangesHaveNoBound) {
  const Dataset set = walks(false);
  EXPECT_EQ(fit_outlier_gate(set, {0}).reach[0], OutlierGate::kAny);
  EXPECT_EQ(fit_outlier_gate(set, {}).reach[0], OutlierGate::kAny);
}

TEST(OutlierTest, ScalesAndScenesDoNotKnowThem) {
  const Dataset clean = walks(false), dirty = walks(true);
  const std::vector<std::int64_t> systems = dirty.systems_in(Part::kTrain);
  const OutlierGate gate = fit_outlier_gate(dirty, systems);
  EXPECT_DOUBLE_EQ(fit_normalisation(dirty, systems).scale[0], 4000);
  const double scale = fit_normalisation(dirty, systems, false, &gate).scale[0];
  EXPECT_LE(scale, fit_normalisation(clean, systems).scale[0]);
  EXPECT_GT(scale, 0.5 * fit_normalisation(clean, systems).scale[0]);

  TaskOptions task;
  task.observed = 1;
  const auto context = [&](const TaskOptions& of) {
    const BatchMaker maker(dirty, {{scale}}, of);
    const Scene shown = maker.scene(2, View::kTrain), asked = maker.scene({.system = 2, .start = {}, .times = {1.0}});
    EXPECT_EQ((*shown.targets)[1].size(), shown.context[1].size());
    EXPECT_EQ(asked.context[1].size(), shown.context[1].size());
    EXPECT_EQ(shown.context[0].size(), 20U);
    return shown.context[1].size();
  };
  EXPECT_EQ(context(task), 20U);
  task.gate = gate;
  EXPECT_EQ(context(task), 19U);
}

}  // namespace
}  // namespace lgode::data
