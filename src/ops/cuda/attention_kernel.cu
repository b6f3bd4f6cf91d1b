// The kernels of attention_kernel.h (Eqs. 4 and 5): one warp per two targets in the forward, one per target for the
// gradients of the queries, one per source for the gradients of the keys. One file of 600 lines, because the kernels
// share how a warp lists its edges and adds up over its lanes.
#include <math_constants.h>

#include "ops/cuda/attention_kernel.h"

namespace lgode::ops::cuda {
namespace {

constexpr int kWarpsPerBlock = 8;
constexpr unsigned kAll = 0xffffffffU;
constexpr int kTogether = 4;  // edges whose sums over lanes are computed together, to hide latency

__device__ inline int lane_id() { return static_cast<int>(threadIdx.x) & 31; }

// A lane's part of a row: NV neighbouring floats.
template <int NV>
struct Part {
  float x[NV];
  __device__ static Part load(const float* row) {
    Part p;
    if constexpr (NV == 2) {
      const float2 v = __ldg(reinterpret_cast<const float2*>(row) + lane_id());
      p.x[0] = v.x, p.x[1] = v.y;
    } else {
      const float4 v = __ldg(reinterpret_cast<const float4*>(row) + lane_id());
      p.x[0] = v.x, p.x[1] = v.y, p.x[2] = v.z, p.x[3] = v.w;
    }
    return p;
  }
  __device__ static Part zero() {
    Part p;
    for (float& v : p.x) v = 0;
    return p;
  }
  __device__ void store(float* row) const {
    for (int i = 0; i < NV; ++i) row[lane_id() * NV + i] = x[i];
  }
  __device__ void add(const Part& a, float s) {
    for (int i = 0; i < NV; ++i) x[i] += a.x[i] * s;
  }
  __device__ float dot(const Part& a) const {
    float s = 0;
    for (int i = 0; i < NV; ++i) s += x[i] * a.x[i];
    return s;
  }
};

// r = R q, the rotation by the target's angles: r_2i = q_2i C + q_2i+1 S, r_2i+1 = q_2i+1 C - q_2i S; te holds (S, C)
// pairs.
template <int NV>
__device__ Part<NV> rotated(const Part<NV>& q, const Part<NV>& te) {
  Part<NV> r;
  for (int i = 0; i < NV; i += 2) {
    r.x[i] = q.x[i] * te.x[i + 1] + q.x[i + 1] * te.x[i];
    r.x[i + 1] = q.x[i + 1] * te.x[i + 1] - q.x[i] * te.x[i];
  }
  return r;
}

// R^-1 e
template <int NV>
__device__ Part<NV> rotated_back(const Part<NV>& e, const Part<NV>& te) {
  Part<NV> r;
  for (int i = 0; i < NV; i += 2) {
    r.x[i] = e.x[i] * te.x[i + 1] - e.x[i + 1] * te.x[i];
    r.x[i + 1] = e.x[i + 1] * te.x[i + 1] + e.x[i] * te.x[i];
  }
  return r;
}

__device__ inline void sum_over_lanes(float (&v)[kTogether]) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2)
#pragma unroll
    for (float& x : v) x += __shfl_xor_sync(kAll, x, step);
}

__device__ inline float sum_over_lanes(float v) {
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(kAll, v, step);
  return v;
}

// Eq. 5, hat_s without TE: ReLU(p + slope gap)
template <int NV>
__device__ Part<NV> hat_of(const Part<NV>& p, const Part<NV>& slope, float gap) {
  Part<NV> h;
  for (int i = 0; i < NV; ++i) h.x[i] = fmaxf(p.x[i] + slope.x[i] * gap, 0.0F);
  return h;
}

