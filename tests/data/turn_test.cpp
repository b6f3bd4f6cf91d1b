// Turned batches: rigid motions in the units of the world, the same for positions and velocities, and nothing else.
#include "lgode/data/turn.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "lgode/core/error.h"
#include "lgode/core/random.h"
#include "lgode/data/batch_maker.h"

namespace lgode::data {
namespace {

// A wide scene: x and y have scales of their own. The third feature is not a position.
Dataset scene(double missing) {
  Description d;
  d.features = {{"x", "m", 0, -1}, {"y", "m", 1, -1}, {"vx", "m/s", 2, 0}, {"vy", "m/s", 3, 1}, {"size", "m", 4, -1}};
  d.relation_types = {"any"};
  DatasetBuilder builder(d);
  Random random(1, RandomUse::kTest);
  for (int s = 0; s < 6; ++s) {
    builder.begin_system(Part::kTrain);
    for (int i = 0; i < 3; ++i) {
      builder.add_object();
      for (int k = 0; k < 6; ++k) {
        std::vector<double> v = {random.uniform(-20, 20), random.uniform(-3, 3), random.uniform(-2, 2),
                                 random.uniform(-1, 1), 0.5};
        for (double& x : v)
          if (random.uniform() < missing) x = std::numeric_limits<double>::quiet_NaN();
        builder.add_observation(0.15 * k, v);
      }
    }
  }
  return builder.finish("scene");
}

BatchMaker maker_of(const Dataset& set) {
  TaskOptions task;
  task.centre = Centre::kSystem, task.hide_values = 0.0;
  return {set, fit_normalisation(set, {0, 1, 2, 3, 4, 5}, /*centred=*/true), task};
}

// World coordinates of a row's pair, relative to the centre.
struct Point {
  double x, y;
};
Point point(const std::vector<float>& values, const BatchMaker& maker, std::int64_t row, std::pair<int, int> pair) {
  const auto& scale = maker.normalisation().scale;
  return {values[row * 5 + pair.first] * scale[pair.first], values[row * 5 + pair.second] * scale[pair.second]};
}

TEST(Turn, IsARigidMotionOfEachSystem) {
  const BatchMaker maker = maker_of(scene(0.0));
  const TurnedPairs pairs = turned_pairs(maker.dataset().description().features);
  ASSERT_EQ(pairs, (TurnedPairs{{0, 1}, {2, 3}}));
  const Batch before = maker.make({0, 1, 2, 3, 4, 5}, View::kTrain);
  Batch after = before;
  turn(after, pairs, maker.normalisation(), /*seed=*/1, /*step=*/3);
  std::set<int> mirrored;
  for (std::int64_t b = 0; b < before.systems(); ++b) {
    const std::int64_t first = before.observation_offsets[before.object_offsets[b]];
    const std::int64_t end = before.observation_offsets[before.object_offsets[b + 1]];
    const Point p = point(before.observation_values, maker, first, pairs[0]),
                q = point(after.observation_values, maker, first, pairs[0]);
    // All products of two points or velocities are kept; cross products, too, up to the sign of the mirror.
    double sign = 0;
    for (std::int64_t r = first; r < end; ++r)
      for (const auto& pair : pairs) {
        const Point u = point(before.observation_values, maker, r, pair),
                    v = point(after.observation_values, maker, r, pair);
        EXPECT_NEAR(p.x * u.x + p.y * u.y, q.x * v.x + q.y * v.y, 1e-3);
        const double cross = p.x * u.y - p.y * u.x, turned = q.x * v.y - q.y * v.x;
        if (sign == 0 && std::abs(cross) > 0.1) sign = cross * turned > 0 ? 1 : -1;
        EXPECT_NEAR(turned, sign * cross, 1e-3);
      }
    mirrored.insert(static_cast<int>(sign));
    // Targets turn with what is shown: those that are seen are the same points.
    for (std::int64_t i = before.object_offsets[b]; i < before.object_offsets[b + 1]; ++i) {
      std::int64_t m = after.observation_offsets[i];
      for (std::int64_t t = after.target_offsets[i]; t < after.target_offsets[i + 1]; ++t) {
        if (after.target_seen[t] == 0) continue;
        for (int f = 0; f < 5; ++f)
          EXPECT_EQ(after.target_values[t * 5 + f], after.observation_values[m * 5 + f]) << t << " " << f;
        ++m;
      }
    }
    EXPECT_GT(std::hypot(p.x - q.x, p.y - q.y), 1e-3) << b;
  }
  EXPECT_EQ(mirrored, (std::set<int>{-1, 1}));
  // Nothing else changes.
  for (std::size_t at = 4; at < before.observation_values.size(); at += 5)
    EXPECT_EQ(after.observation_values[at], before.observation_values[at]);
  EXPECT_EQ(after.observation_mask, before.observation_mask);
  EXPECT_EQ(after.target_mask, before.target_mask);
  EXPECT_EQ(after.observation_times, before.observation_times);
  EXPECT_EQ(after.target_times, before.target_times);
  EXPECT_EQ(after.centre, before.centre);
}

TEST(Turn, FollowsFromSeedStepAndSystemAlone) {
  const BatchMaker maker = maker_of(scene(0.0));
  const TurnedPairs pairs = turned_pairs(maker.dataset().description().features);
  const auto turned = [&](std::vector<std::int64_t> systems, std::uint64_t seed, std::int64_t step) {
    Batch batch = maker.make(systems, View::kTrain);
    turn(batch, pairs, maker.normalisation(), seed, step);
    return batch.target_values;
  };
  EXPECT_EQ(turned({2}, 1, 5), turned({2}, 1, 5));
  EXPECT_NE(turned({2}, 1, 5), turned({2}, 1, 6));
  EXPECT_NE(turned({2}, 1, 5), turned({2}, 2, 5));
  const std::vector<float> alone = turned({2}, 1, 5), together = turned({4, 2}, 1, 5);
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.end() - static_cast<std::ptrdiff_t>(alone.size())) ||
              std::equal(alone.begin(), alone.end(), together.begin()));
}

