// The error on the validation part after each epoch, and the choice of the weights that are kept.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/data/task.h"
#include "lgode/eval/evaluate.h"
#include "lgode/model/model.h"
#include "lgode/ops/context.h"

namespace lgode::train {

// Refers to the model and the batch maker, which must outlive it.
class Validation {
 public:
  Validation(const model::Model& model, const data::BatchMaker& maker, std::vector<std::int64_t> systems,
             const ops::Context& context);

  std::int64_t systems() const { return static_cast<std::int64_t>(systems_.size()); }
  // Mean squared error of the mean path; none where nothing is held out. Throws Interrupted.
  std::optional<double> error(const StopFlag* stop = nullptr);

 private:
  const model::Model& model_;
  const data::BatchMaker& maker_;
  std::vector<std::int64_t> systems_;
  ops::Context context_;
  std::vector<eval::PreparedBatch> kept_;  // on a GPU: it would wait for its batches, which are the same every time
};

// The best validation error so far. Without a validation part the latest weights are the best.
struct Selection {
  std::optional<double> best;
  std::int64_t epoch = 0;  // of the best; 0: none yet

  // Whether the weights after an epoch are the best so far; then they are taken for it.
  bool offer(const std::optional<double>& error, std::int64_t epoch);
};

}  // namespace lgode::train
