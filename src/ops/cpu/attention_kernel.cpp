// The kernel of attention_kernel.h (Eq. 5), one system after the other. The targets of a system share its sources, so a
// system is the unit of parallel work. Threads are the caller's. One file of 460 lines, because Highway compiles a
// whole file once per instruction set.
#include "attention_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ops/cpu/aligned.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cpu/attention_kernel.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h.
#include <hwy/contrib/math/math-inl.h>

#include "ops/cpu/gemm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lgode::ops::cpu::HWY_NAMESPACE {

// Consecutive source observations of one object; all edges from them have the same type.
struct Run {
  std::int64_t begin, end;  // observations
  int type;                 // 0: the target's own object, 1: another
  float log_weight;
};

// Memory of one thread: the edges of one target between the passes, and the rows of one system. Grows to the largest
// and is reused.
struct Scratch {
  explicit Scratch(const AttentionProblem& pr)
      : r(2 * pr.stride),
        dmr(2 * pr.stride),
        stride(pr.stride),
        groups(pr.groups()),
        wide(pr.wide()),
        narrow(pr.narrow()) {}

  // Allocates the rows of a system and sets `first` and `count`.
  void enter(const AttentionProblem& pr, std::int64_t system, bool gradient) {
    first = pr.observation_offsets[pr.system_offsets[system]];
    count = pr.observation_offsets[pr.system_offsets[system + 1]] - first;
    row.reserve(count * wide);
    if (!gradient) return;
    drow.assign_zeros(count * wide);
    dma.reserve(count * narrow);
  }

  const float* p(std::int64_t t) const { return row.data() + (t - first) * wide; }
  const float* q(std::int64_t t, std::int64_t group) const { return p(t) + stride * (1 + group); }
  float c(std::int64_t t, std::int64_t group) const { return p(t)[stride * (1 + groups) + group]; }
  float* dp(std::int64_t t) { return drow.data() + (t - first) * wide; }
  float* dq(std::int64_t t, std::int64_t group) { return dp(t) + stride * (1 + group); }
  float& dc(std::int64_t t, std::int64_t group) { return dp(t)[stride * (1 + groups) + group]; }
  const float* dm(std::int64_t t, std::int64_t group) const {
    return dma.data() + (t - first) * narrow + stride * group;
  }
  float da(std::int64_t t, std::int64_t group) const { return dm(t, groups)[group]; }

  std::vector<Run> runs;
  std::vector<float> score, dalpha, gap;
  Aligned<float> r, dmr;  // [2, stride]
  std::int64_t stride, groups, wide, narrow, first = 0, count = 0;
  Aligned<float> row, drow;  // [count, wide] [p | q | c] and its gradient
  Aligned<float> dma;        // [count, narrow]
};

// Collects the sources of target t, an observation of `object`: runs, gaps, and room for scores. Returns their number.
std::int64_t collect_runs(const AttentionProblem& pr, std::int64_t object, std::int64_t t, Scratch& s) {
  s.runs.clear();
  s.gap.clear();
  const double now = pr.times[t];
  auto add = [&](std::int64_t source, int type, double log_weight) {
    const double* first = pr.times + pr.observation_offsets[source];
    const double* last = pr.times + pr.observation_offsets[source + 1];
    const double* lo = std::partition_point(first, last, [&](double x) { return x - now < -pr.reach_back; });
    const double* hi = std::partition_point(lo, last, [&](double x) { return x - now <= pr.reach_ahead; });
    if (lo == hi) return;
    s.runs.push_back({lo - pr.times, hi - pr.times, type, static_cast<float>(log_weight)});
    for (const double* x = lo; x != hi; ++x) s.gap.push_back(static_cast<float>(*x - now));
  };
  add(object, 0, 0.0);
  for (std::int64_t i = pr.source_offsets[object]; i < pr.source_offsets[object + 1]; ++i)
    add(pr.sources[i], 1, pr.log_weights[i]);
  const auto edges = static_cast<std::int64_t>(s.gap.size());
  // exp_shifted() processes whole vectors.
  const std::size_t padded = static_cast<std::size_t>(edges) + 64;
  if (s.score.size() < padded) s.score.resize(padded), s.dalpha.resize(padded);
  return edges;
}

