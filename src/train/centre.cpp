// Settles `turn`, and compares absolute and relative coordinates: by two short trainings, or by the distance of
// systems from zero.
#include "lgode/train/centre.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "lgode/core/error.h"
#include "lgode/data/normalisation.h"
#include "lgode/data/turn.h"
#include "lgode/train/ranks.h"
#include "lgode/train/trainer.h"

namespace lgode::train {
namespace {

constexpr std::int64_t kFewSteps = 100, kLeastTrial = 10, kMostTrial = 300;
constexpr std::int64_t kOpenSteps = 500;  // that a training without a fixed length is expected to take at least

struct Spread {
  double sum = 0, squares = 0;
  std::int64_t count = 0;
  void add(double x) { sum += x, squares += x * x, ++count; }
  double mean() const { return sum / static_cast<double>(count); }
  double mean_square() const { return squares / static_cast<double>(count); }
  double variance() const { return std::max(0.0, mean_square() - mean() * mean()); }
};

// Whether systems are farther from zero than they are wide, in any position feature: values are divided by the largest
// one, so that little would be left of the motion within a system.
bool systems_lie_far(const data::Dataset& dataset) {
  const auto width = static_cast<std::size_t>(dataset.features());
  for (const int f : data::position_features(dataset.description().features)) {
    Spread centres;
    double within = 0;
    for (const std::int64_t s : dataset.systems_in(data::Part::kTrain)) {
      Spread own;
      for (std::int64_t i = dataset.first_object(s); i < dataset.first_object(s) + dataset.objects_of(s); ++i) {
        const std::span<const double> values = dataset.values_of(i);
        for (std::size_t at = static_cast<std::size_t>(f); at < values.size(); at += width)
          if (!std::isnan(values[at])) own.add(values[at]);
      }
      if (own.count == 0) continue;
      centres.add(own.mean());
      within += own.variance();
    }
    if (centres.count > 0 && centres.mean_square() > within / static_cast<double>(centres.count)) return true;
  }
  return false;
}

// Validation error of a short training, over all features in units of `scale`; none without a validation part.
std::optional<double> trial(RunConfig config, data::Centre centre, std::int64_t steps, const data::Dataset& dataset,
                            const std::vector<double>& scale, const ops::Context& context, const StopFlag* stop,
                            const std::function<void()>& on_step, Ranks* ranks) {
  config.task.centre = centre;
  if (config.train.schedule == RateSchedule::kPlateau) config.train.epochs = steps, config.train.minutes.reset();
  config.train.schedule = RateSchedule::kConstant;
  config.train.warmup = std::min<std::int64_t>(config.train.warmup, steps / 4);
  Trainer trainer(config, dataset, context, nullptr, nullptr, ranks);
  const TrainResult result =
      trainer.run({.on_step = [&](const StepReport&) { on_step(); }, .stop = stop, .stop_after = steps});
  if (result.steps < steps && (ranks != nullptr || (stop != nullptr && stop->requested()))) throw Interrupted();
  const std::optional<eval::Scores> scores = trainer.validation_scores(stop);
  if (!scores) return {};
  double sum = 0;
  std::int64_t count = 0;
  for (std::size_t f = 0; f < scale.size(); ++f) {
    if (!std::isfinite(scores->feature_rmse[f])) continue;
    sum += std::pow(scores->feature_rmse[f] / scale[f], 2);
    ++count;
  }
  return count > 0 ? std::optional(std::sqrt(sum / static_cast<double>(count))) : std::nullopt;
}

// Reports what the training will take, and estimates the time of two trials; returns their steps, or 0 if there
// is nothing to compare.
CentreTrial plan_trial(const RunConfig& config, const data::Dataset& dataset, const ops::Context& context,
                       const TrainHooks& hooks, CentreChoice& choice, Ranks* ranks) {
  Trainer trainer(config, dataset, context, nullptr, nullptr, ranks);
  StartReport start = trainer.start();
  if (!trainer.done() && (hooks.on_start || hooks.on_trial)) start.cost = trainer.estimate();
  if (hooks.on_start) hooks.on_start(start);
  const std::int64_t steps =
      start.open ? std::min(start.steps, std::max(kOpenSteps, kDefaultEpochs * start.steps_per_epoch)) : start.steps;
  choice.too_few_steps = steps < kFewSteps;
  if (choice.too_few_steps || start.validation_systems == 0) return {};
  CentreTrial trial{.steps = std::clamp(steps / 10, kLeastTrial, kMostTrial)};
  if (start.cost) {
    const double validation =
        start.cost->epoch_seconds - static_cast<double>(start.steps_per_epoch) * start.cost->step_seconds;
    trial.seconds = 2 * (static_cast<double>(trial.steps) * start.cost->step_seconds + validation);
  }
  return trial;
}

bool can_turn(const data::Dataset& dataset) {
  try {
    data::turned_pairs(dataset.description().features);
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

}  // namespace

RunConfig settle_turn(RunConfig config, const data::Dataset& dataset) {
  if (config.train.turn != Turn::kAuto) return config;
  const bool turned = config.model.kind == model::ModelKind::kAssimilate && config.task.centre != data::Centre::kNone &&
                      can_turn(dataset);
  config.train.turn = turned ? Turn::kRandom : Turn::kNone;
  if (turned) config.task.centre = data::Centre::kSystem;
  return config;
}

CentreChoice choose_centre(const RunConfig& config, const data::Dataset& dataset, const ops::Context& context,
                           const TrainHooks& hooks, Ranks* ranks) {
  CentreChoice choice{.centre = config.task.centre};
  if (choice.centre != data::Centre::kAuto) return choice;
  // Both need all systems: rank 0 reads them.
  const bool reads = ranks == nullptr || ranks->rank() == 0;
  bool far = reads && systems_lie_far(dataset);
  if (ranks != nullptr) far = ranks->sum(std::vector<double>{far ? 1.0 : 0.0})[0] > 0;
  choice.centre = far ? data::Centre::kSystem : data::Centre::kNone;
  CentreTrial plan = plan_trial(config, dataset, context, hooks, choice, ranks);
  choice.steps = plan.steps;
  if (plan.steps == 0) return choice;
  if (hooks.on_trial) hooks.on_trial(plan);
  const auto step = [&] {
    ++plan.done;
    if (hooks.on_trial) hooks.on_trial(plan);
  };
  std::vector<double> scale(static_cast<std::size_t>(dataset.features()), 0.0);
  if (reads) scale = data::fit_normalisation(dataset, data::normalisation_systems(dataset, config.task)).scale;
  if (ranks != nullptr) scale = ranks->sum(scale);
  choice.none = trial(config, data::Centre::kNone, plan.steps, dataset, scale, context, hooks.stop, step, ranks);
  choice.system = trial(config, data::Centre::kSystem, plan.steps, dataset, scale, context, hooks.stop, step, ranks);
  if (choice.none && choice.system)
    choice.centre = *choice.system < *choice.none ? data::Centre::kSystem : data::Centre::kNone;
  return choice;
}

}  // namespace lgode::train
