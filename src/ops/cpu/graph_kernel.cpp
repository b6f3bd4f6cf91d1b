// The kernel of graph_kernel.h, whose legend explains the symbols: one evaluation of Eq. 10 as a chain of small matrix
// products and loops over pairs, its gradient, and the Runge-Kutta steps of Eq. 1 around them. One file of 630 lines:
// Highway compiles a whole file once per instruction set, and forward, gradient and steps share their scratch memory.
#include "graph_kernel.h"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "ops/cpu/bf16_gemm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cpu/graph_kernel.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include "ops/cpu/gemm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lgode::ops::cpu::HWY_NAMESPACE {

// The activations of one evaluation that its gradient needs. Named after the Runge-Kutta stage it belongs to.
struct Stage {
  float* zs = nullptr;            // [n, Zp+Hp]
  std::vector<float*> h;          // [p_r, Hp] per list
  std::uint8_t* signs = nullptr;  // [p, sign_bytes()] list after list
  float* a1 = nullptr;            // [n, Hp]
  float* a2 = nullptr;            // [n, Hp]
};

// Bytes of the signs of one pair: Highway stores the mask of a vector in whole bytes.
std::int64_t sign_bytes(std::int64_t hp) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(F()));
  return hp / lanes * ((lanes + 7) / 8);
}
// Highway may read this many bytes beyond a mask.
constexpr std::int64_t kMaskSlack = 8;

// Layout of the values that a tile keeps of one evaluation: sum [n, Hp], a1 [n, Hp], signs.
struct KeptShape {
  KeptShape(const GraphProblem& pr, const GraphTile& tile) {
    const std::int64_t n = tile.row_end - tile.row_begin, hp = pr.size.hp();
    std::int64_t pairs = 0;
    for (const GraphPairs& list : pr.pairs) pairs += list.before[tile.row_end] - list.before[tile.row_begin];
    if (tile.keep == Keep::kNothing) return;
    a1 = n * hp;
    signs = a1 + (tile.keep == Keep::kHidden ? n * hp : 0);
    bytes = (signs * 4 + pairs * sign_bytes(hp) + kMaskSlack + 63) / 64 * 64;
  }
  std::int64_t a1 = 0, signs = 0;  // offsets in floats; sum is at 0
  std::int64_t bytes = 0;
};

std::int64_t kept_bytes_simd(const GraphProblem& pr, const GraphTile& tile) {
  return KeptShape(pr, tile).bytes * (tile.evaluations[tile.steps] + 1);
}

// The memory for one tile, cut from one block. kept_stages: number of evaluations whose activations exist at a time.
class Workspace {
 public:
  Workspace(const GraphProblem& pr, const GraphTile& tile, std::int64_t kept_stages) : pr_(pr), tile_(tile) {
    zp = pr.size.zp(), hp = pr.size.hp(), wide = zp + hp, uvp = pr.size.lists * 2 * hp;
    n = tile.row_end - tile.row_begin;
    std::int64_t all = 0;
    for (const GraphPairs& list : pr.pairs) {
      first.push_back(list.before[tile.row_begin]);
      pairs.push_back(list.before[tile.row_end] - first.back());
      all += pairs.back();
      most = std::max(most, pairs.back());
    }
    sign_floats_ = (all * sign_bytes(hp) + kMaskSlack + 63) / 64 * 16;
    const std::int64_t per_stage = n * wide + all * hp + 2 * n * hp + sign_floats_;
    const auto ties = static_cast<std::int64_t>(pr.ties.size());
    const std::int64_t common =
        (2 * pr.stages + 3) * n * zp + 2 * n * uvp + 2 * n * hp + n * wide + 2 * most * hp + ties * n;
    // The largest factors of a product: messages, [u | v] and zs; and of a weight gradient.
    const std::int64_t factors = pr.bf16 == nullptr
                                     ? 0
                                     : std::max({bf16_scratch(most, hp), bf16_scratch(n, uvp), bf16_scratch(n, wide),
                                                 bf16_transposed_scratch(zp, uvp), bf16_transposed_scratch(wide, hp)});
    const std::size_t floats = static_cast<std::size_t>(per_stage * kept_stages + common + factors + 64);
    memory_ = hwy::AllocateAligned<float>(floats);
    std::fill_n(memory_.get(), floats, 0.0F);
    float* at = memory_.get();
    auto take = [&](std::int64_t count) {
      float* p = at;
      at += count;
      return p;
    };
    for (std::int64_t s = 0; s < kept_stages; ++s) {
      Stage stage;
      stage.zs = take(n * wide);
      for (std::int64_t count : pairs) stage.h.push_back(take(count * hp));
      stage.a1 = take(n * hp), stage.a2 = take(n * hp);
      stage.signs = reinterpret_cast<std::uint8_t*>(take(sign_floats_));
      stages.push_back(std::move(stage));
    }
    for (std::int64_t s = 0; s < pr.stages; ++s) k.push_back(take(n * zp)), dk.push_back(take(n * zp));
    y = take(n * zp), lambda = take(n * zp), dz = take(n * zp);
    uv = take(n * uvp), duv = take(n * uvp);
    d1 = take(n * hp), d2 = take(n * hp), dzs = take(n * wide);
    e = take(most * hp), dh = take(most * hp);
    scratch = reinterpret_cast<std::uint32_t*>(take(factors));
    dtie = take(ties * n);
  }

