// The kernels of graph_kernel.h with bf16 factors, and the choice between the kinds.
#include "ops/cuda/graph_kernels.h"
#include "ops/cuda/graph_launch.cuh"

namespace lgode::ops::cuda {

const GraphKernels kBf16Kernels = Launcher<Bf16>::kernels();

namespace {

const GraphKernels& kernels_of(Factors factors) {
  switch (factors) {
    case Factors::kTf32:
      return kTf32Kernels;
    case Factors::kFloat32:
      return kFloat32Kernels;
    case Factors::kHalves:
      return kHalvesKernels;
    default:
      return kBf16Kernels;
  }
}

struct WeightPlaces {
  WeightPlace of[kMostPlaces];
};

__global__ void gather_kernel(const __grid_constant__ WeightPlaces places, float* flat) {
  const WeightPlace p = places.of[blockIdx.y];
  const int total = p.inputs * p.outputs;
  for (int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); at < total;
       at += static_cast<int>(gridDim.x * blockDim.x)) {
    const int i = at / p.outputs, o = at - i * p.outputs;
    flat[p.to + i * p.to_pitch + o] = p.from[o * p.pitch + i];
  }
}

}  // namespace

cudaError_t gather_weights(const WeightPlace* places, int count, float* flat, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  if (count > kMostPlaces) return cudaErrorInvalidValue;
  WeightPlaces all;
  for (int i = 0; i < count; ++i) all.of[i] = places[i];
  gather_kernel<<<dim3(32, count), 256, 0, stream>>>(all, flat);
  return cudaGetLastError();
}

GraphMemory graph_memory(const GraphModel& model, int rows) { return kernels_of(model.factors).memory(model, rows); }

cudaError_t pack_fragments(const GraphModel& model, const PackedMatrix* matrices, int count, void* fragments,
                           void* transposed, cudaStream_t stream) {
  return kernels_of(model.factors).pack(model.flat, matrices, count, fragments, transposed, stream);
}

cudaError_t graph_forward(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                          bool last_slope, float* states, float* slopes, const GraphKept& kept, cudaStream_t stream) {
  if (work.tiles == 0) return cudaSuccess;
  return kernels_of(model.factors).forward(model, work, z, rows, first, last, last_slope, states, slopes, kept, stream);
}

cudaError_t graph_forward_back(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                               const float* states, const GraphKept& kept, cudaStream_t stream) {
  if (work.tiles == 0) return cudaSuccess;
  return kernels_of(model.factors).forward_back(model, work, z, rows, first, last, states, kept, stream);
}

cudaError_t graph_backward(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                           bool last_slope, const float* states, const float* dstates, const float* dslopes,
                           const GraphKept& kept, const GraphGradients& gradients, cudaStream_t stream) {
  if (work.tiles == 0) return cudaSuccess;
  return kernels_of(model.factors)
      .backward(model, work, z, rows, first, last, last_slope, states, dstates, dslopes, kept, gradients, stream);
}

}  // namespace lgode::ops::cuda
