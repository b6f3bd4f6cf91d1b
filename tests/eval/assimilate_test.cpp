// The assimilating model: classical before training, blind outside the context, differentiable, independent of its
// batch.
#include <gtest/gtest.h>

#include <cmath>

#include "lgode/core/random.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/classical/classical.h"
#include "lgode/model/assimilate/model.h"
#include "support/batches.h"
#include "support/numeric.h"

namespace lgode::model {
namespace {

using data::View;
using lgode::testing::expect_close;
using lgode::testing::expect_gradients;
using lgode::testing::mix;

// Smooth motion of two coordinates with or without their velocities, at irregular times; each object has its own.
data::Dataset swinging(bool velocities, double missing = 0.0, std::uint64_t seed = 3) {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"y", "m", 1, -1}};
  if (velocities) d.features.insert(d.features.end(), {{"vx", "m/s", 2, 0}, {"vy", "m/s", 3, 1}});
  d.relation_types = {"near", "far"};
  d.time_scale = d.conditioning_length = 5;
  data::DatasetBuilder builder(d);
  Random random(seed, RandomUse::kTest);
  for (const int objects : {3, 1, 4}) {
    builder.begin_system(data::Part::kTrain);
    for (int i = 0; i < objects; ++i) {
      builder.add_object();
      const double phase = random.uniform(0, 6), rate = random.uniform(0.5, 1.5);
      for (double t = random.uniform(0, 0.3); t < 4.9; t += random.uniform(0.05, 0.5)) {
        std::vector<double> values = {std::sin(rate * t + phase), std::cos(rate * t)};
        if (velocities) values.insert(values.end(), {rate * std::cos(rate * t + phase), -rate * std::sin(rate * t)});
        for (std::size_t f = 1; f < values.size(); ++f)
          if (random.uniform() < missing) values[f] = std::numeric_limits<double>::quiet_NaN();
        builder.add_observation(t, values);
      }
    }
    for (int i = 1; i < objects; ++i) builder.add_relation({i, i - 1, i % 2, 0.5F}), builder.add_relation({i - 1, i});
  }
  return builder.finish("swinging");
}

data::TaskOptions task_of(data::Task task) {
  data::TaskOptions options;
  options.task = task;
  options.centre = data::Centre::kNone;
  return options;
}

data::BatchMaker maker_of(const data::Dataset& set, data::Task task) {
  return {set, data::fit_normalisation(set, {0, 1, 2}), task_of(task)};
}

ModelShape shape_of(const data::BatchMaker& maker) {
  const auto& features = maker.dataset().description().features;
  ModelShape shape{maker.dataset().features(), 2, maker.dataset().has_missing(), 0.5};
  shape.forecast = maker.task().task == data::Task::kExtrapolate;
  for (std::size_t v = 0; v < features.size(); ++v)
    if (const int x = features[v].velocity_of; x >= 0)
      shape.ties.push_back({x, static_cast<std::int64_t>(v),
                            maker.normalisation().scale[v] * maker.clock().time_scale /
                                maker.normalisation().scale[static_cast<std::size_t>(x)],
                            false});
  return shape;
}

ModelOptions small() {
  ModelOptions options;
  options.kind = ModelKind::kAssimilate;
  options.encoder_width = 6, options.sequence_width = 5, options.latent = 3, options.hidden = 7, options.state = 4;
  options.step = 0.11;
  return options;
}

void shake(Parameters& p, double size) {
  at::NoGradGuard no_grad;
  p.flat().add_(at::sin(at::arange(p.count(), at::kDouble) * 0.7).to(p.flat().options()) * size);
}

at::Tensor classical(Classical kind, const data::BatchMaker& maker, const data::Batch& batch) {
  const std::vector<float> path = data::predict_classical(kind, batch, maker.dataset().description().features,
                                                          maker.normalisation(), maker.clock().time_scale);
  return at::tensor(path, at::kFloat).to(at::kDouble).view({batch.targets(), batch.features});
}

TEST(AssimilateTest, BeforeTrainingItIsCubicHermite) {
  const data::BatchMaker maker = maker_of(swinging(true), data::Task::kInterpolate);
  const Assimilate model(small(), shape_of(maker), 7, at::kDouble);
  const data::Batch batch = maker.make({0, 1, 2}, View::kValidate);
  expect_close(model.mean_path(model.tensors(batch)).detach(), classical(Classical::kHermite, maker, batch), 1e-6);
}

