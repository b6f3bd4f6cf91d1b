// Scores against averages computed by hand.
#include "lgode/eval/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace lgode::eval {
namespace {

// Two systems: the first with two objects (three targets and one), the second with one object and no targets.
data::Batch hand_batch() {
  data::Batch b;
  b.features = 2;
  b.system = {0, 1}, b.start = {0, 0}, b.object_offsets = {0, 2, 3};
  b.target_offsets = {0, 3, 4, 4};
  b.target_times = {0.0, 0.5, 0.99, 0.2};
  b.target_values.assign(8, 0.0F);
  b.target_mask = {1, 1, 1, 0, 1, 1, 1, 1};
  b.target_seen = {1, 0, 0, 0};
  return b;
}

TEST(ScoreKeeperTest, AveragesPerObjectThenFeaturesObjectsSystems) {
  ScoreKeeper keeper({{2.0, 10.0}}, 6.0, 1.0, 2);
  const std::vector<float> predicted{1, 2, 2, 9, 3, 4, 5, 6};  // the 9 is masked
  keeper.add(hand_batch(), predicted.data());
  const Scores s = keeper.scores();
  const double first_x = (1.0 + 4 + 9) / 3, first_y = (4.0 + 16) / 2, second_x = 25, second_y = 36;
  EXPECT_DOUBLE_EQ(s.mse, ((first_x + first_y) / 2 + (second_x + second_y) / 2) / 2);
  const double unseen_x = (4.0 + 9) / 2, unseen_y = 16;
  EXPECT_DOUBLE_EQ(s.mse_unseen, ((unseen_x + unseen_y) / 2 + (second_x + second_y) / 2) / 2);
  EXPECT_DOUBLE_EQ(s.feature_mse[0], (first_x + second_x) / 2);
  EXPECT_DOUBLE_EQ(s.feature_rmse[0], 2.0 * std::sqrt((1.0 + 4 + 9 + 25) / 4));
  EXPECT_DOUBLE_EQ(s.feature_rmse[1], 10.0 * std::sqrt((4.0 + 16 + 36) / 3));
  ASSERT_EQ(s.horizon.size(), 2U);
  EXPECT_DOUBLE_EQ(s.horizon[0].end, 3.0);
  EXPECT_EQ(s.horizon[0].values, 4);
  EXPECT_DOUBLE_EQ(s.mse_first_half, s.horizon[0].mse);
  EXPECT_DOUBLE_EQ(s.horizon[1].mse, (4.0 + 9 + 16) / 3);
  EXPECT_EQ(s.systems, 1);
  EXPECT_EQ(s.objects, 2);
  EXPECT_EQ(s.values, 7);
}

TEST(ScoreKeeperTest, TellsTheErrorOfEachObjectWithTargets) {
  ScoreKeeper keeper({{2.0, 10.0}}, 6.0, 1.0, 2);
  data::Batch batch = hand_batch();
  batch.object = {0, 2, 1};
  const std::vector<float> predicted{1, 2, 2, 9, 3, 4, 5, 6};
  std::vector<std::vector<double>> objects;
  keeper.add(batch, predicted.data(), {}, [&](std::int64_t system, std::int64_t object, double error) {
    objects.push_back({static_cast<double>(system), static_cast<double>(object), error});
  });
  ASSERT_EQ(objects.size(), 2U);
  EXPECT_EQ(objects[0], (std::vector<double>{0, 0, ((1.0 + 4 + 9) / 3 + (4.0 + 16) / 2) / 2}));
  EXPECT_EQ(objects[1], (std::vector<double>{0, 2, (25.0 + 36) / 2}));
  EXPECT_EQ(keeper.scores().mse, (objects[0][2] + objects[1][2]) / 2);
}

TEST(ScoreKeeperTest, TargetsBeyondTheRangeHaveABinOfTheirOwn) {
  ScoreKeeper keeper({{1.0, 1.0}}, 10.0, 0.5, 2);
  const std::vector<float> predicted(8, 1.0F);
  keeper.add(hand_batch(), predicted.data());
  const Scores s = keeper.scores();
  ASSERT_EQ(s.horizon.size(), 3U);
  EXPECT_EQ(s.horizon[1].values, 0);
  EXPECT_DOUBLE_EQ(s.horizon[2].begin, 5.0);
  EXPECT_DOUBLE_EQ(s.horizon[2].end, 9.9);
  EXPECT_EQ(s.horizon[2].values, 3);
}

TEST(ScoreKeeperTest, NothingGivesNullInJson) {
  const ScoreKeeper keeper({{1.0, 1.0}}, 1.0, 1.0);
  const nlohmann::json j = keeper.scores().to_json({{"x", "", 0, -1}, {"y", "", 0, -1}});
  EXPECT_TRUE(j.at("mse").is_null());
  EXPECT_EQ(j.at("values"), 0);
}

TEST(ScoreKeeperTest, NanInAPredictionShows) {
  ScoreKeeper keeper({{1.0, 1.0}}, 1.0, 1.0);
  std::vector<float> predicted(8, 0.0F);
  predicted[0] = std::nanf("");
  keeper.add(hand_batch(), predicted.data());
  EXPECT_TRUE(std::isnan(keeper.scores().mse));
}

}  // namespace
}  // namespace lgode::eval
