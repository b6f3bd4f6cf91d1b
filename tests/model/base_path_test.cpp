// The base path: before training the assimilating model is the classical method, whatever was seen, for both tasks; the
// tracks of a stream are the method; gains are those of the noise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "lgode/core/methods.h"
#include "lgode/core/random.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/classical/classical.h"
#include "lgode/data/classical/track.h"
#include "lgode/model/assimilate/model.h"
#include "support/numeric.h"

namespace lgode::model {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

enum class Velocity { kNone, kGiven, kDerived, kLag };
struct Case {
  const char* name;
  data::Task task;
  Velocity velocity = Velocity::kGiven;
  double missing = 0.0;
  Gain gain = Gain::kOne;
  bool blind = false;  // an object is never seen, but asked for
  double memory = std::numeric_limits<double>::infinity();
};
constexpr data::Task kFill = data::Task::kInterpolate, kForecast = data::Task::kExtrapolate;
const std::vector<Case> kCases = {{"line", kFill, Velocity::kNone},
                                  {"hermite", kFill},
                                  {"lagged", kFill, Velocity::kLag},
                                  {"derived", kFill, Velocity::kDerived, 0.3},
                                  {"missing", kFill, Velocity::kGiven, 0.4},
                                  {"noisy", kFill, Velocity::kLag, 0.3, Gain::kLearned},
                                  {"blind", kFill, Velocity::kGiven, 0.3, Gain::kLearned, true},
                                  {"forecast", kForecast},
                                  {"forecast_hold", kForecast, Velocity::kNone},
                                  {"forecast_derived", kForecast, Velocity::kDerived, 0.3},
                                  {"forecast_missing", kForecast, Velocity::kGiven, 0.4},
                                  {"forecast_noisy", kForecast, Velocity::kGiven, 0.4, Gain::kLearned},
                                  {"forecast_blind", kForecast, Velocity::kGiven, 0.2, Gain::kOne, true},
                                  {"forecast_leaving", kForecast, Velocity::kGiven, 0.0, Gain::kLearned, false, 0.35}};

// Features x, q, and perhaps the velocity of x. Object 1 pauses, object 2 stops early.
data::BatchMaker maker_of(const Case& c) {
  data::Description d;
  d.features = {{"x", "m", 0, -1}, {"q", "", 1, -1}};
  if (c.velocity != Velocity::kNone) d.features.push_back({"vx", "m/s", 2, 0});
  if (c.velocity == Velocity::kDerived) d.features[2].derived = true;
  d.relation_types = {"near"};
  d.time_scale = d.conditioning_length = 4;
  data::DatasetBuilder builder(d);
  Random random(11, RandomUse::kTest);
  for (const int objects : {5, 3}) {
    builder.begin_system(data::Part::kTrain);
    for (int i = 0; i < objects; ++i) {
      builder.add_object();
      const double phase = random.uniform(0, 6);
      if (c.blind && i == 1) continue;
      for (double t = 0.3 * i; t < 4; t += i == 3 ? 0.125 : random.uniform(0.05, 0.4)) {
        if ((i == 1 && t > 0.4 && t < 2.1) || (i == 2 && t > 1.5)) continue;
        std::vector<double> values{std::sin(t + phase), random.uniform(-1, 1)};
        if (c.velocity != Velocity::kNone) values.push_back(std::cos(t + phase));
        for (double& x : values)
          if (random.uniform() < c.missing) x = kNaN;
        if (c.velocity == Velocity::kDerived) values[2] = kNaN;
        if (std::isnan(values[0]) && std::isnan(values[1])) values[1] = 0.5;
        builder.add_observation(t, values);
      }
    }
    builder.add_relation({0, 1}), builder.add_relation({2, 0});
  }
  const data::Dataset set = builder.finish("scene");
  data::TaskOptions task;
  task.task = c.task, task.centre = data::Centre::kNone, task.unseen = data::Unseen::kPredict;
  if (c.task == kForecast) task.context = data::Context::kAll;
  return {set, data::fit_normalisation(set, {0, 1}), task};
}

data::ClassicalFit fit_of(std::size_t features) {
  data::ClassicalFit fit;
  fit.damping = {0.8, 0.3, 1.7};
  fit.noise = {{0.9, 0.02, 0.05, 1.2}, {0.5, 0.2, 0.01, 0.7}, {}};
  fit.damping.resize(features), fit.noise.resize(features);
  return fit;
}

struct Made {
  Made(const Case& c, Classical kind)
      : maker(maker_of(c)), features(maker.dataset().description().features), fit(fit_of(features.size())) {
    ModelOptions options;
    options.kind = ModelKind::kAssimilate, options.gain = c.gain;
    options.encoder_width = 6, options.sequence_width = 5, options.latent = 3, options.hidden = 7, options.state = 4;
    options.step = 0.07;
    ModelShape shape{maker.dataset().features(), 1, true, 0.5};
    shape.forecast = c.task == kForecast, shape.memory = c.memory;
    if (c.velocity != Velocity::kNone)
      shape.ties = {{0, 2, maker.normalisation().scale[2] * maker.clock().time_scale / maker.normalisation().scale[0],
                     c.velocity == Velocity::kDerived, c.velocity == Velocity::kLag ? 0.03 : 0.0}};
    shape.base = data::base_path(kind, features, maker.normalisation(), maker.clock().time_scale, fit);
    if (c.gain == Gain::kLearned) data::set_stationary_gains(*shape.base, 0.06, 0.99);
    model.emplace(options, shape, 7);
  }

