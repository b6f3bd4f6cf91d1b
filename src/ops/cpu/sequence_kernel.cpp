// The kernel of sequence_kernel.h (Eq. 6): groups of a few objects, each processed in one go. Threads are the caller's.
#include "sequence_kernel.h"

#include <algorithm>
#include <cmath>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cpu/sequence_kernel.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/contrib/math/math-inl.h>

#include "ops/cpu/gemm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lgode::ops::cpu::HWY_NAMESPACE {

// Most rows of a group, unless one object alone has more: 128 KiB at a width of 128, twice that for the gradient.
constexpr std::int64_t kGroupRows = 256;

// A few consecutive objects that are processed together, and the thread's memory for them.
class Group {
 public:
  explicit Group(const SequenceProblem& problem) : pr(problem) {}

  // Starts a group with object `begin`, at most up to `last`. Eq. 6, inside the ReLU: pre = h W + bias + slope D
  void enter(std::int64_t begin, std::int64_t last) {
    first = begin, end = begin + 1;
    while (end < last && pr.offsets[end + 1] - pr.offsets[first] <= kGroupRows) ++end;
    row = pr.offsets[first], rows = pr.offsets[end] - row;
    const auto size = static_cast<std::size_t>(rows * pr.out);
    if (pre.size() < size) pre.resize(size);
    gemm({.m = rows,
          .n = pr.out,
          .k = pr.in,
          .a = pr.h + row * pr.in,
          .row_step = pr.in,
          .b = pr.w,
          .c = pre.data(),
          .ldc = pr.out,
          .bias = pr.bias});
    const F f;
    for (std::int64_t r = 0; r < rows; ++r) {
      const V gap = hn::Set(f, static_cast<float>(pr.times[row + r]));
      float* p = pre.data() + r * pr.out;
      for (std::int64_t c = 0; c < pr.out; c += lanes())
        hn::StoreU(hn::MulAdd(hn::LoadU(f, pr.slope + c), gap, hn::LoadU(f, p + c)), f, p + c);
    }
  }

  static std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(F())); }
  // Eq. 6: hat = ReLU(pre) + TE(D), entries c, c + 1, ... of row r (of the whole batch)
  V hat(std::int64_t r, std::int64_t c) const {
    const F f;
    const V p = hn::LoadU(f, pre.data() + (r - row) * pr.out + c);
    return hn::Add(hn::Max(p, hn::Zero(f)), hn::LoadU(f, pr.te + r * pr.out + c));
  }
  float dot_hat(const float* x, std::int64_t r) const {
    const F f;
    V sum = hn::Zero(f);
    for (std::int64_t c = 0; c < pr.out; c += lanes()) sum = hn::MulAdd(hn::LoadU(f, x + c), hat(r, c), sum);
    return hn::GetLane(hn::SumOfLanes(f, sum));
  }
  // to += x hat_r
  void add_hat(float x, std::int64_t r, float* to) const {
    const F f;
    const V scale = hn::Set(f, x);
    for (std::int64_t c = 0; c < pr.out; c += lanes())
      hn::StoreU(hn::MulAdd(scale, hat(r, c), hn::LoadU(f, to + c)), f, to + c);
  }
  // 1 / (number of rows) of an object, the factor of its means; 0 without rows.
  float share(std::int64_t object) const {
    const std::int64_t n = pr.offsets[object + 1] - pr.offsets[object];
    return n > 0 ? 1.0F / static_cast<float>(n) : 0.0F;
  }

  const SequenceProblem& pr;
  std::int64_t first = 0, end = 0;  // objects
  std::int64_t row = 0, rows = 0;
  std::vector<float> pre;  // [rows, out]
};

float sigmoid(float x) { return 1.0F / (1.0F + std::exp(-x)); }

// to = x V, one row per object   [objects, out]
void global_product(const SequenceProblem& pr, std::int64_t objects, const float* x, const float* v, float* to) {
  gemm({.m = objects, .n = pr.out, .k = pr.out, .a = x, .row_step = pr.out, .b = v, .c = to, .ldc = pr.out});
}

void sequence_forward_simd(const SequenceProblem& pr, std::int64_t first, std::int64_t last, float* u, float* mean,
                           float* a) {
  const F f;
  Group g(pr);
  std::fill(u + first * pr.out, u + last * pr.out, 0.0F);
  std::fill(mean + first * pr.out, mean + last * pr.out, 0.0F);
  for (std::int64_t begin = first; begin < last; begin = g.end) {
    g.enter(begin, last);
    // Eq. 6: a_i = tanh(mean(hat) V)
    for (std::int64_t i = g.first; i < g.end; ++i)
      for (std::int64_t r = pr.offsets[i]; r < pr.offsets[i + 1]; ++r) g.add_hat(g.share(i), r, mean + i * pr.out);
    float* ai = a + g.first * pr.out;
    global_product(pr, g.end - g.first, mean + g.first * pr.out, pr.v, ai);
    for (std::int64_t c = 0; c < (g.end - g.first) * pr.out; c += Group::lanes())
      hn::StoreU(hn::Tanh(f, hn::LoadU(f, ai + c)), f, ai + c);
    // Eq. 6: u_i = mean(sigmoid(a_i . hat) hat)
    for (std::int64_t i = g.first; i < g.end; ++i)
      for (std::int64_t r = pr.offsets[i]; r < pr.offsets[i + 1]; ++r)
        g.add_hat(sigmoid(g.dot_hat(a + i * pr.out, r)) * g.share(i), r, u + i * pr.out);
  }
}

