// The kernels of attention_kernel.h (Eqs. 4 and 5): one warp per target in the forward and for the gradients of the
// queries, one warp per source for the gradients of the keys.
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

// Per target: m, a and lse of every head. Rows of padding get zeros.
template <int NV>
__global__ void forward_kernel(const AttentionProblem pr, float* ma, float* lse) {
  const int t = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  if (t >= pr.observations) return;
  using P = Part<NV>;
  const int groups = 2 * pr.heads;
  const float* row = pr.rows + static_cast<std::int64_t>(t) * pr.wide;
  float* out = ma + static_cast<std::int64_t>(t) * pr.narrow;
  if (pr.object[t] < 0) {
    for (int i = lane_id(); i < pr.narrow; i += 32) out[i] = 0;
    for (int i = lane_id(); i < pr.heads; i += 32) lse[static_cast<std::int64_t>(t) * pr.heads + i] = 0;
    return;
  }
  const P te_t = P::load(pr.te + static_cast<std::int64_t>(t) * pr.stride), slope = P::load(pr.slope);
  for (int head = 0; head < pr.heads; ++head) {
    P q[2], r[2], relu[2], wave[2];
    float c[2], weight[2] = {0, 0};
    for (int y = 0; y < 2; ++y) {
      q[y] = P::load(row + pr.stride * (1 + 2 * head + y));
      r[y] = rotated(q[y], te_t);
      c[y] = row[pr.stride * (1 + groups) + 2 * head + y];
      relu[y] = wave[y] = P::zero();
    }
    float top = -CUDART_INF_F, sum = 0;
    for_neighbours(pr, pr.object[t], pr.times[t], true,
                   [&](const int(&index)[kTogether], const float(&gap)[kTogether], const bool(&valid)[kTogether],
                       int type, float log_weight) {
                     // Eq. 5: score = hat_s . q_t + c_t + log w
                     P hat[kTogether], te[kTogether];
                     float score[kTogether];
                     const P qy = type == 0 ? q[0] : q[1], ry = type == 0 ? r[0] : r[1];
#pragma unroll
                     for (int k = 0; k < kTogether; ++k) {
                       const std::int64_t s = index[k];
                       hat[k] = hat_of(P::load(pr.rows + s * pr.wide), slope, gap[k]);
                       te[k] = P::load(pr.te + s * pr.stride);
                       score[k] = hat[k].dot(qy) + te[k].dot(ry);
                     }
                     sum_over_lanes(score);
                     const float base = (type == 0 ? c[0] : c[1]) + log_weight;
                     float high = top;
#pragma unroll
                     for (int k = 0; k < kTogether; ++k) {
                       score[k] = valid[k] ? score[k] + base : -CUDART_INF_F;
                       high = fmaxf(high, score[k]);
                     }
                     // Eq. 5, softmax: a new maximum rescales the sums so far
                     if (high > top) {
                       const float shrink = __expf(top - high);
                       sum *= shrink;
                       for (int y = 0; y < 2; ++y) {
                         weight[y] *= shrink;
                         for (int i = 0; i < NV; ++i) relu[y].x[i] *= shrink, wave[y].x[i] *= shrink;
                       }
                       top = high;
                     }
#pragma unroll
                     for (int k = 0; k < kTogether; ++k) {
                       // Eq. 4: m^y = sum of alpha hat_s, its parts ReLU and TE separately; a^y = sum of alpha
                       const float alpha = __expf(score[k] - top);
                       sum += alpha;
                       if (type == 0)
                         weight[0] += alpha, relu[0].add(hat[k], alpha), wave[0].add(te[k], alpha);
                       else
                         weight[1] += alpha, relu[1].add(hat[k], alpha), wave[1].add(te[k], alpha);
                     }
                   });
    const float scale = 1.0F / sum;
    for (int y = 0; y < 2; ++y) {
      P m = rotated_back(wave[y], te_t);
      for (int i = 0; i < NV; ++i) m.x[i] = (m.x[i] + relu[y].x[i]) * scale;
      m.store(out + pr.stride * (2 * head + y));
      if (lane_id() == 0) out[pr.stride * groups + 2 * head + y] = weight[y] * scale;
    }
    if (lane_id() == 0) lse[static_cast<std::int64_t>(t) * pr.heads + head] = top + __logf(sum);
  }
  for (int i = pr.stride * groups + groups + lane_id(); i < pr.narrow; i += 32) out[i] = 0;
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
  const auto kernel = pr.stride == 64 ? forward_kernel<2> : forward_kernel<4>;
  kernel<<<blocks(pr), kWarpsPerBlock * 32, 0, stream>>>(pr, ma, lse);
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
