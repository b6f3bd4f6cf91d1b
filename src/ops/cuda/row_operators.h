// Layer normalisation and dense output on a GPU, float32.
#pragma once

#include "lgode/ops/read.h"

namespace lgode::ops::cuda {

bool has_layer_norm(const at::Tensor& x);
at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

// Of a trajectory without mids.
at::Tensor read(const at::Tensor& states, const at::Tensor& slopes, const LocatedReadings& readings,
                std::int64_t columns);

}  // namespace lgode::ops::cuda
