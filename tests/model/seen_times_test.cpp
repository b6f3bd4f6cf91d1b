// Targets a rounding error away from an observation: they are at its time, whatever the bridge.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgode/model/assimilate/model.h"
#include "support/batches.h"
#include "support/numeric.h"

namespace lgode::model {
namespace {

using lgode::testing::distance;
using lgode::testing::expect_close;

constexpr double kUlp = std::numeric_limits<double>::epsilon();  // of times below 2

// Position, velocity, another feature. Object 1 has the times of object 0 up to a share of the tolerance, so that they
// share nodes; object 2 has its own. Object 0 begins at the origin.
data::BatchMaker maker_of(data::Task task, double missing) {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"v", "m/s", 1, 0}, {"q", "", 2, -1}};
  d.relation_types = {"near"};
  d.time_scale = d.conditioning_length = 2;
  data::DatasetBuilder builder(d);
  Random random(5, RandomUse::kTest);
  builder.begin_system(data::Part::kTrain);
  const double offsets[] = {5e-7, 4 * kUlp, -5e-7, 9e-7, 0};
  for (int i = 0; i < 3; ++i) {
    builder.add_object();
    for (int k = 0; k < 9; ++k) {
      const double time = 0.2 * k + (i == 1 ? 2 * offsets[k % 5] : i == 2 ? random.uniform(0.01, 0.15) : 0);
      std::vector<double> values{std::sin(time + i), std::cos(time + i), random.uniform(-1, 1)};
      for (double& x : values)
        if (random.uniform() < missing) x = std::numeric_limits<double>::quiet_NaN();
      values[static_cast<std::size_t>(k % 3)] = random.uniform(-1, 1);
      builder.add_observation(time, values);
    }
  }
  builder.add_relation({0, 1}), builder.add_relation({2, 0});
  const data::Dataset set = builder.finish("seen times");
  data::TaskOptions options;
  options.task = task, options.centre = data::Centre::kNone, options.context = data::Context::kAll;
  return {set, data::fit_normalisation(set, {0}), options};
}

ModelOptions small(Gain gain) {
  ModelOptions options;
  options.kind = ModelKind::kAssimilate, options.gain = gain;
  options.encoder_width = 6, options.sequence_width = 5, options.latent = 3, options.hidden = 7, options.state = 4;
  options.step = 0.07;
  return options;
}

// Asks for the seen times of every object, moved by `shift`.
data::Batch asked_at(data::Batch batch, double shift) {
  batch.target_times = batch.observation_times;
  for (double& time : batch.target_times) time += shift;
  batch.target_offsets = batch.observation_offsets;
  batch.target_values = batch.observation_values, batch.target_mask = batch.observation_mask;
  batch.target_seen.assign(batch.target_times.size(), 1);
  return batch;
}

struct Case {
  const char* name;
  data::Task task;
  std::vector<TiedPair> ties;
};
const std::vector<Case> kCases = {{"line", data::Task::kInterpolate, {}},
                                  {"hermite", data::Task::kInterpolate, {{0, 1, 1.2}}},
                                  {"lagged", data::Task::kInterpolate, {{0, 1, 1.2, true, 0.04}}},
                                  {"forecast", data::Task::kExtrapolate, {{0, 1, 1.2}}}};

class SeenTimes : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, SeenTimes, ::testing::ValuesIn(kCases), [](const auto& c) { return c.param.name; });

TEST_P(SeenTimes, WithinTheToleranceThePredictionIsThatAtTheSeenTime) {
  for (const double missing : {0.0, 0.3})
    for (const at::ScalarType dtype : {at::kDouble, at::kFloat})
      for (const Gain gain : {Gain::kOne, Gain::kLearned}) {
        const data::BatchMaker maker = maker_of(GetParam().task, missing);
        const data::Batch batch = maker.make_prediction({{0, {}, {1.75}}});
        ASSERT_EQ(batch.observations(), 27);
        ModelShape shape{3, 1, maker.dataset().has_missing(), 0.5};
        shape.forecast = GetParam().task == data::Task::kExtrapolate, shape.ties = GetParam().ties;
        Assimilate model(small(gain), shape, 7, dtype);
        {
          at::NoGradGuard no_grad;
          at::Tensor& flat = model.parameters().flat();
          flat.add_(at::sin(at::arange(flat.numel(), at::kDouble) * 0.7).to(dtype) * 0.2);
          if (gain == Gain::kLearned) model.parameters()["gain"].fill_(0.6);
        }
        const auto path = [&](double shift) { return model.mean_path(model.tensors(asked_at(batch, shift))).detach(); };
        const at::Tensor seen = path(0.0);
        const BatchTensors at_seen = model.tensors(asked_at(batch, 0.0));
        const at::Tensor missed = (seen - at_seen.target_values) * at_seen.target_mask;
        if (gain == Gain::kOne)
          EXPECT_EQ(missed.abs().max().item<double>(), 0.0);
        else
          EXPECT_GT(missed.abs().max().item<double>(), 1e-2);
        for (const double shift : {kUlp, 1e-7, 9e-7})
          for (const double sign : {-1.0, 1.0}) {
            SCOPED_TRACE(sign * shift);
            expect_close(path(sign * shift), seen, lgode::testing::rounding(dtype, 1));
          }
        EXPECT_GT(distance(path(0.01), seen), 1e-4);  // farther away it moves
      }
}

