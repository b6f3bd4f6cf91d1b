// Short trainings for a comparison.
#include "trial.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/data/normalisation.h"
#include "lgode/train/ranks.h"
#include "lgode/train/trainer.h"

namespace lgode::train {
namespace {

constexpr std::int64_t kFewSteps = 100, kLeastTrial = 10, kMostTrial = 300;
constexpr std::int64_t kOpenSteps = 500;  // that a training without a fixed length is expected to take at least

// Validation error of a short training, over all features in units of `scale`; none without a validation part.
std::optional<double> error_after(RunConfig config, std::int64_t steps, const data::Dataset& dataset,
                                  const std::vector<double>& scale, const ops::Context& context, const StopFlag* stop,
                                  const std::function<void()>& on_step, Ranks* ranks) {
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

// Reports what the training will take, and estimates the time of two trials, of no steps if there is nothing to
// compare.
Trial plan(const Trials& trials, const data::Dataset& dataset, const ops::Context& context, const TrainHooks& hooks,
           bool& too_few_steps, Ranks* ranks) {
  Trainer trainer(trials.planned, dataset, context, nullptr, nullptr, ranks);
  StartReport start = trainer.start();
  if (!trainer.done() && (hooks.on_start || hooks.on_trial)) start.cost = trainer.estimate();
  if (hooks.on_start) hooks.on_start(start);
  const std::int64_t steps =
      start.open ? std::min(start.steps, std::max(kOpenSteps, kDefaultEpochs * start.steps_per_epoch)) : start.steps;
  too_few_steps = steps < kFewSteps;
  Trial trial{.kind = trials.kind};
  if (too_few_steps || start.validation_systems == 0) return trial;
  trial.steps = std::clamp(steps / 10, kLeastTrial, kMostTrial);
  if (start.cost) {
    const double validation =
        start.cost->epoch_seconds - static_cast<double>(start.steps_per_epoch) * start.cost->step_seconds;
    trial.seconds = 2 * (static_cast<double>(trial.steps) * start.cost->step_seconds + validation);
  }
  return trial;
}

}  // namespace

Comparison compare(const Trials& trials, const data::Dataset& dataset, const ops::Context& context,
                   const TrainHooks& hooks, Ranks* ranks) {
  Comparison out;
  Trial trial = plan(trials, dataset, context, hooks, out.too_few_steps, ranks);
  out.steps = trial.steps;
  if (trial.steps == 0) return out;
  if (hooks.on_trial) hooks.on_trial(trial);
  const auto step = [&] {
    ++trial.done;
    if (hooks.on_trial) hooks.on_trial(trial);
  };
  // All systems are read: by rank 0.
  std::vector<double> scale(static_cast<std::size_t>(dataset.features()), 0.0);
  if (ranks == nullptr || ranks->rank() == 0)
    scale = data::fit_normalisation(dataset, data::normalisation_systems(dataset, trials.planned.task)).scale;
  if (ranks != nullptr) scale = ranks->sum(scale);
  out.first = error_after(trials.first, trial.steps, dataset, scale, context, hooks.stop, step, ranks);
  out.second = error_after(trials.second, trial.steps, dataset, scale, context, hooks.stop, step, ranks);
  return out;
}

}  // namespace lgode::train