// Calls edges(index, gap, valid, type, log_weight) for all edges of an observation of `object` at time `now`, kTogether
// at a time. incoming: edges from its sources, else edges to its targets. index: the other observation; gap: t_s - t_t.
template <class Edges>
__device__ void for_neighbours(const AttentionProblem& pr, int object, double now, bool incoming, const Edges& edges) {
  const int* offsets = incoming ? pr.source_offsets : pr.target_offsets;
  const int* others = incoming ? pr.sources : pr.targets;
  const float* weights = incoming ? pr.source_weights : pr.target_weights;
  const int first = offsets[object], last = offsets[object + 1], lane = lane_id();
  for (int n = first - 1; n < last; ++n) {
    const int other = n < first ? object : others[n], type = n < first ? 0 : 1;
    const float weight = n < first ? 0.0F : weights[n];
    const int begin = pr.observation_offsets[other], end = pr.observation_offsets[other + 1];
    for (int base = begin; base < end; base += 32) {
      const double distance = base + lane < end ? pr.times[base + lane] - now : 0;
      const double gap = incoming ? distance : -distance;  // of source minus target
      unsigned inside = __ballot_sync(kAll, base + lane < end && gap >= -pr.reach_back && gap <= pr.reach_ahead);
      const auto narrow = static_cast<float>(gap);
      while (inside != 0) {
        int index[kTogether];
        float gaps[kTogether];
        bool valid[kTogether];
#pragma unroll
        for (int k = 0; k < kTogether; ++k) {
          valid[k] = inside != 0;
          const int bit = valid[k] ? __ffs(static_cast<int>(inside)) - 1 : 0;
          if (valid[k]) inside &= inside - 1;
          index[k] = base + bit;
          gaps[k] = __shfl_sync(kAll, narrow, bit);
        }
        edges(index, gaps, valid, type, weight);
      }
    }
  }
}

// The forward: a warp takes two targets that follow one another in an object, because they share the rows of their
// sources. Groups of stride / 8 lanes take different edges, each lane 8 columns of both targets.

constexpr int kColumns = 8;                      // per lane
constexpr int kFound = 32, kSlots = 4 * kFound;  // edges found at once; room in a warp's list
constexpr int kForwardWarps = 4;                 // per block of the forward
constexpr int kRun = 8, kShortRun = 2;           // targets of a warp; where there are few observations
constexpr int kManyObservations = 1 << 16;       // from here on there are several blocks per multiprocessor
constexpr float kSlack = 16;                     // exponents of 2 by which a score may exceed the softmax's reference
constexpr float kLog2e = 1.4426950408889634F, kLn2 = 0.6931471805599453F;
constexpr float kLowest = -1e30F;  // below all scores; finite, so that differences from it are not NaN

// A lane's part of a row: of `Lanes` lanes, lane l has the 128-bit words l and l + Lanes. Both columns of a pair (sine,
// cosine) are in the same lane.
template <int Lanes>
struct Columns {
  static constexpr int kKept = kColumns * Lanes / 32;  // columns per lane after the sum over groups
  float x[kColumns];

  __device__ static Columns zero() {
    Columns c;
#pragma unroll
    for (float& v : c.x) v = 0;
    return c;
  }
  // `words`: the row's beginning plus the lane's own word
  __device__ static Columns load(const float4* words) {
    const float4 v = __ldg(words), w = __ldg(words + Lanes);
    return {{v.x, v.y, v.z, v.w, w.x, w.y, w.z, w.w}};
  }
  __device__ void add(const Columns& a, float s) {
#pragma unroll
    for (int i = 0; i < kColumns; ++i) x[i] += a.x[i] * s;
  }
  __device__ float dot(const Columns& a) const {
    float s = x[0] * a.x[0];
#pragma unroll
    for (int i = 1; i < kColumns; ++i) s += x[i] * a.x[i];
    return s;
  }
  __device__ void scale(float s) {
#pragma unroll
    for (float& v : x) v *= s;
  }
  // Sums over the groups; the lane keeps kKept neighbouring columns, from kept_column() on, in the first of x.
  __device__ void sum_over_groups() {
    const int lane = lane_id();
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float sent = lane & 16 ? x[i] : x[4 + i], kept = lane & 16 ? x[4 + i] : x[i];
      x[i] = kept + __shfl_xor_sync(kAll, sent, 16);
    }
    if constexpr (Lanes == 8) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const float sent = lane & 8 ? x[i] : x[2 + i], kept = lane & 8 ? x[2 + i] : x[i];
        x[i] = kept + __shfl_xor_sync(kAll, sent, 8);
      }
    }
  }
  __device__ static Columns load_kept(const float* row) {
    Columns c = zero();
#pragma unroll
    for (int i = 0; i < kKept; ++i) c.x[i] = row[kept_column() + i];
    return c;
  }
  __device__ void store_kept(float* row, float scale) const {
    if constexpr (kKept == 2)
      *reinterpret_cast<float2*>(row + kept_column()) = make_float2(x[0] * scale, x[1] * scale);
    else
      *reinterpret_cast<float4*>(row + kept_column()) =
          make_float4(x[0] * scale, x[1] * scale, x[2] * scale, x[3] * scale);
  }
  __device__ static int kept_column() {
    const int lane = lane_id(), word = lane % Lanes + (lane & 16 ? Lanes : 0);
    return 4 * word + (Lanes == 8 && (lane & 8) ? 2 : 0);
  }
};

