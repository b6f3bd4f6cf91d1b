// The fused solve of the graph ODE (Eqs. 1 and 10) on a GPU: products on tensor cores, float32 states and sums.
// Arguments and shapes as ops::graph_rk(), which checks them.
#pragma once

#include <vector>

#include "lgode/ops/graph_rk.h"
#include "ops/graph_layout.h"

namespace lgode::ops::cuda {

// Cuts a batch into the kernel's tiles and uploads them with the events, if there are any. Null if the fused solve does
// not support the batch: a system with more rows than a tile, more lists than the kernel's limit, or jumps at other
// steps than every other one.
std::shared_ptr<const GraphTiles> make_tiles(const PairGraph& pairs, const ode::StepPlan& plan, Upload& upload,
                                             Shapes shapes, const FieldSize& size, const Events* events,
                                             const SolveKind& kind);

// Whether there is a kernel for such a solve with these tiles; tiles == nullptr: with any tiles.
bool has_solve(at::Device device, const GraphSize& size, const GraphTiles* tiles, const ode::Tableau& rule,
               const SolveKind& kind);

ode::Trajectory solve_graph(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                            const ode::StepPlan& plan, const ode::Tableau& rule, const SolveKind& kind,
                            const at::Tensor& keep = {}, const at::Tensor& add = {});

}  // namespace lgode::ops::cuda
