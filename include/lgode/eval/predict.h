// Predicts trajectories with uncertainty, in original units, at any times, for any number of objects.
#pragma once

#include <functional>

#include "lgode/core/stop.h"
#include "lgode/eval/prediction.h"
#include "lgode/eval/run.h"

namespace lgode::eval {

// Calls `sink` for each system, in order. ConfigError for times before the start or more than kMostRanges ranges of the
// model after it; Interrupted on a stop request.
void predict(const Run& run, const data::Dataset& dataset, const PredictOptions& options,
             const std::function<void(const SystemPrediction&)>& sink, const StopFlag* stop = nullptr);

}  // namespace lgode::eval
