// The encoder layer in the paper's own form: every projection on every edge. Memory grows with edges times d.
#include "lgode/ops/temporal_attention.h"

#include <cmath>

#include "lgode/ops/segment.h"
#include "lgode/ops/time_encoding.h"

namespace lgode::ops::reference {
namespace {

// W^type hat + b^type for the edges of each type, back in the order of the edges. [E, d]
at::Tensor project_by_type(const at::Tensor& hat, const at::Tensor& w, const at::Tensor& b, const at::Tensor& order,
                           std::int64_t own, const at::Tensor& inverse) {
  const at::Tensor grouped = gather_rows(hat, order);
  const at::Tensor same = at::linear(grouped.slice(0, 0, own), w[0], b[0]);
  const at::Tensor other = at::linear(grouped.slice(0, own), w[1], b[1]);
  return gather_rows(at::cat({same, other}, 0), inverse);
}

}  // namespace

at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& weights, const TemporalGraph& graph,
                              const AttentionOptions& options) {
  const TemporalEdges edges = temporal_edges(graph);
  const at::Device device = x.device();
  const std::int64_t d = x.size(1), heads = options.heads, count = edges.source.numel();
  const at::Tensor gap = edges.gap.to(x.scalar_type()).to(device).unsqueeze(1);
  const at::Tensor offsets = edges.target_offsets.to(device);
  const at::Tensor order = edges.other.to(at::kByte).argsort(std::int64_t{0}).to(device);
  const at::Tensor inverse = order.argsort(std::int64_t{0});
  const std::int64_t own = count - edges.other.sum().item<std::int64_t>();

  // Eq. (message): hat_s = ReLU(W_t [x_s | D] + b_t) + TE(D)   [E, d]
  const at::Tensor sender = at::cat({gather_rows(x, edges.source.to(device)), gap}, 1);
  const at::Tensor hat = at::relu(at::linear(sender, weights.w_t, weights.b_t)) +
                         time_encoding(edges.gap, d, options.frequency, x.options());
  const at::Tensor key = project_by_type(hat, weights.w_k, weights.b_k, order, own, inverse);
  const at::Tensor message = project_by_type(hat, weights.w_v, weights.b_v, order, own, inverse);
  const at::Tensor query = segment_expand(at::linear(x, weights.w_q, weights.b_q), offsets);

  // Eq. (attention): score per head, softmax over the in-edges of a target   [E, heads]
  const double scale = 1.0 / std::sqrt(static_cast<double>(d) / static_cast<double>(heads));
  const at::Tensor score = (key * query).view({count, heads, d / heads}).sum(2) * scale +
                           edges.log_weight.to(x.scalar_type()).to(device).unsqueeze(1);
  const at::Tensor alpha = segment_softmax(score, offsets);
  return segment_sum((message.view({count, heads, d / heads}) * alpha.unsqueeze(2)).view({count, d}), offsets);
}

}  // namespace lgode::ops::reference
