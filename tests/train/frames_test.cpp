// What `model` frames takes from its data, the base path that it starts from, and its loss.
#include "train/frames.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lgode/core/error.h"
#include "lgode/core/options.h"
#include "lgode/data/classical/classical.h"
#include "lgode/eval/metrics.h"
#include "lgode/model/frames/model.h"
#include "lgode/train/objective.h"
#include "lgode/train/trainer.h"
#include "support/numeric.h"
#include "support/scenes.h"
#include "support/temp_folder.h"
#include "train/small_training.h"

namespace lgode::train {
namespace {

using lgode::testing::expect_error;
using lgode::testing::scene_maker;
using lgode::testing::scene_set;
using lgode::testing::scene_shape;

RunConfig frames_config(std::int64_t epochs = 2) {
  RunConfig config = default_config(model::ModelKind::kFrames);
  config.train.schedule = RateSchedule::kCosine;
  config.train.epochs = epochs, config.train.batch = 4;
  config.task.validation = 0.3, config.task.observed = 1.0;
  config.model.encoder_width = 8, config.model.hidden = 8, config.model.state = 4, config.model.heads = 2;
  return config;
}

data::Dataset scenes(lgode::testing::SceneShape shape = {}) {
  shape.objects = {5, 3, 7, 3, 4, 6, 2, 5, 4, 3, 5, 4};
  return scene_set(shape);
}

TEST(FramesShapeTest, HasUnitsGridAndRadiusOfTheData) {
  const Preparation made = prepare(frames_config(), scenes({.velocities = true, .scalar = true}), {});
  ASSERT_TRUE(made.info.shape.frames);
  const model::FramesShape& shape = *made.info.shape.frames;
  EXPECT_EQ(shape.positions, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(shape.pairs, model::FramesShape::Pairs::kNear);
  EXPECT_TRUE(made.info.shape.forecast);
  // Walkers have 0.7 to 1.5 m/s, a forecast from the middle of 8 s has 3.6 s: 0.72 s per tau.
  EXPECT_NEAR(shape.time * 8.0, 0.72, 0.08);
  EXPECT_GT(shape.length, 0.4);
  EXPECT_LT(shape.length, 1.2);
  EXPECT_NEAR(shape.step * 8.0, 0.4, 1e-9);
  EXPECT_GT(shape.pair_length, 0.3);
  EXPECT_LT(shape.pair_length, 5.0);
  EXPECT_GT(shape.radius, shape.pair_length);
  ASSERT_EQ(shape.slots.size(), 8U);
  EXPECT_EQ(shape.slots[0], 0.0);
  EXPECT_TRUE(std::is_sorted(shape.slots.begin(), shape.slots.end()));
  EXPECT_NEAR(shape.slots.back() * 8.0, 4.0, 1e-6);  // the longest context
  // Noise and damping are the same in both directions, in metres.
  const auto physical = [&](std::size_t f) { return shape.fit.noise[f].drive * shape.scale[f] * shape.scale[f]; };
  EXPECT_NEAR(physical(0), physical(1), 1e-9 * physical(0));
  EXPECT_EQ(shape.fit.damping[0], shape.fit.damping[1]);
}

TEST(FramesShapeTest, IsStoredWithTheRunAndChecked) {
  const eval::RunInfo info = prepare(frames_config(), scenes({.relations = true}), {}).info;
  const nlohmann::json stored = info.to_json();
  EXPECT_TRUE(eval::RunInfo::from_json(stored, "run").shape == info.shape);
  const auto damaged = [&](const char* key, const nlohmann::json& value, const std::string& word) {
    nlohmann::json other = stored;
    other["shape"]["frames"][key] = value;
    expect_error<DataError>([&] { eval::RunInfo::from_json(other, "run"); }, {"run", word});
  };
  damaged("positions", {0, 7}, "positions");
  damaged("positions", {0, 0}, "positions");
  damaged("base", "guess", "guess");
  damaged("slots", nlohmann::json::array(), "slots");
  damaged("pairs", "some", "some");
  damaged("length", -1, "length");
  nlohmann::json without = stored;
  without["shape"].erase("frames");
  expect_error<DataError>([&] { eval::RunInfo::from_json(without, "run"); }, {"run", "frames"});
}

TEST(FramesShapeTest, UnsuitableDataIsRefused) {
  expect_error<DataError>([] { prepare(frames_config(), small_set(), {}); },
                          {"`model` frames", "two or three", "has 1", "`model` assimilate"});
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"height", "cm", 1, -1}};
  d.relation_types = {"r"};
  data::DatasetBuilder builder(d);
  for (int s = 0; s < 3; ++s) {
    builder.begin_system(data::Part::kTrain);
    builder.add_object();
    for (double t = 0; t < 0.95; t += 0.1) builder.add_observation(t, std::vector<double>{t, 2 * t});
  }
  expect_error<DataError>([&] { prepare(frames_config(), builder.finish("units"), {}); }, {"one unit", "'m'", "'cm'"});
}

// The weights before the first step are those of the best classical path, and what is kept is never above it.
TEST(FramesTraining, StartsFromTheBestClassicalPathAndKeepsNothingWorse) {
  // Noise, and people who stop: which path is best depends on the data.
  for (const double noise : {0.0, 0.3}) {
    Random random(5, RandomUse::kTest, {1});
    const auto change = [&](std::size_t, std::int64_t, double, std::vector<double>& v) {
      for (double& value : v) value += noise * random.normal();
    };
    Trainer trainer(frames_config(), scenes({.change = change}), {});
    const model::FramesShape& shape = *trainer.model().shape().frames;
    const data::BatchMaker& maker = trainer.maker();
    const double start = trainer.validation_scores()->mse;
    const std::vector<std::int64_t> systems = data::split_parts(maker).validation;
    for (const char* kind : {"constant_velocity", "damped_velocity", "kalman", "hold"}) {
      eval::ScoreKeeper keeper(maker.normalisation(), maker.clock().time_scale,
                               maker.target_span(data::View::kValidate));
      const data::Batch batch = maker.make(systems, data::View::kValidate);
      keeper.add(batch, data::predict_classical(find_classical_method(kind)->kind, batch,
                                                maker.dataset().description().features, maker.normalisation(),
                                                maker.clock().time_scale, shape.fit)
                            .data());
      EXPECT_LE(start, keeper.scores().mse * (1 + 1e-6)) << kind;
      if (shape.base == kind) {
        EXPECT_NEAR(start, keeper.scores().mse, 1e-6 * start);
      }
    }
    if (noise > 0) {
      EXPECT_NE(shape.base, "constant_velocity");
    }
    trainer.run();
    EXPECT_LE(trainer.best().info.validation.get<double>(), start * (1 + 1e-9));
  }
}

TEST(FramesTraining, LossIsTheMeanDistanceAndHasItsGradient) {
  const data::BatchMaker maker = scene_maker(scene_set({.missing = 0.1, .scalar = true, .relations = true}));
  for (const model::Neighbours neighbours : {model::Neighbours::kFrozen, model::Neighbours::kMoving}) {
    model::ModelOptions options;
    options.kind = model::ModelKind::kFrames, options.loss = model::Loss::kDistance, options.neighbours = neighbours;
    options.encoder_width = 4, options.hidden = 3, options.state = 2, options.heads = 2;
    model::Frames model(options, scene_shape(maker), 7, at::kDouble);
    {
      at::NoGradGuard no_grad;
      model.parameters().flat().add_(at::sin(at::arange(model.parameters().count(), at::kDouble) * 0.7) * 0.2);
    }
    const model::BatchTensors batch = model.tensors(maker.make({0, 2}, data::View::kValidate));
    const Objective got = elbo(model, batch, {}, 1, 1.0, {});
    const at::Tensor path = model.mean_path(batch).detach();
    const data::Batch& b = batch.batch;
    double sum = 0, rows = 0;
    for (std::int64_t t = 0; t < b.targets(); ++t) {
      const auto error = [&](std::int64_t f) {
        return b.target_mask[t * 3 + f] * (path[t][f].item<double>() - b.target_values[t * 3 + f]);
      };
      if (b.target_mask[t * 3] + b.target_mask[t * 3 + 1] + b.target_mask[t * 3 + 2] == 0) continue;
      const double square = 100 * (error(0) * error(0) + error(1) * error(1));  // in metres
      sum += std::sqrt(square + 1e-4) - 0.01 + error(2) * error(2), rows += 1;
    }
    EXPECT_NEAR(got.loss.item<double>(), sum / rows, 1e-9 * sum / rows);
    // Sums over parts of a batch are those of the batch.
    const Objective part =
        elbo(model, batch, *model.prepare(b), {}, at::scalar_tensor(1.0, at::kDouble), {}, Over::kSum);
    EXPECT_NEAR((part.loss / part.systems).item<double>(), got.loss.item<double>(), 1e-12);
    std::vector<at::Tensor> parameters;
    for (const auto& e : model.parameters().entries()) parameters.push_back(e.tensor);
    lgode::testing::expect_gradients([&] { return elbo(model, batch, {}, 1, 1.0, {}).loss; }, parameters, 2e-6);
  }
}

// The best future of each object or scene, a little of all of them, and which one was the best.
TEST(FramesTraining, LossOfFuturesIsThatOfTheBestOneAndHasItsGradient) {
  const data::BatchMaker maker = scene_maker(scene_set({.missing = 0.1}));
  for (const model::FuturesOf of : {model::FuturesOf::kObject, model::FuturesOf::kScene}) {
    model::ModelOptions options;
    options.kind = model::ModelKind::kFrames, options.loss = model::Loss::kDistance;
    options.futures = 3, options.futures_of = of;
    options.encoder_width = 4, options.hidden = 3, options.state = 2, options.heads = 2;
    model::Frames model(options, scene_shape(maker), 7, at::kDouble);
    {
      at::NoGradGuard no_grad;
      model.parameters().flat().add_(at::sin(at::arange(model.parameters().count(), at::kDouble) * 0.7) * 0.2);
    }
    const model::BatchTensors batch = model.tensors(maker.make({0, 2}, data::View::kValidate));
    const data::Batch& b = batch.batch;
    at::Tensor path, futures, scores;
    {
      at::NoGradGuard no_grad;
      const model::Paths paths = model.paths(batch, *model.prepare(b), {}, {});
      path = paths.values[0], futures = paths.futures, scores = paths.scores.log_softmax(1);
    }
    const auto distance = [&](const at::Tensor& of_path, std::int64_t t) {
      double square = 0;
      for (std::int64_t f = 0; f < 2; ++f)
        square +=
            std::pow(10 * b.target_mask[t * 2 + f] * (of_path[t][f].item<double>() - b.target_values[t * 2 + f]), 2);
      return std::sqrt(square + 1e-4) - 0.01;
    };
    double sum = 0, rows = 0;
    const bool joint = of == model::FuturesOf::kScene;
    const std::int64_t units = joint ? b.systems() : b.objects();
    for (std::int64_t u = 0; u < units; ++u) {
      const std::int64_t first = joint ? b.object_offsets[u] : u, end = joint ? b.object_offsets[u + 1] : u + 1;
      double own[3] = {}, count = 0;
      for (std::int64_t t = b.target_offsets[first]; t < b.target_offsets[end]; ++t) {
        if (b.target_mask[t * 2] + b.target_mask[t * 2 + 1] == 0) continue;
        for (int k = 0; k < 3; ++k) own[k] += distance(futures[k], t);
        sum += distance(path, t), rows += 1, count += 1;
      }
      if (count == 0) continue;
      const auto best = std::min_element(own, own + 3) - own;
      sum += own[best] + 0.02 * (own[0] + own[1] + own[2]) / 3 - 0.1 * count * scores[first][best].item<double>();
    }
    const Objective got = elbo(model, batch, {}, 1, 1.0, {});
    EXPECT_NEAR(got.loss.item<double>(), sum / rows, 1e-9 * sum / rows);
    std::vector<at::Tensor> parameters;
    for (const auto& e : model.parameters().entries()) parameters.push_back(e.tensor);
    lgode::testing::expect_gradients([&] { return elbo(model, batch, {}, 1, 1.0, {}).loss; }, parameters, 2e-6);
  }
}

TEST(FramesTraining, FuturesSeparateWhereThePastDoesNotTell) {
  // After the same past, people go on to the left or to the right.
  const auto change = [](std::size_t system, std::int64_t object, double time, std::vector<double>& v) {
    const double side = (static_cast<std::int64_t>(system) + object) % 2 == 0 ? 1.0 : -1.0;
    v = {time, 20.0 * static_cast<double>(object) + (time > 4.2 ? side * (time - 4.2) : 0.0)};
  };
  RunConfig config = frames_config(60);
  config.train.lr = 5e-3, config.task.start = data::Start::kMiddle, config.model.futures = 4;
  config.model.place = model::Place::kOff, config.model.neighbours = model::Neighbours::kNone;
  Trainer trainer(config, scenes({.change = change}), {});
  trainer.run();
  const model::Model& model = trainer.model();
  const data::Batch raw = trainer.maker().make(data::split_parts(trainer.maker()).validation, data::View::kValidate);
  at::NoGradGuard no_grad;
  const model::BatchTensors batch = model.tensors(raw);
  const model::Paths paths = model.paths(batch, *model.prepare(raw), {}, {});
  const auto error = [&](const at::Tensor& path) {
    return ((path - batch.target_values) * batch.target_mask).square().sum(-1);
  };
  const at::Tensor single = error(paths.values[0]), best = error(paths.futures).amin(0);
  EXPECT_LT(best.sum().item<double>(), 0.2 * single.sum().item<double>());
}

TEST(FramesTraining, LearnsWhatTheClassicalPathDoesNotKnow) {
  RunConfig config = frames_config(60);
  config.train.lr = 5e-3;
  Trainer trainer(config, scenes(), {});
  const double before = trainer.validation_scores()->mse;
  trainer.run();
  EXPECT_LT(trainer.best().info.validation.get<double>(), 0.5 * before);
}

TEST(FramesConfig, ForecastsByDefaultAndRefusesWhatItCannotDo) {
  const RunConfig config = default_config(model::ModelKind::kFrames);
  EXPECT_EQ(config.task.task, data::Task::kExtrapolate);
  EXPECT_EQ(config.model.loss, model::Loss::kDistance);
  const auto refused = [](std::vector<std::pair<std::string, std::string>> flags, const std::vector<std::string>& words,
                          const char* kind = "frames") {
    RunConfig bound;
    OptionSet options;
    declare(options, bound);
    flags.emplace_back("model", kind);
    expect_error<ConfigError>([&] { resolve(options, bound, flags, nullptr, ""); }, words);
  };
  refused({{"task", "interpolate"}}, {"`model` frames", "`task` extrapolate", "`model` assimilate"});
  refused({{"recipe", "paper"}}, {"`recipe` paper", "`model` frames"});
  refused({{"turn", "random"}}, {"`turn` random", "`model` frames"});
  refused({{"variant", "mean"}}, {"mean", "frames"});
  refused({{"loss", "distance"}}, {"`loss` distance", "`model` frames"}, "assimilate");
}

}  // namespace
}  // namespace lgode::train
