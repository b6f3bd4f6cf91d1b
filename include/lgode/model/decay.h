// Messages that fade with the time between two observations (the Weight-Decay baseline).
//
//   out_t = (1 / number of sources of t) sum over s of w exp(-softplus(tau) |t_s - t_t|) (W_v x_s + b_v)
// over the edges of the temporal graph, with one W_v, b_v for sources of the same object (0) and one for others (1).
// The weights of a system's pairs are a matrix, so that the sum is a matrix product; no edge has a d-vector.
//
// Shapes: M observations, d width; in a group b systems of at most K observations. Memory grows with K^2 a system.
// Gradients for x, W_v, b_v, tau. Dtypes: float32, float64. Devices: CPU, CUDA.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "lgode/model/batch_tensors.h"

namespace lgode::model {

// A batch's systems side by side, on its device.
std::vector<SystemGroup> system_groups(const BatchTensors& batch);

// The edges of a group's systems as matrices, [b, K target, K source], 0 where there is no edge.
struct DecayGroup {
  const SystemGroup* group = nullptr;
  at::Tensor gap;          // |t_s - t_t|
  at::Tensor same, other;  // w, sources of the same object and of others
  at::Tensor share;        // [b, K, 1] 1 / number of sources
};

// One a group of the batch, which must outlive them.
std::vector<DecayGroup> decay_groups(const BatchTensors& batch, const at::TensorOptions& options);

// x [M, d], w_v [2, d, d], b_v [2, d], tau [1] -> [M, d].
at::Tensor decayed_mean(const at::Tensor& x, const at::Tensor& w_v, const at::Tensor& b_v, const at::Tensor& tau,
                        const std::vector<DecayGroup>& groups);

}  // namespace lgode::model