// A value without its partner can only turn by right angles: it stays the same distance along one of the axes.
TEST(Turn, HalfPairsTurnByRightAngles) {
  const BatchMaker maker = maker_of(scene(0.3));
  const TurnedPairs pairs = turned_pairs(maker.dataset().description().features);
  const auto& scale = maker.normalisation().scale;
  const Batch before = maker.make({0, 1, 2, 3, 4, 5}, View::kTrain);
  int swapped = 0;
  for (std::int64_t step = 0; step < 8; ++step) {
    Batch after = before;
    turn(after, pairs, maker.normalisation(), 1, step);
    for (std::int64_t r = 0; r < before.observations(); ++r)
      for (const auto& [x, y] : pairs) {
        const auto& mask = before.observation_mask;
        if (mask[r * 5 + x] == mask[r * 5 + y]) continue;
        const int f = mask[r * 5 + x] != 0 ? x : y, now = after.observation_mask[r * 5 + x] != 0 ? x : y;
        EXPECT_NE(after.observation_mask[r * 5 + x], after.observation_mask[r * 5 + y]);
        EXPECT_NEAR(std::abs(after.observation_values[r * 5 + now]) * scale[now],
                    std::abs(before.observation_values[r * 5 + f]) * scale[f], 1e-5);
        EXPECT_EQ(after.observation_values[r * 5 + (now == x ? y : x)], 0.0F);
        swapped += f != now ? 1 : 0;
      }
  }
  EXPECT_GT(swapped, 0);
}

TEST(Turn, RefusesFeaturesThatDoNotTurn) {
  const auto refuse = [](const std::vector<Feature>& features, const std::string& why) {
    try {
      turned_pairs(features);
      FAIL() << why;
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refuse({{"x", "m", 0, -1}, {"y", "m", 0, -1}, {"z", "m", 0, -1}}, "has 3");
  refuse({{"x", "m", 0, -1}, {"t", "K", 0, -1}}, "'m', t in 'K'");
  refuse({{"x", "m", 0, -1}, {"y", "m", 0, -1}, {"vx", "m/s", 1, 0}}, "has 1");
  refuse({{"x", "m", 0, -1}, {"y", "m", 0, -1}, {"vx", "", 1, 0}, {"vy", "", 1, 1}, {"ux", "", 1, 0}}, "2 and 1");
}

TEST(Resize, MultipliesPositionsAndVelocitiesOfEachSystem) {
  const BatchMaker maker = maker_of(scene(0.2));
  const std::vector<int> features = resized_features(maker.dataset().description().features);
  EXPECT_EQ(features, (std::vector<int>{0, 1, 2, 3}));
  const Batch before = maker.make({0, 1, 2, 3, 4, 5}, View::kTrain);
  Batch after = before, again = before, later = before;
  resize(after, features, 2.0, /*seed=*/1, /*step=*/3);
  resize(again, features, 2.0, 1, 3);
  resize(later, features, 2.0, 1, 4);
  EXPECT_EQ(after.observation_values, again.observation_values);
  EXPECT_NE(after.observation_values, later.observation_values);
  EXPECT_EQ(after.observation_mask, before.observation_mask);
  std::set<float> factors;
  for (std::int64_t b = 0; b < before.systems(); ++b) {
    std::optional<float> factor;
    const auto check = [&](const std::vector<float>& old, const std::vector<float>& now, std::int64_t row,
                           std::int64_t end) {
      for (std::int64_t at = row * 5; at < end * 5; ++at) {
        const bool changes = at % 5 < 4;
        if (!changes || old[at] == 0) {
          EXPECT_EQ(now[at], old[at]);
          continue;
        }
        if (!factor) factor = now[at] / old[at];
        EXPECT_NEAR(now[at] / old[at], *factor, 1e-5);
      }
    };
    const std::int64_t first = before.object_offsets[b], end = before.object_offsets[b + 1];
    check(before.observation_values, after.observation_values, before.observation_offsets[first],
          before.observation_offsets[end]);
    check(before.target_values, after.target_values, before.target_offsets[first], before.target_offsets[end]);
    ASSERT_TRUE(factor);
    EXPECT_GE(*factor, 0.5F);
    EXPECT_LE(*factor, 2.0F);
    factors.insert(*factor);
  }
  EXPECT_EQ(factors.size(), 6U);
}

}  // namespace
}  // namespace lgode::data