TEST(AssimilateTest, BeforeTrainingItIsTheLineWithoutVelocities) {
  for (const double missing : {0.0, 0.3}) {
    const data::BatchMaker maker = maker_of(swinging(false, missing), data::Task::kInterpolate);
    const Assimilate model(small(), shape_of(maker), 7, at::kDouble);
    const data::Batch batch = maker.make({0, 1, 2}, View::kValidate);
    const at::Tensor asked = at::tensor(batch.target_mask, at::kFloat).to(at::kDouble).view({batch.targets(), 2});
    expect_close(model.mean_path(model.tensors(batch)).detach() * asked,
                 classical(Classical::kLinear, maker, batch) * asked, 1e-6);
  }
}

TEST(AssimilateTest, BeforeTrainingForecastsAreConstantVelocityOrHold) {
  for (const bool velocities : {true, false}) {
    const data::BatchMaker maker = maker_of(swinging(velocities), data::Task::kExtrapolate);
    const Assimilate model(small(), shape_of(maker), 7, at::kDouble);
    const data::Batch batch = maker.make({0, 1, 2}, View::kValidate);
    ASSERT_GT(batch.targets(), 10);
    const Classical kind = velocities ? Classical::kConstantVelocity : Classical::kHold;
    expect_close(model.mean_path(model.tensors(batch)).detach(), classical(kind, maker, batch), 1e-6);
  }
}

TEST(AssimilateTest, TheBridgedPathMeetsTheObservations) {
  const data::BatchMaker maker = maker_of(swinging(true), data::Task::kInterpolate);
  Assimilate model(small(), shape_of(maker), 7, at::kDouble);
  shake(model.parameters(), 0.2);
  const BatchTensors batch = model.tensors(maker.make({0, 1, 2}, View::kValidate));
  const at::Tensor error = (model.mean_path(batch) - batch.target_values) * batch.target_seen;
  EXPECT_LT(error.abs().max().item<double>(), 1e-12);
  EXPECT_GT(batch.target_seen.sum().item<double>(), 10);
}

TEST(AssimilateTest, EachSampleIsBridgedByItsOwnResiduals) {
  const data::BatchMaker maker = maker_of(swinging(true), data::Task::kInterpolate);
  Assimilate model(small(), shape_of(maker), 7, at::kDouble);
  shake(model.parameters(), 0.2);
  const data::Batch raw = maker.make({0, 1, 2}, View::kValidate);
  const BatchTensors batch = model.tensors(raw);
  const std::int64_t objects = raw.objects(), samples = 3;
  const at::Tensor noise =
      at::linspace(-2, 2, samples * objects * model.latent(), at::kDouble).view({samples * objects, model.latent()});
  RolloutOptions several;
  several.samples = samples;
  const at::Tensor all = model.paths(batch, *model.prepare(raw, several), noise, {}).values.detach();
  for (std::int64_t s = 0; s < samples; ++s) {
    const at::Tensor own = noise.slice(0, s * objects, (s + 1) * objects);
    expect_close(all[s], model.paths(batch, *model.prepare(raw, {}), own, {}).values[0].detach(), 1e-12);
    EXPECT_LT(((all[s] - batch.target_values) * batch.target_seen).abs().max().item<double>(), 1e-12);
  }
  EXPECT_GT((all[0] - all[2]).abs().max().item<double>(), 1e-4);  // the noise matters
}

// Values, times and number of observations outside the context change no prediction.
TEST(AssimilateTest, WhatIsNotShownChangesNothing) {
  for (const data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate}) {
    const data::BatchMaker maker = maker_of(swinging(true), task);
    Assimilate model(small(), shape_of(maker), 7, at::kDouble);
    shake(model.parameters(), 0.2);
    const data::Batch batch = maker.make({0, 1, 2}, View::kValidate);
    const at::Tensor path = model.mean_path(model.tensors(batch)).detach();
    data::Batch other = batch;
    for (float& value : other.target_values) value = 17.0F;
    expect_close(model.mean_path(model.tensors(other)).detach(), path, 1e-14);
    // Every second unseen target of each object is dropped, and the others move.
    data::Batch fewer = batch;
    fewer.target_times.clear(), fewer.target_seen.clear(), fewer.target_offsets = {0};
    std::vector<std::int64_t> kept;
    for (std::int64_t i = 0; i < batch.objects(); ++i) {
      for (std::int64_t t = batch.target_offsets[i]; t < batch.target_offsets[i + 1]; ++t) {
        if (t % 2 == 0) continue;
        kept.push_back(t);
        fewer.target_times.push_back(batch.target_times[t]);
        fewer.target_seen.push_back(batch.target_seen[t]);
      }
      fewer.target_offsets.push_back(fewer.targets());
    }
    fewer.target_values.resize(static_cast<std::size_t>(fewer.targets() * fewer.features));
    fewer.target_mask.resize(fewer.target_values.size());
    expect_close(model.mean_path(model.tensors(fewer)).detach(), path.index_select(0, at::tensor(kept, at::kLong)),
                 1e-12);
  }
}

