// What training, evaluation and prediction ask of a model, whichever row of the tables it is.
//
// Shapes: B systems, N objects, T targets, D features, L latent, S samples.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>

#include "lgode/model/batch_tensors.h"
#include "lgode/model/dynamics.h"
#include "lgode/model/encoder.h"
#include "lgode/model/options.h"
#include "lgode/model/parameters.h"
#include "lgode/model/shape.h"

namespace lgode::model {

// Decoded targets, and the posterior that they were drawn from.
struct Paths {
  at::Tensor values;     // [S, T, D] normalised units
  at::Tensor mu, sigma;  // [N, L]; undefined in a model without latent variables
};

class Model {
 public:
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  Parameters& parameters() { return parameters_; }
  const ModelOptions& options() const { return options_; }
  const ModelShape& shape() const { return shape_; }

  // Whether a training step works with padded shapes, so that it can be recorded: on a GPU, with the fused operators.
  virtual bool takes_padded() const { return false; }
  // A batch in the model's dtype, on its device.
  virtual BatchTensors tensors(data::Batch batch, ops::Shapes shapes = ops::Shapes::kExact) const;
  // Width of the noise that paths() takes; 0: a model without latent variables.
  virtual std::int64_t latent() const = 0;
  // What a roll-out needs and does not depend on weights.
  virtual Rollout prepare(const data::Batch& batch, std::int64_t samples,
                          ops::Shapes shapes = ops::Shapes::kExact) const = 0;
  // The masks of a training step; empty where a model has none.
  virtual Dropout dropout(const BatchTensors& /*batch*/, const DropoutKey& /*key*/) const { return {}; }
  // noise: standard normal [S*N, latent()], sample-major; undefined: the mean path, S times. `dropout`: empty outside
  // training.
  virtual Paths paths(const BatchTensors& batch, const Rollout& rollout, const at::Tensor& noise,
                      const Dropout& dropout) const = 0;
  // The mean path: z0 = mu. [T, D]
  at::Tensor mean_path(const BatchTensors& batch, const Rollout& rollout) const {
    return paths(batch, rollout, {}, {}).values.select(0, 0);
  }
  at::Tensor mean_path(const BatchTensors& batch) const { return mean_path(batch, prepare(batch.batch, 1)); }

 protected:
  Model(const ModelOptions& options, const ModelShape& shape, at::ScalarType dtype, at::Device device);

  ModelOptions options_;
  ModelShape shape_;
  at::ScalarType dtype_;
  at::Device device_;
  Parameters parameters_;
};

// The model that options.kind names, with the initial values of `seed`.
std::unique_ptr<Model> make_model(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed,
                                  at::ScalarType dtype = at::kFloat, at::Device device = at::kCPU);

// Standard normal numbers [S*N, L] (sample-major), a stream a system: what a system gets does not depend on its batch.
at::Tensor latent_noise(const data::Batch& batch, std::int64_t samples, std::int64_t latent, std::uint64_t seed,
                        RandomUse use, std::uint64_t step, const at::TensorOptions& options);

}  // namespace lgode::model
