// Several futures beside the mean path: which the models make, how those of scenes turn and are mirrored, and what
// belongs together.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "lgode/model/frames/model.h"
#include "support/batches.h"
#include "support/numeric.h"
#include "support/scenes.h"

namespace lgode::model {
namespace {

using data::Batch;
using data::BatchMaker;
using data::View;
using lgode::testing::expect_close;
using lgode::testing::scene_maker;
using lgode::testing::scene_set;
using lgode::testing::scene_shape;
using lgode::testing::SceneShape;

ModelOptions frames_options(std::int64_t futures, Neighbours neighbours = Neighbours::kFrozen) {
  ModelOptions o;
  o.kind = ModelKind::kFrames, o.neighbours = neighbours, o.futures = futures;
  o.encoder_width = 8, o.hidden = 12, o.state = 6, o.heads = 2;
  return o;
}

// Weights as if trained, each by its name, so that models with and without futures share what they have in common.
void shake(Parameters& p) {
  at::NoGradGuard no_grad;
  for (const Parameters::Entry& e : p.entries()) {
    const double phase = static_cast<double>(e.name.size());
    at::Tensor tensor = e.tensor;
    tensor.add_((at::arange(tensor.numel(), at::kDouble) * 0.7 + phase).sin().view(tensor.sizes()).to(tensor.options()),
                0.4);
  }
}

Paths paths_of(const Model& model, const Batch& batch, std::int64_t samples = 1) {
  at::NoGradGuard no_grad;
  return model.paths(model.tensors(batch), *model.prepare(batch, {.samples = samples}), {}, {});
}

TEST(FramesFuturesTest, LeaveTheMeanPathAsItIs) {
  const BatchMaker maker = scene_maker(scene_set({}));
  const Batch batch = maker.make({0, 1, 2}, View::kValidate);
  for (const Neighbours neighbours : {Neighbours::kFrozen, Neighbours::kMoving, Neighbours::kNone}) {
    Frames one(frames_options(1, neighbours), scene_shape(maker), 7);
    shake(one.parameters());
    const Paths alone = paths_of(one, batch);
    EXPECT_FALSE(alone.futures.defined());
    for (const std::int64_t count : {2, 3, 6}) {
      Frames several(frames_options(count, neighbours), scene_shape(maker), 7);
      shake(several.parameters());
      const Paths found = paths_of(several, batch, 2);
      expect_close(found.values[1], alone.values[0], 1e-5);
      ASSERT_EQ(found.futures.sizes(), (std::vector<std::int64_t>{count, batch.targets(), batch.features}));
      ASSERT_EQ(found.scores.sizes(), (std::vector<std::int64_t>{batch.objects(), count}));
      // They differ from each other and from the mean path, by more than a centimetre somewhere.
      for (std::int64_t k = 0; k < count; ++k) {
        EXPECT_GT((found.futures[k] - found.values[0]).abs().max().item<double>(), 1e-3);
        for (std::int64_t j = 0; j < k; ++j)
          EXPECT_GT((found.futures[k] - found.futures[j]).abs().max().item<double>(), 1e-3);
      }
    }
  }
}

TEST(FramesFuturesTest, AreTheClassicalPathBeforeTraining) {
  const BatchMaker maker = scene_maker(scene_set({}));
  const Batch batch = maker.make({0, 2}, View::kValidate);
  const Paths found = paths_of(Frames(frames_options(4), scene_shape(maker), 7), batch);
  for (std::int64_t k = 0; k < 4; ++k) EXPECT_TRUE(at::equal(found.futures[k], found.values[0]));
}

// Positions in metres: [K, T, 2].
at::Tensor places(const Paths& paths) { return paths.futures.slice(2, 0, 2).to(at::kDouble) * 10; }

TEST(FramesFuturesTest, TurnWithTheSceneAndChangePlacesInItsMirrorImage) {
  for (const std::int64_t count : {4, 5}) {
    SceneShape scene;
    const BatchMaker maker = scene_maker(scene_set(scene));
    Frames model(frames_options(count), scene_shape(maker), 7);
    shake(model.parameters());
    const Paths before = paths_of(model, maker.make({0, 1, 2}, View::kValidate));
    for (const bool mirror : {false, true}) {
      const double c = std::cos(1.2), s = std::sin(1.2);
      scene.move = [&](std::vector<double>& p) {
        const double x = p[0], y = mirror ? -p[1] : p[1];
        p[0] = c * x - s * y + 3, p[1] = s * x + c * y - 1;
      };
      const BatchMaker moved = scene_maker(scene_set(scene));
      const Paths after = paths_of(model, moved.make({0, 1, 2}, View::kValidate));
      const at::Tensor was = places(before), is = places(after);
      for (std::int64_t k = 0; k < count; ++k) {
        // Pairs of futures are mirror images; the last one of an odd number is its own.
        const std::int64_t now = mirror && k < count / 2 * 2 ? (k ^ 1) : k;
        const at::Tensor x = was[k].select(1, 0), y = was[k].select(1, 1) * (mirror ? -1.0 : 1.0);
        const at::Tensor expected = at::stack({c * x - s * y + 3, s * x + c * y - 1}, 1);
        EXPECT_LT((is[now] - expected).abs().max().item<double>(), 2e-4) << k;
        EXPECT_LT((after.scores.select(1, now) - before.scores.select(1, k)).abs().max().item<double>(), 1e-4) << k;
      }
    }
  }
}

TEST(FramesFuturesTest, OfScenesHaveOneScoreForAllObjects) {
  const BatchMaker maker = scene_maker(scene_set({}));
  ModelOptions options = frames_options(6);
  Frames own(options, scene_shape(maker), 7);
  options.futures_of = FuturesOf::kScene;
  Frames joint(options, scene_shape(maker), 7);
  shake(own.parameters()), shake(joint.parameters());
  const Batch batch = maker.make({0, 1, 2}, View::kValidate);
  const at::Tensor scores = paths_of(own, batch).scores, shared = paths_of(joint, batch).scores;
  for (std::int64_t b = 0; b < batch.systems(); ++b) {
    const at::Tensor of_system = scores.slice(0, batch.object_offsets[b], batch.object_offsets[b + 1]);
    for (std::int64_t n = batch.object_offsets[b]; n < batch.object_offsets[b + 1]; ++n)
      expect_close(shared[n], of_system.mean(0), 1e-5);
  }
  EXPECT_GT((scores[0] - scores[1]).abs().max().item<double>(), 1e-3);
}

ModelOptions latent_options(ModelKind kind, std::int64_t futures) {
  ModelOptions o;
  o.kind = kind, o.futures = futures;
  o.encoder_width = 4, o.sequence_width = 6, o.latent = 3, o.augment = 1, o.hidden = 5, o.state = 4, o.step = 0.1;
  return o;
}

TEST(LatentFuturesTest, StartFromLearnedPlacesInThePosterior) {
  for (const data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate})
    for (const ModelKind kind : {ModelKind::kLgOde, ModelKind::kLatentOde, ModelKind::kAssimilate}) {
      SCOPED_TRACE(std::string(model_name(kind)));
      const data::Dataset set = lgode::testing::random_dataset({});
      const BatchMaker maker(set, {{10, 10, 10}, {}}, {.task = task});
      ModelShape shape{3, 2, false, 0.4};
      shape.forecast = task == data::Task::kExtrapolate, shape.memory = 1.0;
      const std::unique_ptr<Model> one = make_model(latent_options(kind, 1), shape, 7, at::kDouble),
                                   several = make_model(latent_options(kind, 3), shape, 7, at::kDouble);
      shake(one->parameters()), shake(several->parameters());
      const Batch batch = maker.make({0, 1, 2}, View::kValidate);
      const Paths alone = paths_of(*one, batch, 2), found = paths_of(*several, batch, 2);
      expect_close(found.values, alone.values, 1e-9);
      ASSERT_EQ(found.futures.sizes(), (std::vector<std::int64_t>{3, batch.targets(), 3}));
      ASSERT_EQ(found.scores.sizes(), (std::vector<std::int64_t>{batch.objects(), 3}));
      EXPECT_GT((found.futures[0] - found.futures[1]).abs().max().item<double>(), 1e-6);
      // A sample with a future's noise is that future.
      const at::Tensor shift = several->parameters()["futures.shift.weight"].detach();
      const at::Tensor posterior = at::cat({found.mu, found.sigma}, 1);
      const at::Tensor noise =
          several->parameters()["futures.noise"].detach()[1] + at::matmul(posterior, shift.slice(0, 3, 6).t());
      at::NoGradGuard no_grad;
      const Paths sampled = one->paths(one->tensors(batch), *one->prepare(batch, {}), noise, {});
      expect_close(sampled.values[0], found.futures[1], 1e-9);
    }
}

}  // namespace
}  // namespace lgode::model
