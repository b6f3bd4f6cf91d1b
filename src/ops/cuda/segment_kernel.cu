#include "ops/cuda/segment_kernel.h"

namespace lgode::ops::cuda {
namespace {

constexpr int kThreads = 128;

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
__global__ void expand_kernel(const T* x, const std::int64_t* offsets, std::int64_t width, T* out) {
  const std::int64_t run = blockIdx.x;
  for (std::int64_t c = threadIdx.x; c < width; c += blockDim.x) {
    const T value = x[run * width + c];
    for (std::int64_t r = offsets[run]; r < offsets[run + 1]; ++r) out[r * width + c] = value;
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
cudaError_t segment_expand(const T* x, const std::int64_t* offsets, std::int64_t runs, std::int64_t width, T* out,
                           cudaStream_t stream) {
  if (runs == 0 || width == 0) return cudaSuccess;
  expand_kernel<<<static_cast<unsigned>(runs), kThreads, 0, stream>>>(x, offsets, width, out);
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
template cudaError_t segment_expand(const float*, const std::int64_t*, std::int64_t, std::int64_t, float*,
                                    cudaStream_t);
template cudaError_t segment_expand(const double*, const std::int64_t*, std::int64_t, std::int64_t, double*,
                                    cudaStream_t);

}  // namespace lgode::ops::cuda
