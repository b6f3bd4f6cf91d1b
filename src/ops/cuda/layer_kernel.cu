// The kernels of layer_kernel.h. Legend of fragments and halves: mma.cuh.
#include <math_constants.h>

#include "ops/cuda/layer_kernel.h"
#include "ops/cuda/mma.cuh"
#include "ops/cuda/turn.cuh"

namespace lgode::ops::cuda {
namespace {

constexpr unsigned kAll = 0xffffffffU;
constexpr int kMostWidth = 256;
constexpr float kEpsilon = 1e-5F;  // as LibTorch's layer norm

__device__ inline float larger(float x, float y) {  // NaN if one is
  float z;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
  return z;
}
// A power of two p with x / p < 2^10, and at least 2^9 unless x is close to zero. NaN where x is NaN or infinite, so
// that this is not lost.
__device__ inline float unit_of(float x) {
  const int e = static_cast<int>(__float_as_uint(x) >> 23 & 255U);
  return e == 255 ? CUDART_NAN_F : __uint_as_float(static_cast<std::uint32_t>(max(e, 10) - 9) << 23);
}
// Sum over the four lanes that share a row.
__device__ inline float over_row(float x) {
  x += __shfl_xor_sync(kAll, x, 1);
  return x + __shfl_xor_sync(kAll, x, 2);
}

extern __shared__ __align__(16) uint4 shared_fragments[];  // [outputs / 8, KS, 32]: big, big, small, small of a lane

// Puts W into shared memory as fragments; returns the unit of their numbers. KS: inputs / 16.
template <int KS>
__device__ float share_weights(const RowsProduct& pr) {
  __shared__ float parts[kWarps];
  const int lane = lane_id(), outputs = pr.outputs;
  float most = 0;
#pragma unroll 8
  for (int i = static_cast<int>(threadIdx.x); i < 16 * KS * outputs; i += kThreads)
    most = larger(most, fabsf(__ldg(pr.weight + i)));
  for (int step = 16; step > 0; step /= 2) most = larger(most, __shfl_xor_sync(kAll, most, step));
  if (lane == 0) parts[warp_id()] = most;
  __syncthreads();
  for (int w = 0; w < kWarps; ++w) most = larger(most, parts[w]);
  const float unit = unit_of(most), by = 1 / unit;
#pragma unroll 4
  for (int f = warp_id(); f < outputs / 8 * KS; f += kWarps) {
    const float* w = pr.weight + (f % KS * 16 + 2 * (lane & 3)) * outputs + f / KS * 8 + (lane >> 2);
    const SplitHalves low(__ldg(w) * by, __ldg(w + outputs) * by);
    const SplitHalves high(__ldg(w + 8 * outputs) * by, __ldg(w + 9 * outputs) * by);
    shared_fragments[f * 32 + lane] = uint4{low.big, high.big, low.small, high.small};
  }
  __syncthreads();
  return unit;
}

// C += A B for N neighbouring tiles of 8 columns; b: their fragments.
template <int N, int MT>
__device__ inline void multiply(float (&c)[N][MT][4], const std::uint32_t (&big)[MT][4],
                                const std::uint32_t (&small)[MT][4], const uint4 (&b)[N]) {
#pragma unroll
  for (int n = 0; n < N; ++n)
#pragma unroll
    for (int mt = 0; mt < MT; ++mt) mma_f16(c[n][mt], small[mt], b[n].x, b[n].y);
#pragma unroll
  for (int n = 0; n < N; ++n)
#pragma unroll
    for (int mt = 0; mt < MT; ++mt) mma_f16(c[n][mt], big[mt], b[n].z, b[n].w);
#pragma unroll
  for (int n = 0; n < N; ++n)
#pragma unroll
    for (int mt = 0; mt < MT; ++mt) mma_f16(c[n][mt], big[mt], b[n].x, b[n].y);
}

// Writes a lane's sums of a tile of columns.
template <int MT>
__device__ inline void put(const RowsProduct& pr, int first, int tile, const float (&c)[MT][4],
                           const float (&units)[MT][2], float* y) {
  const int column = tile * 8 + 2 * (lane_id() & 3);
  const float2 bias = pr.bias != nullptr ? __ldg(reinterpret_cast<const float2*>(pr.bias + column)) : make_float2(0, 0);
#pragma unroll
  for (int mt = 0; mt < MT; ++mt)
#pragma unroll
    for (int low = 0; low < 2; ++low) {
      const int row = first + mt * 16 + 8 * low + (lane_id() >> 2);
      if (row >= pr.rows) continue;
      const std::int64_t at = static_cast<std::int64_t>(row) * pr.outputs + column;
      float2 out = make_float2(c[mt][2 * low] * units[mt][low] + bias.x, c[mt][2 * low + 1] * units[mt][low] + bias.y);
      if (pr.residual != nullptr) {
        const float2 before = *reinterpret_cast<const float2*>(pr.residual + at);
        out = make_float2(before.x + relu(out.x), before.y + relu(out.y));
      }
      *reinterpret_cast<float2*>(y + at) = out;
    }
}

// Where a lane finds its numbers of a row: two of every eight. Rows after the last one are the last one.
__device__ inline const float2* row_of(const RowsProduct& pr, int row) {
  return reinterpret_cast<const float2*>(pr.x + static_cast<std::int64_t>(min(row, pr.rows - 1)) * pr.inputs) +
         (lane_id() & 3);
}
// The unit of a row whose largest number so far, of this lane's, is `top`.
__device__ inline float row_unit(float top) {
  top = larger(top, __shfl_xor_sync(kAll, top, 1));
  return unit_of(larger(top, __shfl_xor_sync(kAll, top, 2)));
}

// A warp has 16 MT rows of x as fragments in its registers and goes through the columns of W, which all warps share.
template <int KS, int MT>
__global__ void __launch_bounds__(kThreads, 2) wide_kernel(const __grid_constant__ RowsProduct pr, float* y) {
  const float unit = share_weights<KS>(pr);
  const int lane = lane_id(), step = static_cast<int>(gridDim.x) * kWarps * 16 * MT;
  for (int first = (static_cast<int>(blockIdx.x) * kWarps + warp_id()) * 16 * MT; first < pr.rows; first += step) {
    std::uint32_t big[KS][MT][4], small[KS][MT][4];
    float units[MT][2];
#pragma unroll
    for (int mt = 0; mt < MT; ++mt)
#pragma unroll
      for (int low = 0; low < 2; ++low) {  // the upper and the lower 8 rows
        const float2* in = row_of(pr, first + mt * 16 + 8 * low + (lane >> 2));
        float2 v[2 * KS];
#pragma unroll
        for (int k = 0; k < 2 * KS; ++k) v[k] = __ldg(in + 4 * k);
        if (pr.norm_weight != nullptr) {
          float sum = 0, squares = 0;
#pragma unroll
          for (int k = 0; k < 2 * KS; ++k) sum += v[k].x + v[k].y;
          const float mean = over_row(sum) / (16 * KS);
#pragma unroll
          for (int k = 0; k < 2 * KS; ++k) {
            v[k].x -= mean, v[k].y -= mean;
            squares += v[k].x * v[k].x + v[k].y * v[k].y;
          }
          const float scale = rsqrtf(over_row(squares) / (16 * KS) + kEpsilon);
#pragma unroll
          for (int k = 0; k < 2 * KS; ++k) {
            const float2 w = __ldg(reinterpret_cast<const float2*>(pr.norm_weight) + (lane & 3) + 4 * k);
            const float2 b = __ldg(reinterpret_cast<const float2*>(pr.norm_bias) + (lane & 3) + 4 * k);
            v[k] = make_float2(v[k].x * scale * w.x + b.x, v[k].y * scale * w.y + b.y);
          }
        }
        float top = 0;
#pragma unroll
        for (int k = 0; k < 2 * KS; ++k) top = larger(top, larger(fabsf(v[k].x), fabsf(v[k].y)));
        const float own = row_unit(top), over = 1 / own;
        units[mt][low] = own * unit;
#pragma unroll
        for (int k = 0; k < 2 * KS; ++k) {
          const SplitHalves s(v[k].x * over, v[k].y * over);
          big[k / 2][mt][k % 2 * 2 + low] = s.big, small[k / 2][mt][k % 2 * 2 + low] = s.small;
        }
      }
    for (int tile = 0; tile < pr.outputs / 8; tile += 2) {
      float c[2][MT][4] = {};
      const uint4* from = shared_fragments + tile * KS * 32 + lane;
#pragma unroll
      for (int k = 0; k < KS; ++k) {
        const uint4 b[2] = {from[k * 32], from[(KS + k) * 32]};
        multiply<2, MT>(c, big[k], small[k], b);
      }
#pragma unroll
      for (int i = 0; i < 2; ++i) put<MT>(pr, first, tile + i, c[i], units, y);
    }
  }
}

// Many inputs and 64 outputs: all sums are in registers, and a row is read twice, first for its largest number.
template <int KS, int MT>
__global__ void __launch_bounds__(kThreads, 2) deep_kernel(const __grid_constant__ RowsProduct pr, float* y) {
  constexpr int kTiles = 8;
  const float unit = share_weights<KS>(pr);
  const int lane = lane_id(), step = static_cast<int>(gridDim.x) * kWarps * 16 * MT;
  for (int first = (static_cast<int>(blockIdx.x) * kWarps + warp_id()) * 16 * MT; first < pr.rows; first += step) {
    const float2* in[MT][2];
    float over[MT][2], units[MT][2];
#pragma unroll
    for (int mt = 0; mt < MT; ++mt)
#pragma unroll
      for (int low = 0; low < 2; ++low) {
        in[mt][low] = row_of(pr, first + mt * 16 + 8 * low + (lane >> 2));
        float top = 0;
#pragma unroll
        for (int k = 0; k < 2 * KS; ++k) {
          const float2 v = __ldg(in[mt][low] + 4 * k);
          top = larger(top, larger(fabsf(v.x), fabsf(v.y)));
        }
        const float own = row_unit(top);
        over[mt][low] = 1 / own, units[mt][low] = own * unit;
      }
    float c[kTiles][MT][4] = {};
#pragma unroll 3
    for (int k = 0; k < KS; ++k) {
      std::uint32_t big[MT][4], small[MT][4];
#pragma unroll
      for (int mt = 0; mt < MT; ++mt)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const float2 v = __ldg(in[mt][i & 1] + 8 * k + 4 * (i >> 1));
          const SplitHalves s(v.x * over[mt][i & 1], v.y * over[mt][i & 1]);
          big[mt][i] = s.big, small[mt][i] = s.small;
        }
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        uint4 b[kTiles / 2];
#pragma unroll
        for (int n = 0; n < kTiles / 2; ++n) b[n] = shared_fragments[((half * kTiles / 2 + n) * KS + k) * 32 + lane];
        multiply<kTiles / 2, MT>(*reinterpret_cast<float(*)[kTiles / 2][MT][4]>(&c[half * kTiles / 2]), big, small, b);
      }
    }
#pragma unroll
    for (int n = 0; n < kTiles; ++n) put<MT>(pr, first, n, c[n], units, y);
  }
}

