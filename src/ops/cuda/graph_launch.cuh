// The kernels of graph_kernel.h around Forward and Backward, the packing of weights, and Launcher, which chooses a
// kernel for the sizes of a solve and launches it. P: the numbers of the products' factors (mma.cuh); one .cu file
// instantiates the kernels of each. No error checks: see graph_rk.cpp.
#pragma once

#include "ops/cuda/graph_backward.cuh"
#include "ops/cuda/graph_forward.cuh"
#include "ops/cuda/graph_kernels.h"

namespace lgode::ops::cuda {
namespace {

// The default sizes of LG-ODE and of the assimilating model (up to 4, and up to 20 features); compiled in as constants.
constexpr int kUsualState = 80, kAssimilating = 32, kAssimilatingMore = 48, kUsualHidden = 128;

extern __shared__ __align__(16) char shared_memory[];

template <class P, int MT, int ZP, int HP>
__global__ void __launch_bounds__(kThreads, !P::kKeeps && MT <= 2 && HP != 0 ? 2 : 1)
    forward_kernel(const __grid_constant__ GraphModel model, const __grid_constant__ GraphWork work, int z, int scratch,
                   int first, int last, bool last_slope, float* states, float* slopes,
                   const __grid_constant__ GraphKept kept) {
  if (work.only != nullptr && work.only[blockIdx.x] == 0) return;
  Forward<P, MT, ZP, HP>(model, work, z, kept, shared_memory, scratch).run(first, last, last_slope, states, slopes);
}

template <class P, int MT, int ZP, int HP>
__global__ void __launch_bounds__(kThreads, 1)
    forward_back_kernel(const __grid_constant__ GraphModel model, const __grid_constant__ GraphWork work, int z,
                        int scratch, int first, int last, const float* states, const __grid_constant__ GraphKept kept) {
  Forward<P, MT, ZP, HP>(model, work, z, kept, shared_memory, scratch).run_back(first, last, states);
}

template <class P, int MT, int ZP, int HP>
__global__ void __launch_bounds__(kThreads, 1)
    backward_kernel(const __grid_constant__ GraphModel model, const __grid_constant__ GraphWork work, int z,
                    int scratch, int first, int last, bool last_slope, const float* states, const float* dstates,
                    const float* dslopes, const __grid_constant__ GraphKept kept,
                    const __grid_constant__ GraphGradients gradients) {
  Backward<P, MT, ZP, HP>(model, work, z, kept, gradients, shared_memory, scratch)
      .run(first, last, last_slope, states, dstates, dslopes);
}

struct PackedMatrices {
  PackedMatrix of[kMaxLists + 4];
};

// A fragment of B is a block of kDeep rows and 16 columns, stored as 16 consecutive bytes per lane. bf16: of the lane's
// column two neighbouring rows, then the two rows 8 further down; then the same for the column 8 further right.
// Float32: of the lane's column one row and that 4 further down, then the same 8 columns further right; big parts in
// one fragment, small ones in the next.
template <class P>
__global__ void pack_kernel(const float* flat, const PackedMatrices matrices, void* fragments, void* transposed) {
  constexpr int kElements = P::kFloat ? 4 : 8;  // per lane
  const PackedMatrix m = matrices.of[blockIdx.y];
  const int total = m.inputs * m.outputs, count = transposed != nullptr ? 2 * total : total;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    const bool flip = i >= total;
    const int at = flip ? i - total : i, rows = flip ? m.outputs : m.inputs;
    const int element = at % kElements, lane = at / kElements % 32, tile = at / (kElements * 32);
    const int depth = rows / P::kDeep, first = tile % depth * P::kDeep;
    int row, column = tile / depth * 16 + (lane >> 2);
    if constexpr (P::kFloat)
      row = first + (lane & 3) + (element & 1) * 4, column += (element & 2) * 4;
    else
      row = first + (lane & 3) * 2 + (element & 1) + (element & 2) * 4, column += (element & 4) * 2;
    const float x = flip ? flat[m.offset + column * m.outputs + row] : flat[m.offset + row * m.outputs + column];
    auto* to = static_cast<typename P::Number*>(flip ? transposed : fragments);
    if constexpr (!P::kKeeps) {
      to += P::kParts * (m.offset + tile * kElements * 32) + lane * kElements + element;
      to[0] = __float2half_rn(x * kWeightScale);
      to[kElements * 32] = __float2half_rn(x * kWeightScale - __half2float(to[0]));
    } else if constexpr (P::kFloat) {
      const Split split(x);
      to += P::kParts * (m.offset + tile * kElements * 32) + lane * kElements + element;
      to[0] = split.big;
      if constexpr (P::kParts == 2) to[kElements * 32] = split.small;
    } else {
      store_number(to + m.offset + at, x);
    }
  }
}

// Launches the kernels of P. Default sizes have their own.
template <class P>
struct Launcher {
  // Calls body(kernel) with the member of Kernels for tiles of at most `rows` rows.
  template <template <class, int, int, int> class Kernels, class Body>
  static cudaError_t with(const GraphModel& model, int rows, const Body& body) {
    if (rows == 64) return body(Kernels<P, 4, 0, 0>::kernel());
    if (rows == kMaxRows) {
      if constexpr (Kernels<P, 8, 0, 0>::kExists) return body(Kernels<P, 8, 0, 0>::kernel());
      return cudaErrorInvalidValue;
    }
    const bool usual = model.hp == kUsualHidden;
    if (usual && model.zp == kUsualState) return of<Kernels, kUsualState, kUsualHidden>(rows, body);
    if (usual && model.zp == kAssimilating) return of<Kernels, kAssimilating, kUsualHidden>(rows, body);
    if constexpr (!P::kFloat)
      if (usual && model.zp == kAssimilatingMore) return of<Kernels, kAssimilatingMore, kUsualHidden>(rows, body);
    return of<Kernels, 0, 0>(rows, body);
  }
  template <template <class, int, int, int> class Kernels, int ZP, int HP, class Body>
  static cudaError_t of(int rows, const Body& body) {
    return rows == 16 ? body(Kernels<P, 1, ZP, HP>::kernel()) : body(Kernels<P, 2, ZP, HP>::kernel());
  }

