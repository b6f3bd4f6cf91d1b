// Adam and AdamW over a model's flat parameters, with the learning rate's course.
//   m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) g^2,  w <- w - lr (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps)
// AdamW first shrinks w by lr * decay (Loshchilov and Hutter, 2019); Adam adds decay * w to g.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "lgode/model/parameters.h"
#include "lgode/train/config.h"

namespace lgode::train {

class AdamState {
 public:
  explicit AdamState(model::Parameters& parameters);

  // One step with the gradients that are there; clips their norm to `clip` first (0: no limit). Returns the norm
  // before; where that is not finite, nothing is changed.
  double step(const TrainOptions& options, double lr);
  // The same without asking the device or telling it numbers: the norm stays there, and a gradient that is not finite
  // spoils the weights. `rates`: step_rates(), on the device. Does not count the step.
  at::Tensor step_unchecked(const TrainOptions& options, const at::Tensor& rates);

  at::Tensor& first_moment() { return m_; }
  at::Tensor& second_moment() { return v_; }
  std::int64_t steps() const { return steps_; }
  void set_steps(std::int64_t steps) { steps_ = steps; }

 private:
  void update(const TrainOptions& options, double lr);

  model::Parameters& parameters_;
  at::Tensor m_, v_;
  std::int64_t steps_ = 0;
};

// What changes from step to step beside the batch, as one tensor [kStepRates], float32, on the CPU.
enum StepRate { kKlWeight, kShrink, kStepSize, kSecondMomentScale, kStepRates };
at::Tensor step_rates(const TrainOptions& options, std::int64_t step, std::int64_t total);

// Learning rate of step `step` (0-based) of `total`: linear warm-up (at most a tenth of the run), then constant or a
// cosine that ends near zero.
double learning_rate(const TrainOptions& options, std::int64_t step, std::int64_t total);

// KL weight at step `step` (0-based).
double kl_weight_at(const TrainOptions& options, std::int64_t step);

}  // namespace lgode::train
