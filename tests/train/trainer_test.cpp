// Training in memory: single steps, stops at any step, given models, selection, and the state of a training.
#include "lgode/train/trainer.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/eval/predict.h"
#include "support/temp_folder.h"
#include "train/small_training.h"

namespace lgode::train {
namespace {

TEST(TrainerTest, SingleStepsAreTheWholeRun) {
  const data::Dataset set = small_set();
  Trainer whole(small_config(), set, {});
  std::vector<double> losses;
  const TrainResult result = whole.run({.on_epoch = [&](const EpochReport& r) { losses.push_back(r.loss); }});
  EXPECT_TRUE(result.finished);

  Trainer single(small_config(), set, {});
  std::vector<double> own;
  while (!single.done()) {
    single.step();
    if (single.epoch_is_over()) own.push_back(single.finish_epoch().loss);
  }
  EXPECT_EQ(own, losses);
  EXPECT_TRUE(weights(single).equal(weights(whole)));
  EXPECT_EQ(single.result().best_validation, result.best_validation);
  EXPECT_EQ(single.progress().step, whole.start().steps);
}

TEST(TrainerTest, StopsAtAnExactStepAndGoesOnWithTheSameBits) {
  const data::Dataset set = small_set();
  Trainer whole(small_config(), set, {});
  whole.run();
  const std::int64_t steps = whole.start().steps;
  ASSERT_GT(steps, 4);
  const lgode::testing::TempFolder folder;
  for (std::int64_t stop = 1; stop < steps; ++stop) {
    Trainer first(small_config(), set, {});
    EXPECT_FALSE(first.run({.stop_after = stop}).finished);
    EXPECT_EQ(first.progress().step, stop);
    first.save(folder / "half.safetensors");
    Trainer second(small_config(), set, {});
    second.load(folder / "half.safetensors");
    EXPECT_EQ(second.progress().step, stop);
    EXPECT_TRUE(second.run().finished);
    EXPECT_TRUE(weights(second).equal(weights(whole))) << stop;
  }
}

TEST(TrainerTest, AModelInMemoryGoesOn) {
  const data::Dataset set = small_set();
  const RunConfig config = small_config(1);
  auto model = model::make_model(config.model, shape_for(set, config), 99);
  const at::Tensor before = model->parameters().flat().clone();
  Trainer trainer(config, set, {}, std::move(model));
  EXPECT_TRUE(weights(trainer).equal(before));
  trainer.step();
  EXPECT_FALSE(weights(trainer).equal(before));
}

TEST(TrainerTest, TheBestWeightsPredictWithoutAFile) {
  const data::Dataset set = small_set();
  Trainer trainer(small_config(), set, {});
  trainer.run();
  eval::PredictOptions options;
  options.systems = {0, 10};
  options.samples = 3;
  std::int64_t systems = 0;
  eval::predict(trainer.best(), set, options, [&](const eval::SystemPrediction& p) {
    ++systems;
    // The first object of the first system was never observed.
    const std::size_t per_object = p.mean.size() / static_cast<std::size_t>(p.objects);
    for (std::size_t k = 0; k < p.mean.size(); ++k)
      EXPECT_EQ(std::isfinite(p.mean[k]), p.system != 0 || k >= per_object) << p.system << " " << k;
  });
  EXPECT_EQ(systems, 2);
}

// The selected weights are the best epoch's, not the last one's.
TEST(TrainerTest, BestIsWhatWasSelected) {
  const data::Dataset set = small_set();
  Trainer trainer(small_config(6), set, {});
  at::Tensor kept;
  double lowest = std::numeric_limits<double>::infinity();
  trainer.run({.on_epoch = [&](const EpochReport& r) {
    EXPECT_EQ(r.best, *r.validation < lowest);
    if (r.best) kept = weights(trainer), lowest = *r.validation;
    if (r.epoch != 3) return;
    at::NoGradGuard no_grad;
    trainer.model().parameters()["decoder.bias"].fill_(100.0);  // makes all later epochs worse
  }});
  ASSERT_LE(trainer.result().best_epoch, 3);
  ASSERT_FALSE(weights(trainer).equal(kept));
  EXPECT_TRUE(trainer.best().model->parameters().flat().equal(kept));
  EXPECT_EQ(trainer.result().best_validation, lowest);
}

TEST(TrainerTest, DivergenceIsAnErrorOfItsOwnAndLeavesTheWeightsBeforeIt) {
  const data::Dataset set = small_set();
  Trainer trainer(small_config(), set, {});
  trainer.step();
  {
    at::NoGradGuard no_grad;
    trainer.model().parameters()["decoder.bias"].fill_(std::numeric_limits<double>::quiet_NaN());
  }
  const at::Tensor before = weights(trainer);
  EXPECT_THROW(trainer.step(), DivergedError);
  EXPECT_EQ(trainer.progress().step, 1);
  EXPECT_EQ(trainer.progress().step_in_epoch, 1);
  EXPECT_TRUE(weights(trainer).nan_to_num(7).equal(before.nan_to_num(7)));
}

TEST(ProgressTest, DamagedNumbersAreRefused) {
  const data::Dataset set = small_set();
  Trainer trainer(small_config(), set, {});
  trainer.run({.stop_after = 4});
  const nlohmann::json good = trainer.progress().to_json();
  EXPECT_EQ(Progress::from_json(good, "x").to_json(), good);
  for (const auto& [key, value] : std::vector<std::pair<std::string, nlohmann::json>>{{"step", -5},
                                                                                      {"step", 1e300},
                                                                                      {"epoch", 0.5},
                                                                                      {"epoch", -7},
                                                                                      {"epoch", "two"},
                                                                                      {"step_in_epoch", -100000},
                                                                                      {"step_in_epoch", 1000000},
                                                                                      {"counted", 1000},
                                                                                      {"loss", nullptr},
                                                                                      {"best_epoch", 99}}) {
    nlohmann::json bad = good;
    bad[key] = value;
    EXPECT_THROW(Progress::from_json(bad, "x"), DataError) << key << " " << value;
  }
  EXPECT_THROW(Progress::from_json(nlohmann::json::array(), "x"), DataError);
}

// Numbers that agree with each other but not with the run.
TEST(ProgressTest, ProgressOfAnotherRunIsRefused) {
  const data::Dataset set = small_set();
  const lgode::testing::TempFolder folder;
  Trainer first(small_config(), set, {});
  first.run({.stop_after = 4});
  first.save(folder / "a.safetensors");
  RunConfig other = small_config();
  other.train.batch = 2;
  Trainer second(other, set, {});
  EXPECT_THROW(second.load(folder / "a.safetensors"), DataError);
}

TEST(TrainerTest, AStopInValidationLeavesTheEpochToBeFinished) {
  const data::Dataset set = small_set();
  Trainer trainer(small_config(), set, {});
  while (!trainer.epoch_is_over()) trainer.step();
  StopFlag stop;
  stop.request();
  EXPECT_THROW(trainer.finish_epoch(&stop), Interrupted);
  EXPECT_EQ(trainer.progress().epoch, 0);
  EXPECT_TRUE(trainer.epoch_is_over());
  EXPECT_EQ(trainer.finish_epoch().epoch, 1);
}

TEST(TrainerTest, AStopIsHeardBetweenSteps) {
  const data::Dataset set = small_set();
  StopFlag stop;
  Trainer trainer(small_config(), set, {});
  const TrainResult result = trainer.run({.on_step =
                                              [&](const StepReport& r) {
                                                if (r.step == 2) stop.request();
                                              },
                                          .stop = &stop});
  EXPECT_FALSE(result.finished);
  EXPECT_EQ(result.steps, 2);
  EXPECT_EQ(result.epochs, 0);
}

// Calls restore the number of threads and the gradient mode.
TEST(TrainerTest, CallsLeaveTheProcessAsItWas) {
  const data::Dataset set = small_set();
  const int threads = at::get_num_threads();
  ops::Context context;
  context.threads = threads + 1;
  Trainer trainer(small_config(1), set, context);
  for (const bool gradients : {true, false}) {
    at::AutoGradMode mode(gradients);
    trainer.step();
    EXPECT_EQ(at::get_num_threads(), threads);
    EXPECT_EQ(at::GradMode::is_enabled(), gradients);
  }
  trainer.run();
  eval::predict(trainer.best(), set, {.samples = 0}, [&](const eval::SystemPrediction&) {
    EXPECT_EQ(at::get_num_threads(), threads + 1);  // within the call
    EXPECT_FALSE(at::GradMode::is_enabled());
  });
  EXPECT_EQ(at::get_num_threads(), threads);
  EXPECT_TRUE(at::GradMode::is_enabled());
}

TEST(SelectionTest, KeepsTheLowestFiniteErrorOrTheLatest) {
  Selection s;
  EXPECT_FALSE(s.offer(std::numeric_limits<double>::quiet_NaN(), 1));
  EXPECT_TRUE(s.offer(2.0, 2));
  EXPECT_FALSE(s.offer(2.0, 3));
  EXPECT_FALSE(s.offer(3.0, 4));
  EXPECT_TRUE(s.offer(1.0, 5));
  EXPECT_FALSE(s.offer(std::numeric_limits<double>::infinity(), 6));
  EXPECT_EQ(s.best, 1.0);
  EXPECT_EQ(s.epoch, 5);
  Selection latest;  // without a validation part
  EXPECT_TRUE(latest.offer({}, 1));
  EXPECT_TRUE(latest.offer({}, 2));
  EXPECT_EQ(latest.epoch, 2);
}

TEST(TrainerTest, TheWeightsBeforeTheFirstStepTakePartInSelection) {
  const data::Dataset set = small_set();
  for (const double lr : {1e-9, 0.5}) {  // the second spoils the weights
    RunConfig config = assimilating_config();
    config.train.lr = lr, config.train.clip = 0;
    Trainer trainer(config, set, {});
    const at::Tensor before = weights(trainer);
    double initial = -1;
    std::vector<double> errors;
    const TrainResult result =
        trainer.run({.on_initial = [&](double e) { initial = e; },
                     .on_epoch = [&](const EpochReport& r) { errors.push_back(r.validation.value()); }});
    EXPECT_EQ(initial, Trainer(config, set, {}).validation_scores()->mse);
    EXPECT_EQ(result.best_validation, std::min(initial, *std::min_element(errors.begin(), errors.end())));
    if (lr < 0.1) continue;
    EXPECT_EQ(result.best_epoch, 0);
    EXPECT_TRUE(trainer.best().model->parameters().flat().equal(before));
    EXPECT_EQ(trainer.best().info.step, 0);
  }
  Trainer other(small_config(), set, {});
  other.run({.on_initial = [](double) { FAIL() << "only the assimilating model predicts before it is trained"; }});
}

// Rotated systems train another model, validation never rotates, and a resumed training draws the same angles.
TEST(TrainerTest, TurnsTheTrainingSystemsOnly) {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"y", "m", 0, -1}, {"vx", "m/s", 1, 0}, {"vy", "m/s", 1, 1}};
  d.relation_types = {"near"};
  d.time_scale = d.conditioning_length = 2.0;
  data::DatasetBuilder builder(d);
  Random random(1, RandomUse::kTest);
  for (int s = 0; s < 10; ++s) {
    builder.begin_system(data::Part::kTrain);
    builder.add_object();
    for (double t = 0.1; t < 2; t += 0.3) {
      const double angle = random.uniform(0, 6), v = random.uniform(0, 2);
      builder.add_observation(t, std::vector<double>{v * t + angle, t * t, v, 2 * t});
    }
  }
  const data::Dataset set = builder.finish("street");
  RunConfig plain = small_config();
  plain.task.centre = data::Centre::kSystem;
  RunConfig turned = plain;
  turned.train.turn = Turn::kRandom;
  Trainer a(plain, set, {}), b(turned, set, {});
  EXPECT_EQ(a.validation_scores()->mse, b.validation_scores()->mse);
  a.run(), b.run();
  EXPECT_FALSE(weights(a).equal(weights(b)));
  const lgode::testing::TempFolder folder;
  Trainer first(turned, set, {}), second(turned, set, {});
  first.run({.stop_after = 4});
  first.save(folder / "half.safetensors");
  second.load(folder / "half.safetensors");
  second.run();
  EXPECT_TRUE(weights(second).equal(weights(b)));
  EXPECT_THROW(Trainer(turned, small_set(), {}), ConfigError);  // y has no velocity
}

}  // namespace
}  // namespace lgode::train
