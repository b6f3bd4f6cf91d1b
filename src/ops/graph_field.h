// The implementations of graph_field that src/ops/graph_rk.cpp chooses between. Arguments, shapes and dtypes: as
// graph_field in lgode/ops/graph_rk.h; checked there.
#pragma once

#include "lgode/ops/graph_rk.h"

namespace lgode::ops {
namespace reference {
at::Tensor graph_field(const at::Tensor& z, const DynamicsWeights& weights, const PairGraph& pairs);
}
namespace nodewise {
at::Tensor graph_field(const at::Tensor& z, const DynamicsWeights& weights, const PairGraph& pairs);
}
}  // namespace lgode::ops
