// The model as a whole: independence of the batch, equivariance, time shifts, unusual systems.
#include "lgode/model/lgode.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/batches.h"
#include "support/numeric.h"

namespace lgode::model {
namespace {

using data::Batch;
using data::BatchMaker;
using data::View;
using lgode::testing::autograd_gradients;
using lgode::testing::distance;
using lgode::testing::expect_close;
using lgode::testing::mix;
using lgode::testing::random_dataset;
using lgode::testing::random_maker;

ModelOptions small(ode::Solver solver = ode::Solver::kRk4) {
  ModelOptions o;
  o.encoder_width = 8, o.sequence_width = 6, o.latent = 4, o.augment = 3, o.hidden = 8;
  o.solver = solver;
  o.rtol = 1e-8, o.atol = 1e-10;
  return o;
}

ModelShape shape_of(const BatchMaker& maker) {
  return {maker.dataset().features(), static_cast<std::int64_t>(maker.dataset().description().relation_types.size()),
          maker.dataset().has_missing(), 0.4};
}

LgOde make_model(const BatchMaker& maker, const ModelOptions& options) {
  return {options, shape_of(maker), 7, at::kDouble};
}

std::vector<at::Tensor> leaves(LgOde& model) {
  std::vector<at::Tensor> all;
  for (const Parameters::Entry& e : model.parameters().entries()) all.push_back(e.tensor);
  return all;
}

// Gradients of leaves(). Without neighbours, the bias of the keys is the same in all scores of a target, and softmax
// cancels it. Its gradient is then the rounding error of terms as large as for the key's weight, the leaf before
// it.
void expect_close_gradients(LgOde& model, const std::vector<at::Tensor>& got, const std::vector<at::Tensor>& expected,
                            double tolerance) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::string& name = model.parameters().entries()[i].name;
    SCOPED_TRACE(name);
    if (name.ends_with(".key.bias"))
      lgode::testing::expect_close_beside(got[i], expected[i], expected[i - 1].abs().max().item<double>(), tolerance);
    else
      expect_close(got[i], expected[i], tolerance);
  }
}

// Rows of the targets of `system` in a batch.
std::pair<std::int64_t, std::int64_t> target_rows(const Batch& batch, std::int64_t system) {
  const auto b = std::find(batch.system.begin(), batch.system.end(), system) - batch.system.begin();
  return {batch.target_offsets[batch.object_offsets[b]], batch.target_offsets[batch.object_offsets[b + 1]]};
}

