// A training step that benchmarks repeat.
#pragma once

#include <torch/csrc/autograd/autograd.h>

#include "lgode/model/lgode.h"
#include "lgode/train/objective.h"
#include "lgode/train/optimizer.h"

namespace lgode::bench {

class TrainingStep {
 public:
  TrainingStep(const model::ModelOptions& options, data::Batch batch, std::int64_t samples)
      : model_(options, {batch.features, 1, false, 0.6}, 1),
        adam_(model_.parameters()),
        batch_(std::move(batch)),
        samples_(samples) {}

  void run() {
    const model::BatchTensors batch = model_.tensors(batch_);
    const at::Tensor noise = model::latent_noise(batch.batch, samples_, model_.options().latent, 1, RandomUse::kLatent,
                                                 step_, model_.parameters().flat().options());
    const train::Objective objective = train::elbo(model_, batch, noise, samples_, 1.0, model::DropoutKey{1, step_});
    model_.parameters().flat_grad().zero_();
    torch::autograd::backward({objective.loss}, {});
    adam_.step({}, 1e-4);
    ++step_;
  }

 private:
  model::LgOde model_;
  train::AdamState adam_;
  data::Batch batch_;
  std::int64_t samples_;
  std::uint64_t step_ = 0;
};

}  // namespace lgode::bench
