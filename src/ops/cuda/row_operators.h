// Layer normalisation and dense output on a GPU, float32, as differentiable operators. Arguments as ops::layer_norm()
// and ops::read(), which check them.
#pragma once

#include "lgode/ops/read.h"

namespace lgode::ops::cuda {

// Whether x is a float32 tensor on a GPU whose rows are not too wide for the kernel.
bool has_layer_norm(const at::Tensor& x);
at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

// Only for trajectories without mids.
at::Tensor read(const at::Tensor& states, const at::Tensor& slopes, const LocatedReadings& readings,
                std::int64_t columns);
// Without gradients; places as in LocatedReadings.
at::Tensor read_places(const at::Tensor& states, const at::Tensor& slopes, const at::Tensor& places,
                       std::int64_t columns);

}  // namespace lgode::ops::cuda
