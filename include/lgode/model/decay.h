// Messages that fade with the time between two observations (the Weight-Decay baseline).
//
//   out_t = (1 / number of sources of t) sum over s of w exp(-softplus(tau) |t_s - t_t|) (W_v x_s + b_v)
// over the edges of the temporal graph, with one W_v, b_v for sources of the same object (0) and one for others (1).
// The weights of a system's pairs are a matrix, so that the sum is a matrix product; no edge has a d-vector.
//
// Shapes: M observations, d width; in a group b systems of at most K observations. Memory grows with K^2 per system.
// Gradients for x, W_v, b_v, tau. Dtypes: float32, float64. Devices: CPU, CUDA.
#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <vector>

#include "lgode/model/batch_tensors.h"

namespace lgode::model {

// Some systems with their observations side by side, padded to the longest of them: b systems, K observations.
struct SystemGroup {
  at::Tensor rows;       // [b, K] int64 observation, 0 in the padding
  at::Tensor present;    // [b, K] bool
  at::Tensor place;      // [b, K] int64 object within its system
  at::Tensor slots;      // [m] int64 where the group's observations lie in [b*K]
  at::Tensor relations;  // [b, n, n] weight of the source (last) for the target, 0 where they are not related
};

// All systems of a batch, in their order.
struct DecayInput : EncoderInput {
  std::vector<SystemGroup> groups;
};
std::shared_ptr<const DecayInput> decay_input(const BatchTensors& batch, ops::Upload& upload);

// The edges of a group's systems as matrices, [b, K target, K source], 0 where there is no edge.
struct DecayGroup {
  const SystemGroup* group = nullptr;
  at::Tensor gap;          // |t_s - t_t|
  at::Tensor same, other;  // w, sources of the same object and of others
  at::Tensor share;        // [b, K, 1] 1 / number of sources
};

// One per group of the batch's DecayInput, which must outlive them.
std::vector<DecayGroup> decay_groups(const BatchTensors& batch, const at::TensorOptions& options);

// x [M, d], w_v [2, d, d], b_v [2, d], tau [1] -> [M, d].
at::Tensor decayed_mean(const at::Tensor& x, const at::Tensor& w_v, const at::Tensor& b_v, const at::Tensor& tau,
                        const std::vector<DecayGroup>& groups);

}  // namespace lgode::model
