// The objective (Eq. 9): its value computed by hand, and its gradients.
#include "lgode/train/objective.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "lgode/model/lgode.h"
#include "support/batches.h"
#include "support/numeric.h"

namespace lgode::train {
namespace {

using data::BatchMaker;
using data::View;
using lgode::testing::expect_gradients;
using lgode::testing::random_maker;

model::ModelOptions tiny() {
  model::ModelOptions o;
  o.encoder_width = 4, o.sequence_width = 2, o.latent = 2, o.augment = 1, o.hidden = 2;
  o.sigma = 0.5;  // keeps the loss small enough for finite differences
  o.time_frequency = 5.0;
  o.step = 0.5;
  o.dropout = 0.2;
  return o;
}

model::LgOde make_model(const BatchMaker& maker, const model::ModelOptions& options) {
  return {options, {3, 2, maker.dataset().has_missing(), 0.5}, 11, at::kDouble};
}

at::Tensor noise_for(const model::BatchTensors& batch, std::int64_t samples) {
  return model::latent_noise(batch.batch, samples, 2, 5, RandomUse::kLatent, 0, at::kDouble);
}

struct ElboCase {
  const char* name;
  ode::Solver solver;
  ode::Gradient gradient;
  data::Task task;
};
std::ostream& operator<<(std::ostream& out, const ElboCase& c) { return out << c.name; }
class ElboTest : public ::testing::TestWithParam<ElboCase> {};

// The gradient of the whole objective (Eq. 9) for every parameter, against central differences, with dropout, missing
// values and an object without observations.
TEST_P(ElboTest, GradientsMatchFiniteDifferences) {
  const ElboCase& c = GetParam();
  const BatchMaker maker =
      random_maker({.objects = {3, 2, 1}, .min_length = 2, .max_length = 4, .missing = 0.2, .blind = true},
                   {.task = c.task, .unseen = data::Unseen::kPredict});
  model::ModelOptions options = tiny();
  options.solver = c.solver, options.gradient = c.gradient;
  model::LgOde model = make_model(maker, options);
  const model::BatchTensors batch = model.tensors(maker.make({0, 1}, View::kValidate));
  const at::Tensor noise = noise_for(batch, 2);
  std::vector<at::Tensor> parameters;
  for (const auto& e : model.parameters().entries()) parameters.push_back(e.tensor);
  expect_gradients([&] { return elbo(model, batch, noise, 2, 0.7, model::DropoutKey{1, 2}).loss; }, parameters, 2e-6);
}

INSTANTIATE_TEST_SUITE_P(
    All, ElboTest,
    ::testing::Values(ElboCase{"rk4", ode::Solver::kRk4, ode::Gradient::kRecompute, data::Task::kInterpolate},
                      ElboCase{"rk4_stored", ode::Solver::kRk4, ode::Gradient::kStored, data::Task::kExtrapolate},
                      ElboCase{"midpoint", ode::Solver::kMidpoint, ode::Gradient::kRecompute,
                               data::Task::kExtrapolate}),
    [](const auto& c) { return c.param.name; });

struct RowCase {
  const char* name;
  model::ModelKind kind;
  model::Variant variant;
  model::OdeKind ode = model::OdeKind::kGraph;
  data::Task task = data::Task::kInterpolate;
};
std::ostream& operator<<(std::ostream& out, const RowCase& c) { return out << c.name; }
class RowElboTest : public ::testing::TestWithParam<RowCase> {};

TEST_P(RowElboTest, GradientsMatchFiniteDifferences) {
  const RowCase& c = GetParam();
  const BatchMaker maker =
      random_maker({.objects = {3, 3, 1}, .min_length = 2, .max_length = 4, .missing = 0.2, .blind = true},
                   {.task = c.task, .unseen = data::Unseen::kPredict});
  model::ModelOptions options = tiny();
  options.kind = c.kind, options.variant = c.variant, options.ode = c.ode;
  const std::unique_ptr<model::Model> model =
      model::make_model(options, {3, 2, maker.dataset().has_missing(), 0.5, 3, 0.2}, 11, at::kDouble);
  const model::BatchTensors batch = model->tensors(maker.make({0, 1}, View::kValidate));
  const at::Tensor noise = model::latent_noise(batch.batch, 2, model->latent(), 5, RandomUse::kLatent, 0, at::kDouble);
  std::vector<at::Tensor> parameters;
  for (const auto& e : model->parameters().entries()) parameters.push_back(e.tensor);
  // If all ReLUs of an observation are zero, LayerNorm is strongly curved within 3e-3: use smaller differences.
  expect_gradients(
      [&] {
        return elbo(*model, batch, noise, 2, 0.7, model::DropoutKey{1, 2}).loss;
      },
      parameters, 2e-6, 1e-6);
}

using model::ModelKind;
using model::Variant;
INSTANTIATE_TEST_SUITE_P(All, RowElboTest,
                         ::testing::Values(RowCase{"first", ModelKind::kLgOde, Variant::kFirst},
                                           RowCase{"mean", ModelKind::kLgOde, Variant::kMean},
                                           RowCase{"no_att", ModelKind::kLgOde, Variant::kNoAttention},
                                           RowCase{"no_pe", ModelKind::kLgOde, Variant::kNoPe},
                                           RowCase{"fixed_pe", ModelKind::kLgOde, Variant::kFixedPe},
                                           RowCase{"weight_decay", ModelKind::kWeightDecay, Variant::kFull},
                                           RowCase{"edge_gnn", ModelKind::kEdgeGnn, Variant::kFull},
                                           RowCase{"latent_ode", ModelKind::kLatentOde, Variant::kFull},
                                           RowCase{"latent_ode_independent", ModelKind::kLatentOde, Variant::kFull,
                                                   model::OdeKind::kIndependent, data::Task::kExtrapolate},
                                           RowCase{"rnn_nri", ModelKind::kRnnNri, Variant::kFull},
                                           RowCase{"rnn_nri_ahead", ModelKind::kRnnNri, Variant::kFull,
                                                   model::OdeKind::kGraph, data::Task::kExtrapolate}),
                         [](const auto& c) { return c.param.name; });

TEST(ElboTest, MatchesTheFormulaByHand) {
  const BatchMaker maker = random_maker({.missing = 0.2, .blind = true});
  model::LgOde model = make_model(maker, tiny());
  const model::BatchTensors batch = model.tensors(maker.make({0, 1, 2}, View::kValidate));
  const data::Batch& b = batch.batch;
  const std::int64_t samples = 3, n = b.objects();
  const at::Tensor noise = noise_for(batch, samples);
  const Objective got = elbo(model, batch, noise, samples, 0.3, {});
  const model::Encoding e = model.encode(batch);
  const at::Tensor y = model
                           .roll_out(*model.prepare(batch.batch, {.samples = samples}),
                                     e.mu.repeat({samples, 1}) + e.sigma.repeat({samples, 1}) * noise)
                           .values;
  double total = 0;
  for (std::int64_t s = 0; s < b.systems(); ++s) {
    double kl = 0;
    std::vector<double> log_p(samples, 0.0);
    std::int64_t objects = 0;
    for (std::int64_t i = b.object_offsets[s]; i < b.object_offsets[s + 1]; ++i) {
      for (std::int64_t k = 0; k < 2; ++k) {
        const double mu = e.mu[i][k].item<double>(), sd = e.sigma[i][k].item<double>();
        kl += ((mu * mu + sd * sd - 1) / 2 - std::log(sd)) / 2 /
              static_cast<double>(b.object_offsets[s + 1] - b.object_offsets[s]);
      }
      std::vector<double> sum(samples, 0.0);
      double count = 0;
      for (std::int64_t t = b.target_offsets[i]; t < b.target_offsets[i + 1]; ++t)
        for (std::int64_t f = 0; f < 3; ++f) {
          if (b.target_mask[t * 3 + f] == 0) continue;
          ++count;
          for (std::int64_t k = 0; k < samples; ++k) {
            const double z = (y[k][t][f].item<double>() - b.target_values[t * 3 + f]) / 0.5;
            sum[k] += -z * z / 2 - std::log(0.5 * std::sqrt(2 * std::numbers::pi));
          }
        }
      if (count == 0) continue;
      ++objects;
      for (std::int64_t k = 0; k < samples; ++k) log_p[k] += sum[k] / count;
    }
    double mean_exp = 0;
    for (double x : log_p)
      mean_exp += std::exp(x / static_cast<double>(objects) - 0.3 * kl) / static_cast<double>(samples);
    total += std::log(mean_exp);
  }
  EXPECT_NEAR(got.loss.item<double>(), -total / static_cast<double>(b.systems()), 1e-10);
  EXPECT_EQ(n, e.mu.size(0));
}

TEST(ElboTest, AdjointApproachesTheExactGradientAsTheStepShrinks) {
  const BatchMaker maker = random_maker({});
  std::vector<double> distance;
  for (double step : {0.25, 0.125, 0.0625}) {
    model::ModelOptions options = tiny();
    options.step = step;
    std::vector<at::Tensor> gradients;
    for (ode::Gradient mode : {ode::Gradient::kRecompute, ode::Gradient::kAdjoint}) {
      options.gradient = mode;
      model::LgOde model = make_model(maker, options);
      const model::BatchTensors batch = model.tensors(maker.make({0, 1, 2}, View::kValidate));
      torch::autograd::backward({elbo(model, batch, noise_for(batch, 1), 1, 1.0, {}).loss}, {});
      gradients.push_back(model.parameters().flat_grad().clone());
    }
    distance.push_back(lgode::testing::distance(gradients[1], gradients[0]));
  }
  EXPECT_LT(distance[2], distance[0]);
  EXPECT_LT(distance[2], 1e-4);
}

TEST(ElboTest, BatchWithoutTargetsIsRefused) {
  const BatchMaker maker = random_maker({});
  model::LgOde model = make_model(maker, tiny());
  const model::BatchTensors batch = model.tensors(maker.make_prediction({{0, {}, {0.5}}}));
  EXPECT_THROW(elbo(model, batch, noise_for(batch, 1), 1, 1.0, {}), c10::ValueError);
}

}  // namespace
}  // namespace lgode::train