  // Sets the rows that are present in the following evaluations: the rows of this node.
  void at_node(std::int64_t node) { present_ = pr_.present != nullptr ? pr_.present + node * pr_.rows : nullptr; }
  bool is_present(std::int64_t row) const { return present_ == nullptr || present_[row] != 0; }  // row of the batch
  // Weight of pair q of a list: 0 if its source is absent.
  float weight_of(const GraphPairs& list, std::int64_t q) const {
    if (!is_present(list.source[q])) return 0.0F;
    return list.weight != nullptr ? list.weight[q] : 1.0F;
  }

  std::int64_t n = 0, zp = 0, hp = 0, wide = 0, uvp = 0, most = 0;
  std::vector<std::int64_t> first, pairs;  // first pair and number of pairs of the tile in each list
  std::vector<Stage> stages;
  std::vector<float*> k, dk;  // [n, Zp] per stage of the rule
  float *y = nullptr, *lambda = nullptr, *dz = nullptr;
  float *uv = nullptr, *duv = nullptr, *d1 = nullptr, *d2 = nullptr, *dzs = nullptr;
  float *e = nullptr, *dh = nullptr;  // [p_r, Hp] of one list; in the backward e holds de
  float* dtie = nullptr;              // [ties, n] gradients of the tied slopes times their factors
  std::uint32_t* scratch = nullptr;   // for the factors of bf16 products

  // Copy between the tile's padded rows (`here`, [n, Zp]) and the rows of node `node` in [K+1, rows, Z] (`outside`).
  void load(const float* outside, std::int64_t node, float* here) const {
    for (std::int64_t i = 0; i < n; ++i) std::copy_n(row(outside, node, i), pr_.size.z, here + i * zp);
  }
  void store(const float* here, std::int64_t node, float* outside) const {
    for (std::int64_t i = 0; i < n; ++i)
      std::copy_n(here + i * zp, pr_.size.z, const_cast<float*>(row(outside, node, i)));
  }
  void add(const float* outside, std::int64_t node, float* here) const {
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t c = 0; c < pr_.size.z; ++c) here[i * zp + c] += row(outside, node, i)[c];
  }

 private:
  const float* row(const float* outside, std::int64_t node, std::int64_t i) const {
    return outside + (node * pr_.rows + tile_.row_begin + i) * pr_.size.z;
  }

  const GraphProblem& pr_;
  const GraphTile& tile_;
  const std::uint8_t* present_ = nullptr;  // [rows]; null: all are
  std::int64_t sign_floats_ = 0;
  hwy::AlignedFreeUniquePtr<float[]> memory_;
};

// g with the weights at an offset of the layout as its second factor.
void product(const GraphProblem& pr, const Workspace& w, Gemm g, std::int64_t weights) {
  if (pr.bf16 != nullptr) return bf16_gemm(g, pr.bf16 + weights / 2, w.scratch);
  g.b = pr.weights + weights;
  gemm(g);
}

// The same with the transposed weights.
void transposed_product(const GraphProblem& pr, const Workspace& w, Gemm g, std::int64_t weights) {
  if (pr.bf16 != nullptr) return bf16_gemm(g, pr.bf16_transposed + weights / 2, w.scratch);
  g.b = pr.transposed + weights;
  gemm(g);
}

