// Scenes as streams: objects that come, go and come back, missing values, glitches; small models that can follow them;
// and a comparison with predictions over the whole past.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/eval/follower.h"
#include "lgode/eval/predict.h"
#include "support/runs.h"
#include "support/scenes.h"

namespace lgode::testing {

using eval::FollowOptions;
using eval::SceneForecast;
using eval::StreamRow;

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Scenes {
  data::EdgeRule::Kind edges = data::EdgeRule::Kind::kAll;
  bool derived = false;  // velocities, instead of given ones
  bool grid = false;     // objects share their times
  double missing = 0.0;
  data::Centre centre = data::Centre::kSystem;
  model::Gain gain = model::Gain::kOne;
  bool apart = false;     // objects stay where they are: each has the same neighbours throughout, but not all others
  bool together = false;  // all are present from the begin to the end
  bool outliers = false;  // one glitch of object 0, and a lasting jump of object 3, of which the run has a gate
  int systems = 2, objects = 4;
  double end = 9;  // the training range is 5
  std::optional<Classical> base = {};
  // Model frames with this base path, instead of assimilate: features x, y, vx, vy and one more.
  const char* frames = nullptr;
  model::Neighbours neighbours = model::Neighbours::kFrozen;
  std::int64_t futures = 1;
};

// Places of objects that are apart: pairs are within 2 of each other, and the two nearest are not mutual.
inline constexpr double kPlaces[] = {0, 1, 4, 5.5};

// Objects enter at different times; object 1 pauses for longer than the memory of 2.5, and object 2 stops early.
inline data::Dataset make(const Scenes& scenes) {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"y", "m", 0, -1}, {"vx", "m/s", 1, 0}};
  if (scenes.frames != nullptr) d.features.push_back({"vy", "m/s", 1, 1}), d.features.push_back({"mood", "", 2, -1});
  for (data::Feature& f : d.features) f.derived = scenes.derived && f.velocity_of >= 0;
  d.relation_types = {"near", "far"};
  d.edges.kind = scenes.edges;
  // Unless they are apart, all are near: neighbours do not change with time.
  d.edges.positions = {0, 1}, d.edges.radius = scenes.apart ? 2 : 100, d.edges.neighbours = scenes.apart ? 2 : 100;
  d.time_scale = d.conditioning_length = 5;
  data::DatasetBuilder builder(d);
  for (int s = 0; s < scenes.systems; ++s) {
    Random random(5, RandomUse::kTest, {static_cast<std::uint64_t>(s)});
    builder.begin_system(data::Part::kTrain, 100.0, "scene " + std::to_string(s));
    for (int i = 0; i < scenes.objects; ++i) {
      builder.add_object("o" + std::to_string(i));
      const double phase = random.uniform(0, 6);
      int glitches = 0;
      for (double t = 100 + (scenes.together ? 0.0 : 0.5 * i); t < 100 + scenes.end;
           t += scenes.grid ? 0.25 : random.uniform(0.1, 0.6)) {
        if (!scenes.together && i == 1 && t > 102 && t < 105.2) continue;
        if (!scenes.together && i == 2 && t > 104) continue;
        std::vector<double> values = {3.0 + std::sin(t + phase), std::cos(1.3 * t), std::cos(t + phase)};
        if (scenes.frames != nullptr) values.push_back(-1.3 * std::sin(1.3 * t)), values.push_back(std::sin(3 * t));
        if (scenes.apart) values[0] = kPlaces[i] + 0.1 * std::sin(t + phase), values[1] *= 0.1, values[2] *= 0.1;
        for (double& x : values)
          if (random.uniform() < scenes.missing) x = kNaN;
        for (std::size_t f = 0; f < values.size(); ++f)
          if (d.features[f].derived) values[f] = kNaN;
        if (scenes.outliers && i == 0 && t > 103 && glitches++ == 0) values[0] = 4000;
        if (scenes.outliers && i == 3 && t > 105) values[0] += 50;
        if (std::all_of(values.begin(), values.end(), [](double x) { return std::isnan(x); })) values[1] = 0.5;
        builder.add_observation(t, values);
      }
    }
    if (scenes.edges == data::EdgeRule::Kind::kListed)
      for (int i = 1; i < scenes.objects; ++i)
        builder.add_relation({i, i - 1, i % 2, 0.5F}), builder.add_relation({i - 1, i});
  }
  return builder.finish("scenes");
}