// r = R q with the target's angles: r_2i = q_2i C + q_2i+1 S, r_2i+1 = q_2i+1 C - q_2i S; te holds (S, C) pairs.
void rotate(const float* q, const float* te, std::int64_t stride, float* r) {
  for (std::int64_t i = 0; i < stride; i += 2) {
    r[i] = q[i] * te[i + 1] + q[i + 1] * te[i];
    r[i + 1] = q[i + 1] * te[i + 1] - q[i] * te[i];
  }
}

// out += R^-1 e: out_2i = e_2i C - e_2i+1 S, out_2i+1 = e_2i+1 C + e_2i S.
void add_rotated_back(const float* e, const float* te, std::int64_t stride, float* out) {
  for (std::int64_t i = 0; i < stride; i += 2) {
    out[i] += e[i] * te[i + 1] - e[i + 1] * te[i];
    out[i + 1] += e[i + 1] * te[i + 1] + e[i] * te[i];
  }
}

// Vectors of a row that a loop over edges takes at a time: as many as have their sums in registers. With 32 registers a
// row of 64 floats is four vectors; with 16 it is eight or more, and loops run over the edges of a run several times.
template <int NV>
constexpr int kChunk = NV < 4 ? NV : 4;

// Eq. 5, hat_s without TE: ReLU(p_s + slope D), vector v of the row
template <int NV>
HWY_INLINE V relu_part(F f, const float* p, V gap, const V* slope, int v) {
  return hn::Max(hn::Zero(f), hn::MulAdd(slope[v], gap, hn::LoadU(f, p + v * hn::Lanes(f))));
}

// Eq. 5: score = hat_s . q_t + c_t + log w for all edges of one head. g0: group of (head, type 0).
template <int NV>
void scores(const AttentionProblem& pr, std::int64_t t, std::int64_t g0, const Scratch& s, const V* slope, float* out) {
  const F f;
  const auto n = static_cast<std::int64_t>(hn::Lanes(f));
  std::int64_t e = 0;
  for (const Run& run : s.runs) {
    const float* q = s.q(t, g0 + run.type);
    const float* r = s.r.data() + run.type * pr.stride;
    const float base = s.c(t, g0 + run.type) + run.log_weight;
    V qv[NV], rv[NV];
    for (int v = 0; v < NV; ++v) qv[v] = hn::LoadU(f, q + v * n), rv[v] = hn::LoadU(f, r + v * n);
    for (std::int64_t i = run.begin; i < run.end; ++i, ++e) {
      const float* p = s.p(i);
      const float* te = pr.te + i * pr.stride;
      const V gap = hn::Set(f, s.gap[e]);
      V sum0 = hn::Zero(f), sum1 = hn::Zero(f);
      for (int v = 0; v < NV; ++v) {
        sum0 = hn::MulAdd(relu_part<NV>(f, p, gap, slope, v), qv[v], sum0);
        sum1 = hn::MulAdd(hn::LoadU(f, te + v * n), rv[v], sum1);
      }
      out[e] = base + hn::GetLane(hn::SumOfLanes(f, hn::Add(sum0, sum1)));
    }
  }
}

// x_e <- exp(x_e - shift), in place; returns the sum of the first `count`.
float exp_shifted(float* x, std::int64_t count, float shift) {
  const F f;
  const std::int64_t n = static_cast<std::int64_t>(hn::Lanes(f));
  const V s = hn::Set(f, shift);
  for (std::int64_t e = 0; e < count; e += n) hn::StoreU(hn::Exp(f, hn::Sub(hn::LoadU(f, x + e), s)), f, x + e);
  float sum = 0.0F;
  for (std::int64_t e = 0; e < count; ++e) sum += x[e];
  return sum;
}

