// Eq. 5: TE(t)_2i = sin(c t / 10000^(2i/d)), TE(t)_2i+1 = cos(same), d the width, c the frequency.
#pragma once

#include <ATen/ATen.h>

namespace lgode::ops {

// times [M] float64 -> [M, width] with the dtype (float32 or float64) and device (CPU, CUDA) of `options`. Angles are
// computed in float64: in float32 their error would be 5e-5 at t = 1, and at t = 1000 nearly all digits would be lost.
// No gradient. Errors: TORCH_CHECK_VALUE.
at::Tensor time_encoding(const at::Tensor& times, std::int64_t width, double frequency,
                         const at::TensorOptions& options);

}  // namespace lgode::ops
