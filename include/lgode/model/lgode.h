// The Latent Graph ODE: encoder, generative model, decoder. Its variants, and the baselines that differ in the encoder
// or in who acts on whom (latent-ode, weight-decay, edge-gnn), are this class with other pieces.
//
// Shapes: B systems, N objects, M observations, T targets, D features, L latent, S samples.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "lgode/model/model.h"

namespace lgode::model {

class LgOde : public Model {
 public:
  LgOde(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed, at::ScalarType dtype = at::kFloat,
        at::Device device = at::kCPU);

  bool takes_padded() const override;
  BatchTensors tensors(data::Batch batch, ops::Shapes shapes = ops::Shapes::kExact) const override;
  std::int64_t latent() const override { return options_.latent; }
  Dropout dropout(const BatchTensors& batch, const DropoutKey& key) const override;
  Encoding encode(const BatchTensors& batch, const Dropout& dropout = {}) const;
  Rollout prepare(const data::Batch& batch, std::int64_t samples,
                  ops::Shapes shapes = ops::Shapes::kExact) const override;
  // Initial states [S*N, L] (sample-major) to decoded targets [S, T, D], normalised units.
  at::Tensor roll_out(const Rollout& rollout, const at::Tensor& z0) const;
  at::Tensor roll_out(const BatchTensors& batch, const at::Tensor& z0, std::int64_t samples) const {
    return roll_out(prepare(batch.batch, samples), z0);
  }
  Paths paths(const BatchTensors& batch, const Rollout& rollout, const at::Tensor& noise,
              const Dropout& dropout) const override;

 private:
  at::Tensor decode(const at::Tensor& z) const;

  Encoder encoder_;
  Dynamics dynamics_;
};

}  // namespace lgode::model
