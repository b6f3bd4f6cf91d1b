// The gradient of a fused solve on a GPU with respect to start, jumps and weights. Names as in graph_kernel.h.
#pragma once

#include "ops/cuda/graph_solve.h"

namespace lgode::ops::cuda {

struct SolveGradients {
  at::Tensor z0;         // [N, Z]
  at::Tensor keep, add;  // [J, Z]; undefined where there are no jumps
  at::Tensor flat;       // of all weights and biases, in the layout of the solve
};

// states, slopes: [K+1, N, Z], the results of the solve; dstates, dslopes: their gradients, undefined where they are
// zero.
SolveGradients differentiate(Solve& s, const at::Tensor& states, const at::Tensor& slopes, const at::Tensor& dstates,
                             const at::Tensor& dslopes);

}  // namespace lgode::ops::cuda
