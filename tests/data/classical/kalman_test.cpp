// The Kalman smoother against Gaussian conditioning, its limits, and the fit of its variances.
#include "lgode/data/classical/kalman.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/data/classical/classical.h"
#include "lgode/data/task.h"

namespace lgode::data {
namespace {

const std::vector<Feature> kFeatures{{"x", "", 0, -1}, {"v", "", 1, 0}};
const Normalisation kScale{{1.0, 1.0}};

struct Seen {
  double time, x, v;  // NaN: missing
};
const double kMissing = std::nan("");

// One object; scales and time scale 1, so that v = dx/dt.
Batch batch_of(const std::vector<Seen>& seen, const std::vector<double>& asked) {
  Batch b;
  b.features = 2;
  b.system = {0}, b.start = {0}, b.object_offsets = {0, 1}, b.relation_offsets = {0, 0};
  b.observation_offsets = {0, static_cast<std::int64_t>(seen.size())};
  b.target_offsets = {0, static_cast<std::int64_t>(asked.size())};
  for (const Seen& s : seen) {
    b.observation_times.push_back(s.time);
    for (const double value : {s.x, s.v}) {
      b.observation_values.push_back(std::isnan(value) ? 0.0F : static_cast<float>(value));
      b.observation_mask.push_back(std::isnan(value) ? 0.0F : 1.0F);
    }
  }
  b.target_times = asked;
  return b;
}

// Solves a x = b for a symmetric positive definite a, by Cholesky's factors.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] = i == j ? std::sqrt(a[i][i]) : a[i][j] / a[j][j];
    }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

// A value of the process: its position or its velocity at a time since the first observation.
struct Place {
  double time;
  bool velocity;
};

// Cov(a, b) of the process that starts at time 0 with variances 100 and `speed`: the start's, moved on, and the
// integral of the drive over the time before both.
double covariance(const Place& a, const Place& b, const WienerNoise& noise) {
  const double start = (a.velocity || b.velocity ? 0.0 : 100.0) +
                       noise.speed * (a.velocity ? 1.0 : a.time) * (b.velocity ? 1.0 : b.time);
  const double s = std::min(a.time, b.time);
  const auto ends = [](const Place& p, double r) { return p.velocity ? 1.0 : p.time - r; };
  // Simpson's rule is exact: the integrand has degree two.
  const double integral =
      s / 6 * (ends(a, 0) * ends(b, 0) + 4 * ends(a, s / 2) * ends(b, s / 2) + ends(a, s) * ends(b, s));
  return start + noise.drive * integral;
}

TEST(KalmanTest, IsGaussianConditioning) {
  const std::vector<Seen> seen{{1.0, 0.5, 0.3}, {1.2, 0.55, kMissing}, {1.9, kMissing, -0.4}, {2.5, 0.1, -0.2}};
  const std::vector<double> asked{1.0, 1.1, 1.7, 2.2, 2.5, 3.4};
  const WienerNoise noise{0.7, 0.02, 0.05, 0.4};
  const KalmanPath path = kalman_smoother(batch_of(seen, asked), kFeatures, kScale, 1.0, {noise, {}});
  std::vector<Place> places;
  std::vector<double> values, variances;
  for (const Seen& s : seen) {
    if (!std::isnan(s.x)) places.push_back({s.time - 1, false}), values.push_back(s.x), variances.push_back(0.02);
    if (!std::isnan(s.v)) places.push_back({s.time - 1, true}), values.push_back(s.v), variances.push_back(0.05);
  }
  std::vector<std::vector<double>> of_seen(places.size(), std::vector<double>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < places.size(); ++j)
      of_seen[i][j] = covariance(places[i], places[j], noise) + (i == j ? variances[i] : 0.0);
  for (std::size_t t = 0; t < asked.size(); ++t)
    for (const bool velocity : {false, true}) {
      const Place place{asked[t] - 1, velocity};
      std::vector<double> with_seen;
      for (const Place& other : places) with_seen.push_back(covariance(place, other, noise));
      const std::vector<double> weights = solve(of_seen, with_seen);
      double mean = 0, variance = covariance(place, place, noise) + (velocity ? 0.05 : 0.02);
      for (std::size_t i = 0; i < weights.size(); ++i)
        mean += weights[i] * values[i], variance -= weights[i] * with_seen[i];
      const std::size_t at = 2 * t + (velocity ? 1 : 0);
      EXPECT_NEAR(path.mean[at], mean, 2e-6) << asked[t] << " " << velocity;
      EXPECT_NEAR(path.spread[at], std::sqrt(variance), 2e-6) << asked[t] << " " << velocity;
    }
}

TEST(KalmanTest, ASeriesOfItsOwnIsSmoothedAlike) {
  const std::vector<Seen> seen{{1.0, 0.5, 0.3}, {1.2, 0.55, kMissing}, {1.9, kMissing, -0.4}, {2.5, 0.1, -0.2}};
  const std::vector<double> asked{0.7, 1.0, 1.1, 2.2, 3.4};
  const WienerNoise noise{0.7, 0.02, 0.05, 0.4};
  const KalmanPath path = kalman_smoother(batch_of(seen, asked), kFeatures, kScale, 1.0, {noise, {}});
  std::vector<KalmanSeries::Observation> observations;
  for (const Seen& s : seen) {
    KalmanSeries::Observation& o = observations.emplace_back();
    o.time = s.time;
    if (!std::isnan(s.x)) o.position = s.x;
    if (!std::isnan(s.v)) o.velocity = s.v;
  }
  const KalmanSeries series(noise, observations);
  for (std::size_t t = 0; t < asked.size(); ++t) {
    const KalmanSeries::Value value = series.at(asked[t]);
    EXPECT_NEAR(path.mean[2 * t], value.position, 1e-6) << asked[t];
    EXPECT_NEAR(path.mean[2 * t + 1], value.velocity, 1e-6) << asked[t];
    EXPECT_NEAR(path.spread[2 * t], value.position_spread, 1e-6) << asked[t];
    EXPECT_NEAR(path.spread[2 * t + 1], value.velocity_spread, 1e-6) << asked[t];
  }
}

// Where observations are exact the mean between two of them is the cubic that meets both, and after the last one
// constant velocity; the variance of a forecast grows with the third power of time.
TEST(KalmanTest, ExactObservationsGiveHermiteAndConstantVelocity) {
  const std::vector<Seen> seen{{0.0, 0.2, 1.0}, {0.4, 0.7, -0.5}, {1.0, 0.1, 0.3}};
  const Batch batch = batch_of(seen, {0.0, 0.1, 0.3, 0.4, 0.8, 1.5});
  const KalmanPath path = kalman_smoother(batch, kFeatures, kScale, 1.0, {{2.0, 1e-12, 1e-12, 1.0}, {}});
  const std::vector<float> hermite = predict_classical(Classical::kHermite, batch, kFeatures, kScale, 1.0);
  for (std::size_t i = 0; i < hermite.size(); ++i) EXPECT_NEAR(path.mean[i], hermite[i], 1e-4) << i;
  EXPECT_NEAR(path.spread[2 * 5], std::sqrt(2.0 * 0.125 / 3), 1e-4);
  EXPECT_NEAR(path.spread[2 * 5 + 1], std::sqrt(2.0 * 0.5), 1e-4);
  EXPECT_NEAR(path.spread[2 * 3], 0.0, 1e-5);
}

TEST(KalmanTest, UnitsAndTimeScaleAreThoseOfTheData) {
  // x in units of 2, v in units of 4, ten units of time are one of the model: dx/dt = 4 * 10 / 2 v.
  Batch batch = batch_of({{0.0, 0.5, 0.025}}, {0.1});
  const KalmanPath path = kalman_smoother(batch, kFeatures, {{2.0, 4.0}}, 10.0, {{1e-9, 1e-12, 1e-12, 1.0}, {}});
  EXPECT_NEAR(path.mean[0], 0.5 + 0.1 * 20 * 0.025, 1e-5);
  EXPECT_NEAR(path.mean[1], 0.025, 1e-6);
}

// Objects whose velocity does a random walk, seen with noise.
Dataset walks(double drive, double noise, int systems) {
  Description d;
  d.features = {{"x", "", 0, -1}};
  d.relation_types = {"r"};
  d.time_scale = d.conditioning_length = 1;
  DatasetBuilder builder(d);
  Random random(3, RandomUse::kTest);
  for (int s = 0; s < systems; ++s) {
    builder.begin_system(Part::kTrain);
    builder.add_object();
    double x = 0, v = random.normal();
    constexpr int kSteps = 50;
    for (int k = 0; k < kSteps; ++k) {
      builder.add_observation(static_cast<double>(k) / kSteps, std::vector<double>{x + noise * random.normal()});
      for (int step = 0; step < 20; ++step) {
        const double dt = 1.0 / kSteps / 20;
        x += dt * v, v += std::sqrt(drive * dt) * random.normal();
      }
    }
  }
  return builder.finish("walks");
}

std::vector<WienerNoise> fitted(const Dataset& set) {
  TaskOptions task;
  task.task = Task::kInterpolate, task.centre = Centre::kNone, task.observed = 1.0;
  const std::vector<std::int64_t> systems = set.systems_in(Part::kTrain);
  return fit_wiener({set, fit_normalisation(set, systems), task}, systems);
}

TEST(FitWienerTest, FindsTheVariancesOfTheData) {
  const double drive = 4.0, noise = 0.02;
  const Dataset set = walks(drive, noise, 60);
  const std::vector<WienerNoise> found = fitted(set);
  ASSERT_EQ(found.size(), 1U);
  const double scale = fit_normalisation(set, set.systems_in(Part::kTrain)).scale[0];
  // 3,000 values: the logarithms of the estimates have errors of a few percent; the search stops at e^0.2.
  EXPECT_NEAR(std::log(found[0].drive * scale * scale / drive), 0.0, 0.4);
  EXPECT_NEAR(std::log(found[0].position * scale * scale / (noise * noise)), 0.0, 0.4);
}

TEST(FitWienerTest, NothingToFit) {
  Description d;
  d.features = {{"x", "", 0, -1}};
  d.relation_types = {"r"};
  d.time_scale = d.conditioning_length = 1;
  DatasetBuilder builder(d);
  builder.begin_system(Part::kTrain);
  builder.add_object();
  for (int k = 0; k < 3; ++k) builder.add_observation(0.3 * k, std::vector<double>{7.0});
  const Dataset constant = builder.finish("constant");
  for (const WienerNoise& noise : fitted(constant))
    for (const double variance : {noise.drive, noise.position, noise.velocity, noise.speed})
      EXPECT_TRUE(std::isfinite(variance) && variance >= 0) << variance;
  TaskOptions task;
  EXPECT_TRUE(fit_wiener({constant, fit_normalisation(constant, {0}), task}, {}).empty());
}

}  // namespace
}  // namespace lgode::data
