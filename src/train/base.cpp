// Compares the classical methods as evaluations do.
#include "base.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lgode/core/evenly_spaced.h"
#include "lgode/data/classical/classical.h"
#include "lgode/eval/metrics.h"
#include "lgode/eval/run_info.h"
#include "lgode/model/assimilate/cell.h"
#include "lgode/model/base.h"

namespace lgode::train {
namespace {

using model::Base;

// Those with numbers and forecasts of their own.
std::vector<Classical> candidates(data::Task task, const data::ClassicalFit& fit) {
  std::vector<Classical> kinds = data::classical_kinds(fit);
  if (task == data::Task::kExtrapolate)
    std::erase_if(kinds, [](Classical kind) { return classical_method(kind).forecasts_as != kind; });
  return kinds;
}

// Mean squared errors on these systems.
std::vector<double> errors_of(const std::vector<Classical>& kinds, const data::BatchMaker& maker,
                              const std::vector<std::int64_t>& systems, data::View view,
                              const data::ClassicalFit& fit) {
  constexpr std::size_t kBatch = 64;
  const eval::ScoreKeeper empty(maker.normalisation(), maker.clock().time_scale, maker.target_span(view), 1,
                                eval::all_metrics(), eval::error_features(maker));
  std::vector<eval::ScoreKeeper> keepers(kinds.size(), empty);
  for (std::size_t first = 0; first < systems.size(); first += kBatch) {
    const data::Batch batch =
        maker.make({systems.begin() + static_cast<std::ptrdiff_t>(first),
                    systems.begin() + static_cast<std::ptrdiff_t>(std::min(systems.size(), first + kBatch))},
                   view);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const std::vector<float> path = data::predict_classical(kinds[k], batch, maker.dataset().description().features,
                                                              maker.normalisation(), maker.clock().time_scale, fit);
      keepers[k].add(batch, path.data());
    }
  }
  std::vector<double> errors;
  for (const eval::ScoreKeeper& keeper : keepers) errors.push_back(keeper.scores().mse);
  return errors;
}

// The validation part or, without one, some training systems, evenly spread.
std::vector<std::int64_t> systems_to_compare(const data::Parts& parts) {
  constexpr std::size_t kMost = 256;
  if (!parts.validation.empty()) return parts.validation;
  return evenly_spaced(parts.train, kMost);
}

}  // namespace

BaseChoice choose_base(const RunConfig& config, const data::BatchMaker& maker, const data::Parts& parts,
                       const data::ClassicalFit& fit, double typical_gap, model::ModelShape& shape) {
  constexpr double kMostGain = 0.99;  // so that its gradient is not small
  BaseChoice choice;
  shape.base.reset();
  if (config.model.base == Base::kOwn) return choice;
  if (config.model.base == Base::kAuto) {
    choice.validated = !parts.validation.empty();
    const std::vector<Classical> kinds = candidates(maker.task().task, fit);
    const std::vector<double> errors =
        errors_of(kinds, maker, systems_to_compare(parts), eval::validation_view(maker.task()), fit);
    for (std::size_t k = 0; k < kinds.size(); ++k)
      if (std::isfinite(errors[k])) choice.errors.emplace_back(kinds[k], errors[k]);
    const auto best = std::min_element(choice.errors.begin(), choice.errors.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (best == choice.errors.end()) return choice;
    choice.kind = best->first;
  } else {
    choice.kind = model::classical_of(config.model.base);
  }
  const double time_scale = maker.clock().time_scale;
  shape.base =
      data::base_path(*choice.kind, maker.dataset().description().features, maker.normalisation(), time_scale, fit);
  // A share of the observations is hidden, which makes their gaps longer.
  if (model::learns_gain(config.model, shape) && !fit.noise.empty() && typical_gap > 0)
    data::set_stationary_gains(*shape.base, typical_gap / time_scale / maker.task().observed, kMostGain);
  return choice;
}

Base base_option(const std::optional<data::BasePath>& base) { return base ? model::base_of(base->kind) : Base::kOwn; }

}  // namespace lgode::train