template <class Kernel>
cudaError_t launch(Kernel kernel, const RowsProduct& pr, int rows_of_warp, float* y, cudaStream_t stream) {
  const int shared = pr.outputs * pr.inputs * 4;
  const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  if (error != cudaSuccess) return error;
  constexpr int kMostBlocks = 264;  // two per multiprocessor of the largest devices
  const int wanted = (pr.rows - 1) / (kWarps * rows_of_warp) + 1, blocks = wanted < kMostBlocks ? wanted : kMostBlocks;
  kernel<<<blocks, kThreads, shared, stream>>>(pr, y);
  return cudaGetLastError();
}

// A block has a row of [W_in, b_in], then of W_out; the last one has the slope.
constexpr int kLayer = 64, kWide = 208, kNarrow = 144;
__global__ void fold_kernel(const __grid_constant__ LayerWeights w, const __grid_constant__ FoldedLayer out) {
  __shared__ float query[kLayer];
  const int block = static_cast<int>(blockIdx.x), c = static_cast<int>(threadIdx.x);
  if (block > kLayer) {
    const int row = block - kLayer - 1, y = row < 2 * kLayer ? row / kLayer : row - 2 * kLayer;
    if (c >= kLayer) return;
    if (row == kNarrow)
      out.slope[c] = w.w_t[c * (kLayer + 1) + kLayer];
    else
      out.w_out[row * kLayer + c] = y >= 2             ? 0.0F
                                    : row < 2 * kLayer ? w.w_v[(y * kLayer + c) * kLayer + row % kLayer]
                                                       : w.b_v[y * kLayer + c];
    return;
  }
  const bool bias = block == kLayer;
  if (c < kLayer) query[c] = bias ? w.b_q[c] : w.w_q[c * kLayer + block];
  __syncthreads();
  if (c >= kWide) return;
  float x = 0;
  if (c < kLayer) {
    x = bias ? w.b_t[c] : w.w_t[c * (kLayer + 1) + block];
  } else if (c < 3 * kLayer + 2) {
    // Keys by m, then columns; the bias of the keys by m.
    const bool own = c < 3 * kLayer;
    const float* key =
        own ? w.w_k + (c / kLayer - 1) * kLayer * kLayer + c % kLayer : w.b_k + (c - 3 * kLayer) * kLayer;
    const int step = own ? kLayer : 1;
#pragma unroll 8
    for (int m = 0; m < kLayer; ++m) x += query[m] * __ldg(key + m * step);
    x *= 0.125F;  // 1 / sqrt(64)
  }
  (bias ? out.b_in : out.w_in + block * kWide)[c] = x;
}