void sequence_backward_simd(const SequenceProblem& pr, std::int64_t first, std::int64_t last,
                            const SequenceGradient& gr) {
  const F f;
  Group g(pr);
  std::vector<float> drow, dscore, gate, da, dmean;
  for (std::int64_t begin = first; begin < last; begin = g.end) {
    g.enter(begin, last);
    const std::int64_t objects = g.end - g.first;
    drow.resize(static_cast<std::size_t>(g.rows * pr.out));
    gate.resize(static_cast<std::size_t>(g.rows)), dscore.resize(static_cast<std::size_t>(g.rows));
    da.assign(static_cast<std::size_t>(objects * pr.out), 0.0F), dmean.resize(da.size());
    // out = mean of gate hat, gate = sigmoid(a . hat):  da = sum dscore hat, dscore = gate (1 - gate) du . hat / n
    for (std::int64_t i = g.first; i < g.end; ++i)
      for (std::int64_t r = pr.offsets[i]; r < pr.offsets[i + 1]; ++r) {
        const float y = sigmoid(g.dot_hat(gr.a + i * pr.out, r)), dy = g.share(i) * g.dot_hat(gr.du + i * pr.out, r);
        gate[r - g.row] = y, dscore[r - g.row] = y * (1.0F - y) * dy;
        g.add_hat(dscore[r - g.row], r, da.data() + (i - g.first) * pr.out);
      }
    // a = tanh(mean V)
    const float *a = gr.a + g.first * pr.out, *mean = gr.mean + g.first * pr.out;
    for (std::size_t c = 0; c < da.size(); ++c) da[c] *= 1.0F - a[c] * a[c];
    add_transposed_product(mean, pr.out, da.data(), pr.out, objects, pr.out, pr.out, gr.dv);
    global_product(pr, objects, da.data(), pr.v_transposed, dmean.data());
    // dhat = (gate du + dmean) / n + dscore a, through the ReLU; pre = h W + bias + slope D
    for (std::int64_t i = g.first; i < g.end; ++i)
      for (std::int64_t r = pr.offsets[i]; r < pr.offsets[i + 1]; ++r) {
        const std::int64_t at = (r - g.row) * pr.out;
        const V scale = hn::Set(f, g.share(i)), y = hn::Set(f, gate[r - g.row]), ds = hn::Set(f, dscore[r - g.row]);
        const V gap = hn::Set(f, static_cast<float>(pr.times[r]));
        for (std::int64_t c = 0; c < pr.out; c += Group::lanes()) {
          const V mixed = hn::MulAdd(y, hn::LoadU(f, gr.du + i * pr.out + c),
                                     hn::LoadU(f, dmean.data() + (i - g.first) * pr.out + c));
          const V dhat = hn::MulAdd(mixed, scale, hn::Mul(ds, hn::LoadU(f, gr.a + i * pr.out + c)));
          const V dpre = hn::IfThenElseZero(hn::Gt(hn::LoadU(f, g.pre.data() + at + c), hn::Zero(f)), dhat);
          hn::StoreU(dpre, f, drow.data() + at + c);
          hn::StoreU(hn::Add(hn::LoadU(f, gr.dbias + c), dpre), f, gr.dbias + c);
          hn::StoreU(hn::MulAdd(gap, dpre, hn::LoadU(f, gr.dslope + c)), f, gr.dslope + c);
        }
      }
    gemm({.m = g.rows,
          .n = pr.in,
          .k = pr.out,
          .a = drow.data(),
          .row_step = pr.out,
          .b = pr.w_transposed,
          .c = gr.dh + g.row * pr.in,
          .ldc = pr.in});
    add_transposed_product(pr.h + g.row * pr.in, pr.in, drow.data(), pr.out, g.rows, pr.in, pr.out, gr.dw);
  }
}

}  // namespace lgode::ops::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lgode::ops::cpu {

HWY_EXPORT(sequence_forward_simd);
HWY_EXPORT(sequence_backward_simd);

void sequence_forward(const SequenceProblem& problem, std::int64_t first, std::int64_t last, float* u, float* mean,
                      float* a) {
  HWY_DYNAMIC_DISPATCH(sequence_forward_simd)(problem, first, last, u, mean, a);
}
void sequence_backward(const SequenceProblem& problem, std::int64_t first, std::int64_t last,
                       const SequenceGradient& gradient) {
  HWY_DYNAMIC_DISPATCH(sequence_backward_simd)(problem, first, last, gradient);
}

}  // namespace lgode::ops::cpu
#endif
