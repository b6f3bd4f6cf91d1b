// Predicts trajectories with uncertainty, in original units, at any times, for any number of objects.
#pragma once

#include <functional>
#include <span>

#include "lgode/core/stop.h"
#include "lgode/data/batch_maker.h"
#include "lgode/eval/prediction.h"
#include "lgode/eval/run.h"

namespace lgode::eval {

// Systems that cannot be predicted as asked, by reason.
struct Skipped {
  std::int64_t nothing_seen = 0;  // no observation that the encoder could see for this start
  std::int64_t before_start = 0;  // a time lies before the start
  std::int64_t too_far = 0;       // a time lies more than kMostRanges ranges of the model after it

  std::int64_t all() const { return nothing_seen + before_start + too_far; }
};

// Calls `sink` for each system, in order, with the prediction of `options.method` (not kAuto), except those that cannot
// be predicted as asked, which are returned. ConfigError if none can, or if one of own_times cannot; Interrupted on a
// stop request.
Skipped predict(const Run& run, const data::Dataset& dataset, const PredictOptions& options,
                const std::function<void(const SystemPrediction&)>& sink, const StopFlag* stop = nullptr);

// Calls `sink` for each scene, in order, with its `times`; SystemPrediction::system is Scene::number. The model sees
// the context that the scenes have. `maker`: batch_maker() of the run; its data set describes the scenes, whose rows
// may be elsewhere. Of `options` samples, seed, batch, quantiles and paths are used. ConfigError if a scene does not
// fit the run (check_fits), or if a time lies before its start or more than kMostRanges ranges after it.
void predict(const Run& run, const data::BatchMaker& maker, std::span<const data::Scene> scenes,
             const PredictOptions& options, const std::function<void(const SystemPrediction&)>& sink,
             const StopFlag* stop = nullptr);

}  // namespace lgode::eval
