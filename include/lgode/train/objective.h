// The evidence lower bound of a batch (Eq. 9), with means in place of the paper's sums.
//
// Per system: the Gaussian log-likelihood, averaged over the observed values of each object and then over objects,
// minus the KL weight times the KL divergence to N(0, I), averaged over objects and latent coordinates (0 in a model
// without latent variables). S samples are combined by log-mean-exp. The result is the mean over systems. Objects and
// systems without targets do not count.
//
// With `loss` distance (frames) the loss is instead the mean over all targets of the distance of their positions, in
// one unit, plus the squared errors of other features; there is no KL term, and a target has the weight of a system.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <optional>

#include "lgode/model/model.h"

namespace lgode::train {

struct Objective {
  at::Tensor loss;            // scalar, to minimise: minus the ELBO
  at::Tensor reconstruction;  // scalar: log-likelihood, mean over samples and systems
  at::Tensor kl;              // scalar: mean over systems, without its weight
  at::Tensor mse;             // scalar: error of the sampled paths, averaged like the likelihood
  at::Tensor systems;         // scalar: number of systems with targets; with `loss` distance of targets
};

// Over the systems of a batch. Sums of parts of a batch add up to the sum of the batch.
enum class Over { kMean, kSum };

// noise: standard normal [S*N, model.latent()], sample-major (model::latent_noise). kl_weight: a scalar, on the CPU or
// the model's device. A batch without any target is an error (TORCH_CHECK_VALUE).
Objective elbo(const model::Model& model, const model::BatchTensors& batch, const model::Rollout& rollout,
               const at::Tensor& noise, const at::Tensor& kl_weight, const model::Dropout& dropout,
               Over over = Over::kMean);
inline Objective elbo(const model::Model& model, const model::BatchTensors& batch, const at::Tensor& noise,
                      std::int64_t samples, double kl_weight, const std::optional<model::DropoutKey>& dropout) {
  return elbo(model, batch, *model.prepare(batch.batch, {.samples = samples}), noise,
              at::scalar_tensor(kl_weight, at::kDouble), dropout ? model.dropout(batch, *dropout) : model::Dropout());
}

}  // namespace lgode::train
