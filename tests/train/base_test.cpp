// The choice of the base path: the lowest classical error, which training starts at and never exceeds.
#include "train/base.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/json_text.h"
#include "lgode/core/options.h"
#include "lgode/eval/evaluate.h"
#include "lgode/train/run.h"
#include "support/temp_folder.h"
#include "train/small_training.h"

namespace lgode::train {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// People who walk straight on, seen with jitter.
data::Dataset walkers(bool derived, double jitter = 0.05) {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"y", "m", 0, -1}};
  if (derived) d.features.insert(d.features.end(), {{"vx", "m/s", 1, 0}, {"vy", "m/s", 1, 1}});
  for (std::size_t f = 2; f < d.features.size(); ++f) d.features[f].derived = true;
  d.relation_types = {"near"};
  d.time_scale = d.conditioning_length = 4;
  data::DatasetBuilder builder(d);
  for (std::uint64_t s = 0; s < 24; ++s) {
    Random random(8, RandomUse::kTest, {s});
    builder.begin_system(data::Part::kTrain);
    for (int i = 0; i < 3; ++i) {
      builder.add_object();
      double at[2], v[2];
      for (int a = 0; a < 2; ++a) at[a] = random.uniform(-2, 2), v[a] = random.uniform(-1, 1);
      for (int k = 0; k < 20; ++k) {
        std::vector<double> values;
        for (int a = 0; a < 2; ++a) values.push_back(at[a] + 0.2 * k * v[a] + jitter * random.uniform(-1.7, 1.7));
        values.resize(d.features.size(), kNaN);
        builder.add_observation(0.2 * k, values);
      }
    }
  }
  return builder.finish("walkers");
}

// Things on curves, whose positions and velocities are exact.
data::Dataset curves() {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"v", "m/s", 1, 0}};
  d.relation_types = {"near"};
  d.time_scale = d.conditioning_length = 4;
  data::DatasetBuilder builder(d);
  for (std::uint64_t s = 0; s < 24; ++s) {
    Random random(9, RandomUse::kTest, {s});
    builder.begin_system(data::Part::kTrain);
    for (int i = 0; i < 3; ++i) {
      builder.add_object();
      const double phase = random.uniform(0, 6);
      for (double t = 0; t < 4; t += 0.2)
        builder.add_observation(t, std::vector<double>{std::sin(t + phase), std::cos(t + phase)});
    }
  }
  return builder.finish("curves");
}

RunConfig config_of(data::Task task) {
  RunConfig config = assimilating_config();
  config.task.task = task;
  config.train.schedule = RateSchedule::kPlateau, config.train.epochs = 3;
  config.task.validation = 0.25;
  return config;
}

// Errors of the classical rows, as `evaluate` prints them.
std::vector<std::pair<std::string, double>> rows_of(Trainer& trainer) {
  eval::EvaluateOptions options;
  options.fit = trainer.info().classical;
  const auto found = eval::evaluate(trainer.model(), trainer.maker(), data::split_parts(trainer.maker()).validation,
                                    eval::validation_view(trainer.maker().task()), options);
  std::vector<std::pair<std::string, double>> rows;
  for (const auto& [name, scores] : found.classical) rows.emplace_back(name, scores.mse);
  return rows;
}

TEST(BaseTest, TrainingStartsAtTheLowestRowAndIsNeverAboveIt) {
  for (const data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate})
    for (const bool derived : {false, true}) {
      SCOPED_TRACE(derived ? "derived velocities" : "positions");
      const data::Dataset set = walkers(derived);
      for (const double lr : {0.01, 2.0}) {  // the second spoils the weights
        RunConfig config = config_of(task);
        config.train.lr = lr;
        Trainer trainer(config, set, {});
        const auto rows = rows_of(trainer);
        const auto best = std::min_element(rows.begin(), rows.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        const StartReport start = trainer.start();
        ASSERT_TRUE(start.base && start.base->kind);
        EXPECT_TRUE(start.base->validated);
        EXPECT_EQ(classical_method(*start.base->kind).key, best->first);
        if (task == data::Task::kExtrapolate) {  // an interpolation is also asked for what is seen, noise included
          EXPECT_EQ(start.base->kind, Classical::kKalman);
          EXPECT_EQ(trainer.config().model.gain, model::Gain::kLearned);
          EXPECT_EQ(trainer.config().model.base, model::Base::kKalman);
          EXPECT_LT(trainer.info().shape.base->features[0].gain, 0.98);
        }
        double initial = -1;
        const TrainResult result = trainer.run({.on_initial = [&](double error) { initial = error; }});
        EXPECT_NEAR(initial, best->second, 1e-5 * best->second);
        EXPECT_LE(result.best_validation.value(), initial);
      }
    }
}

// Where observations show the whole state, training starts without the path; the weights before it are the path, and
// are kept where training does no better.
TEST(BaseTest, IsLeftWhereObservationsShowTheState) {
  RunConfig config = config_of(data::Task::kExtrapolate);
  const data::Dataset set = curves();
  const auto share = [](model::Model& m) { return m.parameters()["base"].abs().max().item<float>(); };
  Trainer trainer(config, set, {});
  ASSERT_TRUE(trainer.start().base->kind);
  EXPECT_TRUE(trainer.start().base->left);
  const std::optional<double> initial = trainer.select_initial();
  EXPECT_GT(share(trainer.model()), 0);
  trainer.step();
  EXPECT_EQ(share(trainer.model()), 0);
  trainer.run();
  EXPECT_EQ(share(trainer.model()), 0);

  config.train.lr = 1e-9;  // nothing is learned, but the path is left
  Trainer idle(config, set, {});
  idle.run();
  EXPECT_EQ(idle.progress().selection.epoch, 0);
  EXPECT_GT(share(*idle.best().model), 0);
  EXPECT_NEAR(*initial, *idle.progress().selection.best, 1e-9);

  EXPECT_FALSE(Trainer(config_of(data::Task::kInterpolate), set, {}).start().base->left);
  for (const bool derived : {false, true})  // no velocity is observed
    EXPECT_FALSE(Trainer(config_of(data::Task::kExtrapolate), walkers(derived, 0.0), {}).start().base->left);
}