  static GraphMemory memory(const GraphModel& model, int rows) {
    return is_split<P>(rows) ? memory_of<P::kSplits>(model, rows) : memory_of<false>(model, rows);
  }
  template <bool SPLIT>
  static GraphMemory memory_of(const GraphModel& model, int rows) {
    const ForwardMemory<P, SPLIT> forward(nullptr, nullptr, model.zp, model.hp, rows, kMaxStages);
    if constexpr (!P::kKeeps) return {forward.arena.used, 0, forward.far.used};
    const BackwardMemory<P> backward(nullptr, nullptr, model.zp, model.hp, rows);
    return {forward.arena.used, backward.arena.used,
            forward.far.used > backward.far.used ? forward.far.used : backward.far.used};
  }

  static cudaError_t pack(const float* flat, const PackedMatrix* matrices, int count, void* fragments, void* transposed,
                          cudaStream_t stream) {
    PackedMatrices all;
    if (count > static_cast<int>(sizeof all.of / sizeof all.of[0])) return cudaErrorInvalidValue;
    for (int i = 0; i < count; ++i) all.of[i] = matrices[i];
    pack_kernel<P><<<dim3(64, count), 256, 0, stream>>>(flat, all, fragments, transposed);
    return cudaGetLastError();
  }

  template <class Kernel, class... Arguments>
  static cudaError_t launch(Kernel kernel, int blocks, int shared, cudaStream_t stream, const Arguments&... arguments) {
    const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    if (error != cudaSuccess) return error;
    kernel<<<blocks, kThreads, shared, stream>>>(arguments...);
    return cudaGetLastError();
  }

  static cudaError_t forward(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                             bool last_slope, float* states, float* slopes, const GraphKept& kept,
                             cudaStream_t stream) {
    const GraphMemory need = memory(model, rows);
    return with<ForwardKernel>(model, rows, [&](auto kernel) {
      return launch(kernel, work.tiles, need.forward, stream, model, work, z, need.scratch, first, last, last_slope,
                    states, slopes, kept);
    });
  }

  static cudaError_t forward_back(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                                  const float* states, const GraphKept& kept, cudaStream_t stream) {
    const GraphMemory need = memory(model, rows);
    return with<ForwardBackKernel>(model, rows, [&](auto kernel) {
      return launch(kernel, work.tiles, need.forward, stream, model, work, z, need.scratch, first, last, states, kept);
    });
  }

  static cudaError_t backward(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                              bool last_slope, const float* states, const float* dstates, const float* dslopes,
                              const GraphKept& kept, const GraphGradients& gradients, cudaStream_t stream) {
    const GraphMemory need = memory(model, rows);
    return with<BackwardKernel>(model, rows, [&](auto kernel) {
      return launch(kernel, work.tiles, need.backward, stream, model, work, z, need.scratch, first, last, last_slope,
                    states, dstates, dslopes, kept, gradients);
    });
  }

  static constexpr GraphKernels kernels() { return {memory, pack, forward, forward_back, backward}; }
  static constexpr GraphKernels forward_only() { return {memory, pack, forward, nullptr, nullptr}; }

 private:
  template <class Q, int MT, int ZP, int HP>
  struct ForwardKernel {
    static constexpr bool kExists = true;
    static auto kernel() { return forward_kernel<Q, MT, ZP, HP>; }
  };
  template <class Q, int MT, int ZP, int HP>
  struct ForwardBackKernel {
    static constexpr bool kExists = !Q::kFloat;
    static auto kernel() { return forward_back_kernel<Q, MT, ZP, HP>; }
  };
  template <class Q, int MT, int ZP, int HP>
  struct BackwardKernel {
    static constexpr bool kExists = !Q::kFloat;  // in float32 tiles of 128 rows do not fit into shared memory
    static auto kernel() { return backward_kernel<Q, MT, ZP, HP>; }
  };
};

}  // namespace
}  // namespace lgode::ops::cuda
