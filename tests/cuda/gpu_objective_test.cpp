// The whole objective on a GPU against the CPU, for every model: the loss and the gradient of every parameter.
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "cuda/gpu.h"
#include "lgode/core/options.h"
#include "lgode/data/simulate.h"
#include "lgode/model/lgode.h"
#include "lgode/train/objective.h"
#include "support/batches.h"

namespace lgode {
namespace {

using lgode::testing::kGpu;
using lgode::testing::relative_error;

// The loss of a model's batch and the gradient of all its parameters, in float64 on the CPU.
std::pair<at::Tensor, at::Tensor> loss_and_gradient(model::Model& model, const data::BatchMaker& maker,
                                                    at::ScalarType dtype) {
  const model::BatchTensors batch = model.tensors(maker.make({0, 1}, data::View::kValidate));
  const at::Tensor noise =
      model::latent_noise(batch.batch, 2, model.latent(), 5, RandomUse::kLatent, 0, dtype).to(model.device());
  const at::Tensor loss = train::elbo(model, batch, noise, 2, 0.7, model::DropoutKey{1, 2}).loss;
  model.parameters().flat_grad().zero_();
  torch::autograd::backward({loss}, {});
  return {loss.detach().to(at::kCPU).to(at::kDouble), model.parameters().flat_grad().to(at::kCPU).to(at::kDouble)};
}

// The whole objective: loss and the gradient of every parameter, float32 on both.
TEST(GpuObjectiveTest, LossAndGradientsMatchTheCpu) {
  LGODE_NEEDS_GPU();
  const data::BatchMaker maker = lgode::testing::random_maker(
      {.objects = {3, 2, 1}, .min_length = 2, .max_length = 4, .missing = 0.2, .blind = true},
      {.task = data::Task::kInterpolate});
  model::ModelOptions options;
  options.sigma = 0.5, options.dropout = 0.2, options.precision = ops::Precision::kFloat32;
  model::LgOde here(options, {3, 2, true, 0.5}, 11, at::kDouble, at::kCPU);
  model::LgOde there(options, {3, 2, true, 0.5}, 11, at::kFloat, kGpu);
  const auto [expected, expected_gradient] = loss_and_gradient(here, maker, at::kDouble);
  const auto [loss, gradient] = loss_and_gradient(there, maker, at::kFloat);
  EXPECT_LE(relative_error(loss, expected), 1e-4);
  EXPECT_LE(relative_error(gradient, expected_gradient), 1e-4);
}

// The same for the other models of the paper's tables.
struct RowCase {
  const char* name;
  model::ModelKind kind;
  model::Variant variant = model::Variant::kFull;
  model::OdeKind ode = model::OdeKind::kGraph;
};
std::ostream& operator<<(std::ostream& out, const RowCase& c) { return out << c.name; }
class GpuRowTest : public ::testing::TestWithParam<RowCase> {};

TEST_P(GpuRowTest, LossAndGradientsMatchTheCpu) {
  LGODE_NEEDS_GPU();
  model::ModelOptions options;
  options.sigma = 0.5, options.dropout = 0.2, options.precision = ops::Precision::kFloat32;
  options.kind = GetParam().kind, options.variant = GetParam().variant, options.ode = GetParam().ode;
  for (data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate}) {
    const data::BatchMaker maker = lgode::testing::random_maker(
        {.objects = {3, 3, 3}, .min_length = 2, .max_length = 9, .missing = 0.2, .blind = true}, {.task = task});
    auto run = [&](at::Device device, at::ScalarType dtype) {
      const bool forecast = task == data::Task::kExtrapolate;
      const auto model =
          model::make_model(options, {3, 2, true, 0.5, 3, 0.2, forecast, {{0, 2, 1.3, true}}}, 11, dtype, device);
      return loss_and_gradient(*model, maker, dtype);
    };
    const auto [expected, expected_gradient] = run(at::kCPU, at::kDouble);
    const auto [loss, gradient] = run(kGpu, at::kFloat);
    EXPECT_LE(relative_error(loss, expected), 1e-4);
    EXPECT_LE(relative_error(gradient, expected_gradient), 1e-4);
  }
}

using model::ModelKind;
using model::Variant;
INSTANTIATE_TEST_SUITE_P(
    All, GpuRowTest,
    ::testing::Values(
        RowCase{"first", ModelKind::kLgOde, Variant::kFirst}, RowCase{"mean", ModelKind::kLgOde, Variant::kMean},
        RowCase{"no_att", ModelKind::kLgOde, Variant::kNoAttention},
        RowCase{"no_pe", ModelKind::kLgOde, Variant::kNoPe}, RowCase{"fixed_pe", ModelKind::kLgOde, Variant::kFixedPe},
        RowCase{"weight_decay", ModelKind::kWeightDecay}, RowCase{"edge_gnn", ModelKind::kEdgeGnn},
        RowCase{"latent_ode", ModelKind::kLatentOde},
        RowCase{"latent_ode_independent", ModelKind::kLatentOde, Variant::kFull, model::OdeKind::kIndependent},
        RowCase{"rnn_nri", ModelKind::kRnnNri}, RowCase{"assimilate", ModelKind::kAssimilate}),
    [](const auto& c) { return c.param.name; });

// Rows of padding change neither the loss nor a gradient, except for the order of sums.
class GpuPaddingTest : public ::testing::TestWithParam<const char*> {};
TEST_P(GpuPaddingTest, ChangesNothing) {
  LGODE_NEEDS_GPU();
  const data::Dataset dataset = data::simulate({.train = 24, .test = 4, .seed = 5});
  const data::BatchMaker maker(dataset, data::fit_normalisation(dataset, data::normalisation_systems(dataset, {})), {});
  model::ModelOptions options;
  options.dropout = 0.2;
  OptionSet set;
  model::declare(set, options);
  set.set_text(std::string(GetParam()) == "edge-gnn" ? "model" : "variant", GetParam(), Source::kFlag, "test");
  model::LgOde model(options, {4, 1, false, 0.6}, 11, at::kFloat, kGpu);
  ASSERT_TRUE(model.takes_padded(ops::Precision::kBf16));
  ASSERT_TRUE(model.takes_padded(ops::Precision::kFloat32));
  std::vector<std::int64_t> systems(24);
  std::iota(systems.begin(), systems.end(), 0);
  auto run = [&](ops::Shapes shapes) {
    ops::Upload upload(kGpu);
    const model::BatchTensors batch = model.tensors(maker.make(systems, data::View::kValidate), shapes, upload);
    const auto rollout =
        model.prepare(batch.batch, {.samples = 2, .shapes = shapes, .precision = ops::Precision::kBf16}, upload);
    EXPECT_EQ(batch.inputs.size(0) > batch.batch.observations(), shapes == ops::Shapes::kPadded);
    EXPECT_EQ(batch.target_values.size(0) > batch.batch.targets(), shapes == ops::Shapes::kPadded);
    const at::Tensor noise = model::latent_noise(batch.batch, 2, 16, 5, RandomUse::kLatent, 0, at::kFloat).to(kGpu);
    const at::Tensor loss = train::elbo(model, batch, *rollout, noise, at::scalar_tensor(0.7, at::kDouble),
                                        model.dropout(batch, model::DropoutKey{1, 2}, upload))
                                .loss;
    model.parameters().flat_grad().zero_();
    torch::autograd::backward({loss}, {});
    return std::pair{loss.detach().clone(), model.parameters().flat_grad().clone()};
  };
  const auto [loss, gradient] = run(ops::Shapes::kExact);
  const auto [padded_loss, padded_gradient] = run(ops::Shapes::kPadded);
  EXPECT_LE(relative_error(padded_loss, loss), 1e-6);
  EXPECT_LE(relative_error(padded_gradient, gradient), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Rows, GpuPaddingTest,
                         ::testing::Values("full", "first", "mean", "no-att", "no-pe", "fixed-pe", "edge-gnn"),
                         [](const auto& c) {
                           std::string name = c.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace lgode