class SolverTest : public ::testing::TestWithParam<ode::Solver> {};
INSTANTIATE_TEST_SUITE_P(All, SolverTest,
                         ::testing::Values(ode::Solver::kRk4, ode::Solver::kRk4Classic, ode::Solver::kEuler,
                                           ode::Solver::kMidpoint, ode::Solver::kDopri5, ode::Solver::kTsit5),
                         [](const auto& c) {
                           std::string name(ode::solver_name(c.param));
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(SolverTest, PredictionAndGradientDoNotDependOnTheBatch) {
  // An error-controlled solve takes more and smaller steps here (rtol = 1e-8), so rounding adds up.
  const double tolerance = ode::is_adaptive(GetParam()) ? 1e-10 : 1e-12;
  for (data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate}) {
    const BatchMaker maker = random_maker({.missing = 0.1}, {.task = task});
    LgOde model = make_model(maker, small(GetParam()));
    const BatchTensors together = model.tensors(maker.make({0, 1, 2}, View::kValidate));
    const at::Tensor all = model.mean_path(together);
    for (std::int64_t system : {0, 1, 2}) {
      const BatchTensors alone = model.tensors(maker.make({system}, View::kValidate));
      const auto [begin, end] = target_rows(together.batch, system);
      ASSERT_GT(end, begin);
      const at::Tensor own = model.mean_path(alone), shared = all.slice(0, begin, end);
      expect_close(own.detach(), shared.detach(), tolerance);
      const auto expected = autograd_gradients(mix(own, 0.2), leaves(model));
      const auto got = autograd_gradients(mix(shared, 0.2), leaves(model));
      expect_close_gradients(model, got, expected, 10 * tolerance);
    }
  }
}

TEST_P(SolverTest, PredictionDoesNotDependOnTheOtherTimesAskedFor) {
  const BatchMaker maker = random_maker({});
  LgOde model = make_model(maker, small(GetParam()));
  const at::Tensor few = model.mean_path(model.tensors(maker.make_prediction({{2, {}, {0.3137, 1.7719}}})));
  const at::Tensor many =
      model.mean_path(model.tensors(maker.make_prediction({{2, {}, {0.0, 0.1, 0.3137, 0.5, 1.1111, 1.7719, 3.9}}})));
  for (std::int64_t i = 0; i < 4; ++i) {
    // An error-controlled solver clips its last step to the horizon, which moves readings within its tolerance only.
    const double tolerance = ode::is_adaptive(GetParam()) ? 1e-6 : 1e-12;
    expect_close(few[2 * i].detach(), many[7 * i + 2].detach(), tolerance);
    expect_close(few[2 * i + 1].detach(), many[7 * i + 5].detach(), tolerance);
  }
}

TEST_P(SolverTest, FloatPredictionDoesNotDependOnTheBatch) {
  const BatchMaker maker = random_maker({});
  ModelOptions options = small(GetParam());
  options.rtol = 1e-4, options.atol = 1e-6;  // float32 has no digits for less
  LgOde model(options, shape_of(maker), 7);
  const BatchTensors together = model.tensors(maker.make({0, 1, 2}, View::kValidate));
  const auto [begin, end] = target_rows(together.batch, 2);
  expect_close(model.mean_path(model.tensors(maker.make({2}, View::kValidate))).detach(),
               model.mean_path(together).slice(0, begin, end).detach(), lgode::testing::rounding(at::kFloat, 64));
}

// The same system with its objects in another order.
data::Dataset permuted(const data::Dataset& set, const std::vector<std::int64_t>& order) {
  data::DatasetBuilder builder(set.description());
  builder.begin_system(data::Part::kTrain);
  std::vector<std::int32_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<std::int32_t>(i);
    builder.add_object();
    const auto times = set.times_of(order[i]);
    const auto values = set.values_of(order[i]);
    for (std::size_t k = 0; k < times.size(); ++k)
      builder.add_observation(times[k], values.subspan(k * set.features(), set.features()));
  }
  for (std::int64_t e = 0; e < set.relations_of(0); ++e) {
    data::Relation r = set.relation(e);
    r.source = place[r.source], r.target = place[r.target];
    builder.add_relation(r);
  }
  return builder.finish("permuted");
}

TEST(LgOdeTest, PermutingObjectsPermutesTheOutput) {
  const data::Dataset set = random_dataset({.objects = {4, 1}});
  const std::vector<std::int64_t> order{2, 0, 3, 1};
  const data::Normalisation norm = data::fit_normalisation(set, {0});
  const BatchMaker first(set, norm, {}), second(permuted(set, order), norm, {});
  LgOde model = make_model(first, small());
  const std::vector<double> times{0.2, 0.9, 1.7};
  const at::Tensor a = model.mean_path(model.tensors(first.make_prediction({{0, {}, times}}))).view({4, 3, 3}).detach();
  const at::Tensor b =
      model.mean_path(model.tensors(second.make_prediction({{0, {}, times}}))).view({4, 3, 3}).detach();
  for (std::int64_t i = 0; i < 4; ++i) expect_close(b[i], a[order[i]], 1e-12);
  EXPECT_GT(distance(a[0], a[1]), 1e-3);  // objects do differ
}