// A block has an object, a thread a column.
__global__ void hat_kernel(const SequenceProblem pr, float* hat, float* mean) {
  const std::int64_t first = pr.offsets[blockIdx.x], last = pr.offsets[blockIdx.x + 1];
  const int c = static_cast<int>(threadIdx.x), width = pr.width;
  if (c >= width) return;
  const double rate = rate_of(c / 2, width, pr.frequency);
  const float slope = pr.slope[c], bias = pr.bias[c];
  constexpr int kTogether = 4;  // rows that are read together
  float sum = 0;
  for (std::int64_t r = first; r < last; r += kTogether) {
    float x[kTogether];
    double time[kTogether];
#pragma unroll
    for (int i = 0; i < kTogether; ++i)
      if (r + i < last) x[i] = hat[(r + i) * width + c], time[i] = __ldg(pr.times + r + i);
#pragma unroll
    for (int i = 0; i < kTogether; ++i) {
      if (r + i >= last) break;
      const float2 te = turn(time[i] * rate);
      x[i] = relu(x[i] + slope * static_cast<float>(time[i]) + bias) + ((c & 1) == 0 ? te.x : te.y);
      hat[(r + i) * width + c] = x[i];
      sum += x[i];
    }
  }
  mean[static_cast<std::int64_t>(blockIdx.x) * width + c] =
      last > first ? sum / static_cast<float>(last - first) : 0.0F;
}