// y += s x
void add_scaled(float* y, const float* x, double s, std::int64_t count) {
  const F f;
  const V sv = hn::Set(f, static_cast<float>(s));
  for (std::int64_t i = 0; i < count; i += static_cast<std::int64_t>(hn::Lanes(f)))
    hn::StoreU(hn::MulAdd(sv, hn::LoadU(f, x + i), hn::LoadU(f, y + i)), f, y + i);
}

// Eq. 10, first layer of MLP_r: h_p = ReLU(u_target + v_source)
void pair_relu(const GraphProblem& pr, const GraphTile& tile, const Workspace& w, std::size_t r, float* h) {
  const F f;
  const GraphPairs& list = pr.pairs[r];
  for (std::int64_t p = 0; p < w.pairs[r]; ++p) {
    const std::int64_t q = w.first[r] + p;
    const float* u = w.uv + (list.target[q] - tile.row_begin) * w.uvp + static_cast<std::int64_t>(2 * r) * w.hp;
    const float* v = w.uv + (list.source[q] - tile.row_begin) * w.uvp + static_cast<std::int64_t>(2 * r + 1) * w.hp;
    for (std::int64_t c = 0; c < w.hp; c += static_cast<std::int64_t>(hn::Lanes(f)))
      hn::StoreU(hn::Max(hn::Add(hn::LoadU(f, u + c), hn::LoadU(f, v + c)), hn::Zero(f)), f, h + p * w.hp + c);
  }
}

// Eq. 10: sum_i += w_ij e_ij; writes the signs of e.
void sum_messages(const GraphProblem& pr, const GraphTile& tile, const Workspace& w, std::size_t r, const Stage& s,
                  std::uint8_t* signs) {
  const F f;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(f));
  const GraphPairs& list = pr.pairs[r];
  for (std::int64_t p = 0; p < w.pairs[r]; ++p) {
    const std::int64_t q = w.first[r] + p;
    float* sum = s.zs + (list.target[q] - tile.row_begin) * w.wide + w.zp;
    const V weight = hn::Set(f, w.weight_of(list, q));
    for (std::int64_t c = 0; c < w.hp; c += lanes) {
      const V e = hn::LoadU(f, w.e + p * w.hp + c);
      hn::StoreU(hn::MulAdd(weight, e, hn::LoadU(f, sum + c)), f, sum + c);
      signs += hn::StoreMaskBits(f, hn::Gt(e, hn::Zero(f)), signs);
    }
  }
}

// [u | v] = z W1 + b1 for the state in s.zs, then h of every pair.
void first_layer(const GraphProblem& pr, const GraphTile& tile, Workspace& w, Stage& s) {
  product(pr, w,
          {.m = w.n,
           .n = w.uvp,
           .k = w.zp,
           .a = s.zs,
           .row_step = w.wide,
           .c = w.uv,
           .ldc = w.uvp,
           .bias = pr.weights + pr.layout->b1},
          pr.layout->w1);
  for (std::size_t r = 0; r < w.pairs.size(); ++r) pair_relu(pr, tile, w, r, s.h[r]);
}

// Eq. 10: e_ij = ReLU(h W2 + b2), and the sum of messages into s.zs
void messages(const GraphProblem& pr, const GraphTile& tile, Workspace& w, Stage& s) {
  for (std::int64_t i = 0; i < w.n; ++i) std::fill_n(s.zs + i * w.wide + w.zp, w.hp, 0.0F);
  std::uint8_t* signs = s.signs;
  for (std::size_t r = 0; r < w.pairs.size(); ++r) {
    product(pr, w,
            {.m = w.pairs[r],
             .n = w.hp,
             .k = w.hp,
             .a = s.h[r],
             .row_step = w.hp,
             .c = w.e,
             .ldc = w.hp,
             .bias = pr.weights + pr.layout->b2[r],
             .relu = true},
            pr.layout->w2[r]);
    sum_messages(pr, tile, w, r, s, signs);
    signs += w.pairs[r] * sign_bytes(w.hp);
  }
}

