// Eqs. 2 and 10 in the paper's own form: both message layers on every pair. Plain ATen operations, gradients by
// autograd: the definition that the faster forms are tested against.
#include "ops/graph_field.h"

#include "lgode/ops/segment.h"

namespace lgode::ops::reference {

at::Tensor graph_field(const at::Tensor& z, const DynamicsWeights& weights, const PairGraph& pairs) {
  const std::int64_t rows = z.size(0);
  at::Tensor sum = at::zeros({rows, weights.w2.size(0)}, z.options());
  for (std::size_t r = 0; r < pairs.lists.size(); ++r) {
    const PairGraph::List& list = pairs.lists[r];
    const DynamicsWeights::Message& message = weights.messages[r];
    const std::int64_t count = list.pairs_before[rows];
    if (count == 0) continue;
    // Eq. 10: e_ij = MLP_r([z_i | z_j])   [P, H]
    const at::Tensor both =
        at::cat({gather_rows(z, list.target.slice(0, 0, count)), gather_rows(z, list.source.slice(0, 0, count))}, 1);
    at::Tensor e = at::relu(at::linear(both, message.w1, message.b1));
    e = at::relu(at::linear(e, message.w2, message.b2));
    if (list.weight.defined()) e = e * list.weight.slice(0, 0, count);
    sum = sum + segment_sum(e, list.target_offsets.slice(0, 0, rows + 1));
  }
  // Eq. 10: dz_i/dt = MLP_o([z_i | sum_j w_ij e_ij])   [m, Z]
  at::Tensor out = at::relu(at::linear(at::cat({z, sum}, 1), weights.w1, weights.b1));
  out = at::relu(at::linear(out, weights.w2, weights.b2));
  return at::linear(out, weights.w3, weights.b3);
}

}  // namespace lgode::ops::reference
