// Backward differences are recognised, other velocities are not.
#include "lgode/data/difference_lag.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "lgode/data/simulate.h"

namespace lgode::data {
namespace {

// Frames of 0.02, every third one absent.
Dataset walk(const std::function<double(double)>& velocity) {
  Description d;
  d.features = {{"x", "m", 0, -1}, {"v", "m/s", 1, 0}};
  d.relation_types = {"r"};
  d.time_scale = d.conditioning_length = 2;
  DatasetBuilder builder(d);
  for (int s = 0; s < 4; ++s) {
    builder.begin_system(Part::kTrain);
    builder.add_object();
    for (int k = 0; k < 100; ++k)
      if ((k + s) % 3 != 0)
        builder.add_observation(0.02 * k,
                                std::vector<double>{std::sin(3 * 0.02 * k + s), velocity(0.02 * k + s / 3.0)});
  }
  return builder.finish("walk");
}
double position(double t) { return std::sin(3 * t); }

TEST(DifferenceLagTest, BackwardDifferences) {
  const auto backward = [](double t) { return (position(t) - position(t - 0.02)) / 0.02; };
  EXPECT_NEAR(difference_lag(walk(backward), 0, 1), 0.02, 1e-9);
}

TEST(DifferenceLagTest, OtherVelocities) {
  EXPECT_EQ(difference_lag(walk([](double t) { return 3 * std::cos(3 * t); }), 0, 1), 0.0);
  EXPECT_EQ(difference_lag(walk([](double t) { return (position(t + 0.02) - position(t - 0.02)) / 0.04; }), 0, 1), 0.0);
  EXPECT_EQ(difference_lag(walk([](double) { return 0.0; }), 0, 1), 0.0);
  EXPECT_EQ(difference_lag(walk([](double) { return std::nan(""); }), 0, 1), 0.0);
  SimulateOptions options;
  options.train = 20, options.test = 1;
  EXPECT_EQ(difference_lag(simulate(options), 0, 2), 0.0);
}

}  // namespace
}  // namespace lgode::data