template <int NV>
void load_slope(const AttentionProblem& pr, V* slope) {
  const F f;
  for (int v = 0; v < NV; ++v) slope[v] = hn::LoadU(f, pr.slope + v * hn::Lanes(f));
}

template <int NV>
void forward_target(const AttentionProblem& pr, std::int64_t object, std::int64_t t, const V* slope, Scratch& s,
                    float* ma, float* lse) {
  const F f;
  const auto n = static_cast<std::int64_t>(hn::Lanes(f));
  std::fill_n(ma + pr.stride * s.groups, s.narrow - pr.stride * s.groups, 0.0F);
  const std::int64_t edges = collect_runs(pr, object, t, s);
  const float* te_t = pr.te + t * pr.stride;
  for (std::int64_t head = 0; head < pr.heads; ++head) {
    const std::int64_t g0 = 2 * head;
    for (int y = 0; y < 2; ++y) rotate(s.q(t, g0 + y), te_t, pr.stride, s.r.data() + y * pr.stride);
    scores<NV>(pr, t, g0, s, slope, s.score.data());
    const float top = *std::max_element(s.score.begin(), s.score.begin() + edges);
    std::fill(s.score.begin() + edges, s.score.begin() + edges + n, top);
    const float sum = exp_shifted(s.score.data(), edges, top);
    lse[t * pr.heads + head] = top + std::log(sum);

    // Eq. 4: m^y = sum of alpha hat_s, with its parts ReLU (relu) and TE (wave) summed separately; a^y = sum of alpha
    V relu[2][NV], wave[2][NV];
    for (int v = 0; v < NV; ++v) relu[0][v] = relu[1][v] = wave[0][v] = wave[1][v] = hn::Zero(f);
    float weight[2] = {0, 0};
    std::int64_t e = 0;
    for (const Run& run : s.runs) {
      constexpr int kPart = kChunk<NV>;
      for (int part = 0; part < NV; part += kPart) {
        V acc[kPart], te_acc[kPart];
        for (int v = 0; v < kPart; ++v) acc[v] = te_acc[v] = hn::Zero(f);
        const float* alphas = s.score.data() + e - run.begin;
        const float* gaps = s.gap.data() + e - run.begin;
        for (std::int64_t i = run.begin; i < run.end; ++i) {
          const V alpha = hn::Set(f, alphas[i]), gap = hn::Set(f, gaps[i]);
          const float *p = s.p(i), *te = pr.te + i * pr.stride;
          for (int v = 0; v < kPart; ++v) {
            acc[v] = hn::MulAdd(relu_part<NV>(f, p, gap, slope, part + v), alpha, acc[v]);
            te_acc[v] = hn::MulAdd(hn::LoadU(f, te + (part + v) * n), alpha, te_acc[v]);
          }
        }
        for (int v = 0; v < kPart; ++v) {
          relu[run.type][part + v] = hn::Add(relu[run.type][part + v], acc[v]);
          wave[run.type][part + v] = hn::Add(wave[run.type][part + v], te_acc[v]);
        }
      }
      for (std::int64_t i = run.begin; i < run.end; ++i, ++e) weight[run.type] += s.score[e];
    }
    const V scale = hn::Set(f, 1.0F / sum);
    for (int y = 0; y < 2; ++y) {
      float* out = ma + (g0 + y) * pr.stride;
      for (int v = 0; v < NV; ++v) {
        hn::StoreU(hn::Mul(relu[y][v], scale), f, out + v * n);
        hn::StoreU(hn::Mul(wave[y][v], scale), f, s.dmr.data() + v * n);
      }
      add_rotated_back(s.dmr.data(), te_t, pr.stride, out);
      ma[pr.stride * s.groups + g0 + y] = weight[y] / sum;
    }
  }
}

