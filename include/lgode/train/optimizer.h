// Adam and AdamW over a model's flat parameters, and the learning rate schedule.
//   m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) g^2,  w <- w - lr (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps)
// AdamW first shrinks w by lr * decay (Loshchilov and Hutter, 2019); Adam adds decay * w to g.
//
// A step exchanges no numbers with the host, so that it can be captured: everything that changes from step to step is
// in the tensor of step_rates().
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "lgode/model/parameters.h"
#include "lgode/train/config.h"

namespace lgode::train {

// The numbers that change from step to step, as one tensor [kStepRates], float64, on the CPU.
enum StepRate { kKlWeight, kShrink, kStepSize, kSecondMomentScale, kStepRates };
// `scale`: of the learning rate, with `schedule` plateau (Plateau::rate()).
at::Tensor step_rates(const TrainOptions& options, std::int64_t step, std::int64_t total, double scale = 1.0);

class AdamState {
 public:
  explicit AdamState(model::Parameters& parameters);

  // Scales the gradient down to a norm of at most `limit` (0: no limit). Returns the norm before scaling, as a tensor.
  at::Tensor clip(double limit);
  // Updates the weights with the current gradient. `rates`: step_rates() of this step, on the parameters' device. A
  // gradient that is not finite spoils the weights. `active`, a scalar on their device: 1, or 0 for a step without
  // targets, whose gradient is 0 and which changes nothing; undefined: 1.
  void update(const TrainOptions& options, const at::Tensor& rates, const at::Tensor& active = {});

  at::Tensor& first_moment() { return m_; }
  at::Tensor& second_moment() { return v_; }

 private:
  model::Parameters& parameters_;
  at::Tensor m_, v_;
};

// Learning rate of step `step` (0-based) of `total`: linear warm-up (at most a tenth of the run), then constant or a
// cosine that ends near zero. At a restart (restarts_of()) the previous cosine has ended, and the next one begins. With
// `schedule` plateau the total does not matter.
double learning_rate(const TrainOptions& options, std::int64_t step, std::int64_t total);

// KL weight at step `step` (0-based).
double kl_weight_at(const TrainOptions& options, std::int64_t step);

}  // namespace lgode::train
