// The scores of the model and of the classical baselines, on all systems of an evaluation or on some.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/methods.h"
#include "lgode/eval/evaluate.h"

namespace lgode::eval {

using NamedScores = std::vector<std::pair<std::string, Scores>>;

// The paths of a method, and the spread of the first one; null: ones.
struct MethodPaths {
  PredictedPaths paths;
  const float* spread = nullptr;  // [T, D] normalised
};

class MethodKeepers {
 public:
  // `counts`: which systems of the data set; empty: all.
  MethodKeepers(const ScoreKeeper& empty, const std::vector<Classical>& kinds,
                std::function<bool(std::int64_t)> counts = {});

  // With intervals, too; `keeper` makes an empty keeper for a calibration.
  void add_intervals(const Calibrations& calibrations, const std::function<IntervalKeeper(const Calibration&)>& keeper);
  // `classical`: in the order of the kinds.
  void add(const data::Batch& batch, const MethodPaths& model, const std::vector<MethodPaths>& classical,
           const data::Dataset& dataset);

  ScoreKeeper& model_keeper() { return model_; }
  Scores model() const { return model_.scores(); }
  NamedScores classical() const;
  std::vector<std::pair<std::string, Comparison>> comparisons() const;
  std::optional<WorstObject> worst_object() const { return objects_.worst(); }
  std::optional<Evaluation::Intervals> intervals(const data::Dataset& dataset) const;

  // What was accumulated, and the same of other systems, to add.
  nlohmann::json state() const;
  void add(const nlohmann::json& state);

 private:
  ScoreKeeper model_;
  std::vector<ScoreKeeper> classical_;
  std::vector<ComparisonKeeper> comparisons_;
  ObjectKeeper objects_;
  std::vector<Classical> kinds_;
  std::function<bool(std::int64_t)> counts_;
  std::optional<IntervalKeeper> intervals_;
  std::vector<std::pair<std::size_t, IntervalKeeper>> classical_intervals_;  // by place in kinds_
};

}  // namespace lgode::eval