// Eq. 5: hat_s = ReLU(p + slope gap) + TE(t_s - t_t), whose last term is TE(t_s), rotated back by the target's angles;
// te holds pairs (S, C).
template <int Lanes>
__device__ Columns<Lanes> hat_of(const Columns<Lanes>& p, const Columns<Lanes>& slope, float gap,
                                 const Columns<Lanes>& te_s, const Columns<Lanes>& te_t) {
  Columns<Lanes> h;
#pragma unroll
  for (int i = 0; i < kColumns; i += 2) {
    const float sine = te_t.x[i], cosine = te_t.x[i + 1];
    h.x[i] = fmaxf(p.x[i] + slope.x[i] * gap, 0.0F) + te_s.x[i] * cosine - te_s.x[i + 1] * sine;
    h.x[i + 1] = fmaxf(p.x[i + 1] + slope.x[i + 1] * gap, 0.0F) + te_s.x[i + 1] * cosine + te_s.x[i] * sine;
  }
  return h;
}

// 2^x; results below the normal numbers become 0
__device__ inline float exp2_of(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// An edge as a lane reads it: `own` is the target whose softmax the lane computes, `other` the second one of the warp.
struct alignas(16) Edge {
  int source;
  float own_gap, other_gap;
  float bias;  // c_t + log w for its own target; -infinity: no edge of that target
};

// A warp's shared memory: the list of edges to attend to next (for the lower and the upper half of a group's lanes),
// and what is read rarely enough not to occupy registers.
struct WarpList {
  Edge edges[kSlots][2];
  int targets;                         // 1 or 2
  double time[2];                      // of the two targets; NaN: there is no second one
  float c[2];                          // of the two targets
  float first_top[32], first_sum[32];  // per lane: top and sum after type 0
};

// Data of a warp about its two targets and one type of edges. Index 0 is the lane's own target, 1 the other.
template <int Lanes>
struct TwoTargets {
  using C = Columns<Lanes>;
  static constexpr int kGroups = 32 / Lanes, kHalf = Lanes / 2;
  C q[2], te[2], m[2];
  float top, sum;  // of the own target: reference of the softmax as an exponent of 2; the group's sum of alpha

  // Eqs. 4 and 5 for the list's first `count` edges, a multiple of kGroups. The lower half of a group's lanes computes
  // the softmax of one target, the upper half the other's.
  __device__ void attend(const AttentionProblem& pr, const Edge (*list)[2], int count, const C& slope) {
    const int lane = lane_id(), word = lane % Lanes;
    const Edge* next = &list[lane / Lanes][word / kHalf];
    const auto* rows = reinterpret_cast<const float4*>(pr.rows) + word;
    const auto* te_rows = reinterpret_cast<const float4*>(pr.te) + word;
    Edge edge = *next;
    C p = C::load(rows + static_cast<std::int64_t>(edge.source) * (pr.wide / 4));
    C te_s = C::load(te_rows + static_cast<std::int64_t>(edge.source) * (2 * Lanes));
#pragma unroll 1
    for (int left = count - kGroups; true; left -= kGroups) {
      const C hat[2] = {hat_of(p, slope, edge.own_gap, te_s, te[0]), hat_of(p, slope, edge.other_gap, te_s, te[1])};
      const float bias = edge.bias;
      if (left > 0) {  // the next edge's rows are on their way during this one's sums
        next += 2 * kGroups;
        edge = *next;
        p = C::load(rows + static_cast<std::int64_t>(edge.source) * (pr.wide / 4));
        te_s = C::load(te_rows + static_cast<std::int64_t>(edge.source) * (2 * Lanes));
      }
      // Eq. 5: score = hat_s . q_t + c_t + log w
      const float other = hat[1].dot(q[1]);
      float score = hat[0].dot(q[0]) + __shfl_xor_sync(kAll, other, kHalf);
#pragma unroll
      for (int step = kHalf / 2; step > 0; step /= 2) score += __shfl_xor_sync(kAll, score, step);
      score += bias;
      float power = score * kLog2e - top;
      if (__any_sync(kAll, power > kSlack)) {
        raise(score);
        power = score * kLog2e - top;
      }
      // Eq. 4: m^y = sum of alpha hat_s, a^y = sum of alpha
      const float alpha = exp2_of(power), other_alpha = __shfl_xor_sync(kAll, alpha, kHalf);
      sum += alpha;
      m[0].add(hat[0], alpha), m[1].add(hat[1], other_alpha);
      if (left <= 0) break;
    }
  }

  // Eq. 5, softmax: a new reference, the highest score so far, rescales the sums so far.
  __device__ void raise(float score) {
    float high = fmaxf(top, score * kLog2e);
#pragma unroll
    for (int step = Lanes; step < 32; step *= 2) high = fmaxf(high, __shfl_xor_sync(kAll, high, step));
    const float shrink = exp2_of(top - high), other_shrink = __shfl_xor_sync(kAll, shrink, kHalf);
    top = high, sum *= shrink;
    m[0].scale(shrink), m[1].scale(other_shrink);
  }
};

// Edges of `type` into the two targets: lists all sources inside either window and attends to them.
template <int Lanes>
__device__ void attend_to_all(const AttentionProblem& pr, int object, int type, const Columns<Lanes>& slope,
                              WarpList& list, TwoTargets<Lanes>& two) {
  constexpr int kGroups = 32 / Lanes;
  const int lane = lane_id();
  float log_weight = 0;
  int n = 0, last = 0, base = 0, end = 0, count = 0;
  if (type == 0)
    base = pr.observation_offsets[object], end = pr.observation_offsets[object + 1];
  else
    n = pr.source_offsets[object], last = pr.source_offsets[object + 1];
#pragma unroll 1
  while (true) {
    while (base >= end && n < last) {  // the next source object
      const int other = pr.sources[n];
      log_weight = pr.source_weights[n++];
      base = pr.observation_offsets[other], end = pr.observation_offsets[other + 1];
    }
    if (base >= end) {
      if (count == 0) break;
      // The last edges of some groups are none.
      const Edge none{end > 0 ? end - 1 : 0, 0, 0, -CUDART_INF_F};  // of any source
      if (lane < kGroups) list.edges[count + lane][0] = list.edges[count + lane][1] = none;
      count = (count + kGroups - 1) / kGroups * kGroups;
    } else {
      const int s = base + lane;
      const double time = s < end ? pr.times[s] : 0;
      float gap[2], bias[2];
      bool any = false;
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const double distance = time - list.time[j];
        const bool inside = s < end && distance >= -pr.reach_back && distance <= pr.reach_ahead;
        gap[j] = inside ? static_cast<float>(distance) : 0.0F;
        bias[j] = inside ? list.c[j] + log_weight : -CUDART_INF_F;
        any |= inside;
      }
      const unsigned found = __ballot_sync(kAll, any);
      const int slot = count + __popc(found & ((1U << lane) - 1));
      if (any) list.edges[slot][0] = {s, gap[0], gap[1], bias[0]}, list.edges[slot][1] = {s, gap[1], gap[0], bias[1]};
      count += __popc(found);
      base += kFound;
      if (count <= kSlots - kFound) continue;
    }
    const int whole = count / kGroups * kGroups;
    __syncwarp();
    two.attend(pr, list.edges, whole, slope);
    // What is left moves to the front.
    count -= whole;
    Edge left[2];
    if (lane < count) left[0] = list.edges[whole + lane][0], left[1] = list.edges[whole + lane][1];
    __syncwarp();
    if (lane < count) list.edges[lane][0] = left[0], list.edges[lane][1] = left[1];
  }
  __syncwarp();
}

