// Messages that decay with the time between two observations (the Weight-Decay baseline).
//
//   out_t = (1 / number of sources of t) sum over s of w exp(-softplus(tau) |t_s - t_t|) (W_v x_s + b_v)
// over the edges of the temporal graph, with one W_v, b_v for sources of the same object (0) and one for others (1).
// The weights of a system's pairs form a matrix, so that the sum is a matrix product; no d-vector is stored per edge.
//
// Shapes: M observations, d width; a group has b systems of at most K observations. Memory grows with K^2 per system.
// Gradients for x, W_v, b_v, tau. Dtypes: float32, float64. Devices: CPU, CUDA.
#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <vector>

#include "lgode/model/batch_tensors.h"

namespace lgode::model {

// A group of b systems, each padded to the K observations of the longest.
struct SystemGroup {
  at::Tensor rows;       // [b, K] int64 observation, 0 in the padding
  at::Tensor present;    // [b, K] bool
  at::Tensor place;      // [b, K] int64 object within its system
  at::Tensor slots;      // [m] int64 positions of the group's observations in [b*K]
  at::Tensor relations;  // [b, n target, n source] relation weight, 0 for unrelated pairs
};

// All systems of a batch, in batch order.
struct DecayInput : EncoderInput {
  std::vector<SystemGroup> groups;
};
std::shared_ptr<const DecayInput> decay_input(const BatchTensors& batch, ops::Upload& upload);

// The edges of a group as matrices [b, K target, K source], 0 where there is no edge.
struct DecayGroup {
  const SystemGroup* group = nullptr;
  at::Tensor gap;          // |t_s - t_t|
  at::Tensor same, other;  // w, for sources of the same object and of other objects
  at::Tensor share;        // [b, K, 1] 1 / number of sources
};

// One entry per group of the batch's DecayInput, which must outlive the result.
std::vector<DecayGroup> decay_groups(const BatchTensors& batch, const at::TensorOptions& options);

// x [M, d], w_v [2, d, d], b_v [2, d], tau [1] -> [M, d].
at::Tensor decayed_mean(const at::Tensor& x, const at::Tensor& w_v, const at::Tensor& b_v, const at::Tensor& tau,
                        const std::vector<DecayGroup>& groups);

}  // namespace lgode::model
