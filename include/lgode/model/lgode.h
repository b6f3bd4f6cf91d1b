// The Latent Graph ODE: encoder, generative model, decoder.
//
// Shapes: B systems, N objects, M observations, T targets, D features, L latent, S samples.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "lgode/model/batch_tensors.h"
#include "lgode/model/dynamics.h"
#include "lgode/model/encoder.h"
#include "lgode/model/options.h"
#include "lgode/model/parameters.h"

namespace lgode::model {

// What the data says about the model's size; saved with it.
struct ModelShape {
  std::int64_t features = 0;
  std::int64_t relation_types = 1;
  bool append_mask = false;  // the training data has missing values
  double window = 1.0;       // of the temporal graph, model time
};

class LgOde {
 public:
  LgOde(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed, at::ScalarType dtype = at::kFloat,
        at::Device device = at::kCPU);

  Parameters& parameters() { return parameters_; }
  const ModelOptions& options() const { return options_; }
  const ModelShape& shape() const { return shape_; }

  // Whether a training step works with padded shapes, so that it can be recorded: on a GPU, with the fused operators.
  bool takes_padded() const;

  // A batch in the model's dtype, on its device.
  BatchTensors tensors(data::Batch batch, ops::Shapes shapes = ops::Shapes::kExact) const;

  // The masks of a training step.
  Dropout dropout(const BatchTensors& batch, const DropoutKey& key) const;
  Encoding encode(const BatchTensors& batch, const Dropout& dropout = {}) const;
  Rollout prepare(const data::Batch& batch, std::int64_t samples, ops::Shapes shapes = ops::Shapes::kExact) const;
  // Initial states [S*N, L] (sample-major) to decoded targets [S, T, D], normalised units.
  at::Tensor roll_out(const Rollout& rollout, const at::Tensor& z0) const;
  at::Tensor roll_out(const BatchTensors& batch, const at::Tensor& z0, std::int64_t samples) const {
    return roll_out(prepare(batch.batch, samples), z0);
  }
  // The mean path: encode, z0 = mu, roll out. [T, D]
  at::Tensor mean_path(const BatchTensors& batch, const Rollout& rollout) const;
  at::Tensor mean_path(const BatchTensors& batch) const { return mean_path(batch, prepare(batch.batch, 1)); }

 private:
  at::Tensor decode(const at::Tensor& z) const;

  ModelOptions options_;
  ModelShape shape_;
  at::ScalarType dtype_;
  at::Device device_;
  Encoder encoder_;
  Dynamics dynamics_;
  Parameters parameters_;
};

// Standard normal numbers [S*N, L] (sample-major), a stream a system: what a system gets does not depend on its batch.
at::Tensor latent_noise(const data::Batch& batch, std::int64_t samples, std::int64_t latent, std::uint64_t seed,
                        RandomUse use, std::uint64_t step, const at::TensorOptions& options);

}  // namespace lgode::model
