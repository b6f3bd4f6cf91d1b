// Layer normalisation and dense output on a GPU: raw pointers and a stream, no LibTorch. Sums are taken in a fixed
// order.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace lgode::ops::cuda {

constexpr int kMaxNormWidth = 256;

// A warp takes a row. x, y [rows, width]; mean, scale (1 / standard deviation) [rows].
cudaError_t norm_forward(const float* x, const float* weight, const float* bias, int rows, int width, float* y,
                         float* mean, float* scale, cudaStream_t stream);
// dx [rows, width]; sums [norm_blocks(rows), 2, width]: parts of the gradients of weight and bias.
int norm_blocks(int rows);
cudaError_t norm_backward(const float* x, const float* weight, const float* mean, const float* scale, const float* dy,
                          int rows, int width, float* dx, float* sums, cudaStream_t stream);

// Readings of a trajectory: weighted sums of both ends' states and both ends' slopes, as ode::Readings has them.
struct ReadProblem {
  int readings = 0, rows = 0, dim = 0, columns = 0;
  const std::int64_t* index = nullptr;  // [4, readings] rows of states and slopes [nodes * rows, dim]
  const float* weight = nullptr;        // [4, readings]
  const int* order = nullptr;           // [readings] by row
  const int* row_offsets = nullptr;     // [rows+1]
};
// out [readings, columns]
cudaError_t read_forward(const ReadProblem& problem, const float* states, const float* slopes, float* out,
                         cudaStream_t stream);
// Adds to dstates and dslopes. A warp takes a row: nobody else adds there.
cudaError_t read_backward(const ReadProblem& problem, const float* gradient, float* dstates, float* dslopes,
                          cudaStream_t stream);

}  // namespace lgode::ops::cuda
