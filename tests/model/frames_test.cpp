// The model of scenes: its start is a classical path, it turns, moves and is mirrored with the scene, and nothing
// depends on later rows or on objects out of reach.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lgode/core/error.h"
#include "lgode/data/classical/classical.h"
#include "lgode/model/frames/model.h"
#include "support/numeric.h"
#include "support/scenes.h"
#include "support/temp_folder.h"

namespace lgode::model {
namespace {

using data::Batch;
using data::BatchMaker;
using data::View;
using lgode::testing::distance;
using lgode::testing::expect_close;
using lgode::testing::scene_maker;
using lgode::testing::scene_set;
using lgode::testing::scene_shape;
using lgode::testing::SceneShape;

ModelOptions small(Neighbours neighbours = Neighbours::kFrozen) {
  ModelOptions o;
  o.kind = ModelKind::kFrames, o.neighbours = neighbours;
  o.encoder_width = 8, o.hidden = 12, o.state = 6, o.heads = 2;
  return o;
}

// Weights as if trained: large enough that forecasts bend by metres.
void shake(Parameters& p, double size = 0.4) {
  at::NoGradGuard no_grad;
  p.flat().add_(at::sin(at::arange(p.count(), at::kDouble) * 0.7).to(p.flat().options()) * size);
}

at::Tensor forecast(const Model& model, const Batch& batch) {
  at::NoGradGuard no_grad;
  return model.mean_path(model.tensors(batch));
}

at::Tensor rows_of(const std::vector<float>& values, std::int64_t width) {
  return at::tensor(values, at::TensorOptions(at::kFloat)).view({-1, width});
}

TEST(FramesTest, IsTheClassicalPathBeforeTraining) {
  for (const char* base : {"constant_velocity", "damped_velocity", "kalman", "hold"})
    for (const double missing : {0.0, 0.2}) {
      SCOPED_TRACE(base);
      const BatchMaker maker =
          scene_maker(scene_set({.regular = false, .missing = missing, .velocities = missing > 0, .scalar = true}));
      const ModelShape shape = scene_shape(maker, base);
      const Frames model(small(), shape, 7);
      const Batch batch = maker.make({0, 1, 2}, View::kValidate);
      const std::vector<float> row =
          data::predict_classical(find_classical_method(base)->kind, batch, maker.dataset().description().features,
                                  maker.normalisation(), maker.clock().time_scale, shape.frames->fit);
      EXPECT_TRUE(at::equal(forecast(model, batch), rows_of(row, batch.features)));
    }
}

struct Motion {
  double angle, shift;
  bool mirror;
  void operator()(std::vector<double>& place) const {
    if (mirror) place[1] = -place[1];
    const double x = place[0], y = place[1], c = std::cos(angle), s = std::sin(angle);
    place[0] = c * x - s * y + shift, place[1] = s * x + c * y - 2 * shift, place[2] += shift;
  }
};

// Forecasts of positions in metres, [T, d].
at::Tensor places(const Model& model, const Batch& batch) {
  const auto axes = static_cast<std::int64_t>(model.shape().frames->positions.size());
  return forecast(model, batch).slice(1, 0, axes).to(at::kDouble) * 10;
}

TEST(FramesTest, TurnsMovesAndIsMirroredWithTheScene) {
  constexpr double kExtent = 20;
  for (const char* base : {"constant_velocity", "damped_velocity", "kalman", "hold"})
    for (const bool space : {false, true})
      for (const bool velocities : {false, true}) {
        const Neighbours neighbours = velocities ? Neighbours::kMoving : Neighbours::kFrozen;
        SceneShape scene{.velocities = velocities, .space = space, .relations = space};
        const BatchMaker maker = scene_maker(scene_set(scene));
        Frames model(small(neighbours), scene_shape(maker, base), 7);
        shake(model.parameters());
        const Batch still = maker.make({0, 1, 2}, View::kValidate);
        const at::Tensor before = places(model, still);
        const at::Tensor start = rows_of(
            data::predict_classical(find_classical_method(base)->kind, still, maker.dataset().description().features,
                                    maker.normalisation(), maker.clock().time_scale, model.shape().frames->fit),
            still.features);
        EXPECT_GT((before - start.slice(1, 0, before.size(1)).to(at::kDouble) * 10).abs().max().item<double>(), 0.5);
        for (const Motion motion : {Motion{1.0, 0, false}, Motion{2.5, 3, true}, Motion{std::numbers::pi, -1, false},
                                    Motion{0, 0, true}, Motion{4.0, 2, true}}) {
          SCOPED_TRACE(std::string(base) + (space ? " in space" : "") + (motion.mirror ? " mirrored" : ""));
          scene.move = motion;
          const BatchMaker moved = scene_maker(scene_set(scene));
          const at::Tensor after = places(model, moved.make({0, 1, 2}, View::kValidate));
          ASSERT_EQ(after.sizes(), before.sizes());
          for (std::int64_t t = 0; t < before.size(0); ++t) {
            std::vector<double> place(3, 0.0);
            for (std::int64_t a = 0; a < before.size(1); ++a) place[a] = before[t][a].item<double>();
            motion(place);
            for (std::int64_t a = 0; a < before.size(1); ++a)
              ASSERT_NEAR(after[t][a].item<double>(), place[a], 1e-5 * kExtent) << "target " << t << " axis " << a;
          }
        }
      }
}

TEST(FramesTest, StandingObjectsTakeTheirDirectionFromOthersOrHaveNone) {
  // One object that always stood, alone; two that always stood, side by side.
  const auto stand = [](std::size_t system, std::int64_t object, double, std::vector<double>& v) {
    if (system < 2) v = {static_cast<double>(object), 0.5};
  };
  const BatchMaker maker = scene_maker(scene_set({.objects = {1, 2, 3, 1}, .change = stand}));
  Frames model(small(), scene_shape(maker), 7);
  shake(model.parameters());
  const at::Tensor alone = places(model, maker.make({0}, View::kValidate)),
                   two = places(model, maker.make({1}, View::kValidate));
  EXPECT_LT((alone - at::tensor({0.0, 0.5})).abs().max().item<double>(), 1e-6);
  // They can only move along the line that joins them, in opposite directions.
  EXPECT_GT((two - two.slice(0, 0, 1)).abs().max().item<double>(), 1e-3);
  EXPECT_LT((two.select(1, 1) - 0.5).abs().max().item<double>(), 1e-5);
  const std::int64_t half = two.size(0) / 2;
  EXPECT_LT((two.slice(0, 0, half).select(1, 0) + two.slice(0, half).select(1, 0) - 1).abs().max().item<double>(),
            1e-5);
}

TEST(FramesTest, DependsOnNeighboursWithinTheRadiusOnly) {
  for (const bool related : {false, true})
    for (const Neighbours neighbours : {Neighbours::kFrozen, Neighbours::kMoving, Neighbours::kNone})
      for (const double away : {1.0, 500.0}) {
        double shift = 0;
        const auto change = [&](std::size_t system, std::int64_t object, double time, std::vector<double>& v) {
          if (system == 0 && object == 0) v = {time, 0.0};
          if (system == 0 && object == 1) v = {time + away + shift, 1 + shift * time};
        };
        const auto path = [&] {
          const BatchMaker maker =
              scene_maker(scene_set({.objects = {2, 2, 2, 2}, .relations = related, .change = change}));
          Frames model(small(neighbours), scene_shape(maker), 7);
          shake(model.parameters());
          const Batch batch = maker.make({0}, View::kValidate);
          return places(model, batch).slice(0, 0, batch.target_offsets[1]);
        };
        const at::Tensor before = path();
        shift = 0.3;
        const double moved = distance(path(), before);
        if (neighbours != Neighbours::kNone && (away < 10 || related))
          EXPECT_GT(moved, 1e-7);
        else
          EXPECT_EQ(moved, 0.0);
      }
}

TEST(FramesTest, NothingDependsOnLaterRowsOrOtherTargets) {
  bool changed = false;
  const auto change = [&](std::size_t, std::int64_t object, double time, std::vector<double>& v) {
    if (changed && time > 4.0) v[0] += 3 * time + static_cast<double>(object), v[1] = -v[1];
  };
  const auto make = [&] { return scene_maker(scene_set({.regular = false, .scalar = true, .change = change})); };
  const BatchMaker before = make();
  changed = true;
  const BatchMaker after = make();
  for (const Neighbours neighbours : {Neighbours::kFrozen, Neighbours::kMoving}) {
    Frames model(small(neighbours), scene_shape(before), 7);
    shake(model.parameters());
    const auto at_times = [&](const BatchMaker& maker, const std::vector<double>& times) {
      return forecast(model, maker.make_prediction({{2, 4.0, times}}));
    };
    const at::Tensor both = at_times(before, {4.4, 6.0});
    EXPECT_TRUE(at::equal(both, at_times(after, {4.4, 6.0})));
    // The objects' paths do not depend on what else is asked for.
    const at::Tensor one = at_times(before, {6.0});
    expect_close(one, both.slice(0, 1, both.size(0), 2), 1e-5);
  }
}

TEST(FramesTest, GapsSingleRowsAndMissingValuesWork) {
  const auto change = [](std::size_t system, std::int64_t object, double time, std::vector<double>& v) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    if (system == 0 && object == 0 && (time < 3.2 || time > 4.0)) v = {none, none, none};  // a single row
    if (system == 0 && object == 1) v[1] = none;                                           // never a position
    if (system == 0 && object == 2 && time > 1.0 && time < 3.4) v = {none, none, none};    // a gap
    if (system == 0 && object == 3 && time < 4.0) v = {none, none, none};                  // not seen at all
  };
  const data::Dataset set = scene_set({.regular = false, .missing = 0.1, .scalar = true, .change = change});
  for (const data::Unseen unseen : {data::Unseen::kLeaveOut, data::Unseen::kPredict}) {
    const BatchMaker maker = scene_maker(set, {.unseen = unseen});
    for (const double memory : {1.0, 0.1}) {
      ModelShape shape = scene_shape(maker);
      shape.memory = memory;
      Frames model(small(memory < 1 ? Neighbours::kMoving : Neighbours::kFrozen), shape, 7, at::kDouble);
      shake(model.parameters());
      const BatchTensors batch = model.tensors(maker.make_prediction({{0, 4.0, {4.0, 4.1, 7.0}}, {2, 4.0, {9.0}}}));
      const at::Tensor path = model.mean_path(batch);
      EXPECT_TRUE(path.isfinite().all().item<bool>());
      path.sum().backward();
      EXPECT_TRUE(model.parameters().flat_grad().isfinite().all().item<bool>());
    }
  }
}

TEST(FramesTest, VelocitiesAreDerivativesOfPositions) {
  const BatchMaker maker = scene_maker(scene_set({.velocities = true}));
  Frames model(small(), scene_shape(maker), 7, at::kDouble);
  shake(model.parameters());
  constexpr double kGap = 1e-3;
  std::vector<double> times;
  for (double t = 4.2; t < 7; t += 0.4) times.insert(times.end(), {t - kGap, t, t + kGap});
  const at::Tensor path = forecast(model, maker.make_prediction({{0, 4.0, times}})) * 10;
  for (std::int64_t k = 1; k < path.size(0); k += 3)
    for (std::int64_t a = 0; a < 2; ++a)
      EXPECT_NEAR((path[k + 1][a] - path[k - 1][a]).item<double>() / (2 * kGap), path[k][2 + a].item<double>(), 2e-3);
}

TEST(FramesTest, MakesForecastsOnly) {
  const BatchMaker maker = scene_maker(scene_set({}));
  ModelShape shape = scene_shape(maker);
  shape.forecast = false;
  lgode::testing::expect_error<ConfigError>([&] { Frames(small(), shape, 7); },
                                            {"`model` frames", "`task` extrapolate", "`model` assimilate"});
}

}  // namespace
}  // namespace lgode::model
