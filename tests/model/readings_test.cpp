// Paths read at targets and at seen observations, after the start and before it.
#include <gtest/gtest.h>

#include "lgode/model/lgode.h"
#include "support/batches.h"
#include "support/numeric.h"

namespace lgode::model {
namespace {

using data::View;
using lgode::testing::expect_close;
using lgode::testing::random_maker;

ModelOptions small(ode::Solver solver = ode::Solver::kRk4) {
  ModelOptions o;
  o.encoder_width = 8, o.sequence_width = 6, o.latent = 4, o.augment = 2, o.hidden = 7, o.step = 0.02;
  o.solver = solver, o.rtol = 1e-9, o.atol = 1e-11;
  return o;
}

// Interpolation: a target that the encoder saw is both a target and a seen observation.
TEST(ReadingsTest, SeenTargetsAreReadTwiceAlike) {
  const data::BatchMaker maker = random_maker({.missing = 0.2, .blind = true});
  for (at::ScalarType dtype : {at::kDouble, at::kFloat}) {
    LgOde model(small(), {3, 2, true, 0.4}, 7, dtype);
    const BatchTensors batch = model.tensors(maker.make({0, 1, 2}, View::kValidate));
    const Paths paths = model.paths(batch, *model.prepare(batch.batch, {.samples = 2, .read_seen = true}), {}, {});
    ASSERT_EQ(paths.seen.sizes(), (std::vector<std::int64_t>{2, batch.batch.observations(), 3}));
    const at::Tensor seen = batch.target_seen.squeeze(1).ne(0);
    EXPECT_EQ(seen.sum().item<std::int64_t>(), batch.batch.observations());
    for (std::int64_t s = 0; s < 2; ++s)
      expect_close(paths.seen[s].detach(), paths.values[s].index({seen}).detach(), 0.0);
    // Further readings do not change the targets, except through the steps of systems that are read farther.
    expect_close(paths.values[0].detach(), model.mean_path(batch).detach(), dtype == at::kDouble ? 1e-12 : 1e-5);
  }
}

// Extrapolation: the context's observations are before the start. A state read there and integrated forward returns to
// the state at the start.
TEST(ReadingsTest, NegativeTimesAreReadBackInTime) {
  const data::BatchMaker maker = random_maker({}, {.task = data::Task::kExtrapolate});
  for (ode::Solver solver : {ode::Solver::kRk4, ode::Solver::kRk4Classic, ode::Solver::kDopri5}) {
    const ModelOptions options = small(solver);
    LgOde model(options, {3, 2, false, 0.4}, 7, at::kDouble);
    const data::Batch batch = maker.make({0, 1, 2}, View::kValidate);
    ASSERT_LT(*std::max_element(batch.observation_times.begin(), batch.observation_times.end()), 0.0);
    const Dynamics dynamics(options, 2);
    // Reads every object at -0.3, then starts from that state and reads at +0.3. The augmentation is part of the state.
    ModelOptions wide = options;
    wide.latent = options.latent + options.augment, wide.augment = 0;
    const Dynamics full(wide, 2);
    data::Batch back = batch, forth = batch;
    for (auto [set, time] : {std::pair{&back, -0.3}, std::pair{&forth, 0.3}}) {
      set->target_times.assign(static_cast<std::size_t>(batch.objects()), time);
      set->target_offsets.clear();
      for (std::int64_t i = 0; i <= batch.objects(); ++i) set->target_offsets.push_back(i);
      set->target_values.assign(set->target_times.size() * 3, 0.0F);
      set->target_mask = set->target_values;
      set->target_seen.assign(set->target_times.size(), 0);
    }
    ops::Upload upload;
    Random random(3, RandomUse::kTest);
    at::Tensor z0 = at::zeros({batch.objects(), 6}, at::kDouble);
    for (std::int64_t k = 0; k < z0.numel(); ++k) z0.data_ptr<double>()[k] = random.normal();
    const at::Tensor there = full(model.parameters(), full.prepare(back, {}, at::kDouble, upload), z0);
    EXPECT_GT(lgode::testing::distance(there.detach(), z0), 1e-3);
    const at::Tensor again = full(model.parameters(), full.prepare(forth, {}, at::kDouble, upload), there);
    expect_close(again.detach(), z0, 1e-7);  // fourth order at a step of 0.02
  }
}

TEST(ReadingsTest, GradientsFlowThroughReadingsBeforeTheStart) {
  const data::BatchMaker maker =
      random_maker({.objects = {2, 1}, .min_length = 3, .max_length = 5}, {.task = data::Task::kExtrapolate});
  ModelOptions options = small();
  options.step = 0.2;
  LgOde model(options, {3, 2, false, 0.4}, 7, at::kDouble);
  const BatchTensors batch = model.tensors(maker.make({0}, View::kValidate));
  const auto rollout = model.prepare(batch.batch, {.read_seen = true});
  std::vector<at::Tensor> leaves;
  for (const Parameters::Entry& e : model.parameters().entries()) leaves.push_back(e.tensor);
  lgode::testing::expect_gradients(
      [&] {
        const Paths paths = model.paths(batch, *rollout, {}, {});
        return lgode::testing::mix(paths.seen, 0.3) + lgode::testing::mix(paths.values, 0.8);
      },
      leaves, 2e-6);
}

// float32 uses the fused solve, float64 the reference.
TEST(ReadingsTest, FusedSolvesReadBackInTimeToo) {
  const data::BatchMaker maker = random_maker({.objects = {3, 4, 2, 1, 2}}, {.task = data::Task::kExtrapolate});
  LgOde narrow(small(), {3, 2, false, 0.4}, 7, at::kFloat), wide(small(), {3, 2, false, 0.4}, 7, at::kDouble);
  wide.parameters().flat().copy_(narrow.parameters().flat());
  const data::Batch batch = maker.make({0, 1, 2, 3}, View::kValidate);
  auto seen = [&](const LgOde& model) {
    const BatchTensors tensors = model.tensors(batch);
    return model.paths(tensors, *model.prepare(batch, {.samples = 3, .read_seen = true}), {}, {}).seen.detach();
  };
  expect_close(seen(narrow).to(at::kDouble), seen(wide), 1e-4);
}

TEST(BorrowingTest, ListsBlindObjectsWithTheirSeenSources) {
  const data::BatchMaker maker = random_maker({.blind = true});
  ops::Upload upload;
  const BatchTensors exact = to_tensors(maker.make({0}, View::kValidate), {}, upload);
  ASSERT_TRUE(exact.borrowing.any());
  EXPECT_EQ(exact.borrowing.objects.numel(), 1);
  EXPECT_EQ(exact.borrowing.objects[0].item<std::int64_t>(), 0);
  TensorOptions options;
  options.shapes = ops::Shapes::kPadded;
  const BatchTensors padded = to_tensors(maker.make({0}, View::kValidate), options, upload);
  EXPECT_EQ(padded.borrowing.objects.numel(), ops::padded_size(1));
  EXPECT_EQ(padded.borrowing.offsets[1].item<std::int64_t>(), padded.borrowing.offsets[-1].item<std::int64_t>());
  EXPECT_FALSE(to_tensors(maker.make({1}, View::kValidate), {}, upload).borrowing.any());
}

// The initial values of a parameter depend only on its name, shape, bound and the seed.
TEST(ParametersTest, StartAlikeInModelsThatShareThem) {
  ModelOptions full = small(), other = small();
  other.kind = ModelKind::kLatentOde, other.layers = 1, other.ode = OdeKind::kIndependent;
  LgOde a(full, {3, 2, false, 0.4}, 7), b(other, {3, 2, false, 0.4}, 7), c(full, {3, 2, false, 0.4}, 8);
  std::int64_t shared = 0;
  for (const Parameters::Entry& e : b.parameters().entries())
    for (const Parameters::Entry& f : a.parameters().entries())
      if (e.name == f.name && e.shape == f.shape && e.bound == f.bound) {
        EXPECT_TRUE(e.tensor.equal(f.tensor)) << e.name;
        ++shared;
      }
  EXPECT_GE(shared, 10);  // posterior, object network, decoder
  EXPECT_FALSE(a.parameters()["decoder.weight"].equal(c.parameters()["decoder.weight"]));
  EXPECT_FALSE(a.parameters()["encoder.layer0.query.weight"].equal(a.parameters()["encoder.layer1.query.weight"]));
}

}  // namespace
}  // namespace lgode::model
