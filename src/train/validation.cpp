// Computes the validation error, and selects the best epoch.
#include "lgode/train/validation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/train/ranks.h"

namespace lgode::train {
namespace {

constexpr std::size_t kMostKeptSystems = 20000;  // about 40 kB per system
constexpr std::int64_t kKeptBatch = 2048;

}  // namespace

Validation::Validation(const model::Model& model, const data::BatchMaker& maker, std::vector<std::int64_t> systems,
                       const ops::Context& context, Ranks* ranks, std::optional<data::View> view)
    : model_(model),
      maker_(maker),
      systems_(std::move(systems)),
      view_(view.value_or(eval::validation_view(maker.task()))),
      context_(context.without_gradients()),
      ranks_(ranks) {}

std::vector<std::int64_t> Validation::own_systems() const {
  const std::int64_t first = systems() * ranks_->rank() / ranks_->size();
  const std::int64_t end = systems() * (ranks_->rank() + 1) / ranks_->size();
  return {systems_.begin() + first, systems_.begin() + end};
}

double Validation::score_of(const eval::Scores& scores, data::Task task, model::Loss loss) {
  constexpr double kExact = 1e-6;  // a sixth that is met to this share of the error counts as met
  if (loss == model::Loss::kDistance && scores.distance > 0) {
    const eval::MetricScore* best = scores.find(eval::Metric::Shape::kNumber, "min_ade");
    const double distance = scores.distance + (best != nullptr ? best->values[0] : 0.0);
    return distance * distance;
  }
  if (task != data::Task::kInterpolate || !(scores.mse > 0)) return scores.mse;
  double sum = 0;
  int parts = 0;
  for (const eval::HorizonBin& bin : scores.horizon) {
    if (bin.values == 0) continue;
    sum += std::log(std::max(bin.mse, kExact * scores.mse));
    ++parts;
  }
  return parts > 0 ? std::exp(sum / parts) : scores.mse;
}

std::optional<Validation::Result> Validation::result(const StopFlag* stop) {
  const std::optional<eval::Scores> found = scores(stop);
  if (!found) return {};
  return Result{found->mse, score_of(*found, maker_.task().task, model_.options().loss)};
}

std::optional<eval::Scores> Validation::scores(const StopFlag* stop) {
  if (systems_.empty()) return {};
  const bool keep = !context_.device.is_cpu() && systems_.size() <= kMostKeptSystems;
  eval::EvaluateOptions options;
  options.classical = false;
  options.context = context_;
  if (keep) options.batch = kKeptBatch, options.kept = &kept_;
  if (ranks_ == nullptr) return eval::evaluate(model_, maker_, systems_, view_, options, {}, stop).model;

  // A rank that was asked to stop takes part in the sum all the same: the others wait for it.
  bool added = false;
  const auto add_up = [&](std::vector<double> sums, double latest, bool stopped) {
    const auto rank = static_cast<std::size_t>(ranks_->rank());
    const std::size_t count = sums.size();
    sums.resize(count + 1 + static_cast<std::size_t>(ranks_->size()), 0.0);
    sums[count] = stopped ? 1 : 0, sums[count + 1 + rank] = latest;
    added = true;
    return ranks_->sum(sums);
  };
  const eval::ScoreKeeper empty(maker_.normalisation(), maker_.clock().time_scale, maker_.target_span(view_));
  const std::size_t count = empty.sums().size();
  options.combine = [&](eval::ScoreKeeper& keeper) {
    const std::vector<double> all = add_up(keeper.sums(), keeper.latest(), false);
    if (all[count] > 0) throw Interrupted();
    keeper.set({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)},
               *std::max_element(all.begin() + static_cast<std::ptrdiff_t>(count) + 1, all.end()));
  };
  try {
    return eval::evaluate(model_, maker_, own_systems(), view_, options, {}, &ranks_->stop()).model;
  } catch (const Interrupted&) {
    if (!added) add_up(empty.sums(), 0, true);
    throw;
  }
}

}  // namespace lgode::train
