// An encoder layer's weights, folded: everything that is linear in a node becomes two products over nodes,
//   [p | q | c] = x W_in + b_in:  p = W_h x + b_t,  q^y = W_k^yT (W_q x + b_q) / sqrt(d/heads),  c^y = b_k^y . (W_q x +
//   b_q) / sqrt(d/heads)
//   out = [m | a] W_out = sum_y W_v^y m^y + a^y b_v^y
// so that an edge costs O(d) and is never stored.
#pragma once

#include "lgode/ops/temporal_attention.h"

namespace lgode::ops {

// Groups: head-major, two types each. Rows of p, q and m are padded with zeros to `stride`, c and a to a multiple
// of 16.
struct FoldedAttention {
  at::Tensor w_in;   // [stride, stride + narrow]
  at::Tensor b_in;   // [stride + narrow]
  at::Tensor slope;  // [stride]
  at::Tensor w_out;  // [narrow, stride], narrow = groups * stride + groups, padded
};

// Differentiable in the weights.
FoldedAttention fold_attention(const AttentionWeights& weights, std::int64_t heads, std::int64_t stride);

}  // namespace lgode::ops
