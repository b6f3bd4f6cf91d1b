// Compares absolute and relative coordinates: by two short trainings, or by how far apart the systems lie.
#include "lgode/train/centre.h"

#include <algorithm>
#include <cmath>

#include "lgode/core/error.h"
#include "lgode/data/normalisation.h"
#include "lgode/train/trainer.h"

namespace lgode::train {
namespace {

constexpr std::int64_t kFewSteps = 100, kLeastTrial = 10, kMostTrial = 300;

struct Spread {
  double sum = 0, squares = 0;
  std::int64_t count = 0;
  void add(double x) { sum += x, squares += x * x, ++count; }
  double mean() const { return sum / static_cast<double>(count); }
  double variance() const {
    return count > 0 ? std::max(0.0, squares / static_cast<double>(count) - mean() * mean()) : 0;
  }
};

// Whether systems lie farther apart than they are wide, in any position feature.
bool systems_lie_apart(const data::Dataset& dataset) {
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
    if (centres.count > 1 && centres.variance() > within / static_cast<double>(centres.count)) return true;
  }
  return false;
}

// Validation error of a short training, over all features in units of `scale`; none without a validation part.
std::optional<double> trial(RunConfig config, data::Centre centre, std::int64_t steps, const data::Dataset& dataset,
                            const std::vector<double>& scale, const ops::Context& context, const StopFlag* stop) {
  config.task.centre = centre;
  config.train.schedule = RateSchedule::kConstant;
  config.train.warmup = std::min<std::int64_t>(config.train.warmup, steps / 4);
  Trainer trainer(config, dataset, context);
  const TrainResult result = trainer.run({.stop = stop, .stop_after = steps});
  if (stop != nullptr && stop->requested() && result.steps < steps) throw Interrupted();
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

}  // namespace

CentreChoice choose_centre(const RunConfig& config, const data::Dataset& dataset, const ops::Context& context,
                           const StopFlag* stop) {
  CentreChoice choice{.centre = config.task.centre};
  if (choice.centre != data::Centre::kAuto) return choice;
  choice.centre = systems_lie_apart(dataset) ? data::Centre::kSystem : data::Centre::kNone;
  const StartReport start = Trainer(config, dataset, context).start();
  if (start.steps < kFewSteps || start.validation_systems == 0) return choice;
  choice.steps = std::clamp(start.steps / 10, kLeastTrial, kMostTrial);
  const std::vector<double> scale =
      data::fit_normalisation(dataset, data::normalisation_systems(dataset, config.task)).scale;
  choice.none = trial(config, data::Centre::kNone, choice.steps, dataset, scale, context, stop);
  choice.system = trial(config, data::Centre::kSystem, choice.steps, dataset, scale, context, stop);
  if (choice.none && choice.system)
    choice.centre = *choice.system < *choice.none ? data::Centre::kSystem : data::Centre::kNone;
  return choice;
}

}  // namespace lgode::train