// dalpha_s = ReLU_s . dm + TE(t_s) . R dm + da, stored in s.dalpha; s.score holds alpha. Returns sum alpha dalpha.
template <int NV>
float alpha_gradients(const AttentionProblem& pr, std::int64_t t, std::int64_t g0, const V* slope, Scratch& s) {
  const F f;
  const auto n = static_cast<std::int64_t>(hn::Lanes(f));
  float total = 0.0F;
  std::int64_t e = 0;
  for (const Run& run : s.runs) {
    const float* dmt = s.dm(t, g0 + run.type);
    const float da = s.da(t, g0 + run.type);
    const float* dmr = s.dmr.data() + run.type * pr.stride;
    V dm[NV], dr[NV];
    for (int v = 0; v < NV; ++v) dm[v] = hn::LoadU(f, dmt + v * n), dr[v] = hn::LoadU(f, dmr + v * n);
    for (std::int64_t i = run.begin; i < run.end; ++i, ++e) {
      const V gap = hn::Set(f, s.gap[e]);
      V sum0 = hn::Zero(f), sum1 = hn::Zero(f);
      for (int v = 0; v < NV; ++v) {
        sum0 = hn::MulAdd(relu_part<NV>(f, s.p(i), gap, slope, v), dm[v], sum0);
        sum1 = hn::MulAdd(hn::LoadU(f, pr.te + i * pr.stride + v * n), dr[v], sum1);
      }
      s.dalpha[e] = da + hn::GetLane(hn::SumOfLanes(f, hn::Add(sum0, sum1)));
      total += s.score[e] * s.dalpha[e];
    }
  }
  return total;
}

template <int NV>
void backward_target(const AttentionProblem& pr, const AttentionGradient& gr, std::int64_t object, std::int64_t t,
                     const V* slope, Scratch& s, V* dslope) {
  const F f;
  const auto n = static_cast<std::int64_t>(hn::Lanes(f));
  const std::int64_t edges = collect_runs(pr, object, t, s);
  const float* te_t = pr.te + t * pr.stride;
  for (std::int64_t head = 0; head < pr.heads; ++head) {
    const std::int64_t g0 = 2 * head;
    for (int y = 0; y < 2; ++y) {
      rotate(s.q(t, g0 + y), te_t, pr.stride, s.r.data() + y * pr.stride);
      rotate(s.dm(t, g0 + y), te_t, pr.stride, s.dmr.data() + y * pr.stride);
    }
    scores<NV>(pr, t, g0, s, slope, s.score.data());
    std::fill(s.score.begin() + edges, s.score.begin() + edges + n, gr.lse[t * pr.heads + head]);
    exp_shifted(s.score.data(), edges, gr.lse[t * pr.heads + head]);
    const float mean = alpha_gradients<NV>(pr, t, g0, slope, s);

    V dq[2][NV], dr[2][NV];
    for (int v = 0; v < NV; ++v) dq[0][v] = dq[1][v] = dr[0][v] = dr[1][v] = hn::Zero(f);
    float dc[2] = {0, 0};
    std::int64_t e = 0;
    for (const Run& run : s.runs) {
      // dscore = alpha (dalpha - sum alpha dalpha), in place of dalpha
      for (std::int64_t i = run.begin, at = e; i < run.end; ++i, ++at) {
        s.dalpha[at] = s.score[at] * (s.dalpha[at] - mean);
        dc[run.type] += s.dalpha[at];
      }
      // The sums of a run stay in registers and are added to the sums of its type at its end.
      constexpr int kPart = kChunk<NV>;
      for (int part = 0; part < NV; part += kPart) {
        V dq_run[kPart], dr_run[kPart], dslope_run[kPart], q[kPart], dm[kPart];
        for (int v = 0; v < kPart; ++v) {
          dq_run[v] = dr_run[v] = hn::Zero(f);
          dslope_run[v] = dslope[part + v];
          q[v] = hn::LoadU(f, s.q(t, g0 + run.type) + (part + v) * n);
          dm[v] = hn::LoadU(f, s.dm(t, g0 + run.type) + (part + v) * n);
        }
        const float *alphas = s.score.data() + e - run.begin, *ds = s.dalpha.data() + e - run.begin;
        const float* gaps = s.gap.data() + e - run.begin;
        for (std::int64_t i = run.begin; i < run.end; ++i) {
          const V dsv = hn::Set(f, ds[i]), alpha = hn::Set(f, alphas[i]), gap = hn::Set(f, gaps[i]);
          const float *p = s.p(i), *te = pr.te + i * pr.stride;
          float* dp_row = s.dp(i);
          for (int v = 0; v < kPart; ++v) {
            const V value = relu_part<NV>(f, p, gap, slope, part + v);
            dq_run[v] = hn::MulAdd(value, dsv, dq_run[v]);
            dr_run[v] = hn::MulAdd(hn::LoadU(f, te + (part + v) * n), dsv, dr_run[v]);
            // dhat = alpha dm + dscore q, through the ReLU
            const V dhat = hn::MulAdd(alpha, dm[v], hn::Mul(dsv, q[v]));
            const V dpre = hn::IfThenElseZero(hn::Gt(value, hn::Zero(f)), dhat);
            float* dp = dp_row + (part + v) * n;
            hn::StoreU(hn::Add(hn::LoadU(f, dp), dpre), f, dp);
            dslope_run[v] = hn::MulAdd(dpre, gap, dslope_run[v]);
          }
        }
        for (int v = 0; v < kPart; ++v) {
          dslope[part + v] = dslope_run[v];
          dq[run.type][part + v] = hn::Add(dq[run.type][part + v], dq_run[v]);
          dr[run.type][part + v] = hn::Add(dr[run.type][part + v], dr_run[v]);
        }
      }
      e += run.end - run.begin;
    }
    for (int y = 0; y < 2; ++y) {
      float* out = s.dq(t, g0 + y);
      for (int v = 0; v < NV; ++v) {
        hn::StoreU(dq[y][v], f, out + v * n);
        hn::StoreU(dr[y][v], f, s.r.data() + v * n);
      }
      add_rotated_back(s.r.data(), te_t, pr.stride, out);
      s.dc(t, g0 + y) = dc[y];
    }
  }
}