TEST(LgOdeTest, ShiftingTimesAndStartTogetherChangesNothing) {
  for (data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate}) {
    const BatchMaker here = random_maker({.shift = 0.0}, {.task = task});
    const BatchMaker there = random_maker({.shift = 1024.0}, {.task = task});
    LgOde model = make_model(here, small());
    const BatchTensors a = model.tensors(here.make({0, 2}, View::kValidate));
    const BatchTensors b = model.tensors(there.make({0, 2}, View::kValidate));
    // Times near 1024 have rounding errors of 1e-13, which the fastest sine multiplies by 200.
    expect_close(model.encode(b).u.detach(), model.encode(a).u.detach(), 1e-9);
    expect_close(model.mean_path(b).detach(), model.mean_path(a).detach(), 1e-9);
  }
}

TEST(LgOdeTest, MovingTheStartAloneChangesUButNotH) {
  const BatchMaker maker = random_maker({}, {.task = data::Task::kExtrapolate, .context = data::Context::kAll});
  LgOde model = make_model(maker, small());
  // Both starts are after the last observation, so that the encoder sees the same.
  const Encoding a = model.encode(model.tensors(maker.make_prediction({{2, 2.0, {3.0}}})));
  const Encoding b = model.encode(model.tensors(maker.make_prediction({{2, 2.5, {3.0}}})));
  expect_close(b.h.detach(), a.h.detach(), 1e-10);
  EXPECT_GT(distance(b.u.detach(), a.u.detach()), 1e-3);
}

TEST(LgOdeTest, ObjectWithoutObservationsTakesItsNeighboursMean) {
  data::Description d;
  d.features = {{"x", "", 0, -1}};
  d.relation_types = {"r"};
  data::DatasetBuilder builder(d);
  builder.begin_system(data::Part::kTrain);
  for (int i = 0; i < 4; ++i) {
    builder.add_object();
    if (i == 1 || i == 2)
      for (double t : {0.1, 0.45}) builder.add_observation(t, std::vector<double>{t * i});
  }
  builder.add_relation({1, 0}), builder.add_relation({2, 0}), builder.add_relation({3, 0});
  const data::Dataset set = builder.finish("blind");
  const BatchMaker maker(set, data::fit_normalisation(set, {0}), {.unseen = data::Unseen::kPredict});
  LgOde model = make_model(maker, small());
  const at::Tensor u = model.encode(model.tensors(maker.make_prediction({{0, {}, {0.5}}}))).u.detach();
  expect_close(u[0], (u[1] + u[2]) / 2, 1e-12);  // object 3 has no observations and does not count
  expect_close(u[3], at::zeros_like(u[3]));      // neither observations nor observed neighbours
}

TEST(LgOdeTest, EmptySystemAndSingleObservationWork) {
  const data::Dataset set = lgode::testing::nothing_and_one_observation();
  const BatchMaker maker(set, data::fit_normalisation(set, {0, 1}), {.unseen = data::Unseen::kPredict});
  LgOde model = make_model(maker, small());
  const at::Tensor y = model.mean_path(model.tensors(maker.make_prediction({{0, {}, {0.1}}, {1, {}, {0.1}}})));
  EXPECT_TRUE(y.isfinite().all().item<bool>());
}

TEST(LgOdeTest, FusedAndReferenceAgreeInTheWholeModel) {
  const BatchMaker maker = random_maker({.missing = 0.2, .blind = true});
  ModelOptions options = small();
  LgOde fused(options, shape_of(maker), 7);
  options.impl = ops::Impl::kReference;
  LgOde reference(options, shape_of(maker), 7);
  const Batch batch = maker.make({0, 1, 2}, View::kTrain, 3);
  const at::Tensor a = fused.mean_path(fused.tensors(batch)), b = reference.mean_path(reference.tensors(batch));
  expect_close(a.detach(), b.detach(), lgode::testing::rounding(at::kFloat, 512));
  const auto ga = autograd_gradients(mix(a, 0.4), leaves(fused)),
             gb = autograd_gradients(mix(b, 0.4), leaves(reference));
  for (std::size_t i = 0; i < ga.size(); ++i) expect_close(ga[i], gb[i], lgode::testing::rounding(at::kFloat, 4096));
}

