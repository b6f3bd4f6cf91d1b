// Predictions of a model in memory.
#include "lgode/eval/predict.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "eval/summarise.h"
#include "lgode/core/error.h"
#include "lgode/core/random.h"
#include "lgode/eval/calibrate.h"
#include "lgode/eval/calibration.h"
#include "lgode/eval/path_runner.h"
#include "support/batches.h"
#include "support/runs.h"
#include "support/temp_folder.h"

namespace lgode::eval {
namespace {

using lgode::testing::run_on;

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

std::vector<SystemPrediction> predictions(const Run& run, const data::BatchMaker& maker,
                                          const std::vector<data::Scene>& scenes, const PredictOptions& options) {
  std::vector<SystemPrediction> all;
  predict(run, maker, scenes, options, [&](const SystemPrediction& p) { all.push_back(p); });
  return all;
}

TEST(PredictTest, ScenesArePredictedAsTheSystemsThatTheyShow) {
  const data::Dataset set = lgode::testing::random_dataset({.objects = {2, 3, 1, 4}}, 3);
  for (const data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate}) {
    const eval::Run run = run_on(set, {.task = task});
    const data::BatchMaker maker = batch_maker(run.info, set);
    PredictOptions options{.systems = {3, 0}, .samples = 5, .quantiles = {0.25}, .paths = 2};
    std::vector<data::Scene> scenes;
    for (const std::int64_t s : options.systems) {
      options.own_times.push_back({maker.default_start(s), maker.default_start(s) + 0.4});
      scenes.push_back(maker.scene({s, {}, options.own_times.back()}));
    }
    const std::vector<SystemPrediction> expected = predictions(run, set, options),
                                        found = predictions(run, maker, scenes, options);
    ASSERT_EQ(found.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(found[i].system, expected[i].system);
      EXPECT_EQ(found[i].objects, expected[i].objects);
      EXPECT_EQ(found[i].times, expected[i].times);
      EXPECT_EQ(found[i].start, expected[i].start);
      EXPECT_EQ(found[i].mean, expected[i].mean);
      EXPECT_EQ(found[i].high, expected[i].high);
      EXPECT_EQ(found[i].quantiles, expected[i].quantiles);
      EXPECT_EQ(found[i].paths, expected[i].paths);
    }
  }
}

// With fewer rows the prediction equals the one on a data set that has only these.
TEST(PredictTest, ASceneShowsTheRowsThatItNames) {
  const data::Dataset set = lgode::testing::random_dataset({.objects = {2, 3, 1, 4}}, 3);
  const eval::Run run = run_on(set);
  const data::BatchMaker maker = batch_maker(run.info, set);
  data::DatasetBuilder builder(set.description());
  builder.begin_system(data::Part::kTest, set.origin(1));
  data::Scene scene = maker.scene({1, {}, {0.3, 1.1}});
  data::ObjectRows context;
  const auto width = static_cast<std::size_t>(set.features());
  for (std::int64_t i = 0; i < set.objects_of(1); ++i) {
    std::vector<data::RowIndex> rows;
    builder.add_object();
    const std::span<const data::RowIndex> all = scene.context[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < all.size(); k += 2) rows.push_back(all[k]);
    for (const std::int64_t k : rows)
      builder.add_observation(
          set.times_of(set.first_object(1) + i)[static_cast<std::size_t>(k)],
          set.values_of(set.first_object(1) + i).subspan(static_cast<std::size_t>(k) * width, width));
    context.add(rows);
  }
  for (const data::Relation& r : scene.source.relations()) builder.add_relation(r);
  const data::Dataset fewer = builder.finish("fewer rows");
  scene.context = context, scene.number = 0;
  PredictOptions options{.own_times = {scene.times}, .samples = 3, .allow_mismatch = true};
  EXPECT_EQ(predictions(run, maker, {scene}, options)[0].mean, predictions(run, fewer, options)[0].mean);
}

TEST(PredictTest, ScenesThatCannotBePredictedAreRefused) {
  const data::Dataset set = lgode::testing::random_dataset({}, 3);
  const eval::Run run = run_on(set);
  const data::BatchMaker maker = batch_maker(run.info, set);
  const auto message = [&](const data::Scene& scene) -> std::string {
    try {
      predictions(run, maker, {scene}, {});
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(maker.scene({0, {}, {0.5}})), "");
  EXPECT_NE(message(maker.scene({0, {}, {-0.5}})).find("lies before its start"), std::string::npos);
  EXPECT_NE(message(maker.scene({0, {}, {0.5, 1e6}})).find("is too far"), std::string::npos);
  // A value is missing that the model cannot do without.
  data::Scene scene = maker.scene({0, {}, {0.5}});
  std::vector<double> values(scene.source.values.begin(), scene.source.values.end());
  values[static_cast<std::size_t>(scene.source.offsets[0]) * scene.source.features] = NAN;
  scene.source.values = values;
  EXPECT_NE(message(scene).find("lack values"), std::string::npos);
}

// The most probable futures in the order of their probability; sampled paths follow futures as often as these say.
TEST(PredictTest, FuturesHaveProbabilitiesAndSampledPathsFollowThem) {
  const data::Dataset set = lgode::testing::random_dataset({.objects = {2, 3, 1, 4}}, 3);
  for (const model::FuturesOf of : {model::FuturesOf::kObject, model::FuturesOf::kScene}) {
    eval::Run run = run_on(set, {.task = data::Task::kExtrapolate});
    run.info.model.futures = 3, run.info.model.futures_of = of;
    run.model = model::make_model(run.info.model, run.info.shape, 7);
    PredictOptions options{.systems = {3, 1}, .samples = 60, .paths = 60, .futures = 3};
    const std::vector<SystemPrediction> all = predictions(run, set, options);
    ASSERT_EQ(all.size(), 2U);
    options.paths = 0;
    const std::vector<SystemPrediction> without = predictions(run, set, options);
    for (std::size_t i = 0; i < 2; ++i) {
      const SystemPrediction& p = all[i];
      EXPECT_EQ(p.mean, without[i].mean);
      ASSERT_EQ(p.futures.size(), 3U);
      const std::size_t each = p.times.size() * static_cast<std::size_t>(set.features());
      for (std::size_t o = 0; o < static_cast<std::size_t>(p.objects); ++o) {
        const double* probability = &p.probability[3 * o];
        EXPECT_NEAR(probability[0] + probability[1] + probability[2], 1, 1e-9);
        EXPECT_GE(probability[0], probability[1]);
        EXPECT_GE(probability[1], probability[2]);
        if (of == model::FuturesOf::kScene) {
          EXPECT_EQ(probability[0], p.probability[0]);
        }
        // Without calibrated intervals a path is a future.
        int followed[3] = {};
        for (const std::vector<double>& path : p.paths)
          for (std::size_t k = 0; k < 3; ++k)
            if (std::equal(path.begin() + static_cast<std::ptrdiff_t>(o * each),
                           path.begin() + static_cast<std::ptrdiff_t>((o + 1) * each),
                           p.futures[k].begin() + static_cast<std::ptrdiff_t>(o * each)))
              ++followed[k];
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(followed[k], 60 * probability[k], 1.001) << k;
      }
    }
    options.futures = 2;
    const SystemPrediction fewer = predictions(run, set, options)[0];
    ASSERT_EQ(fewer.futures.size(), 2U);
    EXPECT_EQ(fewer.futures[1], all[0].futures[1]);
    options.futures = 4;
    lgode::testing::expect_error<ConfigError>([&] { predictions(run, set, options); },
                                              {"`futures` 4", "trained for 3"});
    options.futures = 2, options.method = Method::kHold;
    lgode::testing::expect_error<ConfigError>([&] { predictions(run, set, options); }, {"`futures` 2", "classical"});
  }
}

// Batches come in order, however many there are, and give the paths of the systems alone; those without systems, too.
TEST(PathRunnerTest, ResultsComeInOrder) {
  const data::Dataset set = lgode::testing::random_dataset({.objects = {2, 3, 1, 4}}, 3);
  const eval::Run run = run_on(set);
  const data::BatchMaker maker = batch_maker(run.info, set);
  PathRunner runner(run.model, run.context);
  std::vector<std::int64_t> order;
  PathRunner::Work work;
  work.count = 5;
  work.make = [&](std::int64_t i) {
    if (i == 4) return maker.make_prediction({});
    data::BatchMaker::Request request;
    request.system = i;
    request.times = {maker.default_start(i), maker.default_start(i) + 0.3};
    return maker.make_prediction({request});
  };
  work.take = [&](std::int64_t i, const PathResult& result) {
    order.push_back(i);
    if (i == 4) {
      EXPECT_FALSE(result.values().defined());
      return;
    }
    ASSERT_EQ(result.batch().system, std::vector<std::int64_t>{i});
    const at::NoGradGuard no_grad;
    const model::BatchTensors alone = run.model->tensors(work.make(i));
    EXPECT_TRUE(result.values().select(0, 0).equal(run.model->mean_path(alone)));
  };
  runner.run(work, {});
  EXPECT_EQ(order, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  StopFlag stop;
  stop.request();
  EXPECT_THROW(runner.run(work, {}, &stop), Interrupted);
  EXPECT_EQ(runner.captures(), 0);
}

// Two systems at times from 0 on; the third starts 100 later.
data::Dataset one_later() {
  data::Description d;
  d.features = {{"x", "m", 0, -1}};
  d.relation_types = {"related"};
  d.time_scale = d.conditioning_length = 6;
  data::DatasetBuilder builder(d);
  for (int s = 0; s < 3; ++s) {
    const double origin = s == 2 ? 100 : 0;
    builder.begin_system(data::Part::kTest, origin);
    builder.add_object();
    // The first observation of system 1 comes late.
    for (int k = s == 1 ? 10 : 0; k < 20; ++k) builder.add_observation(origin + 0.5 * k, std::vector<double>{0.1 * k});
  }
  return builder.finish("one later");
}

TEST(PredictTest, SystemsThatCannotBeAnsweredAreSkippedAndCounted) {
  const data::Dataset set = one_later();
  eval::Run run = run_on(set);
  run.info.task.task = data::Task::kExtrapolate;
  const auto ask = [&](const PredictOptions& options, Skipped& skipped) {
    std::vector<std::int64_t> systems;
    skipped = predict(run, set, options, [&](const SystemPrediction& p) { systems.push_back(p.system); });
    return systems;
  };
  Skipped skipped;
  EXPECT_EQ(ask({.times = {4, 5}, .relative = true, .start = 4, .samples = 0}, skipped),
            (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(skipped.nothing_seen, 1);
  EXPECT_EQ(skipped.all(), 1);
  EXPECT_EQ(ask({.times = {10, 11}, .samples = 0}, skipped), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(skipped.before_start, 1);
  EXPECT_EQ(ask({.times = {650}, .samples = 0}, skipped), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(skipped.too_far, 2);
}

TEST(PredictTest, WhereNothingCanBeAnsweredTheFirstReasonIsTold) {
  const data::Dataset set = one_later();
  eval::Run run = run_on(set);
  run.info.task.task = data::Task::kExtrapolate;
  const auto message = [&](const PredictOptions& options) -> std::string {
    try {
      predictions(run, set, options);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  const std::string absolute = message({.systems = {1}, .times = {4}, .start = 4, .samples = 0});
  EXPECT_NE(absolute.find("sees none of its observations"), std::string::npos) << absolute;
  EXPECT_NE(absolute.find("`relative`"), std::string::npos) << absolute;
  const std::string relative = message({.systems = {1, 1}, .times = {4}, .relative = true, .start = 4, .samples = 0});
  EXPECT_NE(relative.find("none of the 2 systems"), std::string::npos) << relative;
  EXPECT_EQ(relative.find("`relative`"), std::string::npos) << relative;
}

// A model whose predictions can be computed by hand. Dynamics are zero, so that z(t) = z0; every object has the
// posterior N(mu, sigma^2) with the numbers below; the decoder is linear.
constexpr double kMu[2] = {0.3, -0.2};
constexpr double kSigma[2] = {0.5, 1.25};
constexpr double kDecoder[3][2] = {{1.0, 0.5}, {-0.75, 2.0}, {0.0, -1.5}};
constexpr double kBias[3] = {0.1, -0.4, 0.25};
constexpr double kNoise = 0.6;                   // deviation of the decoder
constexpr double kScale[3] = {2.0, 2.0, 5.0};    // of the features
constexpr double kNormal95 = 1.644853626951473;  // 95 % quantile of N(0, 1)

Run known_run(const data::Dataset& set) {
  eval::Run run = run_on(set);
  run.info.model.decoder = model::DecoderKind::kLinear;
  run.info.model.sigma = kNoise;
  run.info.normalisation.scale.assign(std::begin(kScale), std::end(kScale));
  run.model = model::make_model(run.info.model, run.info.shape, 7);
  const at::NoGradGuard no_grad;
  const model::Parameters& p = run.model->parameters();
  p["dynamics.object.layer3.weight"].zero_();
  p["dynamics.object.layer3.bias"].zero_();
  p["encoder.posterior2.weight"].zero_();
  for (std::int64_t k = 0; k < 2; ++k) {
    p["encoder.posterior2.bias"][k].fill_(kMu[k]);
    p["encoder.posterior2.bias"][2 + k].fill_(std::log(std::expm1(kSigma[k])));  // sigma = softplus of it
  }
  for (std::int64_t f = 0; f < 3; ++f) {
    for (std::int64_t k = 0; k < 2; ++k) p["decoder.weight"][f][k].fill_(kDecoder[f][k]);
    p["decoder.bias"][f].fill_(kBias[f]);
  }
  return run;
}

double decoded(std::size_t feature, const double* z) {
  return kDecoder[feature][0] * z[0] + kDecoder[feature][1] * z[1] + kBias[feature];
}

// Values are of order 10, in float32 after some dozens of operations.
constexpr double kTolerance = 2e-5;

TEST(PredictTest, WithoutSamplesTheMeanPathAndTheNoiseOfTheDecoder) {
  const data::Dataset set = lgode::testing::random_dataset({}, 3);
  const eval::Run run = known_run(set);
  PredictOptions options;
  options.systems = {2};
  options.own_times = {{0.5, 1.75}};
  options.samples = 0;
  const SystemPrediction p = predictions(run, set, options).at(0);
  ASSERT_EQ(p.objects, 4);
  ASSERT_EQ(p.mean.size(), 4U * 2 * 3);
  for (std::size_t i = 0; i < p.mean.size(); ++i) {
    const double scale = kScale[i % 3], mean = decoded(i % 3, kMu);
    EXPECT_NEAR(p.mean[i], scale * mean, kTolerance);
    EXPECT_NEAR(p.deviation[i], scale * kNoise, kTolerance);
    EXPECT_NEAR(p.low[i], scale * (mean - kNormal95 * kNoise), kTolerance);
    EXPECT_NEAR(p.high[i], scale * (mean + kNormal95 * kNoise), kTolerance);
  }
}

// The mean path; deviations of sampled paths and decoder added in quadrature; quantiles of the paths, each with a draw
// of the decoder's noise. Each system has a random stream for the paths, and each object one for the noise.
TEST(PredictTest, SamplesMatchTheirStreams) {
  const data::Dataset set = lgode::testing::random_dataset({}, 3);
  const eval::Run run = known_run(set);
  PredictOptions options;
  options.systems = {2, 0};
  options.own_times = {{0.5, 1.75}, {1.0}};
  options.seed = 11;
  options.samples = 5;
  const std::vector<SystemPrediction> all = predictions(run, set, options);
  ASSERT_EQ(all.size(), 2U);
  for (const SystemPrediction& p : all) {
    const auto system = static_cast<std::uint64_t>(p.system);
    const auto objects = static_cast<std::size_t>(p.objects), times = p.times.size();
    ASSERT_EQ(p.mean.size(), objects * times * 3);
    Random latent(options.seed, RandomUse::kPredict, {0, system});
    std::vector<std::vector<double>> z0(5);  // [samples][objects * 2]
    for (std::vector<double>& z : z0)
      for (std::size_t k = 0; k < 2 * objects; ++k) z.push_back(kMu[k % 2] + kSigma[k % 2] * latent.normal());
    for (std::size_t o = 0; o < objects; ++o) {
      Random noise(options.seed, RandomUse::kPredict, {1, system, o});
      for (std::size_t k = 0; k < times; ++k)
        for (std::size_t f = 0; f < 3; ++f) {
          std::vector<double> x, drawn;
          for (const std::vector<double>& z : z0) {
            x.push_back(decoded(f, &z[2 * o]));
            drawn.push_back(x.back() + kNoise * noise.normal());
          }
          const double mean = (x[0] + x[1] + x[2] + x[3] + x[4]) / 5;
          double squares = 0;
          for (const double value : x) squares += (value - mean) * (value - mean);
          std::sort(drawn.begin(), drawn.end());
          const std::size_t at = (o * times + k) * 3 + f;
          EXPECT_NEAR(p.mean[at], kScale[f] * decoded(f, kMu), kTolerance);
          EXPECT_NEAR(p.deviation[at], kScale[f] * std::sqrt(squares / 4 + kNoise * kNoise), kTolerance);
          // Five values are the quantiles 0, 1/4, 1/2, 3/4 and 1: 0.05 lies a fifth of the way from the first to the
          // second, 0.95 four fifths of the way from the fourth to the fifth.
          EXPECT_NEAR(p.low[at], kScale[f] * (0.8 * drawn[0] + 0.2 * drawn[1]), kTolerance);
          EXPECT_NEAR(p.high[at], kScale[f] * (0.2 * drawn[3] + 0.8 * drawn[4]), kTolerance);
        }
    }
  }
}

// A single sample has no deviation and no quantiles.
TEST(PredictTest, WithOneSampleTheNoiseOfTheDecoder) {
  const data::Dataset set = lgode::testing::random_dataset({}, 3);
  const eval::Run run = known_run(set);
  PredictOptions options;
  options.systems = {1};
  options.own_times = {{0.5}};
  options.samples = 1;
  const SystemPrediction p = predictions(run, set, options).at(0);
  ASSERT_EQ(p.mean.size(), 3U);
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_NEAR(p.mean[f], kScale[f] * decoded(f, kMu), kTolerance);
    EXPECT_NEAR(p.deviation[f], kScale[f] * kNoise, kTolerance);
    EXPECT_NEAR(p.low[f], kScale[f] * (decoded(f, kMu) - kNormal95 * kNoise), kTolerance);
    EXPECT_NEAR(p.high[f], kScale[f] * (decoded(f, kMu) + kNormal95 * kNoise), kTolerance);
  }
}

// Of forecasts whose errors are as large as the model's spread says, or always the same.
Calibration calibration(std::int64_t features, bool spread) {
  Random random(4, RandomUse::kTest);
  data::Batch batch;
  batch.features = features;
  batch.object_offsets = batch.observation_offsets = batch.target_offsets = {0};
  std::vector<float> predicted, spreads;
  for (std::int64_t s = 0; s < 100; ++s) {
    batch.system.push_back(s), batch.start.push_back(0.5);
    batch.observation_times.insert(batch.observation_times.end(), {-1.0, 0.0});
    const double level = 0.1 + 2 * random.uniform();
    for (int k = 1; k <= 20; ++k) {
      batch.target_times.push_back(k / 20.0), batch.target_seen.push_back(0);
      for (std::int64_t f = 0; f < features; ++f) {
        batch.target_values.push_back(0.0F), batch.target_mask.push_back(1.0F);
        predicted.push_back(static_cast<float>((spread ? level : 1.0) * random.normal()));
        spreads.push_back(static_cast<float>(spread ? level : 1.0));
      }
    }
    batch.observation_offsets.push_back(static_cast<std::int64_t>(batch.observation_times.size()));
    batch.target_offsets.push_back(static_cast<std::int64_t>(batch.target_times.size()));
    batch.object_offsets.push_back(s + 1);
  }
  CalibrationFit fit(features);
  fit.add(batch, true, predicted.data(), spreads.data());
  return fit.fit();
}

// Calibrated intervals need the samples with which they were calibrated, if any, and sampled paths need as many as
// there are paths.
TEST(PredictTest, SamplesAreDrawnWhereSomethingNeedsThem) {
  const data::Dataset set = lgode::testing::random_dataset({}, 3);
  eval::Run run = known_run(set);
  const auto samples = [&](std::int64_t paths = 0) { return PathPlan::make(run, 100, 1, paths).options.samples; };
  EXPECT_EQ(samples(), 100);
  EXPECT_TRUE(PathPlan::make(run, 100, 1, 0).sampled_intervals);
  // Errors that grow with the model's own spread, and errors that do not.
  for (const bool spread : {true, false}) {
    run.calibrations.model = calibration(3, spread);
    ASSERT_FALSE(run.calibrations.model.empty());
    ASSERT_EQ(run.calibrations.model.uses_spread(), spread);
    EXPECT_EQ(samples(), spread ? kSpreadSamples : 0);
    EXPECT_EQ(samples(3), 3);
    EXPECT_FALSE(PathPlan::make(run, 100, 1, 0).sampled_intervals);
    // The calibrated intervals are those of the evaluation: of the mean path and its spread.
    PredictOptions options{.systems = {0}, .own_times = {{0.5, 1.75}}, .samples = 9, .quantiles = {0.95}};
    const SystemPrediction all = predictions(run, set, options).at(0);
    options.samples = 0, options.seed = 1;
    const SystemPrediction none = predictions(run, set, options).at(0);
    EXPECT_EQ(all.quantiles, none.quantiles);
    EXPECT_EQ(all.high, none.high);
    EXPECT_EQ(all.mean, none.mean);
  }
}

// Times of a grid, as users write them, differ from a file's times by rounding errors.
TEST(PredictTest, AtSeenTimesTheDefaultModelGivesWhatWasSeen) {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"vx", "m/s", 1, 0}};
  d.relation_types = {"related"};
  d.time_scale = d.conditioning_length = 6;
  data::DatasetBuilder builder(d);
  Random random(3, RandomUse::kTest);
  std::vector<std::vector<double>> seen;  // at 0.3, 0.6 and so on
  for (int s = 0; s < 2; ++s) {
    builder.begin_system(data::Part::kTrain);
    for (int i = 0; i < 2; ++i) {
      builder.add_object();
      for (int k = s; k < 60; ++k) {
        const std::vector<double> values{random.uniform(-1, 1), random.uniform(-1, 1)};
        if (k % 3 == 0 && k > 0) seen.push_back(values);
        builder.add_observation(k / 10.0, values);
      }
    }
    builder.add_relation({0, 1});
  }
  const data::Dataset set = builder.finish("grid");
  eval::Run run = run_on(set);
  run.info.model.kind = model::ModelKind::kAssimilate;
  run.info.shape.ties = {{0, 1, 1.3}};
  run.model = model::make_model(run.info.model, run.info.shape, 7);
  {
    at::NoGradGuard no_grad;
    at::Tensor& flat = run.model->parameters().flat();
    flat.add_(at::sin(at::arange(flat.numel(), at::kDouble) * 0.7).to(at::kFloat) * 0.2);
  }
  PredictOptions options;
  options.samples = 0;
  for (int k = 1; k < 20; ++k) options.times.push_back(k * 0.3);
  std::size_t at = 0;
  for (const SystemPrediction& p : predictions(run, set, options))
    for (std::size_t k = 0; k < p.mean.size(); k += 2, ++at)
      for (std::size_t f = 0; f < 2; ++f) EXPECT_NEAR(p.mean[k + f], seen[at][f], 1e-6) << p.system << " " << k;
  EXPECT_EQ(at, seen.size());
}

// Values have no digits beyond those of float32, as the model's have none; and systems of one batch do not change each
// other.
TEST(PredictTest, ClassicalForecastsAreRoundedAndReportTheirProgress) {
  const data::Dataset set = lgode::testing::random_dataset({.objects = {2, 3, 1, 4}}, 3);
  const eval::Run run = run_on(set);
  PredictOptions options{.method = Method::kHold, .batch = 3, .quantiles = {0.25}};
  std::vector<std::int64_t> done;
  double work = 0;
  options.progress = [&](std::int64_t systems, std::int64_t total, double share) {
    EXPECT_EQ(total, 4);
    EXPECT_GT(share, work);
    done.push_back(systems), work = share;
  };
  const std::vector<SystemPrediction> together = predictions(run, set, options);
  EXPECT_EQ(done, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(work, 1);
  options.progress = {}, options.batch = 1;
  const std::vector<SystemPrediction> single = predictions(run, set, options);
  ASSERT_EQ(together.size(), 4U);
  ASSERT_EQ(single.size(), 4U);
  std::int64_t values = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(together[i].system, static_cast<std::int64_t>(i));
    ASSERT_EQ(together[i].mean.size(), single[i].mean.size());
    for (std::size_t k = 0; k < single[i].mean.size(); ++k) {
      const double mean = together[i].mean[k];
      EXPECT_TRUE(mean == single[i].mean[k] || (std::isnan(mean) && std::isnan(single[i].mean[k])));
      if (std::isnan(mean)) continue;
      ++values;
      EXPECT_LE(fmt::format("{}", std::abs(mean)).size(), 12U) << mean;
    }
  }
  EXPECT_GT(values, 0);
}

}  // namespace
}  // namespace lgode::eval
