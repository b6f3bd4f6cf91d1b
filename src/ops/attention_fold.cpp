// Builds the folded matrices of attention_fold.h with differentiable ATen operations, so that autograd carries their
// gradients on to the layer's own weights. Used by both fused encoder layers, CPU and CUDA.
#include "ops/attention_fold.h"

#include <cmath>
#include <vector>

namespace lgode::ops {

FoldedAttention fold_attention(const AttentionWeights& w, std::int64_t heads, std::int64_t stride) {
  const std::int64_t d = w.b_q.numel(), width = d / heads, pad = stride - d;
  const std::int64_t groups = 2 * heads, rest = (groups + 15) / 16 * 16 - groups;
  // Appends zero columns and zero rows.
  auto padded = [](const at::Tensor& t, std::int64_t columns, std::int64_t rows = 0) {
    if (columns == 0 && rows == 0) return t;
    return t.dim() == 1 ? at::constant_pad_nd(t, {0, columns}) : at::constant_pad_nd(t, {0, columns, 0, rows});
  };

  // Order of W_in's columns and b_in's entries: p, then q of every group, then c of every group. Order of W_out's rows:
  // m of every group, then a of every group.
  std::vector<at::Tensor> in{padded(w.w_t.slice(1, 0, d).t(), pad)}, bias{padded(w.b_t, pad)}, in_c, bias_c, out, out_a;
  const double scale = 1.0 / std::sqrt(static_cast<double>(width));
  for (std::int64_t h = 0; h < heads; ++h) {
    auto rows = [&](const at::Tensor& t) { return heads == 1 ? t : t.slice(0, h * width, (h + 1) * width); };
    // Eq. 5, the query W_q h_t / sqrt(d), with its bias as last row: [d+1, width] = ([w_q | b_q] scale)'
    const at::Tensor query = (at::cat({rows(w.w_q), rows(w.b_q).unsqueeze(1)}, 1) * scale).t();
    for (std::int64_t y = 0; y < 2; ++y) {
      // Eq. 5, key times query, folded: [d+1, d+1]. The last row is the bias, the last column gives c.
      const at::Tensor folded = at::matmul(query, at::cat({rows(w.w_k[y]), rows(w.b_k[y]).unsqueeze(1)}, 1));
      in.push_back(padded(folded.slice(0, 0, d).slice(1, 0, d), pad));
      in_c.push_back(folded.slice(0, 0, d).slice(1, d));
      bias.push_back(padded(folded[d].slice(0, 0, d), pad));
      bias_c.push_back(folded[d].slice(0, d));
      auto place = [&](const at::Tensor& t, std::int64_t below) {
        return at::constant_pad_nd(t, {h * width, stride - (h + 1) * width, 0, below});
      };
      out.push_back(place(rows(w.w_v[y]).t(), pad));
      out_a.push_back(place(rows(w.b_v[y]).unsqueeze(0), 0));
    }
  }
  in.insert(in.end(), in_c.begin(), in_c.end());
  bias.insert(bias.end(), bias_c.begin(), bias_c.end());
  out.insert(out.end(), out_a.begin(), out_a.end());
  return {padded(at::cat(in, 1), rest, pad), padded(at::cat(bias), rest), padded(w.w_t.select(1, d), pad),
          padded(at::cat(out, 0), 0, rest)};
}

}  // namespace lgode::ops
