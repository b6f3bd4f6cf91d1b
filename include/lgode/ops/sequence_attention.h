// Eq. 6: attention over each object's own sequence of observations, one vector per object.
//
//   hat_r = ReLU(W_t [h_r | D_r] + b_t) + TE(D_r),   D the time since the start
//   a_i = tanh(W_a mean over r of hat_r),   out_i = mean over r of sigmoid(a_i . hat_r) hat_r,   r the rows of object i
//
// Shapes: M observations, N objects, d input width, u output width. Gradients for h and all weights. The result for an
// object without observations is zero.
// Dtypes: float32, float64 (fused: float32). Devices: CPU, CUDA (fused: CPU). Errors: TORCH_CHECK_VALUE.
#pragma once

#include <ATen/ATen.h>

#include "lgode/ops/impl.h"

namespace lgode::ops {

struct SequenceWeights {
  at::Tensor w_t, b_t;  // [u, d+1], [u]
  at::Tensor w_a;       // [u, u]
};

// h [M, d] -> [N, u]. times: [M] float64; offsets: [N+1] int64, rows of each object; both on h's device.
// frequency: c of the time encoding.
at::Tensor sequence_attention(const at::Tensor& h, const SequenceWeights& weights, const at::Tensor& times,
                              const at::Tensor& offsets, double frequency, Impl impl = Impl::kAuto);

namespace reference {
at::Tensor sequence_attention(const at::Tensor& h, const SequenceWeights& weights, const at::Tensor& times,
                              const at::Tensor& offsets, double frequency);
}  // namespace reference
namespace cpu {
at::Tensor sequence_attention(const at::Tensor& h, const SequenceWeights& weights, const at::Tensor& times,
                              const at::Tensor& offsets, double frequency);
}  // namespace cpu

}  // namespace lgode::ops
