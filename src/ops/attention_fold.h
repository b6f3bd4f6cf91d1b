// The folded weights of an encoder layer (Eq. 5): everything that is linear in an observation becomes two matrix
// products over observations,
//   [p | q | c] = x W_in + b_in
//     p   = W_h x + b_t                              W_h: the first d columns of W_t
//     q^y = W_k^y' (W_q x + b_q) / sqrt(d / heads)   query, folded into the space of the keys; y: edge type
//     c^y = b_k^y . (W_q x + b_q) / sqrt(d / heads)
//   out = [m | a] W_out = sum_y W_v^y m^y + a^y b_v^y
// so that an edge costs O(d) and is never stored. Symbols: docs/notation.md, "The fused form of a layer".
#pragma once

#include "lgode/ops/temporal_attention.h"

namespace lgode::ops {

// A group is one head and one edge type; groups are ordered by head, then by type. p, q and m are padded with zeros to
// `stride` columns, c and a to a multiple of 16.
struct FoldedAttention {
  at::Tensor w_in;   // [stride, stride + narrow]
  at::Tensor b_in;   // [stride + narrow]
  at::Tensor slope;  // [stride] last column of W_t: the weight of the time gap
  at::Tensor w_out;  // [narrow, stride], narrow = groups * stride + groups, padded
};

// Differentiable in the weights. float32 or float64, on their device.
FoldedAttention fold_attention(const AttentionWeights& weights, std::int64_t heads, std::int64_t stride);

}  // namespace lgode::ops
