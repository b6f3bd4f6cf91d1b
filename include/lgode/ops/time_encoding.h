// TE(t)_2i = sin(c t / 10000^(2i/d)), TE(t)_2i+1 = cos(same).
#pragma once

#include <ATen/ATen.h>

namespace lgode::ops {

// times [M] float64 -> [M, width] in `options`' dtype and device. Angles are formed in float64: in float32 they lose
// 5e-5 at t = 1 and everything at t = 1000. No gradient.
at::Tensor time_encoding(const at::Tensor& times, std::int64_t width, double frequency,
                         const at::TensorOptions& options);

}  // namespace lgode::ops
