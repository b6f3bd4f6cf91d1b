// Fitted widths: coverage under known noise, monotone in level and distance, small and odd inputs.
#include "lgode/eval/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "lgode/core/error.h"
#include "lgode/core/random.h"

namespace lgode::eval {
namespace {

// Forecasts of `systems` systems of two objects and one feature, seen last at time 0, with 20 targets until time 1. The
// truth is 0, the prediction is wrong by noise that grows with time; the spread says how much, or is uninformative.
struct Forecasts {
  data::Batch batch;
  std::vector<float> predicted, spread;

  Forecasts(std::int64_t systems, std::uint64_t seed, bool known_spread) {
    Random random(seed, RandomUse::kTest);
    batch.features = 1;
    batch.object_offsets = batch.observation_offsets = batch.target_offsets = {0};
    for (std::int64_t s = 0; s < systems; ++s) {
      batch.system.push_back(s), batch.start.push_back(0.5);
      for (int object = 0; object < 2; ++object) {
        const double level = known_spread ? 0.1 + 2 * random.uniform() : 1.0;
        batch.observation_times.insert(batch.observation_times.end(), {-1.0, 0.0});
        for (int k = 1; k <= 20; ++k) {
          const double time = k / 20.0, deviation = level * (0.2 + time);
          batch.target_times.push_back(time);
          batch.target_values.push_back(0.0F), batch.target_mask.push_back(1.0F), batch.target_seen.push_back(0);
          predicted.push_back(static_cast<float>(deviation * random.normal()));
          spread.push_back(static_cast<float>(known_spread ? deviation : 1.0));
        }
        batch.observation_offsets.push_back(static_cast<std::int64_t>(batch.observation_times.size()));
        batch.target_offsets.push_back(static_cast<std::int64_t>(batch.target_times.size()));
      }
      batch.object_offsets.push_back(2 * (s + 1));
    }
  }
  Calibration fit() const {
    CalibrationFit fit(1);
    fit.add(batch, true, predicted.data(), spread.data());
    return fit.fit();
  }
  // Share of the errors within the intervals of `level`, of targets after `from`.
  double coverage(const Calibration& calibration, double level, double from = 0) const {
    const std::vector<double> distance = target_distances(batch, true);
    double inside = 0, all = 0;
    for (std::size_t t = 0; t < predicted.size(); ++t) {
      if (batch.target_times[t] <= from) continue;
      inside += std::abs(predicted[t]) <= calibration.half_width(0, level, distance[t], spread[t]) ? 1 : 0, ++all;
    }
    return inside / all;
  }
};

// Five standard deviations of the share of n independent hits, of the fitted and of the counted errors together.
double tolerance(double level, double fitted, double counted) {
  return 5 * std::sqrt(level * (1 - level) * (1 / fitted + 1 / counted));
}

TEST(Calibration, DeviationsAreThoseOfTheNoise) {
  const Forecasts fitted(400, 1, true);
  const Calibration calibration = fitted.fit();
  data::Batch batch = fitted.batch;
  batch.target_seen[3] = 1;
  const std::vector<double> deviations = calibrated_deviations(calibration, batch, true, fitted.spread.data(), {0});
  ASSERT_EQ(deviations.size(), fitted.spread.size());
  EXPECT_TRUE(std::isnan(deviations[3])) << "the encoder sees it";
  for (const std::size_t t : {0U, 10U, 79U}) EXPECT_NEAR(deviations[t] / fitted.spread[t], 1, 0.1) << t;
  EXPECT_TRUE(std::isnan(calibrated_deviations(calibration, batch, true, fitted.spread.data(), {})[0]));
}

TEST(Calibration, IntervalsHoldOnNewData) {
  for (const bool known_spread : {false, true}) {
    const Forecasts fitted(400, 1, known_spread), fresh(400, 2, known_spread);
    const Calibration calibration = fitted.fit();
    EXPECT_EQ(calibration.features()[0].scaled, known_spread);
    EXPECT_EQ(calibration.values(), 16'000);
    EXPECT_EQ(calibration.systems(), 400);
    EXPECT_DOUBLE_EQ(calibration.reach(), 1.0);
    for (const double level : {0.5, 0.8, 0.9}) {
      EXPECT_NEAR(fresh.coverage(calibration, level), level, tolerance(level, 16'000, 16'000)) << known_spread;
      // Within the last third as well: widths grow with the distance.
      EXPECT_NEAR(fresh.coverage(calibration, level, 0.7), level, 0.01 + tolerance(level, 4'800, 4'800));
    }
    EXPECT_LT(fresh.coverage(Forecasts(400, 3, false).fit(), 0.9), 0.99);
  }
}

TEST(Calibration, WidthsFallNeitherWithLevelNorWithDistance) {
  const Calibration calibration = Forecasts(5, 4, false).fit();
  std::map<double, double> before;  // by distance
  for (const double level : {0.02, 0.1, 0.35, 0.5, 0.9, 0.93, 0.99, 0.999}) {
    double nearer = 0;
    for (const double distance : {0.0, 0.01, 0.3, 0.5, 0.97, 1.0, 1.5, 30.0}) {
      const double width = calibration.half_width(0, level, distance, 1.0);
      EXPECT_GE(width, nearer) << level << " " << distance;
      nearer = width;
    }
    for (const double distance : {0.4, 1.0, 3.0, 30.0}) {
      const double width = calibration.half_width(0, level, distance, 1.0);
      EXPECT_GE(width, before[distance]) << level << " " << distance;
      before[distance] = width;
    }
  }
  // Far beyond the fitted distances they keep growing.
  EXPECT_GT(calibration.half_width(0, 0.9, 3.0, 1.0), 1.2 * calibration.half_width(0, 0.9, 1.0, 1.0));
  EXPECT_TRUE(std::isfinite(calibration.half_width(0, 0.9, std::numeric_limits<double>::infinity(), 1.0)));
}

// Errors that double from the earliest start to the latest: later forecasts than any that were fitted get intervals
// that hold, and errors that do not depend on the start get no growth.
TEST(Calibration, WidthsGrowWithTheStartWhereErrorsDo) {
  const auto at_starts = [](double growth, std::uint64_t seed, double low, double high) {
    Forecasts all(400, seed, false);
    Random random(seed, RandomUse::kTest, {1});
    std::size_t k = 0;
    for (double& start : all.batch.start) {
      start = low + (high - low) * random.uniform();
      for (int i = 0; i < 40; ++i) all.predicted[k++] *= static_cast<float>(std::exp(growth * start));
    }
    return all;
  };
  const double growth = 1.2;
  const Calibration fitted = at_starts(growth, 1, 0.2, 0.9).fit();
  EXPECT_NEAR(fitted.features()[0].growth, growth, 0.3);
  const Forecasts later = at_starts(growth, 2, 1.0, 1.0);
  const std::vector<double> distance = target_distances(later.batch, true);
  double inside = 0, without = 0;
  for (std::size_t t = 0; t < later.predicted.size(); ++t) {
    inside += std::abs(later.predicted[t]) <= fitted.half_width(0, 0.9, distance[t], 1.0, 1.0) ? 1 : 0;
    without += std::abs(later.predicted[t]) <= fitted.half_width(0, 0.9, distance[t], 1.0, 0.55) ? 1 : 0;
  }
  const auto count = static_cast<double>(later.predicted.size());
  EXPECT_NEAR(inside / count, 0.9, 0.02 + tolerance(0.9, count, count));
  EXPECT_LT(without / count, 0.8);
  // No farther than a quarter beyond the latest start.
  EXPECT_EQ(fitted.half_width(0, 0.9, 0.5, 1.0, 2.0), fitted.half_width(0, 0.9, 0.5, 1.0, 20.0));
  EXPECT_EQ(at_starts(0.0, 3, 0.2, 0.9).fit().features()[0].growth, 0.0);
}

// Of few systems a higher level is taken: the next system differs from them.
// Knots that are apart by rounding errors would have any slope beyond them.
TEST(Calibration, DistancesThatDifferByRoundingAreOne) {
  Forecasts forecasts(400, 5, false);
  for (std::size_t t = 0; t < forecasts.batch.target_times.size(); ++t) {
    forecasts.batch.target_mask[t] = t % 2 == 0 ? 0.0F : 1.0F;  // ten distances, fewer than knots
    if (t / 20 % 2 != 0) forecasts.batch.target_times[t] += 1e-13, forecasts.predicted[t] *= 2;
  }
  const Calibration calibration = forecasts.fit();
  const double last = calibration.half_width(0, 0.9, 1.0, 1.0);
  EXPECT_GE(calibration.half_width(0, 0.9, 3.0, 1.0), last);
  EXPECT_LT(calibration.half_width(0, 0.9, 3.0, 1.0), 10 * last);
}

TEST(Calibration, FewSystemsGiveWiderIntervals) {
  const double many = Forecasts(400, 8, false).fit().half_width(0, 0.8, 0.5, 1.0);
  double few = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    few += Forecasts(8, 10 + seed, false).fit().half_width(0, 0.8, 0.5, 1.0) / 40;
  // Of groups of 30 errors the 27th, ceil(31 * 0.8 * 8.5 / 8), instead of the 25th: about 1.57 deviations instead of
  // 1.33; of many systems 1.28.
  EXPECT_GT(few / many, 1.15);
  EXPECT_LT(few / many, 1.35);
}

TEST(Calibration, DistancesAreFromWhatIsSeen) {
  data::Batch batch;
  batch.features = 1, batch.system = {0}, batch.start = {0.0};
  batch.object_offsets = {0, 2}, batch.observation_offsets = {0, 2, 2}, batch.target_offsets = {0, 5, 6};
  batch.observation_times = {1.0, 3.0};
  batch.target_times = {0.5, 1.0, 1.5, 2.0, 4.0, 1.0};
  const double never = std::numeric_limits<double>::infinity();
  EXPECT_EQ(target_distances(batch, false), (std::vector<double>{1.0, 0.0, 0.75, 1.0, 2.0, never}));
  EXPECT_EQ(target_distances(batch, true)[4], 1.0);
}

TEST(Calibration, OneSystemAndConstantFeatures) {
  const Calibration one = Forecasts(1, 5, false).fit();
  EXPECT_EQ(one.systems(), 1);
  EXPECT_GT(one.half_width(0, 0.9, 0.5, 1.0), 0);
  Forecasts constant(3, 6, false);
  std::fill(constant.predicted.begin(), constant.predicted.end(), 0.0F);
  EXPECT_EQ(constant.fit().half_width(0, 0.9, 0.5, 1.0), 0.0);
  EXPECT_TRUE(CalibrationFit(2).fit().empty());
}

TEST(Calibration, SurvivesAFileAndRefusesDamage) {
  const Calibration fitted = Forecasts(20, 7, true).fit();
  const Calibration read = Calibration::from_json(nlohmann::json::parse(fitted.to_json().dump()), "x.json");
  for (const double level : {0.5, 0.9})
    EXPECT_DOUBLE_EQ(read.half_width(0, level, 0.4, 0.3), fitted.half_width(0, level, 0.4, 0.3));
  EXPECT_EQ(read.reach(), fitted.reach());
  nlohmann::json damaged = fitted.to_json();
  damaged["features"][0]["width"].erase(0);
  EXPECT_THROW(Calibration::from_json(damaged, "x.json"), DataError);
  damaged = fitted.to_json();
  damaged.erase("reach");
  EXPECT_THROW(Calibration::from_json(damaged, "x.json"), DataError);
}

}  // namespace
}  // namespace lgode::eval
