// The kernels of segment_kernel.h. Segment operators: one block per run, one thread per column, rows in order.
#include <math_constants.h>

#include "ops/cuda/segment_kernel.h"
#include "ops/cuda/turn.cuh"

namespace lgode::ops::cuda {
namespace {

constexpr int kThreads = 128;
constexpr std::int64_t kMaxBlocks = 4096;

template <class T>
__global__ void sum_kernel(const T* x, const std::int64_t* offsets, std::int64_t width, T* out) {
  const std::int64_t run = blockIdx.x;
  for (std::int64_t c = threadIdx.x; c < width; c += blockDim.x) {
    T sum = 0;
    for (std::int64_t r = offsets[run]; r < offsets[run + 1]; ++r) sum += x[r * width + c];
    out[run * width + c] = sum;
  }
}

template <class T>
__global__ void max_kernel(const T* x, const std::int64_t* offsets, std::int64_t width, T* out) {
  const std::int64_t run = blockIdx.x;
  for (std::int64_t c = threadIdx.x; c < width; c += blockDim.x) {
    T top = -static_cast<T>(CUDART_INF);
    for (std::int64_t r = offsets[run]; r < offsets[run + 1]; ++r)
      top = x[r * width + c] > top ? x[r * width + c] : top;
    out[run * width + c] = top;
  }
}

template <class T>
__global__ void expand_kernel(const T* x, const std::int64_t* offsets, std::int64_t rows, std::int64_t width, T* out) {
  const std::int64_t run = blockIdx.x, runs = gridDim.x, end = offsets[runs];
  for (std::int64_t c = threadIdx.x; c < width; c += blockDim.x) {
    const T value = x[run * width + c];
    for (std::int64_t r = offsets[run]; r < offsets[run + 1]; ++r) out[r * width + c] = value;
    for (std::int64_t r = end + run; r < rows; r += runs) out[r * width + c] = 0;
  }
}

// Eq. 5: TE(t). Angles in double: in float32, sines of large times are wrong.
template <class T>
__global__ void encode_kernel(const double* times, std::int64_t count, std::int64_t width, double frequency, T* out) {
  const std::int64_t pairs = (width + 1) / 2, stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x / pairs;
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  const std::int64_t pair = first % pairs;
  if (first / pairs >= stride) return;  // a thread keeps its pair of columns
  const double rate = rate_of(static_cast<int>(pair), static_cast<double>(width), frequency);
  for (std::int64_t row = first / pairs; row < count; row += stride) {
    T sine, cosine;
    if constexpr (sizeof(T) == 4) {
      const float2 both = turn(times[row] * rate);
      sine = both.x, cosine = both.y;
    } else {
      sincos(times[row] * rate, &sine, &cosine);
    }
    out[row * width + 2 * pair] = sine;
    if (2 * pair + 1 < width) out[row * width + 2 * pair + 1] = cosine;
  }
}

// Philox4x32-10, as in core/random.h.
__device__ uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint32_t high0 = __umulhi(0xD2511F53U, counter.x), low0 = 0xD2511F53U * counter.x;
    const std::uint32_t high1 = __umulhi(0xCD9E8D57U, counter.z), low1 = 0xCD9E8D57U * counter.z;
    counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key = make_uint2(key.x + 0x9E3779B9U, key.y + 0xBB67AE85U);
  }
  return counter;
}

__global__ void dropout_kernel(const std::uint32_t* streams, const std::int64_t* begin, std::uint32_t threshold,
                               float keep, float* out) {
  const std::int64_t stream = blockIdx.y;
  const std::uint32_t* name = streams + 4 * stream;
  const std::int64_t count = begin[stream + 1] - begin[stream];
  float* to = out + begin[stream];
  for (std::int64_t block = blockIdx.x * blockDim.x + threadIdx.x; 4 * block < count;
       block += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    const uint4 w =
        philox(make_uint4(static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), name[2], name[3]),
               make_uint2(name[0], name[1]));
    const std::uint32_t words[4] = {w.x, w.y, w.z, w.w};
    for (int i = 0; i < 4; ++i)
      if (4 * block + i < count) to[4 * block + i] = words[i] < threshold ? 0.0F : keep;
  }
}

}  // namespace

