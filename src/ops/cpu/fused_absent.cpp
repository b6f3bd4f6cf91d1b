// Stands in for the fused operators where Highway is not there.
#include "lgode/ops/temporal_attention.h"
#include "ops/cpu/graph_rk.h"

namespace lgode::ops {

bool has_fused_attention() { return false; }
const char* simd_name() { return "none"; }

namespace cpu {

at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& weights, const TemporalGraph& graph,
                              const AttentionOptions& options) {
  return reference::temporal_attention(x, weights, graph, options);
}

bool can_solve_graph(const at::Tensor&, const ode::Tableau&, ode::Gradient) { return false; }

ode::Trajectory solve_graph(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                            const ode::StepPlan& plan, const ode::Tableau& rule) {
  return ode::solve(make_graph_field(weights, pairs), z0, plan, rule);
}

}  // namespace cpu
}  // namespace lgode::ops
