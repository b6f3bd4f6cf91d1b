// Own data in memory, a short training, a forecast with intervals. CMakeLists.txt builds it against an installed lgode.
#include <array>
#include <cmath>
#include <cstdio>

#include "lgode/core/random.h"
#include "lgode/eval/predict.h"
#include "lgode/train/trainer.h"

namespace {

constexpr double kRange = 4.0;  // seconds
constexpr int kSystems = 200;

// Two weights on a spring: each swings about its own place, both together.
std::array<double, 2> state(double phase, int weight, double t) {
  const double side = weight == 0 ? -1.0 : 1.0, omega = 2.0;
  return {side * (1.0 + 0.5 * std::cos(omega * t + phase)), -side * 0.5 * omega * std::sin(omega * t + phase)};
}
double phase_of(int system) { return 0.7 * system; }

// Each weight is observed 20 times, at moments of its own.
lgode::data::Dataset observe() {
  lgode::data::Description about;
  about.features = {{"x", "m", 0, -1}, {"v", "m/s", 1, 0}};  // name, unit, scale group, velocity of feature 0
  about.relation_types = {"spring"};
  about.time_scale = about.conditioning_length = kRange;
  lgode::data::DatasetBuilder builder(about);
  for (int s = 0; s < kSystems; ++s) {
    lgode::Random random(1, lgode::RandomUse::kNoise, {static_cast<std::uint64_t>(s)});
    builder.begin_system(s < kSystems - 20 ? lgode::data::Part::kTrain : lgode::data::Part::kTest);
    for (int weight = 0; weight < 2; ++weight) {
      builder.add_object(weight == 0 ? "left" : "right");
      for (int k = 0; k < 20; ++k) {
        const double t = kRange * (k + random.uniform()) / 20;
        builder.add_observation(t, state(phase_of(s), weight, t));
      }
    }
    builder.add_relation({.source = 0, .target = 1});
    builder.add_relation({.source = 1, .target = 0});
  }
  return builder.finish("the two weights");
}

}  // namespace

int main() {
  const lgode::data::Dataset data = observe();
  lgode::train::RunConfig config = lgode::train::default_config();
  config.task.task = lgode::data::Task::kExtrapolate;
  config.train.schedule = lgode::train::RateSchedule::kCosine;  // exactly thirty epochs
  config.train.epochs = 30, config.train.batch = 16, config.train.lr = 3e-3;
  lgode::train::Trainer trainer(config, data, lgode::ops::make_context("auto", /*threads=*/0));
  trainer.run({.on_epoch = [](const lgode::train::EpochReport& r) {
    std::printf("epoch %2lld  validation %.5f\n", static_cast<long long>(r.epoch), r.validation.value_or(NAN));
  }});

  // The last system was never trained on: seen up to 2 s, forecast from there.
  const int system = kSystems - 1;
  lgode::eval::PredictOptions ask{.systems = {system}, .times = {2.0, 2.5, 3.0, 3.5}, .start = 2.0};
  lgode::eval::predict(trainer.best(), data, ask, [&](const lgode::eval::SystemPrediction& p) {
    for (std::size_t k = 0; k < p.times.size(); ++k)  // x of the left weight: object 0, feature 0 of 2
      std::printf("t %.1f  x %.3f  (%.3f to %.3f)  truth %.3f\n", p.times[k], p.mean[2 * k], p.low[2 * k],
                  p.high[2 * k], state(phase_of(system), 0, p.times[k])[0]);
  });
}
