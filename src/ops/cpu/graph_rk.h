// The fused solve of the graph ODE (Eqs. 1 and 10) on the CPU. States, slopes, sums and gradients are float32; its
// products are float32 or, with Precision::kBf16 on processors that have them, bf16 (bf16_gemm.h). Arguments and shapes
// as ops::graph_rk(), which checks them.
#pragma once

#include "lgode/ops/graph_rk.h"

namespace lgode::ops::cpu {

// Whether the fused solve is built in and supports these arguments: float32 on the CPU, a rule whose dense output is
// cubic Hermite, gradient mode recompute.
bool can_solve_graph(const at::Tensor& z0, const ode::Tableau& rule, ode::Gradient gradient);

// Bytes that a solve may keep for its backward, in addition to the states. Keeping everything takes 0.93 GiB in the
// paper's setting (256 systems, 60 steps, 3 samples).
constexpr std::int64_t kMostKept = std::int64_t{960} << 20;

// Number of tiles for each value of Keep (graph_kernel.h).
struct KeptTiles {
  std::int64_t nothing = 0, messages = 0, hidden = 0;
};

// Whether this processor has the bf16 products of a solve, and the build has them.
bool has_bf16_solve();

// `spare` may be null. With Precision::kBf16, has_bf16_solve() must be true. `most_kept` and `kept` are for tests:
// another limit, and the values stored under it.
ode::Trajectory solve_graph(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                            const ode::StepPlan& plan, const ode::Tableau& rule,
                            const std::shared_ptr<SpareMemory>& spare, const Assimilation& assimilation = {},
                            Precision precision = Precision::kFloat32, std::int64_t most_kept = kMostKept,
                            KeptTiles* kept = nullptr);

}  // namespace lgode::ops::cpu
