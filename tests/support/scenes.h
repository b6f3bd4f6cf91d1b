// Small scenes for tests of `model` frames: people who walk curves, stand, come and go, in a plane; and what the model
// would take from such data.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/dataset.h"
#include "lgode/model/shape.h"

namespace lgode::testing {

struct SceneShape {
  std::vector<std::int64_t> objects{5, 1, 7, 3};  // per system; the last one is for testing
  bool regular = true;
  double missing = 0.0;     // share of values
  bool velocities = false;  // features vx, vy
  bool scalar = false;      // a feature that is not a position
  bool space = false;       // three positions
  bool relations = false;   // listed, of two types
  // Changes a position [x, y, z] before it is stored.
  std::function<void(std::vector<double>& place)> move = {};
  // Changes the values of a row.
  std::function<void(std::size_t system, std::int64_t object, double time, std::vector<double>& values)> change = {};
};

// In every system the last two objects stand: the last one for good, next to the first object; the other one stopped.
inline data::Dataset scene_set(const SceneShape& shape, std::uint64_t seed = 3) {
  data::Description d;
  d.name = "scenes";
  d.features = {{"x", "m", 0, -1}, {"y", "m", 0, -1}};
  if (shape.space) d.features.push_back({"z", "m", 0, -1});
  const int axes = shape.space ? 3 : 2;
  if (shape.velocities)
    for (int a = 0; a < axes; ++a) d.features.push_back({"v" + d.features[a].name, "m/s", 1, a});
  if (shape.scalar) d.features.push_back({"mood", "", 2, -1});
  d.relation_types = {"walks with", "follows"};
  d.time_scale = d.conditioning_length = 8.0;
  data::DatasetBuilder builder(d);
  for (std::size_t s = 0; s < shape.objects.size(); ++s) {
    Random random(seed, RandomUse::kTest, {s});
    builder.begin_system(s + 1 == shape.objects.size() ? data::Part::kTest : data::Part::kTrain);
    const std::int64_t count = shape.objects[s];
    for (std::int64_t i = 0; i < count; ++i) {
      builder.add_object();
      const double x = random.uniform(-4, 4), y = random.uniform(-4, 4), angle = random.uniform(0, 6.28),
                   speed = random.uniform(0.7, 1.5), turn = random.uniform(-0.3, 0.3);
      const std::int64_t enters = random.between(0, 3);
      for (std::int64_t k = enters; k < 20; ++k) {
        const double t = 0.4 * (static_cast<double>(k) + (shape.regular ? 0.0 : 0.7 * random.uniform()));
        const bool stands = i > 0 && i + 1 == count, stopped = i > 1 && i + 2 == count;
        const double walked = stands ? 0.0 : stopped ? std::min(t, 1.5) : t;
        std::vector<double> v{x + speed / turn * (std::sin(angle + turn * walked) - std::sin(angle)),
                              y - speed / turn * (std::cos(angle + turn * walked) - std::cos(angle)), 0.2 * walked};
        const double way = angle + turn * walked, now = stands || (stopped && t > 1.5) ? 0.0 : speed;
        std::vector<double> velocity{now * std::cos(way), now * std::sin(way), 0.2};
        if (shape.move) {
          std::vector<double> tip{v[0] + velocity[0], v[1] + velocity[1], v[2] + velocity[2]};
          shape.move(v), shape.move(tip);
          for (std::size_t a = 0; a < 3; ++a) velocity[a] = tip[a] - v[a];
        }
        v.resize(static_cast<std::size_t>(axes));
        if (shape.velocities) v.insert(v.end(), velocity.begin(), velocity.begin() + axes);
        if (shape.scalar) v.push_back(std::sin(t + static_cast<double>(i)));
        for (double& value : v)
          if (random.uniform() < shape.missing) value = std::numeric_limits<double>::quiet_NaN();
        if (shape.change) shape.change(s, i, t, v);
        builder.add_observation(t, v);
      }
    }
    if (shape.relations)
      for (std::int32_t i = 0; i + 1 < static_cast<std::int32_t>(count); ++i)
        builder.add_relation({i + 1, i, i % 2, 0.5F + static_cast<float>(i)});
  }
  return builder.finish("scenes");
}

// Forecasts; positions are divided by 10, whatever the data.
inline data::BatchMaker scene_maker(const data::Dataset& set, data::TaskOptions task = {}) {
  task.task = data::Task::kExtrapolate, task.observed = 1.0, task.leave = 8.0;
  std::vector<double> scale(static_cast<std::size_t>(set.features()), 10.0);
  return {set, {scale, {}}, task};
}

inline model::FramesShape frames_of(const data::BatchMaker& maker, const char* base = "constant_velocity") {
  model::FramesShape out;
  out.features = maker.dataset().description().features;
  out.scale = maker.normalisation().scale;
  out.time_scale = maker.clock().time_scale;
  out.positions = {0, 1};
  if (out.features.size() > 2 && out.features[2].name == "z") out.positions.push_back(2);
  out.base = base;
  out.fit.damping.assign(out.features.size(), 3.0);
  out.fit.noise.assign(out.features.size(), {.drive = 0.5, .position = 1e-5, .velocity = 1e-4, .speed = 1.0});
  out.length = 1.0, out.time = 0.8 / out.time_scale, out.pair_length = 1.2, out.radius = 6.0;
  out.step = 0.4 / out.time_scale;
  for (int k = 0; k < 5; ++k) out.slots.push_back(0.4 * k / out.time_scale);
  out.pairs =
      maker.dataset().relations() > 0 ? model::FramesShape::Pairs::kNearAndListed : model::FramesShape::Pairs::kNear;
  return out;
}

inline model::ModelShape scene_shape(const data::BatchMaker& maker, const char* base = "constant_velocity") {
  model::ModelShape shape{maker.dataset().features(),
                          static_cast<std::int64_t>(maker.dataset().description().relation_types.size()),
                          maker.dataset().has_missing()};
  shape.forecast = true, shape.memory = 1.0;
  shape.frames = frames_of(maker, base);
  return shape;
}

}  // namespace lgode::testing
