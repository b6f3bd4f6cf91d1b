// The functions behind graph_kernel.h for each kind of factors; each table is defined in a .cu file of its own, so that
// they compile side by side.
#pragma once

#include "ops/cuda/graph_kernel.h"

namespace lgode::ops::cuda {

struct GraphKernels {
  GraphMemory (*memory)(const GraphModel& model, int rows);
  cudaError_t (*pack)(const float* flat, const PackedMatrix* matrices, int count, void* fragments, void* transposed,
                      cudaStream_t stream);
  cudaError_t (*forward)(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                         bool last_slope, float* states, float* slopes, const GraphKept& kept, cudaStream_t stream);
  cudaError_t (*forward_back)(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                              const float* states, const GraphKept& kept, cudaStream_t stream);
  cudaError_t (*backward)(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                          bool last_slope, const float* states, const float* dstates, const float* dslopes,
                          const GraphKept& kept, const GraphGradients& gradients, cudaStream_t stream);
};

extern const GraphKernels kBf16Kernels, kTf32Kernels, kFloat32Kernels, kHalvesKernels;

}  // namespace lgode::ops::cuda
