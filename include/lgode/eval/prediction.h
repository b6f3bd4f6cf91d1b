// Options and results of a prediction. No LibTorch here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lgode/core/methods.h"
#include "lgode/core/option_values.h"
#include "lgode/data/task.h"

namespace lgode::eval {

// What predicts: the model, a classical method (core/methods.h), or whichever had the smallest error on the run's
// validation part.
enum class Method : std::uint8_t {
  kModel,
  kAuto,
  kLinear,
  kHermite,
  kHold,
  kConstantVelocity,
  kDampedVelocity,
  kKalman
};
// Nothing for the model and for kAuto.
std::optional<Classical> classical_of(Method method);
Method method_of(Classical kind);

// Longest prediction, in ranges of the model: farther ahead it has no skill, and the solve would need too much memory.
inline constexpr double kMostRanges = 100;

struct PredictOptions {
  std::vector<std::int64_t> systems = {};  // of the data set; empty: all of them
  Method method = Method::kModel;
  std::vector<double> times = {};                   // physical; empty: 60 steps to the horizon, of whole counts where
                                                    // the data's times are counts
  std::optional<Length> horizon = {};               // physical, after the start; default: as far as training looked
  std::vector<std::vector<double>> own_times = {};  // physical, one list per entry of `systems`; replaces `times`
  bool relative = false;                            // times count from each system's origin
  // Physical (relative: from the origin). A forecast sees what was observed before it, as an evaluation does. Default:
  // see BatchMaker.
  std::optional<double> start = {};
  bool include_start = false;                 // it also sees what was observed at `start` itself
  std::optional<data::Context> context = {};  // extrapolation: how much is seen; default: as in training
  // Latent samples: of intervals that are not calibrated (0: of the decoder's noise only), and of `paths`. Values are
  // those of the mean path in any case.
  std::int64_t samples = 100;
  std::uint64_t seed = 1;
  std::int64_t batch = 64;                          // systems at a time on a CPU; a GPU takes as many as keep it busy
  bool allow_mismatch = false;                      // of units and time spans (check_fits)
  data::Outliers outliers = data::Outliers::kFlag;  // kUse: also what the run does not believe
  std::vector<double> quantiles = {};               // wanted besides 5 and 95 %, between 0 and 1
  std::int64_t paths = 0;                           // sampled paths wanted, at most `samples`
  std::int64_t futures = 0;                         // the most probable ones wanted, at most those that the run has
  // Called after each batch: how many systems are done, of how many, and the share of the work, by objects.
  std::function<void(std::int64_t done, std::int64_t total, double work)> progress = {};
};

// Prediction of one system: for each object and time, D features. NaN where there is none: objects of which the model
// saw nothing (unless it predicts those, too), and derived features.
struct SystemPrediction {
  std::int64_t system = 0;
  std::int64_t objects = 0;
  std::vector<double> times;  // [K] physical
  double start = 0;           // physical
  // [objects, K, D] original units (data::in_units). mean: the mean path, whose errors an evaluation measures; low and
  // high: 5 and 95 % quantiles.
  std::vector<double> mean, deviation, low, high;
  std::vector<double> spread = {};                  // the model's own deviation, before calibration
  std::vector<std::vector<double>> quantiles = {};  // one of the size of `mean` for each of PredictOptions::quantiles
  // One for each of PredictOptions::paths: what happens together in one sample. With calibrated intervals, each value's
  // samples have those quantiles, in the order of the model's own samples.
  std::vector<std::vector<double>> paths = {};
  // The most probable futures, each of the size of `mean`, and their probabilities [objects, futures], falling for each
  // object; of all futures of the run they add up to 1. Futures of scenes have one order for all objects of a system.
  std::vector<std::vector<double>> futures = {};
  std::vector<double> probability = {};
};

// The column of a quantile: "q05", "q50", "q97.5".
std::string quantile_name(double q);

// Whether anything is predicted of an object.
inline bool has_prediction(const SystemPrediction& prediction, std::int64_t object) {
  const std::size_t each = prediction.mean.size() / static_cast<std::size_t>(prediction.objects);
  const auto first = prediction.mean.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(object) * each);
  return std::any_of(first, first + static_cast<std::ptrdiff_t>(each), [](double x) { return !std::isnan(x); });
}

}  // namespace lgode::eval
