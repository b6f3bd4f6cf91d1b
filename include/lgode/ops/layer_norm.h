// y = (x - mean) / sqrt(variance + 1e-5) * weight + bias, mean and variance over each row.
//
// Shapes: x [M, d], weight and bias [d]. Dtypes: float32, float64. Devices: CPU, CUDA. Gradients for all three. Errors:
// TORCH_CHECK_VALUE.
#pragma once

#include <ATen/ATen.h>

namespace lgode::ops {

at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace lgode::ops