// A velocity over a lag gives the position before an observation: the path is exact there, whatever the weights, in
// every sample; and gradients are those of this path.
class FrameBefore : public ::testing::Test {
 protected:
  static constexpr double kLag = 0.04, kFactor = 1.2;

  FrameBefore() : maker_(maker_of(data::Task::kInterpolate, 0.0)) {
    batch_ = maker_.make_prediction({{0, {}, {1.75}}});
    shape_.ties = {{0, 1, kFactor, true, kLag}};
  }
  static void shake(Assimilate& model) {
    at::NoGradGuard no_grad;
    at::Tensor& flat = model.parameters().flat();
    flat.add_(at::sin(at::arange(flat.numel(), at::kDouble) * 0.7).to(flat.scalar_type()) * 0.2);
  }
  // Asks for the positions a lag before those observations that have room for it.
  data::Batch asked() const {
    data::Batch out = asked_at(batch_, -kLag);
    out.target_mask.assign(out.target_mask.size(), 0.0F);
    for (std::int64_t i = 0; i < batch_.objects(); ++i)
      for (std::int64_t m = batch_.observation_offsets[i]; m < batch_.observation_offsets[i + 1]; ++m) {
        const std::vector<double>& times = batch_.observation_times;
        const bool first = m == batch_.observation_offsets[i];
        const bool room = first ? times[m] >= kLag : times[m] - times[m - 1] >= 1.5 * kLag;
        out.target_mask[3 * m] = room ? 1.0F : 0.0F;
        out.target_times[m] = std::max(out.target_times[m], 0.0);
        out.target_values[3 * m] -= static_cast<float>(kLag * kFactor) * batch_.observation_values[3 * m + 1];
      }
    return out;
  }

  data::BatchMaker maker_;
  data::Batch batch_;
  ModelShape shape_{3, 1, false, 0.5};
};

TEST_F(FrameBefore, IsExactForAnyWeights) {
  for (const at::ScalarType dtype : {at::kDouble, at::kFloat}) {
    Assimilate bridged(small(Gain::kOne), shape_, 7, dtype);
    shake(bridged);
    const BatchTensors batch = bridged.tensors(asked());
    EXPECT_GE(batch.target_mask.sum().item<double>(), 20.0);
    const at::Tensor noise =
        at::linspace(-2, 2, 2 * 3 * bridged.latent(), at::kDouble).to(dtype).view({2 * 3, bridged.latent()});
    const Paths paths = bridged.paths(batch, *bridged.prepare(batch.batch, {.samples = 2}), noise, {});
    const auto off = [&](const at::Tensor& path) {
      return ((path - batch.target_values) * batch.target_mask).abs().max().item<double>();
    };
    EXPECT_LT(off(paths.values), 2e-6) << dtype;  // the batch is in float32
    EXPECT_GT(off(paths.unbridged), 1e-2) << dtype;
  }
}

TEST_F(FrameBefore, VelocitiesAreDifferencesOfTheBridgedPositions) {
  for (const at::ScalarType dtype : {at::kDouble, at::kFloat}) {
    Assimilate bridged(small(Gain::kOne), shape_, 7, dtype);
    shake(bridged);
    const auto path = [&](double shift) {
      const BatchTensors batch = bridged.tensors(asked_at(batch_, shift));
      return bridged.mean_path(batch).detach().to(at::kDouble);
    };
    const at::Tensor seen = path(0), middle = path(0.3 * kLag), after = path(kLag), later = path(1.3 * kLag);
    std::int64_t compared = 0;
    for (std::int64_t m = 0; m + 1 < batch_.observations(); ++m) {
      if (!(batch_.observation_times[m + 1] - batch_.observation_times[m] >= 1.5 * kLag))
        continue;  // or another object
      const auto difference = [&](const at::Tensor& now, const at::Tensor& before) {
        return ((now[m][0] - before[m][0]) / (kLag * kFactor)).item<double>();
      };
      const double tolerance = dtype == at::kFloat ? 1e-4 : 1e-10;
      EXPECT_NEAR(after[m][1].item<double>(), difference(after, seen), tolerance) << m;
      EXPECT_NEAR(later[m][1].item<double>(), difference(later, middle), tolerance) << m;
      ++compared;
    }
    EXPECT_GE(compared, 15);
  }
}

TEST_F(FrameBefore, GradientsMatchFiniteDifferences) {
  for (const Gain gain : {Gain::kOne, Gain::kLearned}) {
    ModelOptions options = small(gain);
    options.encoder_width = 2, options.sequence_width = 2, options.hidden = 3, options.state = 1, options.step = 0.3;
    options.impl = ops::Impl::kReference;
    Assimilate bridged(options, shape_, 7, at::kDouble);
    shake(bridged);
    data::Batch asked = asked_at(batch_, -0.015);
    for (std::size_t k = 0; k < asked.target_times.size(); ++k)
      asked.target_times[k] = std::max(asked.target_times[k] - 0.03 * static_cast<double>(k % 2), 0.0);
    const BatchTensors batch = bridged.tensors(asked);
    // Those nearest to the bridge; AssimilateTest covers the others.
    std::vector<at::Tensor> leaves;
    for (const char* name : {"start.weight", "jump.layer2.bias", "dynamics.object.layer3.weight"})
      leaves.push_back(bridged.parameters()[name]);
    if (gain == Gain::kLearned) leaves.push_back(bridged.parameters()["gain"]);
    lgode::testing::expect_gradients([&] { return lgode::testing::mix(bridged.mean_path(batch), 0.3); }, leaves, 1e-5);
  }
}

}  // namespace
}  // namespace lgode::model