  std::vector<float> classical(Classical kind, const data::Batch& batch) const {
    return data::predict_classical(kind, batch, features, maker.normalisation(), maker.clock().time_scale, fit);
  }

  data::BatchMaker maker;
  std::vector<data::Feature> features;
  data::ClassicalFit fit;
  std::optional<Assimilate> model;
};

// Without the observations before an object entered last.
data::Batch since_entered(const data::Batch& batch, double memory) {
  data::Batch out = batch;
  const auto width = static_cast<std::size_t>(batch.features);
  out.observation_times.clear(), out.observation_values.clear(), out.observation_mask.clear();
  for (std::int64_t i = 0; i < batch.objects(); ++i) {
    std::int64_t first = batch.observation_offsets[i];
    const std::int64_t end = batch.observation_offsets[i + 1];
    for (std::int64_t m = first + 1; m < end; ++m)
      if (outlasts(batch.observation_times[m] - batch.observation_times[m - 1], memory)) first = m;
    out.observation_offsets[i] = static_cast<std::int64_t>(out.observation_times.size());
    for (std::int64_t m = first; m < end; ++m) {
      out.observation_times.push_back(batch.observation_times[m]);
      for (std::size_t f = 0; f < width; ++f) {
        out.observation_values.push_back(batch.observation_values[m * width + f]);
        out.observation_mask.push_back(batch.observation_mask[m * width + f]);
      }
    }
  }
  out.observation_offsets.back() = static_cast<std::int64_t>(out.observation_times.size());
  return out;
}

class BasePathTest : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, BasePathTest, ::testing::ValuesIn(kCases), [](const auto& c) { return c.param.name; });

TEST_P(BasePathTest, BeforeTrainingThePathIsTheClassicalOne) {
  for (const ClassicalMethod& method : kClassicalMethods) {
    const Classical kind = method.kind;
    SCOPED_TRACE(data::classical_name(kind));
    const Made made(GetParam(), kind);
    const data::Batch batch = made.maker.make({0, 1}, data::View::kTest);
    ASSERT_GT(batch.targets(), 20);
    const std::vector<float> expected = made.classical(kind, since_entered(batch, GetParam().memory));
    for (const ops::Shapes shapes : {ops::Shapes::kExact, ops::Shapes::kPadded}) {
      ops::Upload upload;
      RolloutOptions options;
      options.shapes = shapes;
      const auto rollout = made.model->prepare(batch, options, upload);

      if (shapes == ops::Shapes::kPadded && !made.model->takes_padded(ops::Precision::kFloat32)) continue;
      const at::Tensor path = made.model->mean_path(made.model->tensors(batch, shapes, upload), *rollout).detach();
      for (std::int64_t t = 0; t < batch.targets(); ++t)
        for (std::size_t f = 0; f < made.features.size(); ++f)
          if (!made.features[f].derived) {
            const float value = expected[static_cast<std::size_t>(t) * made.features.size() + f];
            ASSERT_NEAR(path[t][static_cast<std::int64_t>(f)].item<float>(), value, 4e-6 * (1 + std::abs(value)))
                << "target " << t << " feature " << f;
          }
    }
  }
}

TEST_P(BasePathTest, SamplesStartThereToo) {
  const Made made(GetParam(), Classical::kKalman);
  const data::Batch batch = made.maker.make({0, 1}, data::View::kTest);
  const at::Tensor noise = latent_noise(batch, 2, made.model->latent(), 5, RandomUse::kPredict, 0, at::kFloat);
  const BatchTensors tensors = made.model->tensors(batch);
  const at::Tensor paths =
      made.model->paths(tensors, *made.model->prepare(batch, {.samples = 2}), noise, {}).values.detach();
  lgode::testing::expect_close(paths[0], paths[1], 1e-6);
  lgode::testing::expect_close(paths[0], made.model->mean_path(tensors).detach(), 1e-6);
}

