// Trainings that end by themselves: when the learning rate falls, the averaged weights, and limits that change nothing
// but the end.
#include "lgode/train/plateau.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/train/optimizer.h"
#include "lgode/train/run.h"
#include "lgode/train/run_folder.h"
#include "support/temp_folder.h"
#include "train/small_training.h"

namespace lgode::train {
namespace {

using Move = Plateau::Move;

TEST(PlateauTest, LowersTheRateTwiceAndThenEnds) {
  Plateau p;
  const std::int64_t patience = 100;
  EXPECT_EQ(p.offer(1.0, 50, 10, patience), Move::kGoOn);
  EXPECT_EQ(p.offer(0.5, 90, 10, patience), Move::kGoOn);
  EXPECT_EQ(p.least_left(90, 10, patience), 100 + 50 + 50);
  EXPECT_EQ(p.offer(0.499, 180, 10, patience), Move::kGoOn);  // too little to count
  EXPECT_EQ(p.offer(0.498, 190, 10, patience), Move::kLower);
  EXPECT_LT(p.rate(), 0.5);
  EXPECT_EQ(p.offer(0.4, 230, 10, patience), Move::kGoOn);  // a gain at the lower rate
  EXPECT_EQ(p.offer(0.4, 279, 10, patience), Move::kGoOn);
  EXPECT_EQ(p.offer(std::numeric_limits<double>::quiet_NaN(), 280, 10, patience), Move::kLower);
  EXPECT_EQ(p.offer(0.4, 320, 10, patience), Move::kGoOn);
  EXPECT_EQ(p.offer(0.4, 330, 10, patience), Move::kEnd);
  EXPECT_TRUE(p.over);
  EXPECT_EQ(p.least_left(330, 10, patience), 0);
}

TEST(PlateauTest, AutomaticPatienceGrowsWithTheTraining) {
  Plateau p;
  const std::int64_t at_first = p.patience(1, {});
  p.mark_step = 100'000;
  EXPECT_GT(p.patience(1, {}), 100 * at_first);
  EXPECT_GE(Plateau().patience(5000, {}), 2 * 5000);  // several epochs in any case
}

TEST(PlateauTest, TheAverageSpansTheLastPartOfTheSteps) {
  EXPECT_EQ(newest_share(1), 1.0);
  double first_half = 1;  // weight of the steps until 1000 in the average after 2000
  for (std::int64_t step = 1001; step <= 2000; ++step) first_half *= 1 - newest_share(step);
  EXPECT_LT(first_half, 0.01);
  EXPECT_LT(newest_share(1000), 0.01);
}

TEST(PlateauTest, TheScheduleDoesNotDependOnTheLength) {
  TrainOptions o;
  o.lr = 1.0, o.warmup = 10;
  ASSERT_EQ(o.schedule, RateSchedule::kPlateau);
  for (const std::int64_t step : {0, 5, 9, 50, 5000})
    EXPECT_EQ(learning_rate(o, step, 20), learning_rate(o, step, 100'000)) << step;
  EXPECT_DOUBLE_EQ(learning_rate(o, 4, 20), 0.5);
  EXPECT_DOUBLE_EQ(learning_rate(o, 5000, 20), 1.0);
  EXPECT_DOUBLE_EQ(step_rates(o, 50, 20, 0.25)[kShrink].item<double>(), 1 - 0.25 * o.weight_decay);
}

RunConfig open_config(std::optional<std::int64_t> epochs = {}) {
  RunConfig config = small_config();
  config.train.schedule = RateSchedule::kPlateau, config.train.epochs = epochs;
  config.train.patience = 6, config.train.warmup = 2, config.train.lr = 0.02;
  return config;
}

TEST(PlateauTest, ATrainingEndsByItselfWithItsBestAverage) {
  const data::Dataset set = small_set();
  Trainer trainer(open_config(), set, {});
  std::vector<EpochReport> epochs;
  const TrainResult result = trainer.run({.on_epoch = [&](const EpochReport& r) {
    EXPECT_GE(r.seconds_left, r.least_seconds_left);
    epochs.push_back(r);
    if (!r.lowered) return;
    // Back at the best weights.
    EXPECT_TRUE(weights(trainer).equal(trainer.best().model->parameters().flat()));
  }});
  EXPECT_TRUE(result.finished);
  EXPECT_EQ(result.end, End::kPlateau);
  EXPECT_EQ(std::count_if(epochs.begin(), epochs.end(), [](const EpochReport& r) { return r.lowered; }), 2);
  EXPECT_LT(epochs.back().lr, 0.1 * epochs.front().lr + 1e-9);
  const auto best = std::find_if(epochs.rbegin(), epochs.rend(), [](const EpochReport& r) { return r.best; });
  ASSERT_NE(best, epochs.rend());
  EXPECT_EQ(result.best_validation, best->validation);
  EXPECT_EQ(best->epoch, result.best_epoch);
  EXPECT_EQ(epochs.back().seconds_left, 0);
}

TEST(PlateauTest, GoesOnWithTheSameBitsFromAnyStep) {
  const data::Dataset set = small_set();
  Trainer whole(open_config(), set, {});
  whole.run();
  ASSERT_TRUE(whole.progress().plateau.over);
  const at::Tensor expected = whole.best().model->parameters().flat();
  const lgode::testing::TempFolder folder;
  for (std::int64_t stop = 1; stop < whole.progress().step; ++stop) {
    Trainer first(open_config(), set, {});
    first.run({.stop_after = stop});
    first.save(folder / "half.safetensors");
    Trainer second(open_config(), set, {});
    second.load(folder / "half.safetensors");
    second.run();
    EXPECT_EQ(second.progress().to_json(), whole.progress().to_json()) << stop;
    EXPECT_TRUE(weights(second).equal(weights(whole))) << stop;
    EXPECT_TRUE(second.best().model->parameters().flat().equal(expected)) << stop;
  }
}

// A run with a small limit that is given a larger one is the run that had the larger one.
TEST(PlateauTest, ALargerBudgetReachesWhatALongerRunReaches) {
  const data::Dataset set = small_set();
  const lgode::testing::TempFolder folder;
  const TrainResult whole = train(open_config(), set, folder / "whole", Overwrite::kRefuse, {}, {});
  ASSERT_GT(whole.epochs, 4);
  const TrainResult limited = train(open_config(2), set, folder / "run", Overwrite::kRefuse, {}, {});
  EXPECT_EQ(limited.end, End::kEpochs);
  EXPECT_EQ(limited.epochs, 2);
  EXPECT_TRUE(limited.finished);
  resume(folder / "run", set, {}, {},
         lengthen(load_config(folder / "run"), progress_of(folder / "run"), {.epochs = 4}));
  const TrainResult longer = resume(
      folder / "run", set, {}, {}, lengthen(load_config(folder / "run"), progress_of(folder / "run"), {.minutes = 60}));
  EXPECT_EQ(longer.end, End::kPlateau);
  EXPECT_EQ(longer.steps, whole.steps);
  for (const char* name : {"config.json", "checkpoint.safetensors", "best.safetensors"})
    EXPECT_TRUE(read_text(folder / "run" / name) == read_text(folder / "whole" / name)) << name;
  EXPECT_THROW(lengthen(load_config(folder / "run"), progress_of(folder / "run"), {.epochs = 1000}), ConfigError);
}

TEST(PlateauTest, TimeIsALimitThatCountsWhatWasTrainedBefore) {
  const data::Dataset set = small_set();
  const lgode::testing::TempFolder folder;
  RunConfig config = open_config();
  config.train.minutes = 1e-9;
  const TrainResult first = train(config, set, folder / "run", Overwrite::kRefuse, {}, {});
  EXPECT_EQ(first.end, End::kMinutes);
  EXPECT_EQ(first.epochs, 1);
  EXPECT_EQ(resume(folder / "run", set, {}, {}).epochs, 1);  // the same limit
  config = lengthen(load_config(folder / "run"), progress_of(folder / "run"), {.minutes = 60});
  const TrainResult longer = resume(folder / "run", set, {}, {}, config);
  EXPECT_EQ(longer.end, End::kPlateau);
  EXPECT_GT(longer.epochs, 1);
}

TEST(PlateauTest, WithoutAValidationPartTheLengthIsFixed) {
  RunConfig config = open_config();
  config.task.validation = 0;
  const data::Dataset set = small_set();
  const Trainer trainer(config, set, {});
  EXPECT_EQ(trainer.config().train.schedule, RateSchedule::kCosine);
  EXPECT_EQ(trainer.config().train.epochs, kDefaultEpochs);
  EXPECT_EQ(Trainer(open_config(), set, {}).config().train.minutes, kDefaultMinutes);
  EXPECT_EQ(Trainer(open_config(7), set, {}).config().train.minutes, std::nullopt);
}

// Best weights that are lost come back from the checkpoint.
TEST(PlateauTest, TheCheckpointHasTheBestWeights) {
  const data::Dataset set = small_set();
  const lgode::testing::TempFolder folder;
  train(open_config(), set, folder / "run", Overwrite::kRefuse, {}, {});
  const std::string best = read_text(folder / "run" / "best.safetensors");
  std::filesystem::remove(folder / "run" / "best.safetensors");
  resume(folder / "run", set, {}, {});
  EXPECT_TRUE(read_text(folder / "run" / "best.safetensors") == best);
}

// The sixth with the largest error does not decide alone which weights are best.
TEST(ValidationTest, EverySixthOfAnInterpolationCounts) {
  eval::Scores cold, even;
  cold.mse = 0.5 / 6, even.mse = 0.51 / 6;
  for (int k = 0; k < 6; ++k) {
    cold.horizon.push_back({0, 0, k == 0 ? 0.500 : 0.002, 10});
    even.horizon.push_back({0, 0, k == 0 ? 0.505 : 0.001, 10});
  }
  EXPECT_LT(Validation::score_of(even, data::Task::kInterpolate), Validation::score_of(cold, data::Task::kInterpolate));
  EXPECT_EQ(Validation::score_of(cold, data::Task::kExtrapolate), cold.mse);
  Selection s;
  EXPECT_TRUE(s.offer(0.5, 1, 0.4));
  EXPECT_TRUE(s.offer(0.6, 2, 0.3));
  EXPECT_FALSE(s.offer(0.1, 3, 0.35));
  EXPECT_EQ(s.best, 0.6);
}

// Both errors of a line are of the same weights, in the same scale: those of the same systems are equal.
TEST(TrainerTest, TrainingAndValidationErrorsHaveOneScale) {
  const data::Dataset set = small_set();
  RunConfig config = small_config(1);
  config.task.centre = data::Centre::kSystem;  // the model's scale differs from the scale of errors
  Trainer trainer(config, set, {});
  EpochReport report;
  trainer.run({.on_epoch = [&](const EpochReport& r) { report = r; }});
  eval::Run run = trainer.best();
  std::vector<std::int64_t> systems(trainer.maker().dataset().systems_in(data::Part::kTrain));
  const auto error_on = [&](std::int64_t system) {
    return eval::evaluate(*run.model, trainer.maker(), {system}, eval::validation_view(trainer.maker().task()),
                          {.classical = false})
        .model.mse;
  };
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const std::int64_t s : systems) {
    const double error = error_on(s);
    if (!std::isfinite(error)) continue;
    least = std::min(least, error), most = std::max(most, error);
  }
  EXPECT_GE(report.mse, least);
  EXPECT_LE(report.mse, most);
}

}  // namespace
}  // namespace lgode::train
