// Sums and copies over runs of rows, time encodings and dropout masks on a GPU: raw pointers and a stream, no LibTorch.
// T: float or double.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace lgode::ops::cuda {

// out [runs, width]: sums of the rows [offsets[i], offsets[i+1]) of x [rows, width], in order.
template <class T>
cudaError_t segment_sum(const T* x, const std::int64_t* offsets, std::int64_t runs, std::int64_t width, T* out,
                        cudaStream_t stream);
// The same with the largest entry instead of the sum; minus infinity for an empty run.
template <class T>
cudaError_t segment_max(const T* x, const std::int64_t* offsets, std::int64_t runs, std::int64_t width, T* out,
                        cudaStream_t stream);
// out [rows, width]: row i of x [runs, width] for every row of run i, zeros after the last run.
template <class T>
cudaError_t segment_expand(const T* x, const std::int64_t* offsets, std::int64_t runs, std::int64_t rows,
                           std::int64_t width, T* out, cudaStream_t stream);
// Eq. 5: out [count, width], sine and cosine of times * frequency / 10000^(2i / width), interleaved.
template <class T>
cudaError_t time_encoding(const double* times, std::int64_t count, std::int64_t width, double frequency, T* out,
                          cudaStream_t stream);

// out[begin[i] + k] = 0 where word k of stream i is below `threshold`, else `keep`. begin [streams+1]; streams
// [streams, 4]: key and name of a Random (core/random.h).
cudaError_t dropout_mask(const std::uint32_t* streams, const std::int64_t* begin, std::int64_t count,
                         std::uint32_t threshold, float keep, float* out, cudaStream_t stream);

}  // namespace lgode::ops::cuda
