// Decides how the gaps of each feature are filled: cuts gaps of the same kind into known values and compares the model,
// the line and cubic Hermite on them. Internal to filling.
#pragma once

#include <cstdint>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"
#include "lgode/eval/fill.h"
#include "lgode/eval/gaps.h"

namespace lgode::eval {

struct FillTrial {
  const Run& run;
  const data::Dataset& source;  // has the relations
  // Gaps to fill: those found in these systems of `whole`.
  const data::Dataset& whole;
  const Gaps& gaps;
  const std::vector<std::int64_t>& systems;
  // Gaps are cut into these systems of `known`, which is `source` or `whole`.
  const data::Dataset& known;
  std::vector<std::int64_t> known_systems;
  PredictOptions predict;
  bool with_model = true;
};

// One entry for each feature that has gaps. A gap that is cut is as long as one of those to fill, lacks the same
// features and concerns as large a share of the system's objects at once. At most 256 stretches of three ranges, about
// 1,000 objects and 2,000 values. Features with fewer than kLeastCompared cut-out values are filled by the line, and so
// are those where no other method is better by more than chance. Deterministic by predict.seed. Without `compare`,
// nothing is cut and all are filled by the line.
std::vector<FeatureFill> choose_fills(const FillTrial& trial, bool compare, const StopFlag* stop);

}  // namespace lgode::eval
