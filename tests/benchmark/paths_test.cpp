// Classical forecasts and the straight line, against paths worked by hand.
#include "lgode/benchmark/paths.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sample.h"

namespace lgode::benchmark {
namespace {

// Positions of forecasts pass through floats.
constexpr double kFloat = 1e-5;

Hidden hide(std::initializer_list<std::size_t> frames) {
  Hidden hidden = {};
  for (const std::size_t frame : frames) hidden[frame] = true;
  return hidden;
}

TEST(Paths, ConstantVelocityContinuesTheLastTwoShownPositions) {
  Track track = turning();
  track.points[5] = {4, 1};
  const ClassicalForecast forecast(Classical::kConstantVelocity, 0.4);
  Path path = forecast(track);
  EXPECT_NEAR(path[0].x, 8, kFloat);
  EXPECT_NEAR(path[11].x, 19, kFloat);
  EXPECT_NEAR(path[11].y, 0, kFloat);
  // Shown last: frame 5 at (4, 1) and frame 2 at (2, 0); a step is (2/3, 1/3).
  path = forecast(track, hide({3, 4, 6, 7}));
  EXPECT_NEAR(path[0].x, 4 + 3 * 2.0 / 3, kFloat);
  EXPECT_NEAR(path[0].y, 1 + 3 * 1.0 / 3, kFloat);
  EXPECT_NEAR(path[11].y, 1 + 14 * 1.0 / 3, kFloat);
}

TEST(Paths, ASinglePositionStandsStill) {
  const Track track = turning();
  const Path path = ClassicalForecast(Classical::kConstantVelocity, 0.4)(track, hide({0, 1, 2, 4, 5, 6, 7}));
  for (const Point& point : path) EXPECT_NEAR(point.x, 3, kFloat);
}

TEST(Paths, HoldKeepsTheLastShownPosition) {
  const Path path = ClassicalForecast(Classical::kHold, 0.4)(turning(), hide({7}));
  EXPECT_NEAR(path[11].x, 6, kFloat);
}

TEST(Paths, DampedVelocityEndsAtItsReach) {
  // x(t) = x + v (1 - exp(-c t)) / c in model time: one step is 0.1, v is 10 per unit, c is 2.
  Fitted fitted;
  fitted.scale = {2, 2};
  fitted.time_scale = 4;
  fitted.fit.damping = {2, 2};
  const Path path = ClassicalForecast(Classical::kDampedVelocity, 0.4, fitted)(turning());
  for (std::size_t k = 0; k < kAhead; ++k)
    EXPECT_NEAR(path[k].x, 7 + 10 * (1 - std::exp(-2 * 0.1 * static_cast<double>(k + 1))) / 2, 10 * kFloat);
}

TEST(Paths, TheKalmanFilterOfExactStraightPathsIsConstantVelocity) {
  Fitted fitted;
  fitted.fit.noise = {{.drive = 1, .position = 1e-10}, {.drive = 1, .position = 1e-10}};
  const Path path = ClassicalForecast(Classical::kKalman, 0.4, fitted)(turning());
  EXPECT_NEAR(path[11].x, 19, 1e-3);
  EXPECT_NEAR(path[11].y, 0, 1e-3);
}

TEST(Paths, RowsAreHoldConstantVelocityDampedAndKalman) {
  std::vector<std::string> words;
  for (const ClassicalMethod& method : classical_rows()) words.emplace_back(method.word);
  EXPECT_EQ(words, (std::vector<std::string>{"hold", "constant-velocity", "damped", "kalman"}));
}

TEST(Paths, TheLineJoinsShownFramesAndGoesOnOutside) {
  Track track = turning();
  for (std::size_t k = 0; k < kSeen; ++k) track.points[k] = {static_cast<double>(k * k), 1};
  const Past past = line(track, hide({0, 2, 3, 6, 7}));  // shown: 1, 4, 5 at x = 1, 16, 25
  const double expected[] = {1 - 5, 1, 6, 11, 16, 25, 34, 43};
  for (std::size_t k = 0; k < kSeen; ++k) {
    EXPECT_NEAR(past[k].x, expected[k], 1e-12) << k;
    EXPECT_EQ(past[k].y, 1);
  }
  for (const Point& point : line(track, hide({0, 1, 2, 3, 4, 6, 7}))) EXPECT_EQ(point.x, 25);
}

}  // namespace
}  // namespace lgode::benchmark
