// The kernels of row_kernel.h.
#include <type_traits>

#include "ops/cuda/row_kernel.h"

namespace lgode::ops::cuda {
namespace {

constexpr int kWarps = 8;         // per block
constexpr int kMostBlocks = 264;  // of norm_backward: two per multiprocessor of the largest devices
constexpr unsigned kAll = 0xffffffffU;
constexpr float kEpsilon = 1e-5F;  // as LibTorch's

__device__ inline int lane_id() { return static_cast<int>(threadIdx.x) & 31; }
__device__ inline int warp_id() { return static_cast<int>(threadIdx.x) / 32; }

__device__ inline float sum_over_lanes(float v) {
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(kAll, v, step);
  return v;
}

// PER: elements of a row per lane, 32 columns apart.
template <int PER>
__global__ void norm_forward_kernel(const float* x, const float* weight, const float* bias, int rows, int width,
                                    float* y, float* means, float* scales) {
  const int row = static_cast<int>(blockIdx.x) * kWarps + warp_id(), lane = lane_id();
  if (row >= rows) return;
  const float* in = x + static_cast<std::int64_t>(row) * width;
  float v[PER], sum = 0;
#pragma unroll
  for (int i = 0; i < PER; ++i) {
    v[i] = lane + 32 * i < width ? in[lane + 32 * i] : 0.0F;
    sum += v[i];
  }
  const float mean = sum_over_lanes(sum) / static_cast<float>(width);
  float squares = 0;
#pragma unroll
  for (int i = 0; i < PER; ++i) {
    v[i] -= mean;
    squares += lane + 32 * i < width ? v[i] * v[i] : 0.0F;
  }
  const float scale = rsqrtf(sum_over_lanes(squares) / static_cast<float>(width) + kEpsilon);
  float* out = y + static_cast<std::int64_t>(row) * width;
#pragma unroll
  for (int i = 0; i < PER; ++i)
    if (lane + 32 * i < width) out[lane + 32 * i] = v[i] * scale * weight[lane + 32 * i] + bias[lane + 32 * i];
  if (lane == 0) means[row] = mean, scales[row] = scale;
}

// dx = scale (g - mean(g) - hat mean(g hat)),  g = dy weight,  hat = (x - mean) scale
template <int PER>
__global__ void norm_backward_kernel(const float* x, const float* weight, const float* means, const float* scales,
                                     const float* dy, int rows, int width, float* dx, float* sums) {
  __shared__ float parts[kWarps][2][PER * 32];
  const int lane = lane_id();
  float w[PER], dweight[PER], dbias[PER];
#pragma unroll
  for (int i = 0; i < PER; ++i) {
    w[i] = lane + 32 * i < width ? weight[lane + 32 * i] : 0.0F;
    dweight[i] = dbias[i] = 0;
  }
  for (int row = static_cast<int>(blockIdx.x) * kWarps + warp_id(); row < rows;
       row += static_cast<int>(gridDim.x) * kWarps) {
    const std::int64_t at = static_cast<std::int64_t>(row) * width;
    const float mean = means[row], scale = scales[row];
    float hat[PER], g[PER], sum = 0, product = 0;
#pragma unroll
    for (int i = 0; i < PER; ++i) {
      const bool inside = lane + 32 * i < width;
      hat[i] = inside ? (x[at + lane + 32 * i] - mean) * scale : 0.0F;
      g[i] = inside ? dy[at + lane + 32 * i] : 0.0F;
      dweight[i] += g[i] * hat[i];
      dbias[i] += g[i];
      g[i] *= w[i];
      sum += g[i];
      product += g[i] * hat[i];
    }
    sum = sum_over_lanes(sum) / static_cast<float>(width);
    product = sum_over_lanes(product) / static_cast<float>(width);
#pragma unroll
    for (int i = 0; i < PER; ++i)
      if (lane + 32 * i < width) dx[at + lane + 32 * i] = scale * (g[i] - sum - hat[i] * product);
  }
#pragma unroll
  for (int i = 0; i < PER; ++i) {
    parts[warp_id()][0][lane + 32 * i] = dweight[i];
    parts[warp_id()][1][lane + 32 * i] = dbias[i];
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < 2 * width; i += kWarps * 32) {
    const int which = i / width, column = i - which * width;
    float sum = 0;
    for (int warp = 0; warp < kWarps; ++warp) sum += parts[warp][which][column];
    sums[static_cast<std::int64_t>(blockIdx.x) * 2 * width + i] = sum;
  }
}

__global__ void read_forward_kernel(const ReadProblem p, const float* states, const float* slopes, float* out) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= static_cast<std::int64_t>(p.readings) * p.columns) return;
  const std::int64_t reading = i / p.columns, column = i - reading * p.columns;
  const std::int64_t left = p.index[reading] * p.dim + column, right = p.index[p.readings + reading] * p.dim + column;
  const float* w = p.weight + reading;
  const std::int64_t stride = p.readings;
  out[i] =
      w[0] * states[left] + w[stride] * states[right] + w[2 * stride] * slopes[left] + w[3 * stride] * slopes[right];
}