// A forecast's states never depend on later observations, such as others' of an object that leaves early.
TEST(AssimilateTest, LaterObservationsDoNotChangeEarlierStates) {
  const data::BatchMaker maker = maker_of(swinging(true), data::Task::kExtrapolate);
  Assimilate model(small(), shape_of(maker), 7, at::kDouble);
  shake(model.parameters(), 0.2);
  data::Batch batch = maker.make({0}, View::kValidate);
  // Ask for the past, at the times of the observations, instead of the future.
  batch.target_times.assign(batch.observation_times.begin(), batch.observation_times.end());
  for (double& t : batch.target_times) t += 1e-4;
  batch.target_offsets = batch.observation_offsets;
  batch.target_seen.assign(batch.target_times.size(), 0);
  batch.target_values.assign(batch.target_times.size() * 4, 0.0F), batch.target_mask = batch.target_values;
  const at::Tensor before = model.mean_path(model.tensors(batch)).detach();
  double latest = -1;
  std::int64_t last = 0;
  for (std::int64_t m = 0; m < batch.observations(); ++m)
    if (batch.observation_times[m] > latest) latest = batch.observation_times[m], last = m;
  for (std::int64_t f = 0; f < 4; ++f) batch.observation_values[last * 4 + f] += 1.0F;
  const at::Tensor after = model.mean_path(model.tensors(batch)).detach();
  for (std::int64_t t = 0; t < batch.targets(); ++t) {
    const double change = (after[t] - before[t]).abs().max().item<double>();
    if (t == last)
      EXPECT_GT(change, 0.5);
    else
      EXPECT_LT(change, 1e-12) << t;
  }
}

TEST(AssimilateTest, GradientsMatchFiniteDifferences) {
  for (const data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate}) {
    const data::BatchMaker maker = maker_of(swinging(true, 0.2), task);
    ModelOptions options = small();
    options.encoder_width = 2, options.sequence_width = 2, options.hidden = 3, options.state = 1, options.step = 0.3;
    options.impl = ops::Impl::kReference;
    Assimilate model(options, shape_of(maker), 7, at::kDouble);
    shake(model.parameters(), 0.1);
    const BatchTensors batch = model.tensors(maker.make({1}, View::kValidate));
    std::vector<at::Tensor> leaves;
    for (const Parameters::Entry& e : model.parameters().entries()) leaves.push_back(e.tensor);
    expect_gradients([&] { return mix(model.mean_path(batch), 0.2); }, leaves, 1e-6);
  }
}

TEST(AssimilateTest, PredictionsDoNotDependOnTheBatchAndFloatAgreesWithDouble) {
  for (const data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate}) {
    const data::BatchMaker maker = maker_of(swinging(true, 0.1), task);
    Assimilate wide(small(), shape_of(maker), 7, at::kDouble), narrow(small(), shape_of(maker), 7);
    shake(wide.parameters(), 0.1), shake(narrow.parameters(), 0.1);
    const BatchTensors together = wide.tensors(maker.make({0, 1, 2}, View::kValidate));
    const at::Tensor all = wide.mean_path(together).detach();
    const data::Batch& tb = together.batch;
    for (std::size_t b = 0; b < tb.system.size(); ++b) {
      const at::Tensor shared =
          all.slice(0, tb.target_offsets[tb.object_offsets[b]], tb.target_offsets[tb.object_offsets[b + 1]]);
      expect_close(wide.mean_path(wide.tensors(maker.make({tb.system[b]}, View::kValidate))).detach(), shared, 1e-12);
    }
    expect_close(narrow.mean_path(narrow.tensors(tb)).detach().to(at::kDouble), all,
                 lgode::testing::rounding(at::kFloat, 2048));
  }
}

void set_gain(Model& model, double gain) {
  at::NoGradGuard no_grad;
  model.parameters()["gain"].fill_(std::sqrt(1 / gain - 1));
}

ModelOptions with_gain() {
  ModelOptions options = small();
  options.gain = Gain::kLearned;
  return options;
}

