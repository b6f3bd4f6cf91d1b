// The edges of an encoder layer on a GPU: raw pointers and a stream, no LibTorch. The algebra is that of
// ops/cpu/attention_kernel.h; the products around it are left to the caller.
//
// A warp takes a target: lanes share out the width, a source's row is one coalesced read, and the softmax is online.
// The backward takes targets again for the queries' side, and then sources for the keys' side, so that nothing is added
// to by two warps and results do not depend on their order.
//
// Shapes as there: M observations, G = 2 heads groups, rows [p | q | c] of `wide` floats, [m | a] of `narrow`; `stride`
// is 64 or 128.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace lgode::ops::cuda {

struct AttentionProblem {
  int observations = 0, heads = 1, stride = 64, wide = 0, narrow = 0;
  double reach_back = 0, reach_ahead = 0;    // -reach_back <= t_s - t_t <= reach_ahead
  const double* times = nullptr;             // [M]
  const int* object = nullptr;               // [M], -1: a row of padding, which neither hears nor is heard
  const int* observation_offsets = nullptr;  // [N+1]
  const int* source_offsets = nullptr;       // [N+1] whom an object hears
  const int* sources = nullptr;
  const float* source_weights = nullptr;  // logarithms
  const int* target_offsets = nullptr;    // [N+1] who hears an object
  const int* targets = nullptr;
  const float* target_weights = nullptr;
  const float* rows = nullptr;   // [M, wide]
  const float* te = nullptr;     // [M, stride] sine and cosine interleaved
  const float* slope = nullptr;  // [stride]
};

// ma [M, narrow], lse [M, heads]
cudaError_t attention_forward(const AttentionProblem& problem, float* ma, float* lse, cudaStream_t stream);

struct AttentionGradient {
  const float* ma = nullptr;   // [M, narrow]
  const float* lse = nullptr;  // [M, heads]
  const float* dma = nullptr;  // [M, narrow]
  float* drows = nullptr;      // [M, wide]
  float* dslope = nullptr;     // [M, stride] each source's part
  float* turned = nullptr;     // [M, 2 G, stride] scratch: q and dm in the target's angles
  float* mean = nullptr;       // [M, heads] scratch
};
cudaError_t attention_backward(const AttentionProblem& problem, const AttentionGradient& gradient, cudaStream_t stream);

}  // namespace lgode::ops::cuda
