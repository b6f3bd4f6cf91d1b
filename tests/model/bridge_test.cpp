// The bridge's weights where velocities are differences of positions.
#include "lgode/model/assimilate/bridge.h"

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

struct Terms {
  std::vector<std::int64_t> own_index, other_index, before_index, here_index;
  std::vector<double> own_weight, other_weight, before_weight, here_weight;
  LagReadings readings;
};

Terms terms_of(const data::Batch& batch, const std::vector<TiedPair>& ties) {
  const std::size_t count = 2 * batch.target_times.size();
  Terms t;
  for (auto* index : {&t.own_index, &t.other_index, &t.before_index, &t.here_index}) index->resize(count);
  for (auto* weight : {&t.own_weight, &t.other_weight, &t.before_weight, &t.here_weight}) weight->resize(count);
  t.readings = lag_readings(batch, batch.target_times, ties);
  write_bridge<double>(batch, batch.target_times, ties, t.readings,
                       {t.own_index.data(), t.other_index.data(), t.own_weight.data(), t.other_weight.data(),
                        t.before_index.data(), t.here_index.data(), t.before_weight.data(), t.here_weight.data()});
  return t;
}

// Any cubic is met by a path that moves on with the last velocity, and jumps: at the observed frames between two others
// and elsewhere.
TEST(BridgeTest, DifferencesOfACubicAreMet) {
  for (const double lag : {0.0, 0.1}) {
    const Terms terms = terms_of(batch_of(kSeen, kAsked), {{0, 1, kFactor, false, lag}});
    for (std::size_t i = 0; i < terms.own_weight.size(); ++i) {
      const double t = kAsked[i / 2];
      const std::size_t right = t < 0.3 ? 2 : 3;
      const double left = kSeen[right - 1], v = velocity(left, lag);
      const auto moved = [&](double at) { return cubic(left) + (at - left) * kFactor * v; };
      const double jump[2] = {cubic(kSeen[right]) - moved(kSeen[right]), velocity(kSeen[right], lag) - v};
      EXPECT_EQ(terms.own_index[i], static_cast<std::int64_t>(2 * right + i % 2));
      EXPECT_EQ(terms.other_index[i], static_cast<std::int64_t>(2 * right + 1 - i % 2));
      const double path = i % 2 == 0 ? moved(t) : v;
      EXPECT_NEAR(path + terms.own_weight[i] * jump[i % 2] + terms.other_weight[i] * jump[1 - i % 2],
                  i % 2 == 0 ? cubic(t) : velocity(t, lag), 1e-12)
          << i << " " << lag;
    }
  }
}

TEST(BridgeTest, AShortLagIsHermite) {
  const data::Batch batch = batch_of(kSeen, kAsked);
  const Terms hermite = terms_of(batch, {{0, 1, kFactor, false, 0.0}});
  const Terms lagged = terms_of(batch, {{0, 1, kFactor, false, 1e-5}});
  // A gap shorter than 1.5 lags has room for three of the four points only.
  const Terms wide = terms_of(batch, {{0, 1, kFactor, false, 0.5}});
  EXPECT_GT(lagged.readings.size(), 0);
  EXPECT_EQ(wide.readings.size(), 0);
  EXPECT_EQ(hermite.own_index, lagged.own_index);
  EXPECT_EQ(hermite.other_index, lagged.other_index);
  EXPECT_EQ(wide.own_weight, hermite.own_weight);
  EXPECT_EQ(wide.other_weight, hermite.other_weight);
  for (std::size_t i = 0; i < hermite.own_weight.size(); ++i) {
    EXPECT_NEAR(lagged.own_weight[i], hermite.own_weight[i], 1e-4) << i;
    EXPECT_NEAR(lagged.other_weight[i], hermite.other_weight[i], 1e-4) << i;
  }
}