// Eq. 10, MLP_o: a1 = ReLU([z | sum] O1 + c1)
void first_hidden(const GraphProblem& pr, const Workspace& w, const Stage& s) {
  product(pr, w,
          {.m = w.n,
           .n = w.hp,
           .k = w.wide,
           .a = s.zs,
           .row_step = w.wide,
           .c = s.a1,
           .ldc = w.hp,
           .bias = pr.weights + pr.layout->c1,
           .relu = true},
          pr.layout->o1);
}

// Eq. 10, MLP_o: a2 = ReLU(a1 O2 + c2)
void second_hidden(const GraphProblem& pr, const Workspace& w, const Stage& s) {
  product(pr, w,
          {.m = w.n,
           .n = w.hp,
           .k = w.hp,
           .a = s.a1,
           .row_step = w.hp,
           .c = s.a2,
           .ldc = w.hp,
           .bias = pr.weights + pr.layout->c2,
           .relu = true},
          pr.layout->o2);
}

// Eq. 10, MLP_o: dz/dt = a2 O3 + c3   [n, Zp]
void last_layer(const GraphProblem& pr, const Workspace& w, const Stage& s, float* out) {
  product(pr, w,
          {.m = w.n,
           .n = w.zp,
           .k = w.hp,
           .a = s.a2,
           .row_step = w.hp,
           .c = out,
           .ldc = w.zp,
           .bias = pr.weights + pr.layout->c3},
          pr.layout->o3);
}

// Ties positions to velocities and holds absent rows, in the slopes `out` at the state in s.zs.
void apply_rules(const GraphProblem& pr, const GraphTile& tile, const Workspace& w, const Stage& s, float* out) {
  if (pr.ties.empty() && pr.present == nullptr) return;
  for (std::int64_t i = 0; i < w.n; ++i) {
    for (const GraphTie& tie : pr.ties) {
      float& slope = out[i * w.zp + tie.position];
      slope = (tie.remainder ? slope : 0.0F) + tie.factor * s.zs[i * w.wide + tie.velocity];
    }
    if (!w.is_present(tile.row_begin + i)) std::fill_n(out + i * w.zp, w.zp, 0.0F);
  }
}

// The first part of its backward: g becomes the gradient of what MLP_o gives.
void rules_backward(const GraphProblem& pr, const GraphTile& tile, const Workspace& w, float* g) {
  if (pr.ties.empty() && pr.present == nullptr) return;
  for (std::int64_t i = 0; i < w.n; ++i) {
    if (!w.is_present(tile.row_begin + i)) std::fill_n(g + i * w.zp, w.zp, 0.0F);
    for (std::size_t t = 0; t < pr.ties.size(); ++t) {
      float& slope = g[i * w.zp + pr.ties[t].position];
      w.dtie[static_cast<std::int64_t>(t) * w.n + i] = pr.ties[t].factor * slope;
      if (!pr.ties[t].remainder) slope = 0.0F;
    }
  }
}

// The second part: dz of the velocities.
void add_ties(const GraphProblem& pr, const Workspace& w, float* dz) {
  for (std::size_t t = 0; t < pr.ties.size(); ++t)
    for (std::int64_t i = 0; i < w.n; ++i)
      dz[i * w.zp + pr.ties[t].velocity] += w.dtie[static_cast<std::int64_t>(t) * w.n + i];
}

// The kept values of one evaluation; null pointers for values that are not kept.
struct Kept {
  Kept(const GraphProblem& pr, const GraphTile& tile, std::int64_t step, std::int64_t stage) {
    if (tile.keep == Keep::kNothing) return;
    const KeptShape shape(pr, tile);
    sum = reinterpret_cast<float*>(tile.kept + shape.bytes * (tile.evaluations[step] + stage));
    if (tile.keep == Keep::kHidden) a1 = sum + shape.a1;
    signs = reinterpret_cast<std::uint8_t*>(sum + shape.signs);
  }
  float *sum = nullptr, *a1 = nullptr;
  std::uint8_t* signs = nullptr;
};

