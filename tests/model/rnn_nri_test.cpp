// RNN-NRI: the grid, the imputation node by node, and the node from which the decoder uses its own predictions.
#include "lgode/model/rnn_nri.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lgode/core/error.h"
#include "support/batches.h"
#include "support/numeric.h"
#include "support/temp_folder.h"

namespace lgode::model {
namespace {

using data::Batch;
using data::BatchMaker;
using lgode::testing::distance;
using lgode::testing::expect_close;

constexpr double kCell = 0.125;

// Two systems of two objects with one feature, time scale 1. Observations are on grid nodes, in the first system also
// between them.
data::Dataset gappy() {
  data::Description d;
  d.features = {{"x", "", 0, -1}};
  d.relation_types = {"r"};
  d.time_scale = d.conditioning_length = 1.0;
  data::DatasetBuilder builder(d);
  const std::vector<std::vector<double>> times = {{0.125, 0.25, 0.5}, {0.125, 0.39}, {0.25}, {0.375, 0.625}};
  for (std::size_t object = 0; object < times.size(); ++object) {
    if (object % 2 == 0) builder.begin_system(data::Part::kTrain, 0.0);
    builder.add_object();
    for (double t : times[object]) builder.add_observation(t, std::vector<double>{std::sin(3 * t) + 0.1 * t});
    if (object % 2 == 1) builder.add_relation({0, 1});
  }
  return builder.finish("gappy");
}

BatchMaker maker_of(data::Task task) {
  return {gappy(), {{1.0}}, {.task = task, .observed = 1.0, .context = data::Context::kAll}};
}

RnnNri make(double cell = kCell) {
  ModelOptions o;
  o.kind = ModelKind::kRnnNri;
  o.sequence_width = 5, o.hidden = 6;
  return {o, {1, 1, false, 0.4, 2, cell}, 7, at::kDouble};
}

GridPlan plan_on_cpu(const Batch& batch, std::int64_t objects, double step) {
  ops::Upload upload;
  return plan_grid(batch, objects, step, at::kDouble, upload);
}

TEST(GridPlanTest, PlacesObservationsAndTargets) {
  const Batch batch = maker_of(data::Task::kInterpolate).make_prediction({{0, {}, {0.125, 0.3125, 0.5, 0.875}}});
  const GridPlan plan = plan_on_cpu(batch, 2, kCell);
  ASSERT_EQ(plan.seen, 4);   // nodes 1 to 4
  ASSERT_EQ(plan.ahead, 3);  // nodes 5 to 7
  const at::Tensor mask = plan.mask.view({4, 2});
  expect_close(mask, at::tensor({1., 1., 1., 0., 0., 1., 1., 0.}, at::kDouble).view({4, 2}), 0.0);
  EXPECT_NEAR(plan.values[2][0][1].item<double>(), std::sin(3 * 0.39) + 0.039, 1e-7);  // 0.39 is nearest to node 3
  expect_close(plan.since.view({4, 2}),
               at::tensor({0., 0., 0.125, 0.125, 0.125, 0.25, 0.25, 0.125}, at::kDouble).view({4, 2}), 1e-15);
  // Second object: targets at node 0, halfway from node 1 to 2, at node 3, and ahead at node 6.
  EXPECT_EQ(plan.low[4].item<std::int64_t>(), 1);
  EXPECT_EQ(plan.low[5].item<std::int64_t>(), 3);
  EXPECT_EQ(plan.high[5].item<std::int64_t>(), 5);
  EXPECT_NEAR(plan.share[5].item<double>(), 0.5, 1e-12);
  EXPECT_EQ(plan.low[6].item<std::int64_t>(), 7);
  EXPECT_EQ(plan.low[7].item<std::int64_t>(), 4 * 2 + 2 * 2 + 1);
  EXPECT_EQ(plan.high[7].item<std::int64_t>(), plan.low[7].item<std::int64_t>());
}

// The whole model in plain loops for one system; node values [nodes, 2].
at::Tensor by_hand(RnnNri& model, const GridPlan& c) {
  const Parameters& p = model.parameters();
  const std::int64_t u = model.options().sequence_width;
  auto mlp = [&](const std::string& name, const at::Tensor& x) {
    return at::linear(x, p[name + ".weight"], p[name + ".bias"]);
  };
  // Object 0 acts on object 1 (related: network 0); the other way they are unrelated (network 1).
  auto step = [&](const at::Tensor& v) {
    std::vector<at::Tensor> next;
    for (std::int64_t i = 0; i < 2; ++i) {
      const std::string net = i == 1 ? "dynamics.message0" : "dynamics.message1";
      const at::Tensor both = at::stack({v[i], v[1 - i]});
      const at::Tensor e = at::relu(mlp(net + ".layer2", at::relu(mlp(net + ".layer1", both))));
      at::Tensor o = at::relu(mlp("dynamics.object.layer1", at::cat({v[i].unsqueeze(0), e})));
      o = mlp("dynamics.object.layer3", at::relu(mlp("dynamics.object.layer2", o)));
      next.push_back(v[i] + model.shape().grid_step * o[0]);
    }
    return at::stack(next);
  };
  std::vector<at::Tensor> nodes;
  at::Tensor state = at::zeros({u}, at::kDouble), latest = p["imputer.mean"], v;
  for (std::int64_t j = 0; j < c.seen; ++j) {
    const at::Tensor m = c.mask[j][0], x = c.values[j][0], d = c.since[j][0];
    const at::Tensor g = at::exp(-at::relu(p["imputer.fade.weight"] * d + p["imputer.fade.bias"]));
    const at::Tensor rest = g * latest + (1 - g) * p["imputer.mean"];
    const at::Tensor input = at::cat({m * x + (1 - m) * rest, m});
    state = at::exp(-at::relu(mlp("imputer.state_fade", d))) * state;
    const auto i = mlp("imputer.gru.input", input).chunk(3), h = mlp("imputer.gru.state", state).chunk(3);
    const at::Tensor z = at::sigmoid(i[1] + h[1]);
    state = (1 - z) * at::tanh(i[2] + at::sigmoid(i[0] + h[0]) * h[2]) + z * state;
    const at::Tensor y = rest + mlp("imputer.output", state);
    nodes.push_back(j == 0 ? y : step(v));  // from the imputed values of the node before
    v = m * x + (1 - m) * y;
    latest = m * x + (1 - m) * latest;
  }
  for (std::int64_t f = 0; f < c.ahead; ++f) nodes.push_back(v = step(v));  // from its own prediction
  return at::stack(nodes).detach();
}

TEST(RnnNriTest, IsImputationThenSteps) {
  for (data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate}) {
    const BatchMaker maker = maker_of(task);
    RnnNri model = make();
    const double first = task == data::Task::kInterpolate ? 0.125 : 0.5;  // extrapolation starts after the seen part
    const BatchTensors batch =
        model.tensors(maker.make_prediction({{0, {}, {first, first + 0.125, first + 0.1875, first + 0.5}}}));
    const at::Tensor got = model.mean_path(batch).view({2, 4}).detach();
    const GridPlan plan = plan_on_cpu(batch.batch, 2, kCell);
    const at::Tensor nodes = by_hand(model, plan);
    const auto at0 = static_cast<std::int64_t>(std::lround((first - 0.125) / kCell));
    for (std::int64_t i = 0; i < 2; ++i) {
      expect_close(got[i][0], nodes[at0][i], 1e-12);
      expect_close(got[i][1], nodes[at0 + 1][i], 1e-12);
      expect_close(got[i][2], (nodes[at0 + 1][i] + nodes[at0 + 2][i]) / 2, 1e-12);
      expect_close(got[i][3], nodes[at0 + 4][i], 1e-12);
    }
  }
}

// An observation changes only the nodes after it.
TEST(RnnNriTest, AnObservationActsOnLaterNodesOnly) {
  RnnNri model = make();
  const BatchMaker maker = maker_of(data::Task::kInterpolate);
  Batch batch = maker.make_prediction({{0, {}, {0.125, 0.25, 0.375, 0.5, 0.625, 0.75}}});
  const at::Tensor before = model.mean_path(model.tensors(batch)).view({2, 6}).detach();
  batch.observation_values[1] += 0.5F;  // first object, at 0.25
  const at::Tensor after = model.mean_path(model.tensors(batch)).view({2, 6}).detach();
  EXPECT_EQ(distance(after.slice(1, 0, 2), before.slice(1, 0, 2)), 0.0);
  for (std::int64_t k = 2; k < 6; ++k) EXPECT_GT((after - before).abs().select(1, k).max().item<double>(), 1e-6) << k;
}

// At fully observed nodes the imputation changes nothing: a step starts from the data themselves.
TEST(RnnNriTest, ObservedValuesAreNotImputed) {
  RnnNri model = make();
  const BatchMaker maker = maker_of(data::Task::kInterpolate);
  const BatchTensors batch = model.tensors(maker.make_prediction({{0, {}, {0.125, 0.25, 0.5, 0.625}}}));
  const at::Tensor before = model.mean_path(batch).view({2, 4}).detach();
  {
    at::NoGradGuard no_grad;
    model.parameters()["imputer.output.bias"].detach().add_(1.0);
  }
  const at::Tensor after = model.mean_path(batch).view({2, 4}).detach();
  expect_close(after.select(1, 1), before.select(1, 1), 1e-15);               // both objects are seen at 0.125
  EXPECT_GT((after - before).abs().select(1, 3).max().item<double>(), 1e-3);  // one of them is not at 0.5
}

// More pairs than are computed at once: the nodes are computed in several chunks, the last one not full. A system must
// get the same result as in a small batch.
TEST(RnnNriTest, ManyPairsAreTakenInGoes) {
  const BatchMaker maker = lgode::testing::random_maker(
      {.objects = std::vector<std::int64_t>(12, 32), .min_length = 3, .max_length = 6, .types = 1});
  ModelOptions o;
  o.kind = ModelKind::kRnnNri;
  o.sequence_width = 3, o.hidden = 2;
  RnnNri model(o, {3, 1, false, 0.4, 32, 0.09}, 7, at::kDouble);
  const BatchTensors together = model.tensors(maker.make({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, data::View::kValidate));
  const at::Tensor all = model.mean_path(together).detach();
  const BatchTensors alone = model.tensors(maker.make({3}, data::View::kValidate));
  const Batch& b = together.batch;
  const auto at = std::find(b.system.begin(), b.system.end(), 3) - b.system.begin();
  expect_close(model.mean_path(alone).detach(),
               all.slice(0, b.target_offsets[b.object_offsets[at]], b.target_offsets[b.object_offsets[at + 1]]), 1e-12);
}

TEST(RnnNriTest, SamplesRepeatTheOnePathAndThereIsNoPosterior) {
  RnnNri model = make();
  const BatchMaker maker = maker_of(data::Task::kInterpolate);
  const BatchTensors batch = model.tensors(maker.make({0, 1}, data::View::kValidate));
  const Paths paths = model.paths(batch, *model.prepare(batch.batch, {.samples = 3}), {}, {});
  ASSERT_EQ(paths.values.size(0), 3);
  EXPECT_FALSE(paths.mu.defined());
  expect_close(paths.values[2].detach(), model.mean_path(batch).detach(), 0.0);
}

// They would need more memory than the machine has.
TEST(GridPlanTest, TooManyNodesAreRefused) {
  const BatchMaker maker = lgode::testing::random_maker({.objects = {3}, .types = 1});
  const data::Batch batch = maker.make({0}, data::View::kValidate);
  EXPECT_NO_THROW(plan_on_cpu(batch, 3, 0.01));
  lgode::testing::expect_error<ConfigError>([&] { plan_on_cpu(batch, 3, 1e-6); }, {"nodes", "`grid_step`"});
}

// Times that no whole number of nodes can count.
TEST(GridPlanTest, ATimeBeyondAllNodesIsRefused) {
  const BatchMaker maker = lgode::testing::random_maker({.objects = {3}, .types = 1});
  for (const double far : {1e30, -1e30, 1e300}) {
    data::Batch seen = maker.make({0}, data::View::kValidate), asked = seen;
    seen.observation_times[0] = far;
    asked.target_times[0] = far;
    lgode::testing::expect_error<ConfigError>([&] { plan_on_cpu(seen, 3, 0.01); }, {"is it wrong", "`grid_step`"});
    lgode::testing::expect_error<ConfigError>([&] { plan_on_cpu(asked, 3, 0.01); }, {"is it wrong", "`grid_step`"});
  }
}

TEST(RnnNriTest, SystemsOfAnotherSizeAreRefused) {
  RnnNri model = make();
  const BatchMaker maker = lgode::testing::random_maker({.objects = {3, 1}, .types = 1});
  EXPECT_THROW(model.prepare(maker.make({0}, data::View::kValidate)), ConfigError);
}

}  // namespace
}  // namespace lgode::model
