// A training step for benchmarks to repeat: batch tensors, objective, backward, clipping, update.
#pragma once

#include <torch/csrc/autograd/autograd.h>

#include "lgode/model/model.h"
#include "lgode/train/objective.h"
#include "lgode/train/optimizer.h"
#include "workload.h"

namespace lgode::bench {

class TrainingStep {
 public:
  TrainingStep(const model::ModelOptions& options, data::Batch batch, std::int64_t samples)
      : context_(ops::Context().with_gradients(precision())),
        made_(model::make_model(options, shape(batch.features), 1)),
        model_(*made_),
        adam_(model_.parameters()),
        batch_(std::move(batch)),
        samples_(samples) {}

  void run() {
    const model::BatchTensors batch = model_.tensors(batch_);
    const at::Tensor noise =
        model::latent_noise(batch.batch, samples_, model_.options().latent, 1, RandomUse::kLatent, step_, at::kFloat);
    const auto rollout = model_.prepare(batch_, model::rollout_options(context_, samples_));
    const train::Objective objective = train::elbo(model_, batch, *rollout, noise, at::scalar_tensor(1.0, at::kDouble),
                                                   model_.dropout(batch, model::DropoutKey{1, step_}));
    model_.parameters().flat_grad().zero_();
    torch::autograd::backward({objective.loss}, {});
    const train::TrainOptions options;
    adam_.clip(options.clip);
    adam_.update(options, train::step_rates(options, static_cast<std::int64_t>(step_), 1000));
    ++step_;
  }

 private:
  // Positions, then their velocities.
  static model::ModelShape shape(std::int64_t features) {
    model::ModelShape shape{.features = features, .window = 0.6};
    for (std::int64_t f = 0; f < features / 2; ++f) shape.ties.push_back({f, features / 2 + f, 1.0, false});
    return shape;
  }

  ops::Context context_;
  std::unique_ptr<model::Model> made_;
  model::Model& model_;
  train::AdamState adam_;
  data::Batch batch_;
  std::int64_t samples_;
  std::uint64_t step_ = 0;
};

}  // namespace lgode::bench
