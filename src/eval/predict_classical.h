// Predictions by classical methods, with calibrated intervals. Internal to predictions.
#pragma once

#include <functional>
#include <vector>

#include "lgode/core/stop.h"
#include "requests.h"

namespace lgode::eval {

// ConfigError: the run lacks what the method takes from its training data, or options do not go with a method.
void check_classical(const Run& run, const PredictOptions& options, Classical kind);

// The predictions of `systems[place]` for every place, in order, `options.batch` systems at a time. Without a
// calibration of the method, the Kalman smoother has its own deviations, and the others have none (NaN).
void predict_by_classical(const Run& run, const data::BatchMaker& maker, const PredictOptions& options, Classical kind,
                          const Requests& requests, const std::vector<std::int64_t>& systems,
                          const std::vector<std::size_t>& places,
                          const std::function<void(const SystemPrediction&)>& sink, const StopFlag* stop);

}  // namespace lgode::eval