// Eq. 10: out [n, Zp] = dz/dt at the state in s.zs; fills the activations of `s` and the kept values.
void evaluate(const GraphProblem& pr, const GraphTile& tile, Workspace& w, Stage s, const Kept& kept, float* out) {
  if (kept.signs != nullptr) s.signs = kept.signs;
  if (kept.a1 != nullptr) s.a1 = kept.a1;
  first_layer(pr, tile, w, s);
  messages(pr, tile, w, s);
  if (kept.sum != nullptr)
    for (std::int64_t i = 0; i < w.n; ++i) std::copy_n(s.zs + i * w.wide + w.zp, w.hp, kept.sum + i * w.hp);
  first_hidden(pr, w, s);
  second_hidden(pr, w, s);
  last_layer(pr, w, s, out);
  apply_rules(pr, tile, w, s, out);
}

// Recomputes the activations of `s` from the stored values; also `out` if it is not null.
void restore(const GraphProblem& pr, const GraphTile& tile, Workspace& w, Stage& s, const Kept& kept, float* out) {
  first_layer(pr, tile, w, s);
  if (kept.sum != nullptr) {
    s.signs = kept.signs;
    for (std::int64_t i = 0; i < w.n; ++i) std::copy_n(kept.sum + i * w.hp, w.hp, s.zs + i * w.wide + w.zp);
  } else {
    messages(pr, tile, w, s);
  }
  if (kept.a1 != nullptr)
    s.a1 = kept.a1;
  else
    first_hidden(pr, w, s);
  second_hidden(pr, w, s);
  if (out == nullptr) return;
  last_layer(pr, w, s, out);
  apply_rules(pr, tile, w, s, out);
}

// dweights += x' dy, dbias += column sums of dy.   x [rows, in], dy [rows, out]
void add_weight_gradient(const GraphProblem& pr, const Workspace& w, const float* x, std::int64_t ldx, const float* dy,
                         std::int64_t lddy, std::int64_t rows, std::int64_t in, std::int64_t out, float* dweight,
                         float* dbias) {
  if (pr.bf16 != nullptr)
    bf16_add_transposed_product(x, ldx, dy, lddy, rows, in, out, dweight, w.scratch);
  else
    add_transposed_product(x, ldx, dy, lddy, rows, in, out, dweight);
  add_column_sums(dy, rows, lddy, out, dbias);
}

// de_p = weight dsum_target where e_p > 0
void messages_backward(const GraphProblem& pr, const GraphTile& tile, Workspace& w, std::size_t r,
                       const std::uint8_t* signs) {
  const F f;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(f));
  const GraphPairs& list = pr.pairs[r];
  for (std::int64_t p = 0; p < w.pairs[r]; ++p) {
    const std::int64_t q = w.first[r] + p;
    const float* dsum = w.dzs + (list.target[q] - tile.row_begin) * w.wide + w.zp;
    const V weight = hn::Set(f, w.weight_of(list, q));
    for (std::int64_t c = 0; c < w.hp; c += lanes, signs += (lanes + 7) / 8)
      hn::StoreU(hn::IfThenElseZero(hn::LoadMaskBits(f, signs), hn::Mul(weight, hn::LoadU(f, dsum + c))), f,
                 w.e + p * w.hp + c);
  }
}

// du_target += dh_p, dv_source += dh_p
void pair_backward(const GraphProblem& pr, const GraphTile& tile, Workspace& w, std::size_t r) {
  const F f;
  const GraphPairs& list = pr.pairs[r];
  for (std::int64_t p = 0; p < w.pairs[r]; ++p) {
    const std::int64_t q = w.first[r] + p;
    float* u = w.duv + (list.target[q] - tile.row_begin) * w.uvp + static_cast<std::int64_t>(2 * r) * w.hp;
    float* v = w.duv + (list.source[q] - tile.row_begin) * w.uvp + static_cast<std::int64_t>(2 * r + 1) * w.hp;
    for (std::int64_t c = 0; c < w.hp; c += static_cast<std::int64_t>(hn::Lanes(f))) {
      const V d = hn::LoadU(f, w.dh + p * w.hp + c);
      hn::StoreU(hn::Add(hn::LoadU(f, u + c), d), f, u + c);
      hn::StoreU(hn::Add(hn::LoadU(f, v + c), d), f, v + c);
    }
  }
}

