// Systems of pages: their futures, and the surprise that an evaluation finds.
#include "lgode/use/views.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgode/eval/evaluate.h"
#include "lgode/eval/predict.h"
#include "support/batches.h"
#include "support/runs.h"

namespace lgode::use {
namespace {

data::TaskOptions forecast() {
  data::TaskOptions task;
  task.task = data::Task::kExtrapolate, task.observed = 1;
  return task;
}

eval::Run run_with_futures(const data::Dataset& set, std::int64_t futures) {
  eval::Run run = lgode::testing::run_on(set, forecast());
  run.info.model.futures = futures;
  run.model = model::make_model(run.info.model, run.info.shape, 7);
  return run;
}

TEST(Views, HaveTheMostProbableFutures) {
  const data::Dataset set = lgode::testing::random_dataset({.objects = {2, 3}}, 3);
  const eval::Run run = run_with_futures(set, 5);
  const ViewOptions options{.view = data::View::kTest, .times = 9, .futures = 3};
  const report::SystemView view = view_systems(run, set, {1}, options).front();
  ASSERT_EQ(view.futures.count, 3);
  EXPECT_EQ(view.futures.total, 5);
  EXPECT_TRUE(std::isnan(view.surprise));
  const std::size_t objects = view.objects.size(), each = view.mean.size() / objects;
  ASSERT_EQ(view.futures.values.size(), objects * 3 * each);
  ASSERT_EQ(view.futures.probability.size(), objects * 3);
  // As predicted at the same times.
  eval::PredictOptions predict;
  predict.systems = {1}, predict.start = view.start, predict.times = view.times, predict.futures = 3;
  std::int64_t known = 0;
  const auto expect_same = [&](double shown, double expected, std::size_t at) {
    known += std::isnan(shown) ? 0 : 1;
    EXPECT_TRUE(shown == expected || (std::isnan(shown) && std::isnan(expected)))
        << shown << " " << expected << " " << at;
  };
  eval::predict(run, set, predict, [&](const eval::SystemPrediction& p) {
    for (std::size_t row = 0; row < objects * 3; ++row) {
      expect_same(view.futures.probability[row], p.probability[row], row);
      for (std::size_t at = 0; at < each; ++at)
        expect_same(view.futures.values[row * each + at], p.futures[row % 3][row / 3 * each + at], at);
    }
  });
  EXPECT_GE(known, 3 * 9 * 2);
  // A run of one path has none, and its path is the same.
  const report::SystemView fewer =
      view_systems(run, set, {1}, {.view = options.view, .times = 9, .futures = 0}).front();
  EXPECT_EQ(fewer.futures.count, 0);
  for (std::size_t at = 0; at < view.mean.size(); ++at)
    EXPECT_TRUE(fewer.mean[at] == view.mean[at] || std::isnan(view.mean[at])) << at;
}

TEST(ObjectErrors, SurpriseIsTheLeastFinalDistance) {
  const data::Dataset set = lgode::testing::random_dataset({.objects = {2, 3, 2}}, 3);
  const eval::Run run = run_with_futures(set, 5);
  const data::BatchMaker maker = eval::batch_maker(run.info, set);
  ObjectErrors errors(run.info.normalisation, eval::error_features(maker)), without(run.info.normalisation);
  eval::EvaluateOptions options;
  options.classical = false;
  options.observe = [&](const data::Batch& batch, const eval::PredictedPaths& paths) {
    EXPECT_EQ(paths.count, 6);
    errors.add(batch, paths), without.add(batch, paths);
  };
  // Together and, for comparison, one by one: minFDE of a single system.
  eval::evaluate(*run.model, maker, {0, 1, 2}, data::View::kValidate, options);
  options.observe = {};
  for (const std::int64_t system : {0, 1, 2}) {
    const eval::Scores alone = eval::evaluate(*run.model, maker, {system}, data::View::kValidate, options).model;
    const eval::MetricScore* score = alone.find(eval::Metric::Shape::kNumber, "min_fde");
    ASSERT_NE(score, nullptr);
    EXPECT_GT(score->values[0], 0);
    EXPECT_NEAR(errors.surprise(system), score->values[0], 1e-5 * score->values[0]);
    EXPECT_TRUE(std::isnan(without.surprise(system)));
  }
  EXPECT_TRUE(std::isnan(errors.surprise(99)));
}

}  // namespace
}  // namespace lgode::use
