// The input of a training step, apart from the weights: batch, roll-out, noise, dropout masks and rates.
//
// A step is identified by its number in the run. All its random numbers follow from the seed and this number, so that
// its input can be made on any thread, at any time, and again after an interruption.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "lgode/data/batch_maker.h"
#include "lgode/data/turn.h"
#include "lgode/model/model.h"
#include "lgode/ops/upload.h"
#include "lgode/train/config.h"
#include "lgode/train/report.h"

namespace lgode::train {

// The part of each step that a rank takes.
struct Share {
  int rank = 0, size = 0;  // size 0: no ranks, the whole step
};

// Which rank takes which system of a step. Most systems stay with the rank that they belong to, by their index among
// all training systems, so that a machine reads the same part of a large file over and over; the rest goes where there
// is less work. `places`: 0 to 1. `work`: in any unit. The same on every rank.
std::vector<int> spread(const std::vector<double>& places, const std::vector<double>& work, int ranks);

struct StepInput {
  // false: a random start left a small batch without targets, or this rank has no share; the other members are empty,
  // except rates with ranks.
  bool has_targets = false;
  model::BatchTensors batch;
  std::shared_ptr<const model::Rollout> rollout;
  at::Tensor noise;
  model::Dropout dropout;
  at::Tensor rates;         // from step_rates()
  bool capturable = false;  // the step reads only the weights and the tensors of `uploaded`
  ops::Upload uploaded;
};

// Makes the inputs of a run's steps. Thread-safe. The model and the batch maker must outlive it.
class StepMaker {
 public:
  // `systems`: the training systems; `batch` of them per step, in a new random order per epoch. ConfigError if the
  // options rotate systems whose features cannot be rotated.
  StepMaker(const model::Model& model, const data::BatchMaker& maker, std::vector<std::int64_t> systems,
            std::int64_t batch, const TrainOptions& options, const ops::Context& context, Share share = {});

  std::int64_t steps_per_epoch() const { return steps_per_epoch_; }
  // In total; kNoEnd without a limit.
  std::int64_t steps() const { return options_.epochs ? steps_per_epoch_ * *options_.epochs : kNoEnd; }
  // Of the learning rate, for inputs that are made from now on. No other thread makes any meanwhile.
  void scale_rate(double scale) { rate_scale_ = scale; }
  StepInput make(std::int64_t step) const;
  // The input of a step with this batch.
  StepInput make(data::Batch batch, std::int64_t step) const;
  // The batch of these systems in a step.
  data::Batch batch_of(const std::vector<std::int64_t>& systems, std::int64_t step) const;
  // The systems of a step, in the order in which they were drawn; with ranks, only this rank's share.
  std::vector<std::int64_t> systems_of(std::int64_t step) const;

 private:
  std::shared_ptr<const std::vector<std::int64_t>> order_of(std::int64_t epoch) const;

  const model::Model& model_;
  const data::BatchMaker& maker_;
  std::vector<std::int64_t> systems_;
  std::int64_t batch_, steps_per_epoch_;
  TrainOptions options_;
  ops::Context context_;
  Share share_;
  double rate_scale_ = 1.0;
  data::TurnedPairs turned_;  // empty: systems are not rotated
  std::vector<int> resized_;  // empty: systems keep their size
  mutable std::mutex mutex_;
  mutable std::int64_t epoch_ = -1;  // of order_
  mutable std::shared_ptr<const std::vector<std::int64_t>> order_;
};

}  // namespace lgode::train
