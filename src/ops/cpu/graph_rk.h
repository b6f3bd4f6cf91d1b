// The fused solve of the graph ODE on the CPU.
#pragma once

#include "lgode/ops/graph_rk.h"

namespace lgode::ops::cpu {

// Whether the fused solve is built in and serves these arguments: float32 on the CPU, a rule whose dense output is
// cubic Hermite, gradient mode recompute.
bool can_solve_graph(const at::Tensor& z0, const ode::Tableau& rule, ode::Gradient gradient);

ode::Trajectory solve_graph(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                            const ode::StepPlan& plan, const ode::Tableau& rule);

}  // namespace lgode::ops::cpu