// Per target: m, a and lse of every head. Rows of padding get zeros. Every warp takes the targets of a run; the first
// of two targets is an even observation of its object, so that results do not depend on the runs.
template <int Lanes>
__global__ void __launch_bounds__(kForwardWarps * 32, 16 / kForwardWarps)
    forward_kernel(const AttentionProblem pr, int run, float* ma, float* lse) {
  __shared__ WarpList lists[kForwardWarps];
  using C = Columns<Lanes>;
  constexpr int kStride = kColumns * Lanes;
  const int lane = lane_id(), word = lane % Lanes, groups = 2 * pr.heads;
  const bool upper = word >= Lanes / 2;
  const std::int64_t begin = static_cast<std::int64_t>((blockIdx.x * blockDim.x + threadIdx.x) / 32) * run;
  const int end = static_cast<int>(begin + run < pr.observations ? begin + run : pr.observations);
  WarpList& list = lists[threadIdx.x / 32];
  const C slope = C::load(reinterpret_cast<const float4*>(pr.slope) + word);
#pragma unroll 1
  for (int t = static_cast<int>(begin); t < end; ++t) {
    const int object = pr.object[t];
    if (object < 0) {
      for (int i = lane; i < pr.narrow; i += 32) ma[static_cast<std::int64_t>(t) * pr.narrow + i] = 0;
      for (int i = lane; i < pr.heads; i += 32) lse[static_cast<std::int64_t>(t) * pr.heads + i] = 0;
      continue;
    }
    if ((t - pr.observation_offsets[object]) % 2 == 1) continue;  // a second target
    const bool pair = t + 1 < pr.observation_offsets[object + 1];
    __syncwarp();
    if (lane == 0) list.targets = pair ? 2 : 1;
    if (lane < 2) list.time[lane] = lane == 0 || pair ? pr.times[t + lane] : CUDART_NAN;
    // The lane's own target and the other one. Where there is no second target, nothing of it is written.
    auto target = [&](int j) -> std::int64_t { return list.targets == 2 && upper == (j == 0) ? t + 1 : t; };
    auto real = [&](int j) { return list.targets == 2 || upper == (j == 1); };
#pragma unroll 1
    for (int head = 0; head < pr.heads; ++head) {
      TwoTargets<Lanes> two;
      two.top = kLowest;
#pragma unroll 1
      for (int type = 0; type < 2; ++type) {
        const int group = 2 * head + type;
        __syncwarp();
        if (lane < list.targets)
          list.c[lane] = pr.rows[static_cast<std::int64_t>(t + lane) * pr.wide + kStride * (1 + groups) + group];
        __syncwarp();
#pragma unroll
        for (int j = 0; j < 2; ++j) {
          const float* row = pr.rows + target(j) * pr.wide;
          two.q[j] = C::load(reinterpret_cast<const float4*>(row + kStride * (1 + group)) + word);
          two.te[j] = C::load(reinterpret_cast<const float4*>(pr.te + target(j) * kStride) + word);
          two.m[j] = C::zero();
        }
        two.sum = 0;
        attend_to_all(pr, pr.object[t], type, slope, list, two);
#pragma unroll
        for (int step = Lanes; step < 32; step *= 2) two.sum += __shfl_xor_sync(kAll, two.sum, step);
#pragma unroll
        for (int j = 0; j < 2; ++j) {
          two.m[j].sum_over_groups();
          if (type == 0 && real(j)) two.m[j].store_kept(ma + target(j) * pr.narrow + kStride * group, 1);
        }
        if (type == 0) list.first_top[lane] = two.top, list.first_sum[lane] = two.sum;
      }
      const float sum = two.sum, top = two.top;
      const float shrink = exp2_of(list.first_top[lane] - top), first_sum = list.first_sum[lane] * shrink,
                  total = first_sum + sum, scale = 1.0F / total;
      const float scale_of[2] = {scale, __shfl_xor_sync(kAll, scale, Lanes / 2)};
      const float shrink_of[2] = {shrink, __shfl_xor_sync(kAll, shrink, Lanes / 2)};
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        if (!real(j)) continue;
        float* out = ma + target(j) * pr.narrow + kStride * 2 * head;
        two.m[j].store_kept(out + kStride, scale_of[j]);
        C::load_kept(out).store_kept(out, shrink_of[j] * scale_of[j]);
      }
      if (real(0) && lane % (Lanes / 2) == 0 && lane < Lanes) {
        float* out = ma + target(0) * pr.narrow + kStride * groups + 2 * head;
        out[0] = first_sum * scale, out[1] = sum * scale;
        lse[target(0) * pr.heads + head] = top * kLn2 + __logf(total);
      }
    }
    for (int i = kStride * groups + groups + lane; i < pr.narrow; i += 32) {
      ma[static_cast<std::int64_t>(t) * pr.narrow + i] = 0;
      if (list.targets == 2) ma[static_cast<std::int64_t>(t + 1) * pr.narrow + i] = 0;
    }
  }
}

