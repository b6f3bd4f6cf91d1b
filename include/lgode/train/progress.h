// Where a training run is; all of it is in the checkpoint. No LibTorch here.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "lgode/train/plateau.h"

namespace lgode::train {

// Sums over steps.
struct StepSums {
  std::int64_t steps = 0;  // that had targets
  double loss = 0, reconstruction = 0, kl = 0, mse = 0;

  StepSums& operator+=(const StepSums& other);
};

// The best validation error so far. Without a validation part the latest weights are the best.
struct Selection {
  std::optional<double> best;
  // What was compared, where that is another number than the error (Validation::Result); none: the error.
  std::optional<double> score = {};
  std::int64_t epoch = 0;  // of the best; 0: none yet or, with `best`, the weights before the first step
  // The error before the first step, the classical path's: what is kept is never above it, whatever its score.
  std::optional<double> initial = {};

  // Whether the weights after an epoch (0: before the first step) are the best so far; if so, they become the selected
  // ones.
  bool offer(const std::optional<double>& error, std::int64_t epoch, const std::optional<double>& score = {});
};

struct Progress {
  std::int64_t epoch = 0;          // finished epochs
  std::int64_t step_in_epoch = 0;  // finished steps of the current one
  std::int64_t step = 0;           // finished steps in total
  StepSums sums;                   // of the current epoch
  Selection selection;
  Plateau plateau;  // of a training with `schedule` plateau

  nlohmann::json to_json() const;
  // DataError (opening with `where`) if the JSON is not such a description, or if its numbers contradict each other.
  static Progress from_json(const nlohmann::json& json, const std::string& where);
};

// Metadata key of a checkpoint: a Progress.
inline constexpr const char* kTrainingKey = "lgode.training";

}  // namespace lgode::train
