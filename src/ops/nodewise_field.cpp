// Eqs. 2 and 10 with the first message layer computed once per node instead of once per pair,
//   W[z_i | z_j] + b = (W_a z_i + b) + W_b z_j,
// and a hand-written gradient: one autograd node per call, matrix products by BLAS, loops over pairs in between. CPU
// and CUDA (there through ATen operations). float32 and float64. No second derivatives.
//
// Shapes: m rows, Z state, H hidden, P pairs of one list. Symbols: u_i = W_a z_i + b1, v_j = W_b z_j, h = ReLU(u + v)
// first message layer, e second message layer, sum = sum_j w_ij e_ij, a1 and a2 hidden layers of MLP_o; dx is the
// gradient of x.
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "ops/graph_field.h"
#include "ops/parallel.h"

namespace lgode::ops::nodewise {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

constexpr std::int64_t kRowGrain = 16;
constexpr std::int64_t kColumnGrain = 16;

// The pairs of one list whose target is among the first m rows.
struct Pairs {
  at::Tensor target, source, offsets, weight;
  std::int64_t count = 0;
};

Pairs first_rows(const PairGraph::List& list, std::int64_t rows) {
  const std::int64_t count = list.pairs_before[rows];
  return {list.target.slice(0, 0, count), list.source.slice(0, 0, count), list.target_offsets.slice(0, 0, rows + 1),
          list.weight.defined() ? list.weight.slice(0, 0, count) : at::Tensor(), count};
}

// Eq. 10, first layer of MLP_r: h_p = ReLU(u_target + v_source)   [P, H]
at::Tensor pair_relu(const at::Tensor& u, const at::Tensor& v, const Pairs& pairs) {
  if (!u.is_cpu()) return (u.index_select(0, pairs.target) + v.index_select(0, pairs.source)).relu_();
  const std::int64_t width = u.size(1);
  at::Tensor out = at::empty({pairs.count, width}, u.options());
  AT_DISPATCH_FLOATING_TYPES(u.scalar_type(), "pair_relu", [&] {
    const scalar_t *pu = u.data_ptr<scalar_t>(), *pv = v.data_ptr<scalar_t>();
    const std::int64_t *target = pairs.target.data_ptr<std::int64_t>(), *source = pairs.source.data_ptr<std::int64_t>();
    scalar_t* o = out.data_ptr<scalar_t>();
    parallel_for(0, pairs.count, kRowGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t p = begin; p < end; ++p) {
        const scalar_t *a = pu + target[p] * width, *b = pv + source[p] * width;
        for (std::int64_t c = 0; c < width; ++c) o[p * width + c] = std::max(a[c] + b[c], scalar_t(0));
      }
    });
  });
  return out;
}

// Eq. 10: e <- ReLU(e) in place; sum_target += weight e
void relu_and_sum(at::Tensor& e, const Pairs& pairs, at::Tensor& sum) {
  if (!e.is_cpu()) {
    e.relu_();
    sum.index_add_(0, pairs.target, pairs.weight.defined() ? e * pairs.weight : e);
    return;
  }
  const std::int64_t width = e.size(1);
  AT_DISPATCH_FLOATING_TYPES(e.scalar_type(), "relu_and_sum", [&] {
    scalar_t *pe = e.data_ptr<scalar_t>(), *ps = sum.data_ptr<scalar_t>();
    const scalar_t* w = pairs.weight.defined() ? pairs.weight.data_ptr<scalar_t>() : nullptr;
    const std::int64_t* offsets = pairs.offsets.data_ptr<std::int64_t>();
    parallel_for(0, sum.size(0), kRowGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        for (std::int64_t p = offsets[i]; p < offsets[i + 1]; ++p) {
          const scalar_t weight = w != nullptr ? w[p] : scalar_t(1);
          for (std::int64_t c = 0; c < width; ++c) {
            const scalar_t value = std::max(pe[p * width + c], scalar_t(0));
            pe[p * width + c] = value;
            ps[i * width + c] += weight * value;
          }
        }
    });
  });
}

