// The fused solve of the graph ODE on a GPU: bf16 products on tensor cores, float32 states and sums.
#pragma once

#include <vector>

#include "lgode/ops/graph_rk.h"
#include "ops/graph_layout.h"

namespace lgode::ops::cuda {

// Uploads how the systems of a batch lie in the kernel's tiles. Null where the fused solve does not serve: a
// system of more rows than a tile holds, or more lists than the kernel takes.
std::shared_ptr<const GraphTiles> make_tiles(const PairGraph& pairs, const ode::StepPlan& plan, Upload& upload,
                                             Shapes shapes);

// Whether there is a kernel for such a solve with these tiles, or, where there are none yet, with any.
bool has_solve(at::Device device, const GraphSize& size, const GraphTiles* tiles, const ode::Tableau& rule,
               ode::Gradient gradient);

ode::Trajectory solve_graph(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                            const ode::StepPlan& plan, const ode::Tableau& rule);

}  // namespace lgode::ops::cuda