// Backward of one evaluation: dz [n, Zp] = J' g for the activations in `s` and the gradient g [n, Zp] of dz/dt, which
// is changed; adds to the weight gradients dw. Comments quote the forward line that is differentiated.
void evaluate_backward(const GraphProblem& pr, const GraphTile& tile, Workspace& w, const Stage& s, float* g, float* dz,
                       float* dw) {
  const GraphLayout& l = *pr.layout;
  rules_backward(pr, tile, w, g);
  // out = a2 O3 + c3;  a2 = ReLU(a1 O2 + c2);  a1 = ReLU([z | sum] O1 + c1)
  add_weight_gradient(pr, w, s.a2, w.hp, g, w.zp, w.n, w.hp, w.zp, dw + l.o3, dw + l.c3);
  transposed_product(
      pr, w,
      {.m = w.n, .n = w.hp, .k = w.zp, .a = g, .row_step = w.zp, .c = w.d2, .ldc = w.hp, .mask = s.a2, .ldm = w.hp},
      l.o3);
  add_weight_gradient(pr, w, s.a1, w.hp, w.d2, w.hp, w.n, w.hp, w.hp, dw + l.o2, dw + l.c2);
  transposed_product(
      pr, w,
      {.m = w.n, .n = w.hp, .k = w.hp, .a = w.d2, .row_step = w.hp, .c = w.d1, .ldc = w.hp, .mask = s.a1, .ldm = w.hp},
      l.o2);
  add_weight_gradient(pr, w, s.zs, w.wide, w.d1, w.hp, w.n, w.wide, w.hp, dw + l.o1, dw + l.c1);
  transposed_product(pr, w, {.m = w.n, .n = w.wide, .k = w.hp, .a = w.d1, .row_step = w.hp, .c = w.dzs, .ldc = w.wide},
                     l.o1);
  std::fill_n(w.duv, w.n * w.uvp, 0.0F);
  const std::uint8_t* signs = s.signs;
  for (std::size_t r = 0; r < w.pairs.size(); ++r) {
    // sum += weight e;  e = ReLU(h W2 + b2);  h = ReLU(u_i + v_j)
    messages_backward(pr, tile, w, r, signs);
    signs += w.pairs[r] * sign_bytes(w.hp);
    add_weight_gradient(pr, w, s.h[r], w.hp, w.e, w.hp, w.pairs[r], w.hp, w.hp, dw + l.w2[r], dw + l.b2[r]);
    transposed_product(pr, w,
                       {.m = w.pairs[r],
                        .n = w.hp,
                        .k = w.hp,
                        .a = w.e,
                        .row_step = w.hp,
                        .c = w.dh,
                        .ldc = w.hp,
                        .mask = s.h[r],
                        .ldm = w.hp},
                       l.w2[r]);
    pair_backward(pr, tile, w, r);
  }
  // [u | v] = z W1 + b1
  add_weight_gradient(pr, w, s.zs, w.wide, w.duv, w.uvp, w.n, w.zp, w.uvp, dw + l.w1, dw + l.b1);
  for (std::int64_t i = 0; i < w.n; ++i) std::copy_n(w.dzs + i * w.wide, w.zp, dz + i * w.zp);
  transposed_product(
      pr, w, {.m = w.n, .n = w.zp, .k = w.uvp, .a = w.duv, .row_step = w.uvp, .c = dz, .ldc = w.zp, .accumulate = true},
      l.w1);
  add_ties(pr, w, dz);
}

// The jump of a step and row of the tile, -1: none.
std::int64_t jump_of(const GraphProblem& pr, const GraphTile& tile, std::int64_t step, std::int64_t i) {
  return pr.jump != nullptr ? pr.jump[step * pr.rows + tile.row_begin + i] : -1;
}

// The state after the jumps of a step: keep y + add.
void take_jumps(const GraphProblem& pr, const GraphTile& tile, Workspace& w, std::int64_t step) {
  for (std::int64_t i = 0; i < w.n; ++i) {
    const std::int64_t jump = jump_of(pr, tile, step, i);
    if (jump < 0) continue;
    float* y = w.y + i * w.zp;
    for (std::int64_t c = 0; c < pr.size.z; ++c)
      y[c] = pr.keep[jump * pr.size.z + c] * y[c] + pr.add[jump * pr.size.z + c];
  }
}

