// The bridge's weights where velocities are differences of positions.
#include "lgode/model/bridge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace lgode::model {
namespace {

constexpr double kFactor = 2.5;  // dx/dt = 2.5 v

double cubic(double t) { return 0.3 + t - 4 * t * t + 2.5 * t * t * t; }
double slope(double t) { return 1 - 8 * t + 7.5 * t * t; }
// The velocity feature as a difference over `lag`; 0: of the moment.
double velocity(double t, double lag) { return (lag > 0 ? (cubic(t) - cubic(t - lag)) / lag : slope(t)) / kFactor; }

// One object with a position and its velocity.
data::Batch batch_of(const std::vector<double>& seen, const std::vector<double>& asked) {
  data::Batch b;
  b.features = 2;
  b.system = {0}, b.start = {0}, b.object_offsets = {0, 1}, b.relation_offsets = {0, 0};
  b.observation_offsets = {0, static_cast<std::int64_t>(seen.size())};
  b.target_offsets = {0, static_cast<std::int64_t>(asked.size())};
  b.observation_times = seen, b.target_times = asked;
  b.observation_mask.assign(2 * seen.size(), 1.0F);
  return b;
}

const std::vector<double> kSeen{0.0, 0.1, 0.3, 0.7}, kAsked{0.2, 0.4, 0.5, 0.6, 0.25, 0.65};

// Any cubic is met, at the observed frames between two others and elsewhere.
TEST(BridgeTest, DifferencesOfACubicAreMet) {
  const double lag = 0.1;
  const std::vector<TiedPair> ties{{0, 1, kFactor, false, lag}};
  const data::Batch batch = batch_of(kSeen, kAsked);
  const ResidualTerms terms = residual_terms(batch, ties);
  ASSERT_EQ(terms.terms, 4);
  // Of a path of zeros the residuals are the observations.
  std::vector<double> residual;
  for (const double t : kSeen) residual.insert(residual.end(), {cubic(t), velocity(t, lag)});
  const std::size_t stride = 2 * kAsked.size();
  for (std::size_t i = 0; i < stride; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k)
      sum += terms.weight[k * stride + i] * residual[static_cast<std::size_t>(terms.index[k * stride + i])];
    EXPECT_NEAR(sum, i % 2 == 0 ? cubic(kAsked[i / 2]) : velocity(kAsked[i / 2], lag), 1e-12) << i;
  }

  // A path that moves on with the last velocity, and jumps.
  std::vector<std::int64_t> own_index(stride), other_index(stride);
  std::vector<double> own_weight(stride), other_weight(stride);
  write_bridge<double>(batch, batch.target_times, ties,
                       {own_index.data(), other_index.data(), own_weight.data(), other_weight.data()});
  for (std::size_t i = 0; i < stride; ++i) {
    const double t = kAsked[i / 2];
    const std::size_t right = t < 0.3 ? 2 : 3;
    const double left = kSeen[right - 1], v = velocity(left, lag);
    const auto moved = [&](double at) { return cubic(left) + (at - left) * kFactor * v; };
    const double jump[2] = {cubic(kSeen[right]) - moved(kSeen[right]), velocity(kSeen[right], lag) - v};
    EXPECT_EQ(own_index[i], static_cast<std::int64_t>(2 * right + i % 2));
    EXPECT_EQ(other_index[i], static_cast<std::int64_t>(2 * right + 1 - i % 2));
    const double path = i % 2 == 0 ? moved(t) : v;
    EXPECT_NEAR(path + own_weight[i] * jump[i % 2] + other_weight[i] * jump[1 - i % 2],
                i % 2 == 0 ? cubic(t) : velocity(t, lag), 1e-12)
        << i;
  }
}

TEST(BridgeTest, AShortLagIsHermite) {
  const data::Batch batch = batch_of(kSeen, kAsked);
  const ResidualTerms hermite = residual_terms(batch, {{0, 1, kFactor, false, 0.0}});
  const ResidualTerms lagged = residual_terms(batch, {{0, 1, kFactor, false, 1e-6}});
  // A gap shorter than 1.5 lags has room for three of the four points only.
  const ResidualTerms wide = residual_terms(batch, {{0, 1, kFactor, false, 0.5}});
  EXPECT_EQ(hermite.index, lagged.index);
  for (std::size_t i = 0; i < hermite.weight.size(); ++i) {
    EXPECT_NEAR(lagged.weight[i], hermite.weight[i], 1e-4) << i;
    EXPECT_EQ(wide.weight[i], hermite.weight[i]) << i;
  }
}

}  // namespace
}  // namespace lgode::model
