// Predictions from a model in memory.
#include "lgode/eval/predict.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/batches.h"

namespace lgode::eval {
namespace {

Run run_on(const data::Dataset& set) {
  Run run;
  model::ModelOptions& m = run.info.model;
  m.encoder_width = 4, m.sequence_width = 3, m.latent = 2, m.augment = 1, m.hidden = 3;
  const data::Description& about = set.description();
  run.info.shape = {set.features(), static_cast<std::int64_t>(about.relation_types.size()), set.has_missing(), 0.4};
  run.info.normalisation = data::fit_normalisation(set, data::normalisation_systems(set, run.info.task));
  run.info.features = about.features;
  run.info.relation_types = about.relation_types;
  run.info.time_scale = about.time_scale;
  run.info.conditioning_length = about.conditioning_length;
  run.model = model::make_model(m, run.info.shape, 7);
  return run;
}

std::vector<SystemPrediction> predictions(const Run& run, const data::Dataset& set, const PredictOptions& options) {
  std::vector<SystemPrediction> all;
  predict(run, set, options, [&](const SystemPrediction& p) { all.push_back(p); });
  return all;
}

TEST(PredictTest, ASystemThatIsAskedForTwiceIsAnsweredTwice) {
  const data::Dataset set = lgode::testing::random_dataset({}, 3);
  const eval::Run run = run_on(set);
  PredictOptions options;
  options.systems = {0, 1, 0};
  options.samples = 5;
  options.relative = true;
  options.own_times = {{0.5, 1.0}, {0.7}, {0.2, 0.9, 3.5}};
  const std::vector<SystemPrediction> all = predictions(run, set, options);
  ASSERT_EQ(all.size(), 3U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].system, options.systems[i]);
    EXPECT_EQ(all[i].times, options.own_times[i]);
    PredictOptions alone = options;
    alone.systems = {options.systems[i]};
    alone.own_times = {options.own_times[i]};
    const SystemPrediction expected = predictions(run, set, alone).at(0);
    ASSERT_EQ(all[i].mean.size(), expected.mean.size());
    ASSERT_GT(expected.mean.size(), 0U);
    for (std::size_t k = 0; k < expected.mean.size(); ++k) EXPECT_NEAR(all[i].mean[k], expected.mean[k], 1e-4);
  }
}

}  // namespace
}  // namespace lgode::eval
