// The estimate of a training before its first step.
#include "lgode/train/cost.h"

#include <gtest/gtest.h>

#include "train/small_training.h"

namespace lgode::train {
namespace {

// Weights and errors are the same bits whether or not the cost was estimated before the first step.
TEST(TrainerTest, TheEstimateChangesNoBit) {
  const data::Dataset set = small_set();
  Trainer plain(small_config(), set, {}), estimated(small_config(), set, {});
  plain.run();
  Cost cost;
  estimated.run({.on_start = [&](const StartReport& r) { cost = r.cost.value(); }});
  EXPECT_TRUE(weights(estimated).equal(weights(plain)));
  EXPECT_EQ(estimated.result().best_validation, plain.result().best_validation);
  EXPECT_EQ(cost.parameters, plain.model().parameters().count());
  EXPECT_GT(cost.objects, 0);
  EXPECT_GT(cost.observations, cost.objects);
  EXPECT_GT(cost.relations, 0);
  EXPECT_GT(cost.step_seconds, 0);
  EXPECT_NEAR(cost.epoch_seconds, static_cast<double>(plain.start().steps_per_epoch) * cost.step_seconds,
              0.41 * cost.step_seconds);
  EXPECT_GT(cost.seconds, 2.9 * static_cast<double>(plain.start().steps_per_epoch) * cost.step_seconds);
  EXPECT_GT(cost.memory, 1e6);
  EXPECT_GT(cost.machine, cost.memory);
}

TEST(CostTest, APartOfABatchHasTheFirstObjectsAlone) {
  const data::BatchMaker maker = lgode::testing::random_maker({.objects = {6, 1}});
  const data::Batch whole = maker.make({0}, data::View::kValidate);
  const data::Batch part = first_objects(whole, 4), all = first_objects(whole, 100);
  EXPECT_EQ(all.relation_sources, whole.relation_sources);
  EXPECT_EQ(all.target_values, whole.target_values);
  ASSERT_EQ(part.objects(), 4);
  EXPECT_EQ(part.observations(), whole.observation_offsets[4]);
  EXPECT_EQ(part.targets(), whole.target_offsets[4]);
  EXPECT_EQ(part.observation_values.size(), 3 * part.observation_times.size());
  EXPECT_EQ(part.target_seen.size(), part.target_times.size());
  for (const std::int64_t source : part.relation_sources) EXPECT_LT(source, 4);
  EXPECT_EQ(part.relation_offsets.back(), static_cast<std::int64_t>(part.relation_sources.size()));
  EXPECT_LT(part.relation_sources.size(), whole.relation_sources.size());
  EXPECT_LT(work_of(part, model::Interaction::kNeighbours), work_of(whole, model::Interaction::kNeighbours));
  EXPECT_LT(work_of(whole, model::Interaction::kNeighbours), work_of(whole, model::Interaction::kAll));
}

}  // namespace
}  // namespace lgode::train
