// One training step: loss, gradient, update. On a CPU it is finished when take() returns. On a GPU take() only launches
// the work; steps of the same shape are captured once and replayed.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "lgode/model/model.h"
#include "lgode/ops/context.h"
#include "lgode/train/config.h"
#include "lgode/train/objective.h"
#include "lgode/train/optimizer.h"
#include "lgode/train/progress.h"
#include "lgode/train/step_input.h"

namespace lgode::train {

class Ranks;

class Step {
 public:
  virtual ~Step() = default;

  // Performs a step that has targets. Locks `rest` before the first weight changes, and leaves it locked. With ranks,
  // an input is this rank's share of the step and may have none; every rank takes every step.
  virtual void take(StepInput input, std::unique_lock<std::mutex>& rest) = 0;
  // Sums over the steps since the last call. Waits for the device. DivergedError if a loss or a gradient was not
  // finite. On a CPU take() throws it instead, and the weights stay as they were before the step.
  virtual StepSums collect() = 0;
  // Number of steps since the last collect(), which the device may not have finished yet.
  virtual std::int64_t uncollected() const = 0;
  // Whether this step will be captured; nothing else may be uploaded meanwhile.
  virtual bool will_capture(const StepInput& /*input*/) const { return false; }
  // With ranks: a rank asked to stop in one of the collected steps; all ranks get the same answer after the same step.
  virtual bool asked_to_stop() const { return false; }
};

// Computes loss and gradient of a step; the gradient is stored in the parameters.
Objective differentiate(model::Model& model, const StepInput& input, Over over = Over::kMean);

// The step for the context's device. Model, optimiser and ranks must outlive it. Null ranks: this process trains alone.
std::unique_ptr<Step> make_step(model::Model& model, AdamState& adam, const TrainOptions& options,
                                const ops::Context& context, Ranks* ranks = nullptr);

}  // namespace lgode::train
