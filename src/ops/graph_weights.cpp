// Copies the dynamics' weights into the flat buffer of graph_layout.h and gradients out of it.
#include "ops/graph_weights.h"

namespace lgode::ops {
namespace {

// The part of the buffer as a tensor [inputs, outputs].
at::Tensor view(const at::Tensor& flat, const MatrixPlace& p, std::int64_t outputs) {
  return flat.as_strided({p.inputs, outputs}, {p.outputs, 1},
                         flat.storage_offset() + p.offset + p.row * p.outputs + p.out_column);
}

}  // namespace

std::vector<MatrixPlace> matrix_places(const GraphSize& s, const GraphLayout& l) {
  const std::int64_t zp = s.zp(), hp = s.hp(), uvp = s.lists * 2 * hp;
  std::vector<MatrixPlace> all;
  for (std::int64_t r = 0; r < s.lists; ++r) {
    const auto t = static_cast<std::size_t>(4 * r);
    all.push_back({t, 0, s.z, l.w1, 0, uvp, 2 * r * hp, zp});
    all.push_back({t, s.z, s.z, l.w1, 0, uvp, (2 * r + 1) * hp, zp});
    all.push_back({t + 2, 0, s.h, l.w2[r], 0, hp, 0, hp});
  }
  const auto o = static_cast<std::size_t>(4 * s.lists);
  all.push_back({o, 0, s.z, l.o1, 0, hp, 0, zp + hp});
  all.push_back({o, s.z, s.h, l.o1, zp, hp, 0, zp + hp});
  all.push_back({o + 2, 0, s.h, l.o2, 0, hp, 0, hp});
  all.push_back({o + 4, 0, s.h, l.o3, 0, zp, 0, hp});
  return all;
}

std::vector<std::pair<std::size_t, std::int64_t>> bias_places(const GraphSize& s, const GraphLayout& l) {
  std::vector<std::pair<std::size_t, std::int64_t>> all;
  for (std::int64_t r = 0; r < s.lists; ++r) {
    all.emplace_back(4 * r + 1, l.b1 + 2 * r * s.hp());
    all.emplace_back(4 * r + 3, l.b2[r]);
  }
  const auto o = static_cast<std::size_t>(4 * s.lists);
  all.emplace_back(o + 1, l.c1), all.emplace_back(o + 3, l.c2), all.emplace_back(o + 5, l.c3);
  return all;
}

at::Tensor flatten_weights(const std::vector<at::Tensor>& tensors, const GraphSize& size, const GraphLayout& layout) {
  const at::Tensor flat = at::zeros({layout.total}, tensors[0].options().requires_grad(false));
  for (const MatrixPlace& p : matrix_places(size, layout)) {
    const at::Tensor w = tensors[p.tensor].slice(1, p.column, p.column + p.inputs);  // [outputs, inputs]
    view(flat, p, w.size(0)).copy_(w.t());
  }
  for (const auto& [tensor, offset] : bias_places(size, layout))
    flat.narrow(0, offset, tensors[tensor].numel()).copy_(tensors[tensor]);
  return flat;
}

std::vector<at::Tensor> unflatten_gradients(const at::Tensor& flat, const std::vector<at::Tensor>& tensors,
                                            const GraphSize& size, const GraphLayout& layout) {
  std::vector<at::Tensor> out;
  out.reserve(tensors.size());
  for (const at::Tensor& w : tensors) out.push_back(at::empty_like(w));
  for (const MatrixPlace& p : matrix_places(size, layout))
    out[p.tensor].slice(1, p.column, p.column + p.inputs).copy_(view(flat, p, out[p.tensor].size(0)).t());
  for (const auto& [tensor, offset] : bias_places(size, layout))
    out[tensor].copy_(flat.narrow(0, offset, out[tensor].numel()));
  return out;
}

}  // namespace lgode::ops