// Its backward, from lambda after the jumps to lambda before them; w.y is the state before them.
void jumps_backward(const GraphProblem& pr, const GraphTile& tile, Workspace& w, std::int64_t step,
                    const GraphGradients& out) {
  const std::int64_t z = pr.size.z;
  for (std::int64_t i = 0; i < w.n; ++i) {
    const std::int64_t jump = jump_of(pr, tile, step, i);
    if (jump < 0) continue;
    const float* y = w.y + i * w.zp;
    float* lambda = w.lambda + i * w.zp;
    for (std::int64_t c = 0; c < z; ++c) {
      out.dadd[jump * z + c] = lambda[c];
      out.dkeep[jump * z + c] = lambda[c] * y[c];
      lambda[c] *= pr.keep[jump * z + c];
    }
  }
}

// The step sizes of the tile's rows.
const double* step_sizes(const GraphProblem& pr, const GraphTile& tile, std::int64_t step) {
  return pr.step + step * pr.rows + tile.row_begin;
}

// y += s h x, row by row with its own h.   [n, Zp]
void add_steps(const Workspace& w, float* y, const float* x, const double* h, double s) {
  for (std::int64_t i = 0; i < w.n; ++i) add_scaled(y + i * w.zp, x + i * w.zp, h[i] * s, w.zp);
}

// Eq. 1, state of stage i: y + h sum_j a_ij k_j, written to s.zs
void stage_state(const GraphProblem& pr, Workspace& w, std::int64_t i, const double* h, Stage& s) {
  std::copy_n(w.y, w.n * w.zp, w.dz);
  for (std::int64_t j = 0; j < i; ++j)
    if (pr.a[i * pr.stages + j] != 0) add_steps(w, w.dz, w.k[j], h, pr.a[i * pr.stages + j]);
  for (std::int64_t row = 0; row < w.n; ++row) {
    float* z = s.zs + row * w.wide;
    std::copy_n(w.dz + row * w.zp, w.zp, z);
    // The rest of the first columns beyond bf16, with the same weights as these.
    for (std::int64_t c = 0; c < pr.size.extra; ++c) z[pr.size.z + c] = z[c] - rounded_to_bf16(z[c]);
  }
}

void graph_forward_simd(const GraphProblem& pr, const GraphTile& tile, float* states, float* slopes) {
  Workspace w(pr, tile, 1);
  Stage& s = w.stages[0];
  w.load(states, 0, w.y);
  for (std::int64_t step = 0; step <= tile.steps; ++step) {
    w.at_node(step);
    if (step == tile.steps || tile.jumps[step] != kJumpUnread) {
      stage_state(pr, w, 0, nullptr, s);
      evaluate(pr, tile, w, s, Kept(pr, tile, step, 0), w.k[0]);
      w.store(w.k[0], step, slopes);
    }
    if (step == tile.steps) break;
    if (tile.jumps[step] != kNoJump) {
      take_jumps(pr, tile, w, step);
      w.store(w.y, step + 1, states);
      continue;
    }
    const double* h = step_sizes(pr, tile, step);
    for (std::int64_t i = 1; i < pr.stages; ++i) {
      stage_state(pr, w, i, h, s);
      evaluate(pr, tile, w, s, Kept(pr, tile, step, i), w.k[i]);
    }
    // Eq. 1: y at the next node = y + h sum_i b_i k_i
    for (std::int64_t i = 0; i < pr.stages; ++i)
      if (pr.b[i] != 0) add_steps(w, w.y, w.k[i], h, pr.b[i]);
    w.store(w.y, step + 1, states);
  }
}

// Whether the state of a later stage uses the slope of stage i.
bool slope_is_used(const GraphProblem& pr, std::int64_t i) {
  for (std::int64_t later = i + 1; later < pr.stages; ++later)
    if (pr.a[later * pr.stages + i] != 0) return true;
  return false;
}

// Backward of a step without length: of the jumps, and of the slope before them.
void jump_step_backward(const GraphProblem& pr, const GraphTile& tile, Workspace& w, std::int64_t step,
                        const float* dslopes, const GraphGradients& out) {
  jumps_backward(pr, tile, w, step, out);
  if (dslopes == nullptr) return;
  stage_state(pr, w, 0, nullptr, w.stages[0]);
  restore(pr, tile, w, w.stages[0], Kept(pr, tile, step, 0), nullptr);
  w.load(dslopes, step, w.dk[0]);
  evaluate_backward(pr, tile, w, w.stages[0], w.dk[0], w.dz, out.dweights);
  add_scaled(w.lambda, w.dz, 1.0, w.n * w.zp);
}