// Eq. 5, everything linear in x: [p | q | c] = x W_in + b_in for the observations of the system
void make_rows(const AttentionProblem& pr, Scratch& s) {
  gemm({.m = s.count,
        .n = s.wide,
        .k = pr.stride,
        .a = pr.x + s.first * pr.stride,
        .row_step = pr.stride,
        .b = pr.in,
        .c = s.row.data(),
        .ldc = s.wide,
        .bias = pr.in_bias});
}

template <int NV>
void forward_systems(const AttentionProblem& pr, std::int64_t first, std::int64_t last, float* y, float* ma,
                     float* lse) {
  Scratch s(pr);
  V slope[NV];
  load_slope<NV>(pr, slope);
  for (std::int64_t b = first; b < last; ++b) {
    s.enter(pr, b, /*gradient=*/false);
    make_rows(pr, s);
    for (std::int64_t i = pr.system_offsets[b]; i < pr.system_offsets[b + 1]; ++i)
      for (std::int64_t t = pr.observation_offsets[i]; t < pr.observation_offsets[i + 1]; ++t)
        forward_target<NV>(pr, i, t, slope, s, ma + t * s.narrow, lse);
    gemm({.m = s.count,
          .n = pr.stride,
          .k = s.narrow,
          .a = ma + s.first * s.narrow,
          .row_step = s.narrow,
          .b = pr.out,
          .c = y + s.first * pr.stride,
          .ldc = pr.stride});
  }
}

