// One training step: loss, gradient, update. On a CPU it is done when take() returns; on a GPU the device is asked and
// not waited for, and steps of the same shape are captured once and replayed.
#pragma once

#include <cstdint>
#include <memory>

#include "lgode/model/model.h"
#include "lgode/ops/context.h"
#include "lgode/train/config.h"
#include "lgode/train/optimizer.h"
#include "lgode/train/step_input.h"

namespace lgode::train {

// Sums over steps.
struct StepSums {
  std::int64_t steps = 0;  // that had targets
  double loss = 0, reconstruction = 0, kl = 0, mse = 0;

  StepSums& operator+=(const StepSums& other);
};

class Step {
 public:
  virtual ~Step() = default;

  // Takes a step that has targets.
  virtual void take(StepInput input) = 0;
  // Sums over the steps since the last call. Waits for the device. DivergedError where a loss or a gradient was not
  // finite; on a CPU take() throws it, and the weights are those before the step.
  virtual StepSums collect() = 0;
  // How many steps the device may be behind: after that many, collect() is due.
  virtual std::int64_t uncollected() const = 0;
  // Whether taking this step needs the device for itself: nothing else may be uploaded meanwhile.
  virtual bool will_capture(const StepInput& /*input*/) const { return false; }
};

// The form for the context's device. Refers to model and optimiser, which must outlive it.
std::unique_ptr<Step> make_step(model::Model& model, AdamState& adam, const TrainOptions& options,
                                const ops::Context& context);

}  // namespace lgode::train
