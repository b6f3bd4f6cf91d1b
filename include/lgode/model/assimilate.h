// The assimilating model: a graph ODE whose state holds the features themselves and hidden coordinates, and which every
// seen observation sets right (docs/assimilation.md).
//
//   z_i = [y_i | w_i]           y_i the D features, w_i hidden; the decoder is the first D coordinates
//   dz/dt = Eq. 10              with the position of a tied pair moving at its velocity; the last layer starts at zero
//   at a seen observation       y <- y + g (x - y) where it has a value;  w <- keep w + add, both from the encoder's
//                               vector of the observation. g is 1 or, with gain=learned, 1 / (1 + theta^2) with one
//                               theta per feature, started at 0.99: the gain of a filter whose noise has theta^2 times
//                               the variance of the state
//   interpolation               z(start) from the posterior of Eq. 7; between observations the path is bridged
//                               (bridge.h)
//   targets                     one within kSameTime of an observation of its object is read where that one is, after
//                               the jump: there with g = 1 the path is the observation
//   extrapolation               an object enters with its first observation; at the start of the forecast the
//                               posterior of all that was seen adds to w. Nothing depends on later observations
//
// Before any training the path is a classical one: cubic Hermite or the line between observations, constant velocity or
// hold after them.
//
// Shapes: B systems, N objects, M observations, T targets, D features, W hidden coordinates, Z = D + W, L latent, S
// samples.
#pragma once

#include <algorithm>
#include <memory>

#include "lgode/model/bridge.h"
#include "lgode/model/dynamics.h"
#include "lgode/model/encoder.h"
#include "lgode/model/model.h"
#include "lgode/ops/segment.h"

namespace lgode::model {

inline constexpr double kSameTime = 1e-6;  // events that are closer, in model time, share a node

// Whether a time unseen is longer than the memory (ModelShape::memory).
inline bool outlasts(double unseen, double memory) { return unseen > memory + kSameTime; }

struct AssimilatingRollout : Rollout {
  RowLayout layout;
  at::Tensor from;  // [n] (sample, object) of each row
  ode::StepPlan plan;
  ops::PairGraph pairs;
  ops::Events events;             // jumps: (sample, observation), then (sample, object) at the start of a forecast
  ops::LocatedReadings readings;  // sample-major: the targets
  at::Tensor before;              // [S*M] index of the row of states before each jump, in [K+1, n]
  // Of the bridge: [S*T*D] into the residuals [S*M*D], and [T*D]; undefined at extrapolation.
  ops::GatherIndex own_index, other_index;
  at::Tensor own_weight, other_weight;
  at::Tensor values, mask;  // [M, D] of the observations
  at::Tensor first;         // [M, 1] forecast: 1 where the observation is its object's first
  at::Tensor first_values;  // [M, D] forecast, gain=learned: 1 where the feature is seen first since the object entered
  at::Tensor object;        // [S*M] forecast: (sample, object) of the observation
  at::Tensor at_start;      // [S*M, 1] forecast: 1 where the observation is made at its start
  bool read_seen = false;
  ops::Precision precision = ops::Precision::kFloat32;
  std::shared_ptr<ops::SpareMemory> spare;
};

class Assimilate : public Model {
 public:
  Assimilate(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed,
             at::ScalarType dtype = at::kFloat, at::Device device = at::kCPU);

  using Model::dropout;
  using Model::prepare;
  using Model::tensors;

  std::unique_ptr<Model> fresh() const override;
  bool takes_padded(ops::Precision precision) const override;
  BatchTensors tensors(data::Batch batch, ops::Shapes shapes, ops::Upload& upload) const override;
  std::int64_t latent() const override { return options_.latent; }
  Dropout dropout(const BatchTensors& batch, const DropoutKey& key, ops::Upload& upload) const override;
  std::shared_ptr<const Rollout> prepare(const data::Batch& batch, const RolloutOptions& options,
                                         ops::Upload& upload) const override;
  Paths paths(const BatchTensors& batch, const Rollout& rollout, const at::Tensor& noise,
              const Dropout& dropout) const override;

 private:
  friend class Filter;  // the same, time by time

  std::int64_t width() const { return shape_.features + options_.state; }  // Z
  // Features whose differences between objects count in all digits (ops::Events).
  std::int64_t precise() const { return std::min<std::int64_t>(shape_.features, 16); }
  // Of all jumps, [J, Z].
  struct Jumps {
    at::Tensor keep, add;
  };
  // `observations`, `targets`: with padding. target_times [T]: of the readings.
  void prepare_jump_bridge(AssimilatingRollout& out, const data::Batch& batch, const std::vector<double>& target_times,
                           std::int64_t observations, std::int64_t targets, ops::Upload& upload) const;
  // g of each observed value, 0 where it is missing. [M, D]
  at::Tensor gains(const AssimilatingRollout& rollout) const;
  Jumps jumps(const AssimilatingRollout& rollout, const at::Tensor& gain, const Encoding& encoding,
              const at::Tensor& zeta) const;
  at::Tensor bridged(const AssimilatingRollout& rollout, const at::Tensor& path, const at::Tensor& residual) const;

  Encoder encoder_;
  Dynamics dynamics_;
};

}  // namespace lgode::model
