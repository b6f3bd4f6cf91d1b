// Layer normalisation and dense output on a GPU, float32: raw pointers and a stream, no LibTorch. Sums have a fixed
// order, so that results are the same bits every time.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace lgode::ops::cuda {

constexpr int kMaxNormWidth = 256;

// One warp per row. x, y [rows, width], width <= kMaxNormWidth; mean, scale (1 / standard deviation) [rows].
cudaError_t norm_forward(const float* x, const float* weight, const float* bias, int rows, int width, float* y,
                         float* mean, float* scale, cudaStream_t stream);
// dx [rows, width]; sums [norm_blocks(rows), 2, width]: the blocks' parts of the gradients of weight and bias.
int norm_blocks(int rows);
cudaError_t norm_backward(const float* x, const float* weight, const float* mean, const float* scale, const float* dy,
                          int rows, int width, float* dx, float* sums, cudaStream_t stream);

// Readings of a trajectory: weighted sums of the states and slopes at both ends of a step, as in ode::Readings.
struct ReadProblem {
  int readings = 0, rows = 0, dim = 0, columns = 0;
  const std::int64_t* index = nullptr;  // [4, readings] rows of states and slopes [nodes * rows, dim]
  const float* weight = nullptr;        // [4, readings]
  const int* order = nullptr;           // [readings] readings sorted by row
  const int* row_offsets = nullptr;     // [rows+1] readings of each row in `order`
};
// out [readings, columns]
cudaError_t read_forward(const ReadProblem& problem, const float* states, const float* slopes, float* out,
                         cudaStream_t stream);
// The same for readings of ode::locate()'s places: `places` [readings], states and slopes [nodes * rows, dim].
struct PlacedReadings {
  int readings = 0, rows = 0, dim = 0, columns = 0;
  const void* places = nullptr;  // ode::Place, 12 bytes each
};
cudaError_t read_places(const PlacedReadings& problem, const float* states, const float* slopes, float* out,
                        cudaStream_t stream);
// Adds to dstates and dslopes. One warp per row: no other warp adds to it.
cudaError_t read_backward(const ReadProblem& problem, const float* gradient, float* dstates, float* dslopes,
                          cudaStream_t stream);

}  // namespace lgode::ops::cuda
