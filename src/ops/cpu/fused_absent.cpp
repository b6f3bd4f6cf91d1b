// Replaces the fused CPU operators in a build without Highway: the reference runs instead.
#include <fmt/format.h>

#include <cmath>

#include "lgode/core/error.h"
#include "lgode/ops/sequence_attention.h"
#include "lgode/ops/simd.h"
#include "lgode/ops/temporal_attention.h"
#include "ops/cpu/graph_rk.h"
#include "ops/cpu/time_encoding_kernel.h"

namespace lgode::ops {

bool has_fused_attention() { return false; }
const char* simd_name() { return "none"; }
bool has_simd(const std::string& name) {
  for (const char* known : {"avx512", "avx2", "sse4", "scalar"})
    if (name == known) return true;  // nothing to limit
  throw ConfigError(fmt::format("SIMD instructions '{}': expected avx512, avx2, sse4 or scalar", name));
}
void hold_simd(const std::string& name) { has_simd(name); }

namespace cpu {

void encode_times(const double* times, std::int64_t count, const double* rate, std::int64_t width, float* out) {
  for (std::int64_t row = 0; row < count; ++row)
    for (std::int64_t c = 0; c < width; ++c, ++out)
      *out = static_cast<float>(c % 2 == 0 ? std::sin(times[row] * rate[c / 2]) : std::cos(times[row] * rate[c / 2]));
}

at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& weights, const TemporalGraph& graph,
                              const AttentionOptions& options) {
  return reference::temporal_attention(x, weights, graph, options);
}

at::Tensor sequence_attention(const at::Tensor& h, const SequenceWeights& weights, const at::Tensor& times,
                              const at::Tensor& offsets, double frequency) {
  return reference::sequence_attention(h, weights, times, offsets, frequency);
}

bool has_bf16_solve() { return false; }
bool can_solve_graph(const at::Tensor&, const ode::Tableau&, ode::Gradient) { return false; }

ode::Trajectory solve_graph(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                            const ode::StepPlan& plan, const ode::Tableau& rule, const std::shared_ptr<SpareMemory>&,
                            const Assimilation&, Precision, std::int64_t, KeptTiles*) {
  return ode::solve(make_graph_field(weights, pairs), z0, plan, rule);
}

}  // namespace cpu
}  // namespace lgode::ops
