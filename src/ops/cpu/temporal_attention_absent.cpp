// Stands in for the fused encoder layer where Highway is not there.
#include "lgode/ops/temporal_attention.h"

namespace lgode::ops {

bool has_fused_attention() { return false; }

namespace cpu {
at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& weights, const TemporalGraph& graph,
                              const AttentionOptions& options) {
  return reference::temporal_attention(x, weights, graph, options);
}
}  // namespace cpu

}  // namespace lgode::ops