// Weights as if trained.
inline void shake(model::Parameters& parameters, double size) {
  at::NoGradGuard no_grad;
  at::Tensor& flat = parameters.flat();
  flat.add_(at::sin(at::arange(flat.numel(), at::kDouble) * 0.7).to(at::kFloat) * size);
}

inline void make_frames(eval::Run& run, const data::Dataset& set, const Scenes& scenes) {
  model::ModelOptions& m = run.info.model;
  m.kind = model::ModelKind::kFrames, m.neighbours = scenes.neighbours, m.futures = scenes.futures;
  m.encoder_width = 8, m.hidden = 12, m.state = 6, m.heads = 2;
  model::ModelShape& shape = run.info.shape;
  shape.append_mask = true, shape.forecast = true, shape.memory = 0.5;
  shape.frames = frames_of(eval::batch_maker(run.info, set), scenes.frames);
  using Kind = data::EdgeRule::Kind;
  if (scenes.edges == Kind::kWithin || scenes.edges == Kind::kNearest)
    shape.frames->pairs = model::FramesShape::Pairs::kRelated;
  run.model = model::make_model(m, shape, 7);
  shake(run.model->parameters(), 0.3);
}

inline eval::Run run_of(const data::Dataset& set, const Scenes& scenes, double step = 0.05) {
  data::TaskOptions task;
  task.task = data::Task::kExtrapolate;
  task.centre = scenes.centre;
  if (scenes.outliers) task.gate = {.reach = {10, 10}, .gap = 0.5, .forget = 0.5 * set.description().time_scale};
  if (scenes.outliers) task.gate->reach.resize(static_cast<std::size_t>(set.features()), data::OutlierGate::kAny);
  eval::Run run = run_on(set, task);
  const data::Description& about = set.description();
  run.info.task.leave = 0.5 * about.time_scale;
  run.info.table = about;
  run.info.table.system_ids.clear(), run.info.table.object_ids.clear();
  if (scenes.frames != nullptr) {
    make_frames(run, set, scenes);
    return run;
  }
  model::ModelOptions& m = run.info.model;
  m.kind = model::ModelKind::kAssimilate, m.gain = scenes.gain, m.futures = scenes.futures;
  m.encoder_width = 8, m.sequence_width = 6, m.hidden = 9, m.state = 5, m.latent = 3, m.heads = 2, m.step = step;
  model::ModelShape& shape = run.info.shape;
  shape.append_mask = true, shape.forecast = true, shape.window = 0.3, shape.memory = 0.5;
  shape.ties = {{0, 2, 1.3, scenes.derived}};
  if (scenes.base) {
    const data::ClassicalFit fit{{0.8, 0.3, 1.7}, {{0.9, 0.02, 0.05, 1.2}, {0.5, 0.2, 0.01, 0.7}, {}}};
    shape.base = data::base_path(*scenes.base, about.features, run.info.normalisation, about.time_scale, fit);
    if (scenes.gain == model::Gain::kLearned) data::set_stationary_gains(*shape.base, 0.06, 0.99);
  }
  run.model = model::make_model(m, shape, 7);
  shake(run.model->parameters(), 0.15);
  return run;
}

inline FollowOptions options_of(const data::Dataset& set, double late = 0) {
  FollowOptions options;
  options.late = late;
  for (std::int64_t s = 0; s < set.systems(); ++s)
    for (std::int64_t e = 0; e < set.relations_of(s); ++e) {
      const data::Relation r = set.relation(set.first_relation(s) + e);
      options.relations.push_back(
          {set.system_id(s), set.object_id(s, r.source), set.object_id(s, r.target), r.type, r.weight});
    }
  return options;
}

