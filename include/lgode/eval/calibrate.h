// Fits a run's intervals on systems that it was not trained on.
#pragma once

#include "lgode/core/stop.h"
#include "lgode/eval/calibration.h"
#include "lgode/eval/run.h"

namespace lgode::eval {

// Samples from which the spread of a prediction is estimated, here and in evaluations.
inline constexpr std::int64_t kSpreadSamples = 8;
inline constexpr std::uint64_t kSpreadDraw = 1;  // of latent_noise(): other ones than those of sampled paths

// The spread of the predictions of a batch, [T, D] normalised: the deviation over kSpreadSamples samples and the
// decoder's noise.
std::vector<float> path_spread(const model::Model& model, const model::BatchTensors& batch, const ops::Context& context,
                               std::uint64_t seed);

// Uses the validation part of the maker's data set (a sample of many systems), with contexts as in validation and in
// training, so that forecasts start as early and reach as far as they do there. Empty without such a part, and with
// protocol=paper, which validates on the test part. Interrupted on a stop request.
Calibrations calibrate(const Run& run, const data::BatchMaker& maker, const StopFlag* stop = nullptr);
// The same on these systems.
Calibrations calibrate(const Run& run, const data::BatchMaker& maker, const std::vector<std::int64_t>& systems,
                       const StopFlag* stop = nullptr);

}  // namespace lgode::eval