// de_p = weight dsum_target where e_p > 0   [P, H]
at::Tensor relu_and_sum_backward(const at::Tensor& dsum, const at::Tensor& e, const Pairs& pairs) {
  if (!e.is_cpu()) {
    const at::Tensor spread = dsum.index_select(0, pairs.target) * (e > 0);
    return pairs.weight.defined() ? spread * pairs.weight : spread;
  }
  const std::int64_t width = e.size(1);
  at::Tensor out = at::empty_like(e);
  AT_DISPATCH_FLOATING_TYPES(e.scalar_type(), "relu_and_sum_backward", [&] {
    const scalar_t *pe = e.data_ptr<scalar_t>(), *ps = dsum.data_ptr<scalar_t>();
    const scalar_t* w = pairs.weight.defined() ? pairs.weight.data_ptr<scalar_t>() : nullptr;
    const std::int64_t* target = pairs.target.data_ptr<std::int64_t>();
    scalar_t* o = out.data_ptr<scalar_t>();
    parallel_for(0, pairs.count, kRowGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t p = begin; p < end; ++p) {
        const scalar_t weight = w != nullptr ? w[p] : scalar_t(1);
        const scalar_t* s = ps + target[p] * width;
        for (std::int64_t c = 0; c < width; ++c)
          o[p * width + c] = pe[p * width + c] > scalar_t(0) ? weight * s[c] : scalar_t(0);
      }
    });
  });
  return out;
}

// Masks dh by h > 0, then du_target += dh and dv_source += dh. Each thread has its own columns, so that no two threads
// write to the same element.
void pair_relu_backward(at::Tensor& dh, const at::Tensor& h, const Pairs& pairs, at::Tensor& du, at::Tensor& dv) {
  if (!h.is_cpu()) {
    dh.mul_(h > 0);
    du.index_add_(0, pairs.target, dh);
    dv.index_add_(0, pairs.source, dh);
    return;
  }
  const std::int64_t width = h.size(1);
  AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "pair_relu_backward", [&] {
    const scalar_t *g = dh.data_ptr<scalar_t>(), *value = h.data_ptr<scalar_t>();
    scalar_t *pu = du.data_ptr<scalar_t>(), *pv = dv.data_ptr<scalar_t>();
    const std::int64_t *target = pairs.target.data_ptr<std::int64_t>(), *source = pairs.source.data_ptr<std::int64_t>();
    parallel_for(0, width, kColumnGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t p = 0; p < pairs.count; ++p) {
        scalar_t *a = pu + target[p] * width, *b = pv + source[p] * width;
        for (std::int64_t c = begin; c < end; ++c) {
          const scalar_t x = value[p * width + c] > scalar_t(0) ? g[p * width + c] : scalar_t(0);
          a[c] += x;
          b[c] += x;
        }
      }
    });
  });
}

// What the backward needs in addition to its inputs: h and e of every list, sum, and MLP_o's two hidden layers.
struct Kept {
  std::vector<at::Tensor> h, e;
  at::Tensor sum, a1, a2;
};

DynamicsWeights from_list(const variable_list& t, std::size_t lists) {
  DynamicsWeights w;
  for (std::size_t r = 0; r < lists; ++r) w.messages.push_back({t[4 * r], t[4 * r + 1], t[4 * r + 2], t[4 * r + 3]});
  const std::size_t o = 4 * lists;
  w.w1 = t[o], w.b1 = t[o + 1], w.w2 = t[o + 2], w.b2 = t[o + 3], w.w3 = t[o + 4], w.b3 = t[o + 5];
  return w;
}

at::Tensor run_forward(const at::Tensor& z, const DynamicsWeights& w, const std::vector<Pairs>& lists, Kept& kept) {
  const std::int64_t rows = z.size(0), width = z.size(1);
  kept.sum = at::zeros({rows, w.w2.size(0)}, z.options());
  for (std::size_t r = 0; r < lists.size(); ++r) {
    const DynamicsWeights::Message& message = w.messages[r];
    // Eq. 10: e_ij = MLP_r([z_i | z_j])
    const at::Tensor u = at::addmm(message.b1, z, message.w1.slice(1, 0, width).t());
    const at::Tensor v = at::mm(z, message.w1.slice(1, width).t());
    kept.h.push_back(pair_relu(u, v, lists[r]));
    at::Tensor e = at::addmm(message.b2, kept.h.back(), message.w2.t());
    relu_and_sum(e, lists[r], kept.sum);
    kept.e.push_back(e);
  }
  // Eq. 10: dz_i/dt = MLP_o([z_i | sum_j w_ij e_ij])
  kept.a1 = at::addmm(w.b1, z, w.w1.slice(1, 0, width).t()).addmm_(kept.sum, w.w1.slice(1, width).t()).relu_();
  kept.a2 = at::addmm(w.b2, kept.a1, w.w2.t()).relu_();
  return at::addmm(w.b3, kept.a2, w.w3.t());
}