// Gradients of the queries, per target: dq and dc; also, for source_kernel, the rotated q and dm (`turned`) and the sum
// of alpha dalpha (`mean`).
template <int NV>
__global__ void target_kernel(const AttentionProblem pr, const AttentionGradient gr) {
  const int t = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  if (t >= pr.observations) return;
  using P = Part<NV>;
  const int groups = 2 * pr.heads;
  const std::int64_t at = t;
  const float *row = pr.rows + at * pr.wide, *m = gr.ma + at * pr.narrow, *dm_row = gr.dma + at * pr.narrow;
  float* out = gr.drows + at * pr.wide;
  if (pr.object[t] < 0) {  // padding: its rotated rows and mean are never read
    for (int i = pr.stride + lane_id(); i < pr.wide; i += 32) out[i] = 0;
    return;
  }
  const P te_t = P::load(pr.te + at * pr.stride), slope = P::load(pr.slope);
  for (int head = 0; head < pr.heads; ++head) {
    P q[2], r[2], dm[2], dmr[2], dq[2], dr[2];
    float c[2], da[2], dc[2] = {0, 0}, mean = 0;
    for (int y = 0; y < 2; ++y) {
      const int group = 2 * head + y;
      q[y] = P::load(row + pr.stride * (1 + group));
      r[y] = rotated(q[y], te_t);
      dm[y] = P::load(dm_row + pr.stride * group);
      dmr[y] = rotated(dm[y], te_t);
      c[y] = row[pr.stride * (1 + groups) + group];
      da[y] = dm_row[pr.stride * groups + group];
      dq[y] = dr[y] = P::zero();
      r[y].store(gr.turned + (at * 2 * groups + 2 * group) * pr.stride);
      dmr[y].store(gr.turned + (at * 2 * groups + 2 * group + 1) * pr.stride);
      // sum of alpha dalpha = m . dm + a da
      mean += dm[y].dot(P::load(m + pr.stride * group));
    }
    mean = sum_over_lanes(mean);
    for (int y = 0; y < 2; ++y) mean += m[pr.stride * groups + 2 * head + y] * da[y];
    const float lse = gr.lse[at * pr.heads + head];
    if (lane_id() == 0) gr.mean[at * pr.heads + head] = mean;
    for_neighbours(pr, pr.object[t], pr.times[t], true,
                   [&](const int(&index)[kTogether], const float(&gap)[kTogether], const bool(&valid)[kTogether],
                       int type, float log_weight) {
                     P hat[kTogether], te[kTogether];
                     float score[kTogether], dalpha[kTogether];
                     const P qy = type == 0 ? q[0] : q[1], ry = type == 0 ? r[0] : r[1];
                     const P dy = type == 0 ? dm[0] : dm[1], dry = type == 0 ? dmr[0] : dmr[1];
#pragma unroll
                     for (int k = 0; k < kTogether; ++k) {
                       const std::int64_t s = index[k];
                       hat[k] = hat_of(P::load(pr.rows + s * pr.wide), slope, gap[k]);
                       te[k] = P::load(pr.te + s * pr.stride);
                       score[k] = hat[k].dot(qy) + te[k].dot(ry);
                       dalpha[k] = hat[k].dot(dy) + te[k].dot(dry);
                     }
                     sum_over_lanes(score);
                     sum_over_lanes(dalpha);
                     const float base = (type == 0 ? c[0] : c[1]) + log_weight - lse;
#pragma unroll
                     for (int k = 0; k < kTogether; ++k) {
                       const float alpha = valid[k] ? __expf(score[k] + base) : 0.0F;
                       const float ds = alpha * (dalpha[k] + (type == 0 ? da[0] : da[1]) - mean);
                       if (type == 0)
                         dc[0] += ds, dq[0].add(hat[k], ds), dr[0].add(te[k], ds);
                       else
                         dc[1] += ds, dq[1].add(hat[k], ds), dr[1].add(te[k], ds);
                     }
                   });
    for (int y = 0; y < 2; ++y) {
      P d = rotated_back(dr[y], te_t);
      for (int i = 0; i < NV; ++i) d.x[i] += dq[y].x[i];
      d.store(out + pr.stride * (1 + 2 * head + y));
      if (lane_id() == 0) out[pr.stride * (1 + groups) + 2 * head + y] = dc[y];
    }
  }
  for (int i = pr.stride * (1 + groups) + groups + lane_id(); i < pr.wide; i += 32) out[i] = 0;
}

