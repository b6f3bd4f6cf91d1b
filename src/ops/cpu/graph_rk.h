// The fused solve of the graph ODE on the CPU.
#pragma once

#include "lgode/ops/graph_rk.h"

namespace lgode::ops::cpu {

// Whether the fused solve is built in and serves these arguments: float32 on the CPU, a rule whose dense output is
// cubic Hermite, gradient mode recompute.
bool can_solve_graph(const at::Tensor& z0, const ode::Tableau& rule, ode::Gradient gradient);

// What a solve may keep for its backward beside the states, in bytes. The paper's setting (256 systems, 60 steps, 3
// samples) would take 0.93 GiB in full.
constexpr std::int64_t kMostKept = std::int64_t{960} << 20;

// How many tiles keep how much (Keep in graph_kernel.h).
struct KeptTiles {
  std::int64_t nothing = 0, messages = 0, hidden = 0;
};

// `spare`: may be null. Tests set another limit, and ask in `kept` what came of it.
ode::Trajectory solve_graph(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                            const ode::StepPlan& plan, const ode::Tableau& rule,
                            const std::shared_ptr<SpareMemory>& spare, std::int64_t most_kept = kMostKept,
                            KeptTiles* kept = nullptr);

}  // namespace lgode::ops::cpu
