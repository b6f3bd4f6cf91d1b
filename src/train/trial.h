// Compares two ways to train by a short training with each, on the validation part.
#pragma once

#include <cstdint>
#include <optional>

#include "lgode/data/dataset.h"
#include "lgode/ops/context.h"
#include "lgode/train/config.h"
#include "lgode/train/report.h"

namespace lgode::train {

class Ranks;

struct Trials {
  Trial::Kind kind = Trial::Kind::kCentre;
  RunConfig planned;        // what the training is planned with
  RunConfig first, second;  // what is compared
};

struct Comparison {
  bool too_few_steps = false;
  std::int64_t steps = 0;  // of each; 0: nothing was compared
  // Root mean square errors on the validation part, over all features in units of the world's scale.
  std::optional<double> first = {}, second = {};
};

// A tenth of the training, 10 to 300 steps, with each of the two. Not with fewer than 100 steps or without a validation
// part. Calls hooks.on_start with the planned training, then hooks.on_trial. Interrupted on hooks.stop.
Comparison compare(const Trials& trials, const data::Dataset& dataset, const ops::Context& context,
                   const TrainHooks& hooks, Ranks* ranks);

}  // namespace lgode::train
