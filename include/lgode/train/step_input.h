// All that a training step reads beside the weights: its batch, the batch's roll-out, noise, dropout masks and rates.
//
// A step is named by its number in the run. Everything random about it follows from seed and number, so that the same
// step can be made on any thread, at any time, and again after an interruption.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "lgode/data/task.h"
#include "lgode/model/model.h"
#include "lgode/ops/upload.h"
#include "lgode/train/config.h"

namespace lgode::train {

struct StepInput {
  std::int64_t step = 0;
  bool has_targets = false;  // false: a random start left a small batch without targets, and the rest is empty
  model::BatchTensors batch;
  std::shared_ptr<const model::Rollout> rollout;
  at::Tensor noise;
  model::Dropout dropout;
  at::Tensor rates;         // of step_rates()
  bool capturable = false;  // the step reads nothing but the weights and what was uploaded
  ops::Upload uploaded;     // the list of the latter
};

// Makes the inputs of a run's steps. Thread-safe. Refers to the model and the batch maker, which must outlive it.
class StepMaker {
 public:
  // `systems`: those that train. `batch` of them per step, in an order that is drawn anew for each epoch. `precision`:
  // of the products on a GPU.
  StepMaker(const model::Model& model, const data::BatchMaker& maker, std::vector<std::int64_t> systems,
            std::int64_t batch, const TrainOptions& options, const ops::Context& context);

  std::int64_t steps_per_epoch() const { return steps_per_epoch_; }
  std::int64_t steps() const { return steps_per_epoch_ * options_.epochs; }
  StepInput make(std::int64_t step) const;
  // The systems of a step, in the order in which they were drawn.
  std::vector<std::int64_t> systems_of(std::int64_t step) const;

 private:
  std::shared_ptr<const std::vector<std::int64_t>> order_of(std::int64_t epoch) const;

  const model::Model& model_;
  const data::BatchMaker& maker_;
  std::vector<std::int64_t> systems_;
  std::int64_t batch_, steps_per_epoch_;
  TrainOptions options_;
  ops::Context context_;
  mutable std::mutex mutex_;
  mutable std::int64_t epoch_ = -1;  // of order_
  mutable std::shared_ptr<const std::vector<std::int64_t>> order_;
};

}  // namespace lgode::train