// Gradients of the keys and values, per source: dp and the source's part of the slope's gradient.
template <int NV>
__global__ void source_kernel(const AttentionProblem pr, const AttentionGradient gr) {
  const int s = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  if (s >= pr.observations) return;
  using P = Part<NV>;
  const int groups = 2 * pr.heads;
  const P p = P::load(pr.rows + static_cast<std::int64_t>(s) * pr.wide), slope = P::load(pr.slope);
  const P te = P::load(pr.te + static_cast<std::int64_t>(s) * pr.stride);
  P dp = P::zero(), dslope = P::zero();
  if (pr.object[s] >= 0)
    for_neighbours(pr, pr.object[s], pr.times[s], false,
                   [&](const int(&index)[kTogether], const float(&gap)[kTogether], const bool(&valid)[kTogether],
                       int type, float log_weight) {
                     for (int head = 0; head < pr.heads; ++head) {
                       const int group = 2 * head + type;
                       P q[kTogether], dm[kTogether];
                       float score[kTogether], dalpha[kTogether];
#pragma unroll
                       for (int k = 0; k < kTogether; ++k) {
                         const std::int64_t t = index[k];
                         const P hat = hat_of(p, slope, gap[k]);
                         q[k] = P::load(pr.rows + t * pr.wide + pr.stride * (1 + group));
                         dm[k] = P::load(gr.dma + t * pr.narrow + pr.stride * group);
                         const float* turned = gr.turned + (t * 2 * groups + 2 * group) * pr.stride;
                         score[k] = hat.dot(q[k]) + te.dot(P::load(turned));
                         dalpha[k] = hat.dot(dm[k]) + te.dot(P::load(turned + pr.stride));
                       }
                       sum_over_lanes(score);
                       sum_over_lanes(dalpha);
#pragma unroll
                       for (int k = 0; k < kTogether; ++k) {
                         const std::int64_t t = index[k];
                         const float c = pr.rows[t * pr.wide + pr.stride * (1 + groups) + group];
                         const float da = gr.dma[t * pr.narrow + pr.stride * groups + group];
                         const float alpha =
                             valid[k] ? __expf(score[k] + c + log_weight - gr.lse[t * pr.heads + head]) : 0.0F;
                         const float ds = alpha * (dalpha[k] + da - gr.mean[t * pr.heads + head]);
#pragma unroll
                         for (int i = 0; i < NV; ++i) {
                           // dhat = alpha dm + dscore q, through the ReLU
                           const bool above = p.x[i] + slope.x[i] * gap[k] > 0;
                           const float d = above ? alpha * dm[k].x[i] + ds * q[k].x[i] : 0.0F;
                           dp.x[i] += d;
                           dslope.x[i] += d * gap[k];
                         }
                       }
                     }
                   });
  dp.store(gr.drows + static_cast<std::int64_t>(s) * pr.wide);
  dslope.store(gr.dslope + static_cast<std::int64_t>(s) * pr.stride);
}

