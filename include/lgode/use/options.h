// Options of the uses of a run and of simulations, each declared once: flags of the command, keywords of Python, their
// help and their checks follow. Independent of LibTorch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lgode/core/options.h"
#include "lgode/data/simulate.h"
#include "lgode/eval/prediction.h"

namespace lgode::use {

// A prediction: `relative`, `context`, `quantiles`, `paths`, `futures` and what declare_sampling() declares. The
// defaults are the values that the fields have.
void declare_prediction(OptionSet& set, eval::PredictOptions& options);
// `allow_mismatch`, `outliers`, `samples`, `seed` and `batch`, of predictions and fills.
void declare_sampling(OptionSet& set, eval::PredictOptions& options);

struct FillSettings {
  std::string with = "auto";  // parse_fill_with()
  bool all_times = false;
};
// `fill_with` and `all_times`; a fill also takes declare_sampling().
void declare_fill(OptionSet& set, FillSettings& settings);
// Samples of a fill: a filled table has no column for the spread, and errors are of the mean path.
inline constexpr std::int64_t kFillSamples = 0;

struct EvaluateSettings {
  std::string split = "test";    // a part, see parts.h
  std::optional<double> within;  // EvaluateOptions::within
  std::optional<double> miss_distance, collision_distance;
  std::int64_t batch = 256;
  bool allow_mismatch = false;
};
void declare_evaluation(OptionSet& set, EvaluateSettings& settings);

struct CalibrateSettings {
  std::string part;  // CalibrationRequest::part
  bool allow_mismatch = false;
};
void declare_calibration(OptionSet& set, CalibrateSettings& settings);

void declare_simulation(OptionSet& set, data::SimulateOptions& options);
// ConfigError: relations of two types are for charges.
void check(const data::SimulateOptions& options);

// Completes and checks options that were read: as many samples as paths unless `samples_given`. ConfigError unless
// quantiles are between 0 and 1, each once, and paths are no more than samples.
void settle(eval::PredictOptions& options, bool samples_given);

}  // namespace lgode::use
