// Events, steps and jumps of a system from the times of its batch.
#include "lgode/model/assimilate/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "lgode/core/random.h"

namespace lgode::model {
namespace {

using Times = std::vector<std::vector<double>>;  // of each object

constexpr double kUlp = std::numeric_limits<double>::epsilon();

// One system.
data::Batch batch_of(const Times& seen, const Times& asked) {
  data::Batch b;
  b.system = {0}, b.start = {0}, b.object_offsets = {0, static_cast<std::int64_t>(seen.size())};
  b.observation_offsets = b.target_offsets = {0};
  for (std::size_t i = 0; i < seen.size(); ++i) {
    b.observation_times.insert(b.observation_times.end(), seen[i].begin(), seen[i].end());
    b.observation_offsets.push_back(b.observations());
    b.target_times.insert(b.target_times.end(), asked[i].begin(), asked[i].end());
    b.target_offsets.push_back(b.targets());
  }
  return b;
}

// What systems that share tiles rely on.
void expect_steps(const Timeline& line, double step) {
  for (std::size_t k = 0; k + 1 < line.nodes.size(); ++k) {
    const double length = line.nodes[k + 1] - line.nodes[k];
    if (k % 2 == 0)
      EXPECT_EQ(length, 0.0) << k;
    else
      EXPECT_TRUE(length > 0 && length <= step * (1 + 1e-8)) << k << " " << length;
  }
  ASSERT_EQ(line.jump_step.size(), line.events.size());
  for (std::size_t e = 0; e < line.events.size(); ++e) {
    EXPECT_EQ(line.jump_step[e] % 2, 0);
    EXPECT_DOUBLE_EQ(line.node(line.jump_step[e]), line.events[e] - line.begin);
  }
}

TEST(TimelineTest, TimesWithinTheToleranceShareAnEvent) {
  const data::Batch batch = batch_of({{0.0, 0.5, 1.0}, {0.5 + kUlp, 1.0 + 9e-7}, {9e-7, 0.5 + 2e-6}}, {{}, {}, {}});
  const Timeline line = Timeline::make(batch, 0, 0.2, false);
  EXPECT_EQ(line.events, (std::vector<double>{0.0, 0.5, 0.5 + 2e-6, 1.0}));
  EXPECT_EQ(line.event_at(0.5 + kUlp), 1U);
  EXPECT_EQ(line.event_at(1.0 + 9e-7), 3U);
  EXPECT_EQ(line.event_at(0.7, 2), 2U);
  EXPECT_EQ(line.event_at(-1.0), 0U);
  expect_steps(line, 0.2);
}

TEST(TimelineTest, AnInterpolationBeginsAtItsStartAndAForecastAtItsFirstObservation) {
  const Timeline between = Timeline::make(batch_of({{0.3, 0.4}}, {{0.1}}), 0, 0.1, false);
  EXPECT_EQ(between.begin, 0.0);
  EXPECT_EQ(between.jump_step.front(), 6);  // an idle step without length, three steps and those between them
  const Timeline ahead = Timeline::make(batch_of({{-0.4, -0.1}}, {{0.35}}), 0, 0.1, true);
  EXPECT_EQ(ahead.begin, -0.4);
  EXPECT_EQ(ahead.events, (std::vector<double>{-0.4, -0.1, 0.0}));
  EXPECT_EQ(ahead.jump_step.front(), 0);
  EXPECT_GE(ahead.nodes.back(), 0.75);
  expect_steps(between, 0.1), expect_steps(ahead, 0.1);
}

TEST(TimelineTest, WithoutObservationsThereAreStepsUpToTheLastTarget) {
  const Timeline line = Timeline::make(batch_of({{}}, {{0.25}}), 0, 0.1, false);
  EXPECT_TRUE(line.events.empty());
  EXPECT_EQ(line.nodes.size(), 7U);  // an idle step and three with a length, and those between them
  EXPECT_GE(line.nodes.back(), 0.25);
  const Timeline nothing = Timeline::make(batch_of({{}}, {{}}), 0, 0.1, false);
  EXPECT_EQ(nothing.nodes, (std::vector<double>{0.0, 0.0}));
}

// Random systems: the steps do not depend on targets before the last event, nor their lengths on those after it.
TEST(TimelineTest, StepsDoNotDependOnWhatIsAsked) {
  Random random(3, RandomUse::kTest);
  for (int trial = 0; trial < 50; ++trial) {
    const bool forecast = trial % 2 == 0;
    Times seen(3), none(3), some(3);
    for (std::vector<double>& times : seen) {
      for (std::int64_t k = random.between(0, 6); k > 0; --k)
        times.push_back(forecast ? random.uniform(-3, 0) : random.uniform(0, 3));
      std::sort(times.begin(), times.end());
    }
    for (std::vector<double>& times : some) times = {random.uniform(0, 1), 3 + random.uniform(0, 2)};
    const double step = random.uniform(0.03, 0.5);
    const Timeline brief = Timeline::make(batch_of(seen, none), 0, step, forecast);
    const Timeline line = Timeline::make(batch_of(seen, some), 0, step, forecast);
    expect_steps(brief, step), expect_steps(line, step);
    EXPECT_EQ(line.jump_step, brief.jump_step);
    ASSERT_LE(brief.nodes.size(), line.nodes.size());
    EXPECT_TRUE(std::equal(brief.nodes.begin(), brief.nodes.end(), line.nodes.begin()));
    EXPECT_GE(line.begin + line.nodes.back(), 3.0);
  }
}

TEST(TimelineTest, ATargetIsAtTheNearestObservationOfItsObject) {
  const data::Batch batch = batch_of(
      {{0.5, 0.5 + 1.5e-6, 1.0}, {}, {0.7}},
      {{0.5 - 9e-7, 0.5 + 2e-7, 0.5 + 1.1e-6, 0.7, 1.0 + kUlp, 1.0 + 1.1e-6, 0.5}, {0.5}, {0.5, 0.7 - kUlp, 0.7}});
  std::vector<std::int64_t> at;
  for (std::int64_t i = 0; i < batch.objects(); ++i)
    for_each_target(batch, i, [&](std::int64_t, std::int64_t m) { at.push_back(m); });
  EXPECT_EQ(at, (std::vector<std::int64_t>{0, 0, 1, -1, 2, -1, 0, -1, -1, 3, 3}));
}

}  // namespace
}  // namespace lgode::model