int blocks(const AttentionProblem& pr) { return (pr.observations + kWarpsPerBlock - 1) / kWarpsPerBlock; }

}  // namespace

cudaError_t attention_forward(const AttentionProblem& pr, float* ma, float* lse, cudaStream_t stream) {
  if (pr.observations == 0) return cudaSuccess;
  // Long runs read a system's rows into fewer first-level caches; short ones occupy all multiprocessors.
  const int run = pr.observations < kManyObservations ? kShortRun : kRun, targets = kForwardWarps * run;
  const auto kernel = pr.stride == 64 ? forward_kernel<8> : forward_kernel<16>;
  kernel<<<(pr.observations - 1) / targets + 1, kForwardWarps * 32, 0, stream>>>(pr, run, ma, lse);
  return cudaGetLastError();
}

cudaError_t attention_backward(const AttentionProblem& pr, const AttentionGradient& gr, cudaStream_t stream) {
  if (pr.observations == 0) return cudaSuccess;
  const auto targets = pr.stride == 64 ? target_kernel<2> : target_kernel<4>;
  const auto sources = pr.stride == 64 ? source_kernel<2> : source_kernel<4>;
  targets<<<blocks(pr), kWarpsPerBlock * 32, 0, stream>>>(pr, gr);
  sources<<<blocks(pr), kWarpsPerBlock * 32, 0, stream>>>(pr, gr);
  return cudaGetLastError();
}

}  // namespace lgode::ops::cuda
