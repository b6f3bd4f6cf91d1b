// The classical baselines against values computed by hand.
#include "lgode/data/classical/classical.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lgode::data {
namespace {

// One object with features x and v = dx/dt, scales 2 and 4, time scale 10; x(T) in physical time T.
Batch batch_of(double (*x)(double), double (*v)(double), const std::vector<double>& seen,
               const std::vector<double>& asked) {
  Batch b;
  b.features = 2;
  b.system = {0}, b.start = {0}, b.object_offsets = {0, 1}, b.relation_offsets = {0, 0};
  b.observation_offsets = {0, static_cast<std::int64_t>(seen.size())};
  b.target_offsets = {0, static_cast<std::int64_t>(asked.size())};
  for (double t : seen) {
    b.observation_times.push_back(t / 10);
    b.observation_values.push_back(static_cast<float>(x(t) / 2));
    b.observation_values.push_back(static_cast<float>(v(t) / 4));
  }
  b.observation_mask.assign(b.observation_values.size(), 1.0F);
  for (double t : asked) b.target_times.push_back(t / 10);
  return b;
}

const std::vector<Feature> kFeatures{{"x", "", 0, -1}, {"v", "", 1, 0}};
const Normalisation kScale{{2.0, 4.0}};

std::vector<float> predict(Classical kind, const Batch& batch) {
  return predict_classical(kind, batch, kFeatures, kScale, 10.0);
}

double line(double t) { return 3 * t + 1; }
double line_slope(double) { return 3; }
double cubic(double t) { return t * t * t - 2 * t; }
double cubic_slope(double t) { return 3 * t * t - 2; }

TEST(ClassicalTest, LinearIsExactOnLinesAndHoldsOutside) {
  const std::vector<float> y = predict(Classical::kLinear, batch_of(line, line_slope, {1, 2, 4}, {0, 1.5, 3, 9}));
  EXPECT_FLOAT_EQ(y[0], static_cast<float>(line(1) / 2));
  EXPECT_FLOAT_EQ(y[2], static_cast<float>(line(1.5) / 2));
  EXPECT_FLOAT_EQ(y[4], static_cast<float>(line(3) / 2));
  EXPECT_FLOAT_EQ(y[6], static_cast<float>(line(4) / 2));
}

TEST(ClassicalTest, HermiteIsExactOnCubicsAndTheirSlopes) {
  const std::vector<float> y = predict(Classical::kHermite, batch_of(cubic, cubic_slope, {0, 1, 3}, {0.3, 2.2}));
  EXPECT_NEAR(y[0], cubic(0.3) / 2, 1e-5);
  EXPECT_NEAR(y[1], cubic_slope(0.3) / 4, 1e-5);
  EXPECT_NEAR(y[2], cubic(2.2) / 2, 1e-5);
  EXPECT_NEAR(y[3], cubic_slope(2.2) / 4, 1e-5);
}

TEST(ClassicalTest, HoldTakesTheLatest) {
  const std::vector<float> y = predict(Classical::kHold, batch_of(cubic, cubic_slope, {0, 1, 3}, {0, 2.9, 7}));
  EXPECT_FLOAT_EQ(y[0], static_cast<float>(cubic(0) / 2));
  EXPECT_FLOAT_EQ(y[2], static_cast<float>(cubic(1) / 2));
  EXPECT_FLOAT_EQ(y[4], static_cast<float>(cubic(3) / 2));
}

TEST(ClassicalTest, ConstantVelocityUsesTheVelocityFeature) {
  const std::vector<float> y = predict(Classical::kConstantVelocity, batch_of(cubic, cubic_slope, {0, 1, 3}, {5}));
  EXPECT_NEAR(y[0], (cubic(3) + 2 * cubic_slope(3)) / 2, 1e-4);
  EXPECT_NEAR(y[1], cubic_slope(3) / 4, 1e-5);
}

TEST(ClassicalTest, WithoutVelocitiesTheLatestDifferenceServes) {
  const std::vector<Feature> plain{{"x", "", 0, -1}, {"v", "", 1, -1}};
  const std::vector<float> y =
      predict_classical(Classical::kConstantVelocity, batch_of(line, line_slope, {1, 2}, {6}), plain, kScale, 10.0);
  EXPECT_NEAR(y[0], line(6) / 2, 1e-5);
  const std::vector<float> z =
      predict_classical(Classical::kHermite, batch_of(line, line_slope, {1, 2}, {1.5}), plain, kScale, 10.0);
  EXPECT_NEAR(z[0], line(1.5) / 2, 1e-6);
}

double parabola(double t) { return t * t - 3 * t; }
double wrong_slope(double) { return 77; }

// Tangents from three neighbours are exact on a parabola, however they are spaced; at the ends they are line slopes.
TEST(ClassicalTest, HermiteWithoutVelocityTakesItsTangentsFromNeighbours) {
  const std::vector<Feature> plain{{"x", "", 0, -1}, {"v", "", 1, -1}};
  const Batch batch = batch_of(parabola, wrong_slope, {0, 1, 3, 4}, {1.7, 2.5, 0.5, 5});
  const std::vector<float> y = predict_classical(Classical::kHermite, batch, plain, kScale, 10.0);
  EXPECT_NEAR(y[0], parabola(1.7) / 2, 1e-5);
  EXPECT_NEAR(y[2], parabola(2.5) / 2, 1e-5);
  // From 0 to 1 with slopes -2 (the difference) and -1: the cubic is at -1 - h/8 in the middle, h the slopes'
  // difference.
  EXPECT_NEAR(y[4], (-1.0 - 1.0 / 8) / 2, 1e-5);
  EXPECT_NEAR(y[6], (parabola(4) + (parabola(4) - parabola(3))) / 2, 1e-5);  // as constant velocity
}

TEST(ClassicalTest, DerivedVelocitiesAreNoTangents) {
  std::vector<Feature> derived = kFeatures, plain = kFeatures;
  derived[1].derived = true;
  plain[1].velocity_of = -1;
  const Batch batch = batch_of(cubic, wrong_slope, {0, 1, 3}, {0.3, 2.2, 5});
  for (const ClassicalMethod& method : kClassicalMethods) {
    const Classical kind = method.kind;
    const std::vector<float> y = predict_classical(kind, batch, derived, kScale, 10.0);
    const std::vector<float> z = predict_classical(kind, batch, plain, kScale, 10.0);
    for (std::size_t t = 0; t < 3; ++t) EXPECT_EQ(y[2 * t], z[2 * t]) << classical_name(kind);
  }
}

TEST(ClassicalTest, DampedVelocitySlowsDown) {
  const Batch batch = batch_of(cubic, cubic_slope, {0, 1, 3}, {5, 2});
  const auto damped = [&](double x, double v) {
    return predict_classical(Classical::kDampedVelocity, batch, kFeatures, kScale, 10.0, {.damping = {x, v}});
  };
  EXPECT_EQ(damped(0, 0), predict(Classical::kConstantVelocity, batch));
  // 2 units of physical time are 0.2 of model time; the velocity per model time is ten times as large.
  const std::vector<float> y = damped(4, 3);
  EXPECT_NEAR(y[0], (cubic(3) + 10 * cubic_slope(3) * (1 - std::exp(-4 * 0.2)) / 4) / 2, 1e-4);
  EXPECT_NEAR(y[1], cubic_slope(3) * std::exp(-3 * 0.2) / 4, 1e-5);
}

// Objects that slow down, x' = -c x' with c = 0.7 per unit of time, in the first half of the range and after it.
Dataset slowing(double damping, bool velocity, bool derived) {
  Description d;
  d.features = {{"x", "", 0, -1}};
  if (velocity) d.features.push_back({"v", "", 1, 0, derived});
  d.relation_types = {"r"};
  d.time_scale = d.conditioning_length = 5;
  DatasetBuilder builder(d);
  for (int s = 0; s < 40; ++s) {
    builder.begin_system(Part::kTrain, 100);
    builder.add_object();
    for (int k = 0; k < 100; ++k) {
      const double t = 0.05 * k, v0 = 1 + 0.1 * (s % 7), e = std::exp(-damping * t);
      std::vector<double> values = {s + v0 * (1 - e) / damping};
      if (velocity) values.push_back(derived ? std::nan("") : v0 * e);
      builder.add_observation(100 + t, values);
    }
  }
  return builder.finish("slowing");
}

std::vector<double> damping_of(const Dataset& set, Task kind) {
  TaskOptions task;
  task.task = kind;
  task.centre = Centre::kNone;
  const std::vector<std::int64_t> systems = set.systems_in(Part::kTrain);
  return fit_damping({set, fit_normalisation(set, systems), task}, systems);
}

TEST(FitDampingTest, FindsTheDampingOfTheData) {
  const double c = 0.7 * 5;  // per model time
  const std::vector<double> declared = damping_of(slowing(0.7, true, false), Task::kExtrapolate);
  ASSERT_EQ(declared.size(), 2U);
  EXPECT_NEAR(declared[0], c, 0.01 * c);
  EXPECT_NEAR(declared[1], c, 0.01 * c);
  // From differences, it is the velocity between two observations.
  EXPECT_NEAR(damping_of(slowing(0.7, false, false), Task::kExtrapolate).at(0), c, 0.1 * c);
  const std::vector<double> derived = damping_of(slowing(0.7, true, true), Task::kExtrapolate);
  EXPECT_NEAR(derived.at(0), c, 0.1 * c);
  EXPECT_EQ(derived.at(1), 0.0);
}

TEST(FitDampingTest, ConstantVelocityHasNone) {
  EXPECT_LT(damping_of(slowing(1e-6, true, false), Task::kExtrapolate).at(0), 0.01);
}

TEST(FitDampingTest, OnlyForForecasts) {
  EXPECT_TRUE(damping_of(slowing(0.7, true, false), Task::kInterpolate).empty());
}

TEST(ClassicalTest, ObjectThatShowsNothingGetsZeros) {
  for (const ClassicalMethod& method : kClassicalMethods)
    for (float y : predict(method.kind, batch_of(line, line_slope, {}, {1, 2}))) EXPECT_EQ(y, 0.0F);
}

TEST(ClassicalTest, ObjectThatShowsNothingGetsTheMeanOfItsSystem) {
  Batch b = batch_of(line, line_slope, {1, 3}, {});
  // A second object with one target value.
  b.object_offsets = {0, 2}, b.relation_offsets = {0, 0, 0};
  b.observation_offsets = {0, 2, 2}, b.target_offsets = {0, 0, 1}, b.target_times = {0.5};
  for (const ClassicalMethod& method : kClassicalMethods) {
    const Classical kind = method.kind;
    const std::vector<float> y = predict(kind, b);
    ASSERT_EQ(y.size(), 2U);
    EXPECT_FLOAT_EQ(y[0], static_cast<float>(line(2) / 2));
    EXPECT_FLOAT_EQ(y[1], static_cast<float>(3.0 / 4));
  }
}

TEST(ClassicalTest, MissingValuesAreLookedForElsewhere) {
  Batch b = batch_of(line, line_slope, {1, 2, 3}, {2.5});
  b.observation_mask[2 * 2] = 0.0F;  // x at time 3
  b.observation_values[2 * 2] = 0.0F;
  EXPECT_FLOAT_EQ(predict(Classical::kHold, b)[0], static_cast<float>(line(2) / 2));
}

}  // namespace
}  // namespace lgode::data
