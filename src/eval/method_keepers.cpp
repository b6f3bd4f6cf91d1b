// Hands the paths of a batch to the keepers of all methods.
#include "method_keepers.h"

#include <nlohmann/json.hpp>

#include "lgode/data/classical/classical.h"
#include "lgode/data/recordings.h"

namespace lgode::eval {
namespace {

constexpr std::size_t kMostRecordings = 50;  // whose intervals are reported one by one

}  // namespace

MethodKeepers::MethodKeepers(const ScoreKeeper& empty, const std::vector<Classical>& kinds,
                             std::function<bool(std::int64_t)> counts)
    : model_(empty),
      classical_(kinds.size(), empty),
      comparisons_(kinds.size()),
      kinds_(kinds),
      counts_(std::move(counts)) {}

void MethodKeepers::add_intervals(const Calibrations& calibrations,
                                  const std::function<IntervalKeeper(const Calibration&)>& keeper) {
  intervals_.emplace(keeper(calibrations.model));
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    if (const Calibration* own = calibrations.of(std::string(data::classical_name(kinds_[k]))))
      if (!own->empty()) classical_intervals_.emplace_back(k, keeper(*own));
}

void MethodKeepers::add(const data::Batch& batch, const MethodPaths& model, const std::vector<MethodPaths>& classical,
                        const data::Dataset& dataset) {
  ObjectErrors own, other;
  const auto keep = [&](std::int64_t system, std::int64_t object, double error) {
    own.emplace_back(system, error);
    objects_.add(dataset.object_id(system, object), error);
  };
  using EachObject = std::function<void(std::int64_t, std::int64_t, double)>;
  model_.add(batch, model.paths, counts_, kinds_.empty() ? EachObject() : keep);
  for (std::size_t k = 0; k < classical.size(); ++k) {
    other.clear();
    classical_[k].add(batch, classical[k].paths, counts_,
                      [&](std::int64_t system, std::int64_t, double error) { other.emplace_back(system, error); });
    comparisons_[k].add(own, other);
  }
  if (!intervals_ || model.paths.values == nullptr) return;
  intervals_->add(batch, model.paths.values, model.spread, counts_);
  for (auto& [k, keeper] : classical_intervals_)
    keeper.add(batch, classical[k].paths.values, classical[k].spread, counts_);
}

NamedScores MethodKeepers::classical() const {
  NamedScores out;
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    out.emplace_back(data::classical_name(kinds_[k]), classical_[k].scores());
  return out;
}

std::vector<std::pair<std::string, Comparison>> MethodKeepers::comparisons() const {
  std::vector<std::pair<std::string, Comparison>> out;
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    out.emplace_back(data::classical_name(kinds_[k]), comparisons_[k].comparison());
  return out;
}

std::optional<Evaluation::Intervals> MethodKeepers::intervals(const data::Dataset& dataset) const {
  if (!intervals_) return std::nullopt;
  Evaluation::Intervals out;
  out.model = intervals_->scores();
  if (!dataset.description().recordings.empty()) {
    out.model.recordings =
        intervals_->by_group([&](std::int64_t system) { return data::recording_of(dataset, system); });
    if (out.model.recordings.size() < 2 || out.model.recordings.size() > kMostRecordings) out.model.recordings.clear();
  }
  for (const auto& [k, keeper] : classical_intervals_)
    out.classical.emplace_back(data::classical_name(kinds_[k]), keeper.scores());
  return out;
}

nlohmann::json MethodKeepers::state() const {
  nlohmann::json out = {{"model", model_.state()},
                        {"classical", nlohmann::json::array()},
                        {"comparisons", nlohmann::json::array()},
                        {"objects", objects_.state()},
                        {"intervals", intervals_ ? intervals_->state() : nlohmann::json()},
                        {"classical_intervals", nlohmann::json::array()}};
  for (const ScoreKeeper& keeper : classical_) out["classical"].push_back(keeper.state());
  for (const ComparisonKeeper& keeper : comparisons_) out["comparisons"].push_back(keeper.state());
  for (const auto& [k, keeper] : classical_intervals_) out["classical_intervals"].push_back(keeper.state());
  return out;
}

void MethodKeepers::add(const nlohmann::json& state) {
  model_.add(state.at("model"));
  for (std::size_t k = 0; k < classical_.size(); ++k) {
    classical_[k].add(state.at("classical").at(k));
    comparisons_[k].add(state.at("comparisons").at(k));
  }
  objects_.add(state.at("objects"));
  if (intervals_) intervals_->add(state.at("intervals"));
  for (std::size_t k = 0; k < classical_intervals_.size(); ++k)
    classical_intervals_[k].second.add(state.at("classical_intervals").at(k));
}

}  // namespace lgode::eval