// A block has an object, its warps take rows in turn. PER: columns per lane, 32 apart.
constexpr int kGateWarps = 4;
template <int PER>
__global__ void gate_kernel(const SequenceProblem pr, const float* hat, const float* a, float* u) {
  __shared__ float parts[kGateWarps][32 * PER];
  const std::int64_t first = pr.offsets[blockIdx.x], last = pr.offsets[blockIdx.x + 1];
  const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * pr.width;
  const int lane = lane_id(), warp = static_cast<int>(threadIdx.x) / 32, width = pr.width;
  float own[PER], sum[PER];
#pragma unroll
  for (int i = 0; i < PER; ++i) own[i] = lane + 32 * i < width ? a[at + lane + 32 * i] : 0.0F, sum[i] = 0;
#pragma unroll 2
  for (std::int64_t r = first + warp; r < last; r += kGateWarps) {
    float x[PER], dot = 0;
#pragma unroll
    for (int i = 0; i < PER; ++i) {
      x[i] = lane + 32 * i < width ? __ldg(hat + r * width + lane + 32 * i) : 0.0F;
      dot += own[i] * x[i];
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2) dot += __shfl_xor_sync(kAll, dot, step);
    const float gate = 1.0F / (1.0F + expf(-dot));
#pragma unroll
    for (int i = 0; i < PER; ++i) sum[i] += gate * x[i];
  }
#pragma unroll
  for (int i = 0; i < PER; ++i) parts[warp][lane + 32 * i] = sum[i];
  __syncthreads();
  for (int c = static_cast<int>(threadIdx.x); c < width; c += 32 * kGateWarps) {
    float total = 0;
    for (int w = 0; w < kGateWarps; ++w) total += parts[w][c];
    u[at + c] = last > first ? total / static_cast<float>(last - first) : 0.0F;
  }
}

}  // namespace

bool has_rows_product(int inputs, int outputs) {
  return inputs == 64 ? outputs > 0 && outputs % 16 == 0 && outputs <= kMostWidth : inputs == 144 && outputs == 64;
}

cudaError_t rows_product(const RowsProduct& pr, float* y, cudaStream_t stream) {
  if (pr.rows == 0) return cudaSuccess;
  if (!has_rows_product(pr.inputs, pr.outputs) || (pr.inputs != 64 && pr.norm_weight != nullptr))
    return cudaErrorInvalidValue;
  return pr.inputs == 64 ? launch(wide_kernel<4, 2>, pr, 32, y, stream) : launch(deep_kernel<9, 2>, pr, 32, y, stream);
}

cudaError_t fold_layer(const LayerWeights& weights, const FoldedLayer& folded, cudaStream_t stream) {
  fold_kernel<<<kLayer + 1 + kNarrow + 1, 224, 0, stream>>>(weights, folded);
  return cudaGetLastError();
}

cudaError_t sequence_hat(const SequenceProblem& pr, float* hat, float* mean, cudaStream_t stream) {
  if (pr.objects == 0) return cudaSuccess;
  hat_kernel<<<pr.objects, (pr.width + 31) / 32 * 32, 0, stream>>>(pr, hat, mean);
  return cudaGetLastError();
}

cudaError_t sequence_gate(const SequenceProblem& pr, const float* hat, const float* a, float* u, cudaStream_t stream) {
  if (pr.objects == 0) return cudaSuccess;
  const auto kernel = pr.width <= 64 ? gate_kernel<2> : pr.width <= 128 ? gate_kernel<4> : gate_kernel<8>;
  kernel<<<pr.objects, 32 * kGateWarps, 0, stream>>>(pr, hat, a, u);
  return cudaGetLastError();
}

}  // namespace lgode::ops::cuda