TEST(BaseTest, IsWhatTheOptionNames) {
  const data::Dataset set = walkers(false);
  RunConfig config = config_of(data::Task::kExtrapolate);
  config.model.base = model::Base::kConstantVelocity;
  Trainer trainer(config, set, {});
  const auto rows = rows_of(trainer);
  const auto row = std::find_if(rows.begin(), rows.end(), [](const auto& r) { return r.first == "constant_velocity"; });
  EXPECT_NEAR(trainer.validation_scores()->mse, row->second, 1e-5 * row->second);
  EXPECT_EQ(trainer.config().model.gain, model::Gain::kOne);
  EXPECT_TRUE(trainer.start().base->errors.empty());

  config.model.base = model::Base::kOwn;
  Trainer own(config, set, {});
  EXPECT_FALSE(own.info().shape.base);
  EXPECT_FALSE(own.start().base->kind);
  EXPECT_FALSE(Trainer(small_config(), small_set(), {}).start().base);
}

TEST(BaseTest, WithoutAValidationPartTrainingSystemsDecide) {
  RunConfig config = config_of(data::Task::kExtrapolate);
  config.task.validation = 0;
  const Trainer trainer(config, walkers(false), {});
  EXPECT_FALSE(trainer.start().base->validated);
  EXPECT_EQ(trainer.start().base->kind, Classical::kKalman);
}

TEST(BaseTest, IsStoredWithTheRun) {
  const data::Dataset set = walkers(true);
  const lgode::testing::TempFolder folder;
  train(config_of(data::Task::kExtrapolate), set, folder / "run", Overwrite::kRefuse, {}, {});
  const eval::RunInfo info = eval::load_run_info(folder / "run");
  ASSERT_TRUE(info.shape.base);
  const eval::Run run = eval::load_run(folder / "run", {});
  EXPECT_EQ(run.model->shape(), info.shape);
  EXPECT_EQ(eval::RunInfo::from_json(info.to_json(), "here").shape, info.shape);
  nlohmann::json damaged = info.to_json();
  damaged["shape"]["base"]["kind"] = "magic";
  EXPECT_THROW(eval::RunInfo::from_json(damaged, "here"), DataError);
  damaged = info.to_json();
  damaged["shape"]["base"]["features"].erase(0);
  EXPECT_THROW(eval::RunInfo::from_json(damaged, "here"), DataError);
  damaged = info.to_json();
  damaged["shape"]["base"]["features"][0]["gain"] = 1.5;
  EXPECT_THROW(eval::RunInfo::from_json(damaged, "here"), DataError);
}

// The config of an earlier version has no key for it.
TEST(BaseTest, ARunOfAnEarlierVersionGoesOnWithoutOne) {
  const data::Dataset set = walkers(false);
  RunConfig config = config_of(data::Task::kExtrapolate);
  config.model.base = model::Base::kOwn;
  const lgode::testing::TempFolder folder;
  train(config, set, folder / "run", Overwrite::kRefuse, {}, {.stop_after = 2});
  nlohmann::json written = parse_json(read_text(folder / "run" / "config.json"));
  written.erase("base"), written.erase("gain");
  write_file(folder / "run" / "config.json", Overwrite::kAllow, json_text(written));
  EXPECT_TRUE(resume(folder / "run", set, {}, {}).finished);
  EXPECT_FALSE(eval::load_run_info(folder / "run").shape.base);
}

TEST(BaseTest, GoesWithTheAssimilatingModel) {
  const auto resolved = [](std::vector<std::pair<std::string, std::string>> flags) {
    RunConfig config;
    OptionSet options;
    declare(options, config);
    resolve(options, config, flags, nullptr, "");
    return config;
  };
  EXPECT_EQ(resolved({}).model.base, model::Base::kAuto);
  EXPECT_EQ(resolved({{"base", "damped"}, {"task", "extrapolate"}}).model.base, model::Base::kDamped);
  EXPECT_THROW(resolved({{"base", "damped"}, {"task", "interpolate"}}), ConfigError);
  EXPECT_THROW(resolved({{"base", "hold"}, {"model", "lg-ode"}}), ConfigError);
}

// A better score does not make up for an error above the classical one.
TEST(SelectionTest, KeepsNothingAboveTheErrorBeforeTheFirstStep) {
  Selection s;
  EXPECT_TRUE(s.offer(0.5, 0, 0.4));
  EXPECT_FALSE(s.offer(0.6, 1, 0.3));
  EXPECT_TRUE(s.offer(0.45, 2, 0.35));
  EXPECT_TRUE(s.offer(0.5, 3, 0.3));  // no worse than the classical path
  EXPECT_EQ(s.epoch, 3);
  Progress progress;
  progress.epoch = progress.step = 3, progress.selection = s;
  EXPECT_EQ(Progress::from_json(progress.to_json(), "here").selection.initial, 0.5);
}

}  // namespace
}  // namespace lgode::train
