// Settles `turn`, and compares absolute and relative coordinates: by two short trainings, or by the distance of
// systems from zero.
#include "lgode/train/centre.h"

#include <algorithm>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/data/turn.h"
#include "lgode/train/ranks.h"
#include "trial.h"

namespace lgode::train {
namespace {

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
  const auto with = [&](data::Centre centre) {
    RunConfig changed = config;
    changed.task.centre = centre;
    return changed;
  };
  const Comparison compared =
      compare({Trial::Kind::kCentre, config, with(data::Centre::kNone), with(data::Centre::kSystem)}, dataset, context,
              hooks, ranks);
  choice.too_few_steps = compared.too_few_steps, choice.steps = compared.steps;
  choice.none = compared.first, choice.system = compared.second;
  if (choice.none && choice.system)
    choice.centre = *choice.system < *choice.none ? data::Centre::kSystem : data::Centre::kNone;
  return choice;
}

}  // namespace lgode::train