// What the network learned is added: the path moves by as much as that of a model without a base path.
TEST_P(BasePathTest, TheNetworkAddsToIt) {
  Made made(GetParam(), Classical::kKalman);
  ModelShape shape = made.model->shape();
  shape.base.reset();
  ModelOptions options = made.model->options();
  Assimilate own(options, shape, 7);
  const data::Batch batch = made.maker.make({0, 1}, data::View::kTest);
  const auto copy = [&] {
    const at::NoGradGuard no_grad;
    for (const Parameters::Entry& e : own.parameters().entries()) e.tensor.copy_(made.model->parameters()[e.name]);
  };
  const auto paths = [&] {
    copy();
    return std::pair(made.model->mean_path(made.model->tensors(batch)).detach(),
                     own.mean_path(own.tensors(batch)).detach());
  };
  const auto [base, idle] = paths();
  {
    const at::NoGradGuard no_grad;
    for (const Parameters::Entry& e : made.model->parameters().entries())
      if (e.name != "base") e.tensor.add_(at::sin(at::arange(e.tensor.numel(), at::kFloat)).view_as(e.tensor) * 0.1);
  }
  const auto [moved, idle_moved] = paths();
  EXPECT_GT(lgode::testing::distance(moved, base), 1e-3);
  lgode::testing::expect_close(moved - base, idle_moved - idle, 2e-5);
  // Without the share the path is the state's own.
  {
    const at::NoGradGuard no_grad;
    at::Tensor share = made.model->parameters()["base"];
    share.zero_();
  }
  lgode::testing::expect_close(paths().first, idle_moved, 1e-6);
}

TEST(BaseTrackTest, IsTheClassicalForecast) {
  for (const Case& c : kCases) {
    if (c.task != kForecast || std::isfinite(c.memory)) continue;
    for (const ClassicalMethod& method : kClassicalMethods) {
      const Classical kind = method.kind;
      SCOPED_TRACE(std::string(c.name) + " " + std::string(data::classical_name(kind)));
      const Made made(c, kind);
      const data::Batch batch = made.maker.make({0, 1}, data::View::kTest);
      const std::vector<float> expected = made.classical(kind, batch);
      const data::TrackRule rule(*made.model->shape().base);
      const std::size_t width = made.features.size();
      int compared = 0;
      for (std::int64_t i = 0; i < batch.objects(); ++i) {
        data::ClassicalTrack track(rule);
        for (std::int64_t m = batch.observation_offsets[i]; m < batch.observation_offsets[i + 1]; ++m)
          track.add(rule, batch.observation_times[m], batch.observation_values.data() + m * batch.features,
                    batch.observation_mask.data() + m * batch.features);
        for (std::int64_t t = batch.target_offsets[i]; t < batch.target_offsets[i + 1]; ++t)
          for (std::size_t f = 0; f < width; ++f) {
            if (made.features[f].derived || !track.knows(rule, f)) continue;
            const float value = expected[static_cast<std::size_t>(t) * width + f];
            EXPECT_NEAR(track.at(rule, f, batch.target_times[t]), value, 1e-6 * (1 + std::abs(value)));
            ++compared;
          }
      }
      EXPECT_GT(compared, 20);
    }
  }
}

// One position, one velocity: little noise is followed, much noise is averaged.
TEST(BaseGainTest, FollowsTheNoise) {
  data::BasePath base;
  base.kind = Classical::kKalman;
  base.features = {{.velocity_of = -1}, {.velocity_of = 0}, {.velocity_of = -1}};
  base.features[0].noise = base.features[2].noise = {1, 1e-8, 1e-8, 1};
  set_stationary_gains(base, 0.1, 0.99);
  for (const data::BaseFeature& f : base.features) EXPECT_EQ(f.gain, 0.99);
  base.features[0].noise = base.features[2].noise = {0.01, 1, 1, 1};
  set_stationary_gains(base, 0.1, 0.99);
  for (const data::BaseFeature& f : base.features) EXPECT_LT(f.gain, 0.2);
  base.features[1].derived = true;
  set_stationary_gains(base, 0.1, 0.99);
  EXPECT_LT(base.features[1].gain, 0.1);
  EXPECT_TRUE(learns_gain({}, {.base = base}));
  base.kind = Classical::kHold;
  EXPECT_FALSE(learns_gain({}, {.base = base}));
  EXPECT_FALSE(learns_gain({}, {}));
}

}  // namespace
}  // namespace lgode::model