// Gradients in the order z, then DynamicsWeights::tensors().
variable_list run_backward(const at::Tensor& grad, const at::Tensor& z, const DynamicsWeights& w,
                           const std::vector<Pairs>& lists, const Kept& kept) {
  const std::int64_t rows = z.size(0), width = z.size(1);
  // out = a2 W3' + b3;  a2 = ReLU(a1 W2' + b2);  a1 = ReLU([z | sum] W1' + b1)
  const at::Tensor g = grad.contiguous();
  const at::Tensor d2 = at::mm(g, w.w3).mul_(kept.a2 > 0);
  const at::Tensor d1 = at::mm(d2, w.w2).mul_(kept.a1 > 0);
  const at::Tensor dw1 = at::cat({at::mm(d1.t(), z), at::mm(d1.t(), kept.sum)}, 1);
  at::Tensor dz = at::mm(d1, w.w1.slice(1, 0, width));
  const at::Tensor dsum = at::mm(d1, w.w1.slice(1, width));

  variable_list out{dz};
  for (std::size_t r = 0; r < lists.size(); ++r) {
    const DynamicsWeights::Message& message = w.messages[r];
    // sum += weight e;  e = ReLU(h W2' + b2);  h = ReLU(u_i + v_j);  u = z Wa' + b1;  v = z Wb'
    const at::Tensor de = relu_and_sum_backward(dsum, kept.e[r], lists[r]);
    at::Tensor dh = at::mm(de, message.w2);
    at::Tensor du = at::zeros({rows, w.w2.size(0)}, z.options()), dv = at::zeros_like(du);
    pair_relu_backward(dh, kept.h[r], lists[r], du, dv);
    dz.addmm_(du, message.w1.slice(1, 0, width)).addmm_(dv, message.w1.slice(1, width));
    out.push_back(at::cat({at::mm(du.t(), z), at::mm(dv.t(), z)}, 1));
    out.push_back(du.sum(0));
    out.push_back(at::mm(de.t(), kept.h[r]));
    out.push_back(de.sum(0));
  }
  for (const at::Tensor& t : {dw1, d1.sum(0), at::mm(d2.t(), kept.a1), d2.sum(0), at::mm(g.t(), kept.a2), g.sum(0)})
    out.push_back(t);
  return out;
}

struct NodewiseField : Function<NodewiseField> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& z, at::TensorList weights,
                            const std::vector<Pairs>& lists) {
    Kept kept;
    const at::Tensor state = z.contiguous();
    const at::Tensor out = run_forward(state, from_list(weights.vec(), lists.size()), lists, kept);
    variable_list saved{state, kept.sum, kept.a1, kept.a2};
    saved.insert(saved.end(), weights.begin(), weights.end());
    for (std::size_t r = 0; r < lists.size(); ++r)
      for (const at::Tensor& t :
           {kept.h[r], kept.e[r], lists[r].target, lists[r].source, lists[r].offsets, lists[r].weight})
        saved.push_back(t);
    ctx->save_for_backward(saved);
    ctx->saved_data["lists"] = static_cast<std::int64_t>(lists.size());
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grad) {
    const variable_list saved = ctx->get_saved_variables();
    const auto count = static_cast<std::size_t>(ctx->saved_data["lists"].toInt());
    const auto weights = saved.begin() + 4, rest = weights + static_cast<std::ptrdiff_t>(4 * count + 6);
    Kept kept;
    kept.sum = saved[1], kept.a1 = saved[2], kept.a2 = saved[3];
    std::vector<Pairs> lists;
    for (auto t = rest; t != saved.end(); t += 6) {
      kept.h.push_back(t[0]);
      kept.e.push_back(t[1]);
      lists.push_back({t[2], t[3], t[4], t[5], t[2].numel()});
    }
    variable_list out = run_backward(grad[0], saved[0], from_list(variable_list(weights, rest), count), lists, kept);
    out.emplace_back();
    return out;
  }
};

}  // namespace

at::Tensor graph_field(const at::Tensor& z, const DynamicsWeights& weights, const PairGraph& pairs) {
  std::vector<Pairs> lists;
  for (const PairGraph::List& list : pairs.lists) lists.push_back(first_rows(list, z.size(0)));
  const std::vector<at::Tensor> tensors = weights.tensors();
  return NodewiseField::apply(z, at::TensorList(tensors), lists);
}

}  // namespace lgode::ops::nodewise
