// Scores against averages computed by hand, and metrics on points.
#include "lgode/eval/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace lgode::eval {
namespace {

// Two systems: the first with two objects (three targets and one), the second with one object and no targets.
data::Batch hand_batch() {
  data::Batch b;
  b.features = 2;
  b.system = {0, 1}, b.start = {0, 0}, b.object_offsets = {0, 2, 3};
  b.target_offsets = {0, 3, 4, 4};
  b.target_times = {0.0, 0.5, 0.99, 0.2};
  b.target_values.assign(8, 0.0F);
  b.target_mask = {1, 1, 1, 0, 1, 1, 1, 1};
  b.target_seen = {1, 0, 0, 0};
  return b;
}

TEST(ScoreKeeperTest, AveragesPerObjectThenFeaturesObjectsSystems) {
  ScoreKeeper keeper({{2.0, 10.0}}, 6.0, 1.0, 2);
  const std::vector<float> predicted{1, 2, 2, 9, 3, 4, 5, 6};  // the 9 is masked
  keeper.add(hand_batch(), predicted.data());
  const Scores s = keeper.scores();
  const double first_x = (1.0 + 4 + 9) / 3, first_y = (4.0 + 16) / 2, second_x = 25, second_y = 36;
  EXPECT_DOUBLE_EQ(s.mse, ((first_x + first_y) / 2 + (second_x + second_y) / 2) / 2);
  const double unseen_x = (4.0 + 9) / 2, unseen_y = 16;
  EXPECT_DOUBLE_EQ(s.mse_unseen, ((unseen_x + unseen_y) / 2 + (second_x + second_y) / 2) / 2);
  EXPECT_DOUBLE_EQ(s.feature_mse[0], (first_x + second_x) / 2);
  EXPECT_DOUBLE_EQ(s.feature_rmse[0], 2.0 * std::sqrt((1.0 + 4 + 9 + 25) / 4));
  EXPECT_DOUBLE_EQ(s.feature_rmse[1], 10.0 * std::sqrt((4.0 + 16 + 36) / 3));
  ASSERT_EQ(s.horizon.size(), 2U);
  EXPECT_DOUBLE_EQ(s.horizon[0].end, 3.0);
  EXPECT_EQ(s.horizon[0].values, 4);
  EXPECT_DOUBLE_EQ(s.mse_first_half, s.horizon[0].mse);
  EXPECT_DOUBLE_EQ(s.horizon[1].mse, (4.0 + 9 + 16) / 3);
  EXPECT_EQ(s.systems, 1);
  EXPECT_EQ(s.objects, 2);
  EXPECT_EQ(s.values, 7);
}

TEST(ScoreKeeperTest, TellsTheErrorOfEachObjectWithTargets) {
  ScoreKeeper keeper({{2.0, 10.0}}, 6.0, 1.0, 2);
  data::Batch batch = hand_batch();
  batch.object = {0, 2, 1};
  const std::vector<float> predicted{1, 2, 2, 9, 3, 4, 5, 6};
  std::vector<std::vector<double>> objects;
  keeper.add(batch, predicted.data(), {}, [&](std::int64_t system, std::int64_t object, double error) {
    objects.push_back({static_cast<double>(system), static_cast<double>(object), error});
  });
  ASSERT_EQ(objects.size(), 2U);
  EXPECT_EQ(objects[0], (std::vector<double>{0, 0, ((1.0 + 4 + 9) / 3 + (4.0 + 16) / 2) / 2}));
  EXPECT_EQ(objects[1], (std::vector<double>{0, 2, (25.0 + 36) / 2}));
  EXPECT_EQ(keeper.scores().mse, (objects[0][2] + objects[1][2]) / 2);
}

TEST(ScoreKeeperTest, TargetsBeyondTheRangeHaveABinOfTheirOwn) {
  ScoreKeeper keeper({{1.0, 1.0}}, 10.0, 0.5, 2);
  const std::vector<float> predicted(8, 1.0F);
  keeper.add(hand_batch(), predicted.data());
  const Scores s = keeper.scores();
  ASSERT_EQ(s.horizon.size(), 3U);
  EXPECT_EQ(s.horizon[1].values, 0);
  EXPECT_DOUBLE_EQ(s.horizon[2].begin, 5.0);
  EXPECT_DOUBLE_EQ(s.horizon[2].end, 9.9);
  EXPECT_EQ(s.horizon[2].values, 3);
}

TEST(ScoreKeeperTest, NothingGivesNullInJson) {
  const ScoreKeeper keeper({{1.0, 1.0}}, 1.0, 1.0);
  const nlohmann::json j = keeper.scores().to_json({{"x", "", 0, -1}, {"y", "", 0, -1}});
  EXPECT_TRUE(j.at("mse").is_null());
  EXPECT_EQ(j.at("values"), 0);
}

TEST(ScoreKeeperTest, NanInAPredictionShows) {
  ScoreKeeper keeper({{1.0, 1.0}}, 1.0, 1.0);
  std::vector<float> predicted(8, 0.0F);
  predicted[0] = std::nanf("");
  keeper.add(hand_batch(), predicted.data());
  EXPECT_TRUE(std::isnan(keeper.scores().mse));
}

TEST(ScoreKeeperTest, AConstantFeatureIsInNoErrorButItsOwn) {
  ScoreKeeper keeper({{2.0, 10.0}}, 6.0, 1.0, 2, all_metrics(), {.constant = {0, 1}, .positions = {}});
  const std::vector<float> predicted{1, 2, 2, 9, 3, 4, 5, 6};
  keeper.add(hand_batch(), predicted.data());
  const Scores s = keeper.scores();
  EXPECT_DOUBLE_EQ(s.mse, ((1.0 + 4 + 9) / 3 + 25) / 2);
  EXPECT_DOUBLE_EQ(s.mse_unseen, ((4.0 + 9) / 2 + 25) / 2);
  EXPECT_DOUBLE_EQ(s.feature_mse[1], ((4.0 + 16) / 2 + 36) / 2);
  EXPECT_EQ(s.horizon[0].values, 2);
  EXPECT_TRUE(std::isnan(s.distance));
}

TEST(ScoreKeeperTest, DistanceIsOverPointsWithAllPositions) {
  ScoreKeeper keeper({{2.0, 2.0}}, 6.0, 1.0, 2, all_metrics(), {.constant = {}, .positions = {0, 1}});
  const std::vector<float> predicted{3, 4, 2, 9, 6, 8, 5, 12};  // the 9 is masked
  keeper.add(hand_batch(), predicted.data());
  EXPECT_DOUBLE_EQ(keeper.scores().distance, ((10.0 + 20) / 2 + 26) / 2);
}

// Metrics on points: distances between predicted and actual positions in original units.
double distance(const PathErrors& object, std::int64_t k, std::int64_t p) {
  double square = 0;
  for (std::int64_t f = 0; f < object.features; ++f)
    square += object.original_error(k, f, p) * object.original_error(k, f, p);
  return std::sqrt(square);
}
bool is_point(const PathErrors& object, std::int64_t k) {
  for (std::int64_t f = 0; f < object.features; ++f)
    if (!object.mask(k, f)) return false;
  return true;
}
Sums mean_distance(const PathErrors& object, std::int64_t p) {
  Sums sums;
  for (std::int64_t k = 0; k < object.points; ++k)
    if (is_point(object, k)) sums.add(distance(object, k, p));
  return sums;
}
double final_distance(const PathErrors& object) {
  std::int64_t last = object.points - 1;
  while (last >= 0 && !is_point(object, last)) --last;
  return last >= 0 ? distance(object, last, 0) : 0.0;
}
void add_ade(const PathErrors& object, std::span<Sums> sums) {
  if (const Sums own = mean_distance(object, 0); own.count > 0) sums[0].add(own.mean());
}
void add_least_ade(const PathErrors& object, std::span<Sums> sums) {
  double least = mean_distance(object, 0).mean();
  for (std::int64_t p = 1; p < object.paths; ++p) least = std::min(least, mean_distance(object, p).mean());
  sums[0].add(least);
}
void add_fde(const PathErrors& object, std::span<Sums> sums) { sums[0].add(final_distance(object)); }
void add_miss(const PathErrors& object, std::span<Sums> sums) { sums[0].add(final_distance(object) > 55 ? 1.0 : 0.0); }
void add_by_horizon(const PathErrors& object, std::span<Sums> sums) {
  for (std::int64_t k = 0; k < object.points; ++k)
    if (is_point(object, k)) sums[object.bins[k]].add(distance(object, k, 0));
}

constexpr Metric kOfPoints[] = {
    {.key = "ade", .name = "ADE", .unit = Metric::Unit::kOriginal, .add = add_ade, .in_table = true},
    {.key = "least_ade", .name = "least ADE", .unit = Metric::Unit::kOriginal, .add = add_least_ade},
    {.key = "fde", .name = "FDE", .unit = Metric::Unit::kOriginal, .add = add_fde},
    {.key = "miss", .name = "misses", .average = Metric::Average::kValues, .add = add_miss},
    {.key = "ade",
     .name = "ADE",
     .shape = Metric::Shape::kHorizon,
     .average = Metric::Average::kValues,
     .unit = Metric::Unit::kOriginal,
     .add = add_by_horizon},
};

// Two paths of the batch by hand. The scales make errors of 3 and 4 to distances of 5.
std::vector<float> two_paths() {
  return {3, 4, 0, 0, 6, 8, 30, 40,  // 5, (masked), 10; 50
          0, 1, 0, 0, 0, 3, 60, 80};
}

TEST(MetricListTest, AMetricGetsThePointsOfAnObject) {
  ScoreKeeper keeper({{1.0, 1.0}}, 6.0, 1.0, 2, kOfPoints);
  const std::vector<float> predicted = two_paths();
  keeper.add(hand_batch(), PredictedPaths{.values = predicted.data(), .count = 2});
  const Scores s = keeper.scores();
  const auto number = [&](const char* key) { return s.find(Metric::Shape::kNumber, key)->values[0]; };
  EXPECT_DOUBLE_EQ(number("ade"), (7.5 + 50) / 2);
  EXPECT_DOUBLE_EQ(number("least_ade"), (2.0 + 50) / 2);
  EXPECT_DOUBLE_EQ(number("fde"), (10.0 + 50) / 2);
  EXPECT_DOUBLE_EQ(number("miss"), 0.0);
  const MetricScore& horizon = *s.find(Metric::Shape::kHorizon, "ade");
  EXPECT_DOUBLE_EQ(horizon.values[0], (5.0 + 50) / 2);
  EXPECT_DOUBLE_EQ(horizon.values[1], 10.0);
  EXPECT_EQ(s.systems, 1);
  EXPECT_EQ(s.objects, 2);
}

TEST(MetricListTest, JsonFollowsFromTheList) {
  ScoreKeeper keeper({{1.0, 1.0}}, 6.0, 1.0, 2, kOfPoints);
  const std::vector<float> predicted = two_paths();
  keeper.add(hand_batch(), predicted.data());
  const nlohmann::json j = keeper.scores().to_json({{"x", "", 0, -1}, {"y", "", 0, -1}});
  EXPECT_DOUBLE_EQ(j.at("ade").get<double>(), (7.5 + 50) / 2);
  EXPECT_FALSE(j.contains("mse"));
}

TEST(MetricListTest, SumsOfKeepersAddUp) {
  for (const std::span<const Metric> metrics : {all_metrics(), std::span<const Metric>(kOfPoints)}) {
    const ScoreKeeper empty({{2.0, 10.0}}, 6.0, 1.0, 2, metrics);
    const std::vector<float> predicted = two_paths(), other(8, 1.5F);
    ScoreKeeper whole = empty, first = empty, second = empty;
    whole.add(hand_batch(), predicted.data()), whole.add(hand_batch(), other.data());
    first.add(hand_batch(), predicted.data()), second.add(hand_batch(), other.data());
    first.add(nlohmann::json::parse(second.state().dump()));
    const std::vector<double> added = first.sums(), expected = whole.sums();
    ASSERT_EQ(added.size(), expected.size());
    for (std::size_t k = 0; k < added.size(); ++k) EXPECT_DOUBLE_EQ(added[k], expected[k]) << k;
  }
}

TEST(MetricListTest, TheListHasOneEntryPerKeyAndShape) {
  const std::span<const Metric> metrics = all_metrics();
  for (const Metric& metric : metrics) EXPECT_EQ(find_metric(metrics, metric.shape, metric.key), &metric) << metric.key;
  EXPECT_EQ(metrics[0].average, Metric::Average::kSystems);
  for (const Metric& metric : metrics)
    EXPECT_EQ(
        1, (metric.add != nullptr ? 1 : 0) + (metric.add_points != nullptr ? 1 : 0) + (metric.half_of.empty() ? 0 : 1))
        << metric.key;
}

}  // namespace
}  // namespace lgode::eval
