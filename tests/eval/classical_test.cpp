// The classical baselines against values computed by hand.
#include "lgode/eval/classical.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lgode::eval {
namespace {

// One object with features x and v = dx/dt, scales 2 and 4, time scale 10; x(T) in physical time T.
data::Batch batch_of(double (*x)(double), double (*v)(double), const std::vector<double>& seen,
                     const std::vector<double>& asked) {
  data::Batch b;
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

const std::vector<data::Feature> kFeatures{{"x", "", 0, -1}, {"v", "", 1, 0}};
const data::Normalisation kScale{{2.0, 4.0}};

std::vector<float> predict(Classical kind, const data::Batch& batch) {
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
  const std::vector<data::Feature> plain{{"x", "", 0, -1}, {"v", "", 1, -1}};
  const std::vector<float> y =
      predict_classical(Classical::kConstantVelocity, batch_of(line, line_slope, {1, 2}, {6}), plain, kScale, 10.0);
  EXPECT_NEAR(y[0], line(6) / 2, 1e-5);
  const std::vector<float> z =
      predict_classical(Classical::kHermite, batch_of(line, line_slope, {1, 2}, {1.5}), plain, kScale, 10.0);
  EXPECT_NEAR(z[0], line(1.5) / 2, 1e-6);
}

TEST(ClassicalTest, ObjectThatShowsNothingGetsZeros) {
  for (Classical kind : kAllClassical)
    for (float y : predict(kind, batch_of(line, line_slope, {}, {1, 2}))) EXPECT_EQ(y, 0.0F);
}

TEST(ClassicalTest, MissingValuesAreLookedForElsewhere) {
  data::Batch b = batch_of(line, line_slope, {1, 2, 3}, {2.5});
  b.observation_mask[2 * 2] = 0.0F;  // x at time 3
  b.observation_values[2 * 2] = 0.0F;
  EXPECT_FLOAT_EQ(predict(Classical::kHold, b)[0], static_cast<float>(line(2) / 2));
}

}  // namespace
}  // namespace lgode::eval