TEST(LgOdeTest, UnionGridReadsTheSameSolution) {
  const BatchMaker maker = random_maker({});
  ModelOptions options = small();
  options.step = 0.01;
  LgOde own = make_model(maker, options);
  options.grid = Grid::kUnion;
  LgOde other = make_model(maker, options);
  const Batch batch = maker.make({0, 1, 2}, View::kValidate);
  expect_close(own.mean_path(own.tensors(batch)).detach(), other.mean_path(other.tensors(batch)).detach(), 1e-6);
}

TEST(LgOdeTest, InteractionNeighboursIgnoresUnrelatedObjects) {
  data::Description d;
  d.features = {{"x", "", 0, -1}};
  d.relation_types = {"r"};
  auto build = [&](double far) {
    data::DatasetBuilder builder(d);
    builder.begin_system(data::Part::kTrain);
    for (double x : {0.3, 0.5, far}) {
      builder.add_object();
      builder.add_observation(0.2, std::vector<double>{x});
    }
    builder.add_relation({1, 0}), builder.add_relation({0, 1});
    return builder.finish("three");
  };
  for (Interaction interaction : {Interaction::kNeighbours, Interaction::kAll}) {
    ModelOptions options = small();
    options.interaction = interaction;
    const BatchMaker a(build(0.1), {{1.0}}, {}), b(build(0.9), {{1.0}}, {});
    LgOde model = make_model(a, options);
    const at::Tensor y = model.mean_path(model.tensors(a.make_prediction({{0, {}, {0.8}}})));
    const at::Tensor z = model.mean_path(model.tensors(b.make_prediction({{0, {}, {0.8}}})));
    const double change = (y[0] - z[0]).abs().max().item<double>();
    if (interaction == Interaction::kNeighbours)
      EXPECT_LT(change, 1e-14);
    else
      EXPECT_GT(change, 1e-6);
  }
}

TEST(LgOdeTest, SamplesAreRolledOutIndependently) {
  const BatchMaker maker = random_maker({});
  LgOde model = make_model(maker, small());
  const BatchTensors batch = model.tensors(maker.make({0, 1, 2}, View::kValidate));
  const Encoding e = model.encode(batch);
  const at::Tensor noise = latent_noise(batch.batch, 3, 4, 5, RandomUse::kLatent, 0, e.mu.scalar_type());
  const at::Tensor z0 = e.mu.repeat({3, 1}) + noise;
  const at::Tensor all = model.roll_out(*model.prepare(batch.batch, {.samples = 3}), z0).values;
  const std::int64_t n = batch.batch.objects();
  for (std::int64_t s = 0; s < 3; ++s)
    expect_close(model.roll_out(*model.prepare(batch.batch), z0.slice(0, s * n, (s + 1) * n)).values[0].detach(),
                 all[s].detach(), 1e-12);
}

TEST(LatentNoiseTest, ASystemsNoiseDoesNotDependOnItsBatch) {
  const BatchMaker maker = random_maker({});
  const Batch together = maker.make({0, 1, 2}, View::kValidate), alone = maker.make({2}, View::kValidate);
  const at::Tensor a = latent_noise(together, 2, 4, 9, RandomUse::kLatent, 3, at::kDouble);
  const at::Tensor b = latent_noise(alone, 2, 4, 9, RandomUse::kLatent, 3, at::kDouble);
  const auto at2 = std::find(together.system.begin(), together.system.end(), 2) - together.system.begin();
  const std::int64_t first = together.object_offsets[at2], count = alone.objects(), n = together.objects();
  for (std::int64_t s = 0; s < 2; ++s)
    expect_close(b.slice(0, s * count, (s + 1) * count), a.slice(0, s * n + first, s * n + first + count), 0.0);
}

}  // namespace
}  // namespace lgode::model