// Backward of one step: w.lambda is the gradient with respect to the state after the step, and on return with respect
// to the state before it.
void step_backward(const GraphProblem& pr, const GraphTile& tile, Workspace& w, std::int64_t step, const float* slopes,
                   const float* dslopes, float* dw) {
  const double* h = step_sizes(pr, tile, step);
  const std::int64_t count = w.n * w.zp;
  w.load(slopes, step, w.k[0]);
  for (std::int64_t i = 0; i < pr.stages; ++i) {
    stage_state(pr, w, i, h, w.stages[i]);
    restore(pr, tile, w, w.stages[i], Kept(pr, tile, step, i), i > 0 && slope_is_used(pr, i) ? w.k[i] : nullptr);
  }
  // next = y + h sum b_i k_i: dk_i = h b_i lambda, plus h a_li dz_l of every later stage l
  for (std::int64_t i = 0; i < pr.stages; ++i) {
    std::fill_n(w.dk[i], count, 0.0F);
    if (pr.b[i] != 0) add_steps(w, w.dk[i], w.lambda, h, pr.b[i]);
  }
  if (dslopes != nullptr) w.add(dslopes, step, w.dk[0]);
  for (std::int64_t i = pr.stages - 1; i >= 0; --i) {
    evaluate_backward(pr, tile, w, w.stages[i], w.dk[i], w.dz, dw);
    add_scaled(w.lambda, w.dz, 1.0, count);
    for (std::int64_t j = 0; j < i; ++j)
      if (pr.a[i * pr.stages + j] != 0) add_steps(w, w.dk[j], w.dz, h, pr.a[i * pr.stages + j]);
  }
}

void graph_backward_simd(const GraphProblem& pr, const GraphTile& tile, const float* states, const float* slopes,
                         const float* dstates, const float* dslopes, const GraphGradients& out) {
  Workspace w(pr, tile, pr.stages);
  if (dslopes != nullptr) {
    // The slope at the last node is an output of its own: one more evaluation.
    w.at_node(tile.steps);
    w.load(states, tile.steps, w.y);
    stage_state(pr, w, 0, nullptr, w.stages[0]);
    restore(pr, tile, w, w.stages[0], Kept(pr, tile, tile.steps, 0), nullptr);
    w.load(dslopes, tile.steps, w.dk[0]);
    evaluate_backward(pr, tile, w, w.stages[0], w.dk[0], w.lambda, out.dweights);
  }
  if (dstates != nullptr) w.add(dstates, tile.steps, w.lambda);
  for (std::int64_t step = tile.steps - 1; step >= 0; --step) {
    w.at_node(step);
    w.load(states, step, w.y);
    if (tile.jumps[step] != kNoJump)
      jump_step_backward(pr, tile, w, step, tile.jumps[step] == kJumpUnread ? nullptr : dslopes, out);
    else
      step_backward(pr, tile, w, step, slopes, dslopes, out.dweights);
    if (dstates != nullptr) w.add(dstates, step, w.lambda);
  }
  w.store(w.lambda, 0, out.dstart);
}

}  // namespace lgode::ops::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lgode::ops::cpu {

HWY_EXPORT(kept_bytes_simd);
HWY_EXPORT(graph_forward_simd);
HWY_EXPORT(graph_backward_simd);

std::int64_t kept_bytes(const GraphProblem& problem, const GraphTile& tile) {
  return HWY_DYNAMIC_DISPATCH(kept_bytes_simd)(problem, tile);
}

void graph_forward(const GraphProblem& problem, const GraphTile& tile, float* states, float* slopes) {
  HWY_DYNAMIC_DISPATCH(graph_forward_simd)(problem, tile, states, slopes);
}

void graph_backward(const GraphProblem& problem, const GraphTile& tile, const float* states, const float* slopes,
                    const float* dstates, const float* dslopes, const GraphGradients& gradients) {
  HWY_DYNAMIC_DISPATCH(graph_backward_simd)(problem, tile, states, slopes, dstates, dslopes, gradients);
}

}  // namespace lgode::ops::cpu
#endif
