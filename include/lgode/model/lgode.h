// The Latent Graph ODE: encoder, latent dynamics and decoder (Eqs. 7 and 8). Its variants, and the baselines that
// differ only in the encoder or in which objects interact (latent-ode, weight-decay, edge-gnn), are this class with
// other pieces.
//
// Shapes: B systems, N objects, M observations, T targets, D features, L latent, S samples.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>

#include "lgode/model/decoder.h"
#include "lgode/model/dynamics.h"
#include "lgode/model/encoder.h"
#include "lgode/model/latent_futures.h"
#include "lgode/model/model.h"

namespace lgode::model {

class LgOde : public Model {
 public:
  LgOde(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed, at::ScalarType dtype = at::kFloat,
        at::Device device = at::kCPU);

  using Model::dropout;
  using Model::prepare;
  using Model::tensors;

  std::unique_ptr<Model> fresh() const override;
  bool takes_padded(ops::Precision precision) const override;
  BatchTensors tensors(data::Batch batch, ops::Shapes shapes, ops::Upload& upload) const override;
  std::int64_t latent() const override { return options_.latent; }
  Dropout dropout(const BatchTensors& batch, const DropoutKey& key, ops::Upload& upload) const override;
  Encoding encode(const BatchTensors& batch, const Dropout& dropout = {}) const;
  std::shared_ptr<const Rollout> prepare(const data::Batch& batch, const RolloutOptions& options,
                                         ops::Upload& upload) const override;
  // Initial states [S*N, L] (sample-major) to decoded paths; mu and sigma stay undefined.
  Paths roll_out(const Rollout& rollout, const at::Tensor& z0) const;
  Paths paths(const BatchTensors& batch, const Rollout& rollout, const at::Tensor& noise,
              const Dropout& dropout) const override;

 private:
  Encoder encoder_;
  Dynamics dynamics_;
  Decoder decoder_;
  LatentFutures futures_;
};

}  // namespace lgode::model
