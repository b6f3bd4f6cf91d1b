// The interface of all models, used by training, evaluation and prediction.
//
// A batch is prepared in two parts, tensors() and prepare(). Neither reads weights, so both can run ahead of the step,
// on other threads. paths() then computes.
//
// Shapes: B systems, N objects, M observations, T targets, D features, L latent, S samples, K futures.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>

#include "lgode/core/random.h"
#include "lgode/model/batch_tensors.h"
#include "lgode/model/graph_layers.h"
#include "lgode/model/options.h"
#include "lgode/model/parameters.h"
#include "lgode/model/rollout.h"
#include "lgode/model/shape.h"

namespace lgode::model {

// Decoded paths, and the posterior of their initial states.
struct Paths {
  at::Tensor values;     // [S, T, D] at the targets, normalised units
  at::Tensor mu, sigma;  // [N, L]; undefined in a model without latent variables
  at::Tensor seen;       // [S, M, D] at the context's observations; undefined unless RolloutOptions::read_seen
  at::Tensor unbridged;  // [S, T, D] assimilate, interpolation: the path before bridging
  // With ModelOptions::futures > 1: paths of several outcomes beside the mean path, bridged where that is, and their
  // scores, whose softmax are the probabilities. With futures of scenes, all objects of a system have the same scores.
  at::Tensor futures;  // [K, T, D]
  at::Tensor scores;   // [N, K]
};

class Model {
 public:
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  Parameters& parameters() { return parameters_; }
  const Parameters& parameters() const { return parameters_; }
  const ModelOptions& options() const { return options_; }
  const ModelShape& shape() const { return shape_; }
  at::Device device() const { return device_; }

  // A model of the same kind, options, shape, dtype and device, with initial weights.
  virtual std::unique_ptr<Model> fresh() const = 0;
  // Whether a step at this precision works with padded shapes, so that it can be captured: on a GPU, with the fused
  // operators.
  virtual bool takes_padded(ops::Precision /*precision*/) const { return false; }
  // A batch in the model's dtype, on its device.
  virtual BatchTensors tensors(data::Batch batch, ops::Shapes shapes, ops::Upload& upload) const;
  BatchTensors tensors(data::Batch batch) const;
  // Width of the noise that paths() takes; 0: a model without latent variables.
  virtual std::int64_t latent() const = 0;
  // Prepares the roll-out of a batch.
  virtual std::shared_ptr<const Rollout> prepare(const data::Batch& batch, const RolloutOptions& options,
                                                 ops::Upload& upload) const = 0;
  std::shared_ptr<const Rollout> prepare(const data::Batch& batch, const RolloutOptions& options = {}) const;
  // The dropout masks of a training step; empty for a model without dropout.
  virtual Dropout dropout(const BatchTensors& /*batch*/, const DropoutKey& /*key*/, ops::Upload& /*upload*/) const {
    return {};
  }
  Dropout dropout(const BatchTensors& batch, const DropoutKey& key) const;
  // noise: standard normal [S*N, latent()], sample-major; undefined: the mean path, S times. `dropout`: empty outside
  // training.
  virtual Paths paths(const BatchTensors& batch, const Rollout& rollout, const at::Tensor& noise,
                      const Dropout& dropout) const = 0;
  // Takes the base path away, if there is one, so that it stays away in training.
  virtual void leave_base() {}
  // The mean path: z0 = mu. [T, D]
  at::Tensor mean_path(const BatchTensors& batch, const Rollout& rollout) const {
    return paths(batch, rollout, {}, {}).values.select(0, 0);
  }
  at::Tensor mean_path(const BatchTensors& batch) const { return mean_path(batch, *prepare(batch.batch)); }

 protected:
  Model(const ModelOptions& options, const ModelShape& shape, at::ScalarType dtype, at::Device device);

  ModelOptions options_;
  ModelShape shape_;
  at::ScalarType dtype_;
  at::Device device_;
  Parameters parameters_;
};

// The model of options.kind, with initial values drawn with `seed`.
std::unique_ptr<Model> make_model(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed,
                                  at::ScalarType dtype = at::kFloat, at::Device device = at::kCPU);

// Standard normal numbers [S*N, L] (sample-major) on the CPU, one stream per system: a system's numbers do not depend
// on its batch.
at::Tensor latent_noise(const data::Batch& batch, std::int64_t samples, std::int64_t latent, std::uint64_t seed,
                        RandomUse use, std::uint64_t step, at::ScalarType dtype);

}  // namespace lgode::model
