// Metrics over positions against cases worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "lgode/eval/metrics.h"

namespace lgode::eval {
namespace {

// One system of two objects in the plane, each with targets at 0.25 and 0.75 of a range of 1; positions have a scale
// of 2, so that a normalised error of 1 is a distance of 2. The true positions are on the x axis, at 0 and at 10.
data::Batch two_objects() {
  data::Batch b;
  b.features = 2;
  b.system = {0}, b.start = {0}, b.object_offsets = {0, 2}, b.object = {0, 1};
  b.target_offsets = {0, 2, 4};
  b.target_times = {0.25, 0.75, 0.25, 0.75};
  b.target_values = {0, 0, 0, 0, 5, 0, 5, 0};
  b.target_mask.assign(8, 1.0F);
  b.target_seen.assign(4, 0);
  return b;
}

// The mean path and two futures. Their distances at the two times, of object 0: 2, 4; 1, 3; 3, 0; of object 1: 1, 1;
// 4, 4; 2, 1.
const std::vector<float> kPaths = {0, 1,   0, 2,   5, 0.5, 5, 0.5,  //
                                   0, 0.5, 0, 1.5, 5, 2,   5, 2,    //
                                   0, 1.5, 0, 0,   5, 1,   5, 0.5};
const std::vector<float> kProbability = {0.75F, 0.25F, 0.5F, 0.5F};

const ErrorFeatures kPlane = {.constant = {}, .positions = {0, 1}};

ScoreKeeper keeper_of(const ErrorFeatures& features = kPlane, PointLimits limits = {}) {
  return {{{2.0, 2.0}}, 10.0, 1.0, 2, all_metrics(), features, limits};
}

Scores scores_of(const PredictedPaths& paths, const data::Batch& batch = two_objects(), PointLimits limits = {}) {
  ScoreKeeper keeper = keeper_of(kPlane, limits);
  keeper.add(batch, paths);
  return keeper.scores();
}

double number(const Scores& scores, const std::string& key) {
  const MetricScore* found = scores.find(Metric::Shape::kNumber, key);
  return found != nullptr ? found->values[0] : -1;
}
double part(const Scores& scores, const std::string& key, std::size_t bin) {
  const MetricScore* found = scores.find(Metric::Shape::kHorizon, key);
  return found != nullptr ? found->values[bin] : -1;
}

PredictedPaths with_futures() { return {.values = kPaths.data(), .count = 3, .probability = kProbability.data()}; }

TEST(PointMetricsTest, AveragesDistancesOverObjects) {
  const Scores s = scores_of({.values = kPaths.data()});
  EXPECT_DOUBLE_EQ(number(s, "ade"), (3.0 + 1) / 2);
  EXPECT_DOUBLE_EQ(number(s, "fde"), (4.0 + 1) / 2);
  EXPECT_DOUBLE_EQ(number(s, "miss_rate"), 0.5);
  EXPECT_DOUBLE_EQ(part(s, "ade", 0), (2.0 + 1) / 2);
  EXPECT_DOUBLE_EQ(part(s, "fde", 1), (4.0 + 1) / 2);
  EXPECT_DOUBLE_EQ(part(s, "miss_rate", 0), 0.0);
  EXPECT_DOUBLE_EQ(part(s, "miss_rate", 1), 0.5);
}

TEST(PointMetricsTest, ObjectsCountEquallyInSystemsOfAnySize) {
  data::Batch batch = two_objects();  // as two systems with one and two objects: the second one again at the end
  batch.system = {0, 1}, batch.start = {0, 0}, batch.object_offsets = {0, 1, 3}, batch.object = {0, 0, 1};
  batch.target_offsets = {0, 2, 4, 6};
  batch.target_times.insert(batch.target_times.end(), {0.25, 0.75});
  batch.target_values.insert(batch.target_values.end(), {0, 0, 0, 0});
  batch.target_mask.assign(12, 1.0F), batch.target_seen.assign(6, 0);
  const std::vector<float> path = {0, 1, 0, 2, 5, 0.5, 5, 0.5, 0, 3, 0, 3};
  const Scores s = scores_of({.values = path.data()}, batch);
  EXPECT_DOUBLE_EQ(number(s, "ade"), (3.0 + 1 + 6) / 3);
  EXPECT_DOUBLE_EQ(s.distance, (3.0 + (1.0 + 6) / 2) / 2);
}

TEST(PointMetricsTest, TakesTheBestFutureOfEachObject) {
  const Scores s = scores_of(with_futures());
  EXPECT_DOUBLE_EQ(number(s, "ade"), 2.0) << "of the mean path";
  EXPECT_DOUBLE_EQ(number(s, "min_ade"), (1.5 + 1.5) / 2);
  EXPECT_DOUBLE_EQ(number(s, "min_fde"), (0.0 + 1) / 2);
  EXPECT_DOUBLE_EQ(number(s, "min_miss_rate"), 0.0);
  // Object 0: future 1 with 0.25, object 1: future 1 with 0.5.
  EXPECT_DOUBLE_EQ(number(s, "brier_min_fde"), (0.0 + 0.75 * 0.75 + 1 + 0.5 * 0.5) / 2);
  // The most probable futures: the first one of both.
  EXPECT_DOUBLE_EQ(number(s, "min_ade_1"), (2.0 + 4) / 2);
  EXPECT_DOUBLE_EQ(number(s, "min_fde_1"), (3.0 + 4) / 2);
  EXPECT_DOUBLE_EQ(part(s, "min_ade", 0), (1.0 + 2) / 2);
  EXPECT_DOUBLE_EQ(part(s, "min_fde", 1), (0.0 + 1) / 2);
}

TEST(PointMetricsTest, AdeAndFdeMayComeFromDifferentFutures) {
  // Object 0 has the distances 0.2, 1 and 4, 0; the other one 0.
  const std::vector<float> paths = {0, 0, 0, 0, 5, 0, 5, 0, 0, 0.1F, 0, 0.5, 5, 0, 5, 0, 0, 2, 0, 0, 5, 0, 5, 0};
  const Scores s = scores_of({.values = paths.data(), .count = 3, .probability = kProbability.data()});
  EXPECT_NEAR(number(s, "min_ade"), 0.6 / 2, 1e-7);
  EXPECT_DOUBLE_EQ(number(s, "min_fde"), 0.0);
}

TEST(PointMetricsTest, OfASceneOneFutureIsForAllObjects) {
  const Scores s = scores_of(with_futures());
  // Means over objects: ADE (2 + 4) / 2 and (1.5 + 1.5) / 2, FDE (3 + 4) / 2 and (0 + 1) / 2.
  EXPECT_DOUBLE_EQ(number(s, "min_ade_scene"), 1.5);
  EXPECT_DOUBLE_EQ(number(s, "min_fde_scene"), 0.5);
  EXPECT_DOUBLE_EQ(part(s, "min_ade_scene", 0), 2.5) << "1 and 4, 3 and 2";
  EXPECT_DOUBLE_EQ(part(s, "min_ade", 0), 1.5);
}

TEST(PointMetricsTest, WithoutFuturesThereAreNoMetricsOfThem) {
  const Scores s = scores_of({.values = kPaths.data()});
  const nlohmann::json json = s.to_json({{"x", "m", 0, -1}, {"y", "m", 0, -1}});
  for (const char* key : {"min_ade", "min_fde", "min_ade_1", "min_fde_1", "min_miss_rate", "brier_min_fde",
                          "min_ade_scene", "min_fde_scene", "collision_rate_1", "nll"}) {
    EXPECT_EQ(s.find(Metric::Shape::kNumber, key), nullptr) << key;
    EXPECT_FALSE(json.contains(key)) << key;
    EXPECT_FALSE(json["horizon"][0].contains(key)) << key;
  }
}

TEST(PointMetricsTest, JsonHasNumbersAndPartsOfTheRange) {
  const nlohmann::json json = scores_of(with_futures()).to_json({{"x", "m", 0, -1}, {"y", "m", 0, -1}});
  for (const char* key :
       {"ade", "fde", "miss_rate", "min_ade", "min_fde", "min_miss_rate", "brier_min_fde", "min_ade_scene",
        "min_fde_scene", "min_ade_1", "min_fde_1", "collision_rate", "collision_rate_1"}) {
    EXPECT_TRUE(json[key].is_number()) << key;
    EXPECT_TRUE(json["horizon"][1][key].is_number()) << key;
  }
}

TEST(PointMetricsTest, WithoutPositionsThereAreNone) {
  ScoreKeeper keeper = keeper_of({});
  keeper.add(two_objects(), with_futures());
  const Scores s = keeper.scores();
  for (const Metric& metric : all_metrics())
    EXPECT_EQ(s.find(metric.shape, metric.key) == nullptr, metric.add_points != nullptr) << metric.key;
  EXPECT_FALSE(s.to_json({{"x", "m", 0, -1}, {"y", "m", 0, -1}}).contains("ade"));
}

TEST(PointMetricsTest, APointHasAllPositions) {
  data::Batch batch = two_objects();
  batch.target_mask = {1, 1, 1, 0, 1, 0, 0, 1};  // object 0 ends at its first point, object 1 has none
  const Scores s = scores_of({.values = kPaths.data()}, batch);
  EXPECT_DOUBLE_EQ(number(s, "fde"), 2.0);
  EXPECT_EQ(s.find(Metric::Shape::kNumber, "fde")->counts[0], 1);
}

TEST(PointMetricsTest, TheMissDistanceIsTheLargestThatIsNoMiss) {
  for (const auto& [limit, misses] : std::map<double, double>{{0.5, 1.0}, {1.0, 0.5}, {3.5, 0.5}, {4.0, 0.0}})
    EXPECT_DOUBLE_EQ(number(scores_of({.values = kPaths.data()}, two_objects(), {.miss = limit}), "miss_rate"), misses)
        << limit;
}

// The density of an error of 0 in both coordinates.
double log_peak(double deviation) { return -2 * std::log(deviation) - std::log(2 * std::numbers::pi); }

TEST(PointMetricsTest, TheLikelihoodIsOfNormalsAroundThePath) {
  // Deviations of 2 in original units; unknown at the first point of object 1.
  std::vector<double> deviations(8, 1.0);
  deviations[4] = deviations[5] = std::nan("");
  const Scores s = scores_of({.values = kPaths.data(), .deviations = deviations.data()});
  const double object_0 = -log_peak(2) + (1.0 * 1.0 + 2.0 * 2.0) / 2 / 2, object_1 = -log_peak(2) + 0.5 * 0.5 / 2;
  EXPECT_NEAR(number(s, "nll"), (object_0 + object_1) / 2, 1e-12);
  EXPECT_NEAR(part(s, "nll", 0), -log_peak(2) + 1.0 / 2, 1e-12) << "of object 0 alone";
}

TEST(PointMetricsTest, TheLikelihoodOfFuturesIsOfTheirMixture) {
  const std::vector<double> deviations(8, 0.5);  // 1 in original units
  const Scores s = scores_of(
      {.values = kPaths.data(), .count = 3, .probability = kProbability.data(), .deviations = deviations.data()});
  const auto mixture = [](double p, double a, double b) {
    return -log_peak(1) - std::log(p * std::exp(-a * a / 2) + (1 - p) * std::exp(-b * b / 2));
  };
  const double object_0 = (mixture(0.75, 1, 3) + mixture(0.75, 3, 0)) / 2,
               object_1 = (mixture(0.5, 4, 2) + mixture(0.5, 4, 1)) / 2;
  EXPECT_NEAR(number(s, "nll"), (object_0 + object_1) / 2, 1e-12);
}

// Two objects on the x axis whose predicted distance is `gap` at the second time, and far more at the first one.
Scores meeting(double gap, const std::vector<double>& times = {0.25, 0.75, 0.25, 0.75}) {
  data::Batch batch = two_objects();
  batch.target_times = times;
  const std::vector<float> path = {0, 0, 1, 0, 5, 0, static_cast<float>(1 + gap / 2), 0};
  return scores_of({.values = path.data()}, batch);
}

TEST(PointMetricsTest, ObjectsCollideWherePredictedCentresAreTooNear) {
  EXPECT_DOUBLE_EQ(number(meeting(0.19), "collision_rate"), 1.0);
  EXPECT_DOUBLE_EQ(number(meeting(-0.19), "collision_rate"), 1.0);
  EXPECT_DOUBLE_EQ(number(meeting(0.21), "collision_rate"), 0.0);
  EXPECT_DOUBLE_EQ(part(meeting(0.1), "collision_rate", 0), 0.0);
  EXPECT_DOUBLE_EQ(part(meeting(0.1), "collision_rate", 1), 1.0);
}

TEST(PointMetricsTest, OnlyPlacesAtOneTimeCanCollide) {
  EXPECT_DOUBLE_EQ(number(meeting(0, {0.25, 0.75, 0.25, 0.5}), "collision_rate"), 0.0);
  // Without a common time there is nothing to say.
  EXPECT_EQ(meeting(0, {0.25, 0.75, 0.1, 0.5}).find(Metric::Shape::kNumber, "collision_rate"), nullptr);
}

TEST(PointMetricsTest, CollisionsAreAShareOfTheObjects) {
  // Five objects at one time: 0 and 3 are near in both coordinates, 1 and 2 only in x.
  data::Batch batch;
  batch.features = 2;
  batch.system = {0}, batch.start = {0}, batch.object_offsets = {0, 5}, batch.object = {0, 1, 2, 3, 4};
  batch.target_offsets = {0, 1, 2, 3, 4, 5};
  batch.target_times.assign(5, 0.5), batch.target_values.assign(10, 0.0F);
  batch.target_mask.assign(10, 1.0F), batch.target_seen.assign(5, 0);
  const std::vector<float> path = {1, 1, 2, 2, 2.01F, 3, 1.05F, 1.05F, -4, 0};
  EXPECT_DOUBLE_EQ(number(scores_of({.values = path.data()}, batch), "collision_rate"), 0.4);
  EXPECT_DOUBLE_EQ(number(scores_of({.values = path.data()}, batch, {.collision = 0.1}), "collision_rate"), 0.0);
}

TEST(PointMetricsTest, TheMostProbableFuturesCollideOnTheirOwn) {
  std::vector<float> paths = kPaths;
  // The first future of object 1 meets the first one of object 0 at the second time.
  paths[8 + 6] = 0.01F, paths[8 + 7] = 1.5F;
  const Scores s = scores_of({.values = paths.data(), .count = 3, .probability = kProbability.data()});
  EXPECT_DOUBLE_EQ(number(s, "collision_rate"), 0.0);
  EXPECT_DOUBLE_EQ(number(s, "collision_rate_1"), 1.0);
  const std::vector<float> other = {0.75F, 0.25F, 0.25F, 0.75F};
  EXPECT_DOUBLE_EQ(
      number(scores_of({.values = paths.data(), .count = 3, .probability = other.data()}), "collision_rate_1"), 0.0);
}

TEST(PointMetricsTest, NanShows) {
  for (const std::size_t path : {0U, 2U}) {
    std::vector<float> paths = kPaths;
    paths[8 * path + 2] = std::nanf("");  // object 0 at its end
    const Scores s = scores_of({.values = paths.data(), .count = 3, .probability = kProbability.data()});
    EXPECT_TRUE(std::isnan(number(s, path == 0 ? "ade" : "min_ade")));
    EXPECT_TRUE(std::isnan(number(s, path == 0 ? "fde" : "min_fde_scene")));
    EXPECT_DOUBLE_EQ(number(s, path == 0 ? "miss_rate" : "min_miss_rate"), 0.5);
    EXPECT_DOUBLE_EQ(number(s, "collision_rate"), 0.0);
  }
}

TEST(PointMetricsTest, SumsOfKeepersAddUp) {
  const std::vector<double> deviations(8, 0.5);
  PredictedPaths paths = with_futures();
  paths.deviations = deviations.data();
  std::vector<float> nearer = kPaths;
  for (float& x : nearer) x *= 0.5F;
  PredictedPaths other = paths;
  other.values = nearer.data();
  ScoreKeeper whole = keeper_of(), first = keeper_of(), second = keeper_of();
  whole.add(two_objects(), paths), whole.add(two_objects(), other);
  first.add(two_objects(), paths), second.add(two_objects(), other);
  first.add(nlohmann::json::parse(second.state().dump()));
  const Scores expected = whole.scores(), added = first.scores();
  ASSERT_EQ(added.metrics.size(), expected.metrics.size());
  EXPECT_EQ(added.metrics.size(), all_metrics().size());
  for (std::size_t m = 0; m < added.metrics.size(); ++m)
    for (std::size_t c = 0; c < added.metrics[m].values.size(); ++c) {
      if (std::isnan(expected.metrics[m].values[c])) continue;  // targets beyond the range: none
      EXPECT_DOUBLE_EQ(added.metrics[m].values[c], expected.metrics[m].values[c]) << added.metrics[m].metric->key;
    }
}

TEST(PointMetricsTest, NamesSayHowManyFutures) {
  const Metric& metric = *find_metric(all_metrics(), Metric::Shape::kNumber, "min_ade");
  EXPECT_EQ(metric_name(metric, 6), "minADE_6");
  EXPECT_EQ(metric_name(metric, 0), "minADE_k");
}

TEST(PointLimitsTest, AreMetresWhereTheUnitIsALength) {
  for (const auto& [unit, miss] : std::map<std::string, double>{{"m", 2}, {"cm", 200}, {"mm", 2000}, {"km", 0.002}}) {
    std::string note;
    const PointLimits limits = point_limits(unit, {}, {}, note);
    EXPECT_DOUBLE_EQ(limits.miss, miss);
    EXPECT_DOUBLE_EQ(limits.collision, miss / 10);
    EXPECT_TRUE(note.empty()) << note;
  }
  std::string note;
  EXPECT_NEAR(point_limits("ft", {}, {}, note).miss, 6.5617, 1e-4);
  EXPECT_DOUBLE_EQ(point_limits("cm", 3, {}, note).miss, 3) << "a given number is in the unit of the positions";
  EXPECT_TRUE(note.empty()) << note;
}

TEST(PointLimitsTest, SayWhereTheUnitIsNoLength) {
  std::string note;
  const PointLimits limits = point_limits("px", {}, {}, note);
  EXPECT_DOUBLE_EQ(limits.miss, 2);
  EXPECT_DOUBLE_EQ(limits.collision, 0.2);
  for (const char* word : {"px", "`miss_distance`", "`collision_distance`"})
    EXPECT_NE(note.find(word), std::string::npos) << note;
  note.clear();
  point_limits("", 5, {}, note);
  EXPECT_EQ(note.find("`miss_distance`"), std::string::npos) << note;
  EXPECT_NE(note.find("no unit"), std::string::npos) << note;
  note.clear();
  point_limits("px", 5, 1, note);
  EXPECT_TRUE(note.empty()) << note;
}

}  // namespace
}  // namespace lgode::eval
