// The work per edge of an encoder layer (Eqs. 4 and 5) on a GPU, float32: raw pointers and a stream, no LibTorch. The
// algebra is the same as in ops/cpu/attention_kernel.h; the matrix products before and after it are the caller's.
//
// The forward has one warp per two targets of an object, which share the rows of their sources. The warp's groups of
// stride / 8 lanes take different edges, so that a sum over columns needs few shuffles, and the softmax is computed
// online. The backward has one pass with one warp per target for the gradients of the queries, then one with one warp
// per source for those of the keys. No two warps add to the same number, so results do not depend on their order; those
// of an object do not depend on the other systems of a batch.
//
// Shapes: M observations, N objects, G = 2 heads groups, rows [p | q | c] of `wide` floats, [m | a] of `narrow` floats;
// `stride` is 64 or 128.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace lgode::ops::cuda {

struct AttentionProblem {
  int observations = 0, heads = 1, stride = 64, wide = 0, narrow = 0;
  double reach_back = 0, reach_ahead = 0;    // -reach_back <= t_s - t_t <= reach_ahead
  const double* times = nullptr;             // [M]
  const int* object = nullptr;               // [M]; -1: a row of padding, which has no edges
  const int* observation_offsets = nullptr;  // [N+1]
  const int* source_offsets = nullptr;       // [N+1] source objects of each target object
  const int* sources = nullptr;
  const float* source_weights = nullptr;  // log w
  const int* target_offsets = nullptr;    // [N+1] target objects of each source object
  const int* targets = nullptr;
  const float* target_weights = nullptr;  // log w
  const float* rows = nullptr;            // [M, wide]
  const float* te = nullptr;              // [M, stride] sine and cosine interleaved
  const float* slope = nullptr;           // [stride]
};

// Writes ma = [m | a] [M, narrow] and lse [M, heads], the logarithm of the softmax's denominator.
cudaError_t attention_forward(const AttentionProblem& problem, float* ma, float* lse, cudaStream_t stream);

struct AttentionGradient {
  const float* ma = nullptr;   // [M, narrow]
  const float* lse = nullptr;  // [M, heads]
  const float* dma = nullptr;  // [M, narrow]
  float* drows = nullptr;      // [M, wide]
  float* dslope = nullptr;     // [M, stride] the part of each source
  float* turned = nullptr;     // [M, 2 G, stride] scratch: q and dm, rotated by the target's angles
  float* mean = nullptr;       // [M, heads] scratch: sum of alpha dalpha
};
cudaError_t attention_backward(const AttentionProblem& problem, const AttentionGradient& gradient, cudaStream_t stream);

}  // namespace lgode::ops::cuda
