// Options and results of a prediction. No LibTorch here.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace lgode::eval {

// Longest prediction, in ranges of the model: farther ahead it has no skill, and the solve would need too much memory.
inline constexpr double kMostRanges = 100;

struct PredictOptions {
  std::vector<std::int64_t> systems = {};           // of the data set; empty: all of them
  std::vector<double> times = {};                   // physical; empty: 60 steps over the range that the task covers
  std::vector<std::vector<double>> own_times = {};  // physical, one list per entry of `systems`; replaces `times`
  bool relative = false;                            // times count from each system's origin
  std::optional<double> start = {};                 // physical (relative: from the origin); default: see BatchMaker
  std::int64_t samples = 100;                       // latent samples; 0: the mean path, with the decoder's noise only
  std::uint64_t seed = 1;
  std::int64_t batch = 64;
  bool allow_mismatch = false;  // of units and time spans (check_fits)
};

// Prediction of one system: for each object and time, D features. NaN where there is none: objects of which the model
// saw nothing (unless it predicts those, too), and derived features.
struct SystemPrediction {
  std::int64_t system = 0;
  std::int64_t objects = 0;
  std::vector<double> times;                      // [K] physical
  std::vector<float> mean, deviation, low, high;  // [objects, K, D] original units; low and high: 5 and 95 % quantiles
};

}  // namespace lgode::eval