template <class T>
cudaError_t segment_sum(const T* x, const std::int64_t* offsets, std::int64_t runs, std::int64_t width, T* out,
                        cudaStream_t stream) {
  if (runs == 0 || width == 0) return cudaSuccess;
  sum_kernel<<<static_cast<unsigned>(runs), kThreads, 0, stream>>>(x, offsets, width, out);
  return cudaGetLastError();
}

template <class T>
cudaError_t segment_max(const T* x, const std::int64_t* offsets, std::int64_t runs, std::int64_t width, T* out,
                        cudaStream_t stream) {
  if (runs == 0 || width == 0) return cudaSuccess;
  max_kernel<<<static_cast<unsigned>(runs), kThreads, 0, stream>>>(x, offsets, width, out);
  return cudaGetLastError();
}

template <class T>
cudaError_t segment_expand(const T* x, const std::int64_t* offsets, std::int64_t runs, std::int64_t rows,
                           std::int64_t width, T* out, cudaStream_t stream) {
  if (rows == 0 || width == 0) return cudaSuccess;
  if (runs == 0) return cudaMemsetAsync(out, 0, static_cast<std::size_t>(rows * width) * sizeof(T), stream);
  expand_kernel<<<static_cast<unsigned>(runs), kThreads, 0, stream>>>(x, offsets, rows, width, out);
  return cudaGetLastError();
}

template <class T>
cudaError_t time_encoding(const double* times, std::int64_t count, std::int64_t width, double frequency, T* out,
                          cudaStream_t stream) {
  if (count == 0 || width == 0) return cudaSuccess;
  const std::int64_t pairs = (width + 1) / 2, blocks = (count * pairs + kThreads - 1) / kThreads;
  const std::int64_t least = (pairs + kThreads - 1) / kThreads;  // for one row
  if (least > kMaxBlocks) return cudaErrorInvalidValue;
  encode_kernel<<<static_cast<unsigned>(blocks < kMaxBlocks ? blocks : kMaxBlocks), kThreads, 0, stream>>>(
      times, count, width, frequency, out);
  return cudaGetLastError();
}

cudaError_t dropout_mask(const std::uint32_t* streams, const std::int64_t* begin, std::int64_t count,
                         std::uint32_t threshold, float keep, float* out, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  dropout_kernel<<<dim3(8, static_cast<unsigned>(count)), kThreads, 0, stream>>>(streams, begin, threshold, keep, out);
  return cudaGetLastError();
}

template cudaError_t segment_sum(const float*, const std::int64_t*, std::int64_t, std::int64_t, float*, cudaStream_t);
template cudaError_t segment_sum(const double*, const std::int64_t*, std::int64_t, std::int64_t, double*, cudaStream_t);
template cudaError_t segment_max(const float*, const std::int64_t*, std::int64_t, std::int64_t, float*, cudaStream_t);
template cudaError_t segment_max(const double*, const std::int64_t*, std::int64_t, std::int64_t, double*, cudaStream_t);
template cudaError_t segment_expand(const float*, const std::int64_t*, std::int64_t, std::int64_t, std::int64_t, float*,
                                    cudaStream_t);
template cudaError_t segment_expand(const double*, const std::int64_t*, std::int64_t, std::int64_t, std::int64_t,
                                    double*, cudaStream_t);
template cudaError_t time_encoding(const double*, std::int64_t, std::int64_t, double, float*, cudaStream_t);
template cudaError_t time_encoding(const double*, std::int64_t, std::int64_t, double, double*, cudaStream_t);

}  // namespace lgode::ops::cuda