template <int NV>
void backward_systems(const AttentionProblem& pr, std::int64_t first, std::int64_t last, const AttentionGradient& gr) {
  const F f;
  Scratch s(pr);
  V slope[NV], dslope[NV];
  load_slope<NV>(pr, slope);
  for (int v = 0; v < NV; ++v) dslope[v] = hn::LoadU(f, gr.dslope + v * hn::Lanes(f));
  for (std::int64_t b = first; b < last; ++b) {
    s.enter(pr, b, /*gradient=*/true);
    make_rows(pr, s);
    const float *x = pr.x + s.first * pr.stride, *dy = gr.dy + s.first * pr.stride;
    gemm({.m = s.count,
          .n = s.narrow,
          .k = pr.stride,
          .a = dy,
          .row_step = pr.stride,
          .b = pr.out_transposed,
          .c = s.dma.data(),
          .ldc = s.narrow});
    add_transposed_product(gr.ma + s.first * s.narrow, s.narrow, dy, pr.stride, s.count, s.narrow, pr.stride, gr.dout);
    for (std::int64_t i = pr.system_offsets[b]; i < pr.system_offsets[b + 1]; ++i)
      for (std::int64_t t = pr.observation_offsets[i]; t < pr.observation_offsets[i + 1]; ++t)
        backward_target<NV>(pr, gr, i, t, slope, s, dslope);
    gemm({.m = s.count,
          .n = pr.stride,
          .k = s.wide,
          .a = s.drow.data(),
          .row_step = s.wide,
          .b = pr.in_transposed,
          .c = gr.dx + s.first * pr.stride,
          .ldc = pr.stride});
    add_transposed_product(x, pr.stride, s.drow.data(), s.wide, s.count, pr.stride, s.wide, gr.din);
    add_column_sums(s.drow.data(), s.count, s.wide, s.wide, gr.din_bias);
  }
  for (int v = 0; v < NV; ++v) hn::StoreU(dslope[v], f, gr.dslope + v * hn::Lanes(f));
}

// Calls `run` with the number of vectors per row as a compile-time constant, so that a row stays in registers.
template <class Run>
void with_vectors(std::int64_t stride, const Run& run) {
  switch (stride / static_cast<std::int64_t>(hn::Lanes(F()))) {
    case 1:
      return run(std::integral_constant<int, 1>());
    case 2:
      return run(std::integral_constant<int, 2>());
    case 4:
      return run(std::integral_constant<int, 4>());
    case 8:
      return run(std::integral_constant<int, 8>());
    case 16:
      return run(std::integral_constant<int, 16>());
    case 32:
      return run(std::integral_constant<int, 32>());
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
    case 64:
      return run(std::integral_constant<int, 64>());
    case 128:
      return run(std::integral_constant<int, 128>());
#endif
    default:
      HWY_ABORT("no kernel for rows of %d floats", static_cast<int>(stride));
  }
}

void attention_forward_simd(const AttentionProblem& pr, std::int64_t first, std::int64_t last, float* y, float* ma,
                            float* lse) {
  with_vectors(pr.stride, [&](auto nv) { forward_systems<decltype(nv)::value>(pr, first, last, y, ma, lse); });
}
void attention_backward_simd(const AttentionProblem& pr, std::int64_t first, std::int64_t last,
                             const AttentionGradient& gr) {
  with_vectors(pr.stride, [&](auto nv) { backward_systems<decltype(nv)::value>(pr, first, last, gr); });
}
const char* simd_name_simd() { return hwy::TargetName(HWY_TARGET); }

}  // namespace lgode::ops::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lgode::ops::cpu {

HWY_EXPORT(attention_forward_simd);
HWY_EXPORT(attention_backward_simd);
HWY_EXPORT(simd_name_simd);

void attention_forward(const AttentionProblem& problem, std::int64_t first, std::int64_t last, float* y, float* ma,
                       float* lse) {
  HWY_DYNAMIC_DISPATCH(attention_forward_simd)(problem, first, last, y, ma, lse);
}
void attention_backward(const AttentionProblem& problem, std::int64_t first, std::int64_t last,
                        const AttentionGradient& gradient) {
  HWY_DYNAMIC_DISPATCH(attention_backward_simd)(problem, first, last, gradient);
}
const char* simd_name() { return HWY_DYNAMIC_DISPATCH(simd_name_simd)(); }

}  // namespace lgode::ops::cpu
#endif