// All rows by time.
inline std::vector<StreamRow> rows_of(const data::Dataset& set) {
  std::vector<StreamRow> rows;
  const auto width = static_cast<std::size_t>(set.features());
  for (std::int64_t s = 0; s < set.systems(); ++s)
    for (std::int64_t i = 0; i < set.objects_of(s); ++i) {
      const std::int64_t object = set.first_object(s) + i;
      const auto times = set.times_of(object), values = set.values_of(object);
      for (std::size_t k = 0; k < times.size(); ++k)
        rows.push_back({set.system_id(s),
                        set.object_id(s, i),
                        times[k],
                        {values.begin() + static_cast<std::ptrdiff_t>(k * width),
                         values.begin() + static_cast<std::ptrdiff_t>((k + 1) * width)}});
    }
  std::stable_sort(rows.begin(), rows.end(), [](const StreamRow& a, const StreamRow& b) { return a.time < b.time; });
  return rows;
}

inline const std::vector<double> kAhead = {0.0, 0.3, 1.1, 2.0};

// The forecast, and a prediction of the same; at least `least` values are compared.
inline void expect_same(const SceneForecast& forecast, const eval::Run& run, const data::Dataset& set,
                        std::int64_t system, std::int64_t samples, std::size_t least) {
  eval::PredictOptions options;
  options.systems = {system};
  options.own_times = {forecast.times};
  options.start = forecast.start;
  options.include_start = true;
  options.samples = samples;
  options.context = data::Context::kAll;
  options.futures = static_cast<std::int64_t>(forecast.futures.size());
  eval::SystemPrediction expected;
  eval::predict(run, set, options, [&](const eval::SystemPrediction& p) { expected = p; });
  const std::size_t each = kAhead.size() * static_cast<std::size_t>(set.features());
  std::size_t compared = 0;
  for (std::int64_t i = 0; i < expected.objects; ++i) {
    const auto found = std::find(forecast.objects.begin(), forecast.objects.end(), set.object_id(system, i));
    ASSERT_EQ(found != forecast.objects.end(), has_prediction(expected, i)) << i << " at " << forecast.start;
    if (found == forecast.objects.end()) continue;
    const std::size_t own = static_cast<std::size_t>(found - forecast.objects.begin()) * each;
    for (std::size_t k = 0; k < each; ++k) {
      const double mean = expected.mean[static_cast<std::size_t>(i) * each + k];
      if (std::isnan(mean)) {
        EXPECT_TRUE(std::isnan(forecast.mean[own + k]));
        continue;
      }
      ++compared;
      EXPECT_NEAR(forecast.mean[own + k], mean, 3e-5 + 3e-7 * std::abs(mean))
          << i << " " << k << " at " << forecast.start;
      EXPECT_NEAR(forecast.deviation[own + k], expected.deviation[static_cast<std::size_t>(i) * each + k], 3e-5);
      const std::size_t futures = forecast.futures.size();
      for (std::size_t j = 0; j < futures; ++j) {
        EXPECT_NEAR(forecast.futures[j][own + k], expected.futures[j][static_cast<std::size_t>(i) * each + k],
                    3e-5 + 3e-7 * std::abs(mean));
        EXPECT_NEAR(forecast.probability[own / each * futures + j],
                    expected.probability[static_cast<std::size_t>(i) * futures + j], 1e-5);
      }
    }
  }
  EXPECT_GE(compared, least);
}

// Whether the newest rows of a scene are complete: the next row of it is later.
inline bool complete(const std::vector<StreamRow>& rows, std::size_t at) {
  for (std::size_t k = at + 1; k < rows.size(); ++k)
    if (rows[k].system == rows[at].system) return rows[k].time > rows[at].time;
  return true;
}

// The forecasts of a whole stream against predictions.
inline void expect_same_stream(const Scenes& scenes) {
  const data::Dataset set = make(scenes);
  const eval::Run run = run_of(set, scenes);
  eval::Follower follower(run, options_of(set));
  const std::vector<StreamRow> rows = rows_of(set);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    ASSERT_EQ(follower.observe(rows[k]), eval::Follower::Taken::kTaken);
    if (k % 7 != 3 || !complete(rows, k)) continue;
    const std::int64_t system = rows[k].system == "scene 0" ? 0 : 1, futures = scenes.futures > 1 ? 2 : 0;
    expect_same(follower.forecast(rows[k].system, {.ahead = kAhead, .samples = 0, .futures = futures}), run, set,
                system, 0, 8);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace lgode::testing