// Any path, here one that bends by itself, is met at the observations and a lag before them. The velocity is met at the
// observations, and is the difference of the bridged positions elsewhere.
TEST(BridgeTest, TheFrameBeforeAnObservationIsMet) {
  constexpr double kLag = 0.1, kJust = 2e-6;
  const std::vector<double> seen{0.15, 0.35, 0.7, 0.85};
  // A lag before an observation; just before one; a lag apart, in one gap and, twice, from its left end.
  const std::vector<double> asked{0.05, 0.25, 0.6, 0.35 - kJust, 0.7 - kJust, 0.15 - kJust, 0.55, 0.65, 0.42};
  const Terms terms = terms_of(batch_of(seen, asked), {{0, 1, kFactor, true, kLag}});
  // Between observations the path is the observed one, zero, plus these.
  const auto off = [](double t, std::size_t f) { return f == 0 ? std::sin(5 * t) : std::exp(t) - 3 * t * t; };
  const auto deviation = [&](std::size_t q) {
    const bool here = q >= terms.readings.before.size();
    const LagReadings::Entry e =
        here ? terms.readings.here[q - terms.readings.before.size()] : terms.readings.before[q];
    const double t = here ? asked[static_cast<std::size_t>(e.at)] : seen[static_cast<std::size_t>(e.at)];
    // After an observation's jump position and velocity are zero, and before it in the continued path.
    return off(t, 0) - kLag * kFactor * off(t, 1) - (e.left >= 0 ? 0.0 : off(t - kLag, 0));
  };
  const auto bridged = [&](std::size_t t, std::size_t f) {
    const std::size_t i = 2 * t + f, m = static_cast<std::size_t>(terms.own_index[i]) / 2;
    return off(asked[t], f) - terms.own_weight[i] * off(seen[m], f) - terms.other_weight[i] * off(seen[m], 1 - f) +
           terms.before_weight[i] * deviation(static_cast<std::size_t>(terms.before_index[i]) / 2) +
           terms.here_weight[i] * deviation(static_cast<std::size_t>(terms.here_index[i]) / 2);
  };
  for (std::size_t t = 0; t < 3; ++t) EXPECT_NEAR(bridged(t, 0), 0.0, 1e-12) << t;
  for (std::size_t t = 3; t < 6; ++t)
    for (const std::size_t f : {0, 1}) EXPECT_NEAR(bridged(t, f), 0.0, 1e-3) << t << f;
  EXPECT_NEAR(bridged(1, 1), 0.0, 1e-12);  // the only frame of its gap
  EXPECT_NEAR(bridged(7, 1), (bridged(7, 0) - bridged(6, 0)) / (kLag * kFactor), 1e-12);
  EXPECT_GT(std::abs(bridged(7, 1)), 1e-2);
  EXPECT_GT(std::abs(bridged(8, 0)), 1e-2);
}

// The line where a feature has no partner, or its partner is not seen at both ends; no weight after the last
// observation, and the residual itself before the first.
TEST(BridgeTest, WithoutAPartnerItIsTheLine) {
  data::Batch batch = batch_of({0.2, 0.6}, {0.1, 0.3, 0.6, 0.7});
  batch.observation_mask[1] = 0.0F;  // the first velocity
  const std::vector<double> position{1, 0.25, 0, 0}, velocity{1, 1, 0, 0};
  for (const bool tied : {true, false}) {
    const Terms terms = terms_of(batch, tied ? std::vector<TiedPair>{{0, 1, kFactor}} : std::vector<TiedPair>());
    for (std::size_t t = 0; t < 4; ++t) {
      EXPECT_NEAR(terms.own_weight[2 * t], position[t], 1e-15) << t;
      EXPECT_NEAR(terms.own_weight[2 * t + 1], velocity[t], 1e-15) << t;
      EXPECT_EQ(terms.other_weight[2 * t], 0.0) << t;
      EXPECT_EQ(terms.other_weight[2 * t + 1], 0.0) << t;
    }
  }
}

}  // namespace
}  // namespace lgode::model
