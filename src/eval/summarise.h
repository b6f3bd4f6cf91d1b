// What a prediction says of one value: the mean path, its deviation and quantiles, in normalised units; and which
// samples that needs. Internal to predictions.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <span>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/eval/calibration.h"
#include "lgode/eval/path_runner.h"
#include "lgode/eval/run.h"

namespace lgode::eval {

// The paths that a prediction needs besides the mean one. Calibrated intervals need at most the model's spread, from
// the samples with which it was calibrated (path_spread); others are quantiles over `samples`.
struct PathPlan {
  PathOptions options;
  bool sampled_intervals = false;  // quantiles are those of the samples with noise
  bool spread_apart = false;       // the spread is not that of these samples: path_spread() has it

  // `samples`, `seed`, `paths`, `futures`: as PredictOptions.
  static PathPlan make(const Run& run, std::int64_t samples, std::uint64_t seed, std::int64_t paths,
                       std::int64_t futures = 0);
};

// Probabilities of futures from their scores. [N, K] of any float type -> [N, K] double
at::Tensor probabilities(const at::Tensor& scores);
// The `count` most probable of an object's futures, falling; of equally probable ones the first.
std::vector<std::int64_t> most_probable(std::span<const double> probability, std::int64_t count);

struct ValueSummary {
  double mean = 0, deviation = 0, low = 0, high = 0;
};

// The arguments of a calibration's widths.
struct Widths {
  const Calibration* calibration = nullptr;  // null: none
  std::int64_t feature = 0;
  double distance = 0, start = 0;

  bool known() const { return calibration != nullptr && !calibration->empty(); }
};
// With widths from a calibration: quantiles at its half-width of 90 %, the deviation at the one of 68.27 %.
ValueSummary with_widths(ValueSummary value, const Widths& widths);

// The q-quantile of ascending values, with linear interpolation.
double quantile(const std::vector<double>& sorted, double q);

// Of the mean path and `draw.size()` samples after it, `stride` apart, with the decoder's noise sigma. `sampled`: the
// quantiles are those of the samples with noise, two or more; else the noise's. `draw`: room to work in; afterwards,
// if `sampled`, it has the samples with noise, ascending.
ValueSummary summarise_value(const float* value, std::int64_t stride, double sigma, bool sampled, Random& random,
                             std::vector<double>& draw);

}  // namespace lgode::eval