TEST(AssimilateTest, AGainOfOneIsTheModelWithoutGain) {
  for (const data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate}) {
    const data::BatchMaker maker = maker_of(swinging(true, 0.2), task);
    Assimilate learned(with_gain(), shape_of(maker), 7, at::kDouble), one(small(), shape_of(maker), 7, at::kDouble);
    EXPECT_NEAR(learned.parameters()["gain"].square().max().item<double>(), 1 / 0.99 - 1, 1e-3);
    shake(one.parameters(), 0.2);
    {
      at::NoGradGuard no_grad;
      for (const Parameters::Entry& e : one.parameters().entries()) learned.parameters()[e.name].copy_(e.tensor);
    }
    const BatchTensors batch = one.tensors(maker.make({0, 1, 2}, View::kValidate));
    EXPECT_GT(lgode::testing::distance(learned.mean_path(batch).detach(), one.mean_path(batch).detach()), 1e-4);
    set_gain(learned, 1.0);
    expect_close(learned.mean_path(batch).detach(), one.mean_path(batch).detach(), 1e-12);
  }
}

TEST(AssimilateTest, TheGradientOfTheGainMatchesFiniteDifferences) {
  for (const data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate}) {
    const data::BatchMaker maker = maker_of(swinging(true, 0.2), task);
    ModelOptions options = with_gain();
    options.encoder_width = 2, options.sequence_width = 2, options.hidden = 3, options.state = 1, options.step = 0.3;
    options.impl = ops::Impl::kReference;
    Assimilate model(options, shape_of(maker), 7, at::kDouble);
    shake(model.parameters(), 0.1);
    set_gain(model, 0.7);
    const BatchTensors batch = model.tensors(maker.make({1}, View::kValidate));
    expect_gradients([&] { return mix(model.mean_path(batch), 0.2); }, {model.parameters()["gain"]}, 1e-6);
  }
}

// Without motion of its own, a forecast with gain g is the exponential average of the context.
TEST(AssimilateTest, AGainBelowOneSmooths) {
  const data::BatchMaker maker = maker_of(swinging(false, 0.3), data::Task::kExtrapolate);
  Assimilate model(with_gain(), shape_of(maker), 7, at::kDouble);
  set_gain(model, 0.3);
  const data::Batch batch = maker.make({0, 1, 2}, View::kValidate);
  const at::Tensor path = model.mean_path(model.tensors(batch)).detach();
  for (std::int64_t i = 0; i < batch.objects(); ++i)
    for (std::int64_t f = 0; f < 2; ++f) {
      double y = 0, gain = 1;
      for (std::int64_t m = batch.observation_offsets[i]; m < batch.observation_offsets[i + 1]; ++m) {
        if (batch.observation_mask[m * 2 + f] == 0.0F) continue;
        y += gain * (batch.observation_values[m * 2 + f] - y), gain = 0.3;
      }
      for (std::int64_t t = batch.target_offsets[i]; t < batch.target_offsets[i + 1]; ++t)
        EXPECT_NEAR(path[t][f].item<double>(), y, 1e-12) << i << " " << f;
    }
}

// At interpolation the path meets the state after the jump, from both sides.
TEST(AssimilateTest, WithAGainTheBridgedPathIsContinuous) {
  const data::BatchMaker maker = maker_of(swinging(true), data::Task::kInterpolate);
  Assimilate model(with_gain(), shape_of(maker), 7, at::kDouble);
  shake(model.parameters(), 0.2);
  set_gain(model, 0.6);
  data::Batch batch = maker.make({1}, View::kValidate);
  const std::vector<double> seen(batch.observation_times.begin() + 1, batch.observation_times.end() - 1);
  ASSERT_GT(seen.size(), 2U);
  const auto shifted = [&](double by) {
    batch.target_times = seen;
    for (double& t : batch.target_times) t += by;
    batch.target_offsets = {0, static_cast<std::int64_t>(seen.size())};
    batch.target_seen.assign(seen.size(), 0);
    batch.target_values.assign(seen.size() * 4, 0.0F), batch.target_mask = batch.target_values;
    return model.mean_path(model.tensors(batch)).detach();
  };
  const at::Tensor at_jump = shifted(0.0);
  expect_close(shifted(-1e-5), at_jump, 1e-2);
  expect_close(shifted(1e-5), at_jump, 1e-2);
  const at::Tensor observed = at::tensor(batch.observation_values, at::kFloat).to(at::kDouble).view({-1, 4});
  EXPECT_GT(lgode::testing::distance(at_jump, observed.slice(0, 1, -1)), 2e-2);  // it does not meet them
}

}  // namespace
}  // namespace lgode::model