// Cubic Hermite polynomials, as in ode/read.cpp. WIDE: columns that a thread computes; the columns of a reading are in
// neighbouring threads.
template <int WIDE>
__global__ void read_places_kernel(const PlacedReadings p, const float* states, const float* slopes, float* out) {
  using Columns = std::conditional_t<WIDE == 4, float4, float>;
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  const int per = p.columns / WIDE;
  if (i >= static_cast<std::int64_t>(p.readings) * per) return;
  const std::int64_t reading = i / per, column = (i - reading * per) * WIDE;
  const auto* place = static_cast<const std::int32_t*>(p.places) + 3 * reading;
  const std::int64_t at = place[0];
  const float x = __int_as_float(place[1]), h = __int_as_float(place[2]), y = 1 - x;
  const std::int64_t left = at * p.dim + column, right = left + (x > 0 ? static_cast<std::int64_t>(p.rows) * p.dim : 0);
  const float w[4] = {(1 + 2 * x) * y * y, x * x * (3 - 2 * x), h * x * y * y, -h * x * x * y};
  const auto load = [](const float* from) { return __ldg(reinterpret_cast<const Columns*>(from)); };
  const Columns a = load(states + left), b = load(states + right), c = load(slopes + left), d = load(slopes + right);
  const auto sum = [&](float u, float v, float du, float dv) { return w[0] * u + w[1] * v + w[2] * du + w[3] * dv; };
  auto* to = reinterpret_cast<Columns*>(out) + i;
  if constexpr (WIDE == 4)
    *to =
        make_float4(sum(a.x, b.x, c.x, d.x), sum(a.y, b.y, c.y, d.y), sum(a.z, b.z, c.z, d.z), sum(a.w, b.w, c.w, d.w));
  else
    *to = sum(a, b, c, d);
}

// Readings of one step are consecutive if they come in order of time: their sums stay in registers.
__global__ void read_backward_kernel(const ReadProblem p, const float* gradient, float* dstates, float* dslopes) {
  const int row = static_cast<int>(blockIdx.x) * kWarps + warp_id(), lane = lane_id();
  if (row >= p.rows) return;
  const int first = p.row_offsets[row], last = p.row_offsets[row + 1];
  const std::int64_t stride = p.readings;
  for (int column = lane; column < p.columns; column += 32) {
    std::int64_t left = -1, right = -1;
    float sum[4] = {0, 0, 0, 0};
    auto flush = [&] {
      if (left < 0) return;
      dstates[left * p.dim + column] += sum[0];
      dstates[right * p.dim + column] += sum[1];
      dslopes[left * p.dim + column] += sum[2];
      dslopes[right * p.dim + column] += sum[3];
      sum[0] = sum[1] = sum[2] = sum[3] = 0;
    };
    for (int k = first; k < last; ++k) {
      const std::int64_t reading = p.order[k], to = p.index[reading], end = p.index[stride + reading];
      if (to != left || end != right) flush(), left = to, right = end;
      const float g = gradient[reading * p.columns + column];
#pragma unroll
      for (int j = 0; j < 4; ++j) sum[j] += p.weight[j * stride + reading] * g;
    }
    flush();
  }
}

template <class Launch>
void for_width(int width, const Launch& launch) {
  if (width <= 32)
    launch(std::integral_constant<int, 1>());
  else if (width <= 64)
    launch(std::integral_constant<int, 2>());
  else if (width <= 128)
    launch(std::integral_constant<int, 4>());
  else
    launch(std::integral_constant<int, 8>());
}

}  // namespace

int norm_blocks(int rows) {
  const int blocks = (rows + kWarps - 1) / kWarps;
  return blocks < kMostBlocks ? blocks : kMostBlocks;
}

cudaError_t norm_forward(const float* x, const float* weight, const float* bias, int rows, int width, float* y,
                         float* mean, float* scale, cudaStream_t stream) {
  if (rows == 0) return cudaSuccess;
  for_width(width, [&](auto per) {
    norm_forward_kernel<decltype(per)::value>
        <<<(rows + kWarps - 1) / kWarps, kWarps * 32, 0, stream>>>(x, weight, bias, rows, width, y, mean, scale);
  });
  return cudaGetLastError();
}

cudaError_t norm_backward(const float* x, const float* weight, const float* mean, const float* scale, const float* dy,
                          int rows, int width, float* dx, float* sums, cudaStream_t stream) {
  if (rows == 0) return cudaSuccess;
  for_width(width, [&](auto per) {
    norm_backward_kernel<decltype(per)::value>
        <<<norm_blocks(rows), kWarps * 32, 0, stream>>>(x, weight, mean, scale, dy, rows, width, dx, sums);
  });
  return cudaGetLastError();
}

cudaError_t read_forward(const ReadProblem& p, const float* states, const float* slopes, float* out,
                         cudaStream_t stream) {
  const std::int64_t count = static_cast<std::int64_t>(p.readings) * p.columns;
  if (count == 0) return cudaSuccess;
  read_forward_kernel<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(p, states, slopes, out);
  return cudaGetLastError();
}

cudaError_t read_places(const PlacedReadings& p, const float* states, const float* slopes, float* out,
                        cudaStream_t stream) {
  const bool wide = p.columns % 4 == 0 && p.dim % 4 == 0;
  const std::int64_t count = static_cast<std::int64_t>(p.readings) * (wide ? p.columns / 4 : p.columns);
  if (count == 0) return cudaSuccess;
  const auto blocks = static_cast<unsigned>((count + 255) / 256);
  if (wide)
    read_places_kernel<4><<<blocks, 256, 0, stream>>>(p, states, slopes, out);
  else
    read_places_kernel<1><<<blocks, 256, 0, stream>>>(p, states, slopes, out);
  return cudaGetLastError();
}

cudaError_t read_backward(const ReadProblem& p, const float* gradient, float* dstates, float* dslopes,
                          cudaStream_t stream) {
  if (p.rows == 0) return cudaSuccess;
  read_backward_kernel<<<(p.rows + kWarps - 1) / kWarps, kWarps * 32, 0, stream>>>(p, gradient, dstates, dslopes);
  return cudaGetLastError();
}

}  // namespace lgode::ops::cuda
