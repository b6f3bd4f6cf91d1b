// The fused sequence attention (Eq. 6) on the CPU: raw pointers, no LibTorch, SIMD chosen at run time.
//
// For every object with rows r = 1 .. n:
//   hat_r = ReLU(h_r W + bias + slope D_r) + TE(D_r)
//   a = tanh(mean hat V),   out = mean of sigmoid(a . hat_r) hat_r
// A few objects are processed together, so that their rows stay in the cache from the product to the last sum. No data
// per row is kept for the gradient, which computes hat again.
//
// Shapes: M rows (observations), N objects; `in` and `out` are the widths d and u, padded with zeros to a multiple of
// 16. V is W_a transposed, D the time since the start.
#pragma once

#include <cstdint>

namespace lgode::ops::cpu {

struct SequenceProblem {
  std::int64_t in = 0, out = 0;
  const std::int64_t* offsets = nullptr;                        // [N+1] rows of each object
  const double* times = nullptr;                                // [M]
  const float* h = nullptr;                                     // [M, in]
  const float* te = nullptr;                                    // [M, out]
  const float *w = nullptr, *bias = nullptr, *slope = nullptr;  // [in, out] in panels, [out], [out]
  const float* v = nullptr;                                     // [out, out] in panels
  // For the gradient only: the transposes, in panels.
  const float *w_transposed = nullptr, *v_transposed = nullptr;
};

// Objects [first, last): writes u [N, out] and, for the gradient, mean [N, out] (of hat) and a [N, out].
void sequence_forward(const SequenceProblem& problem, std::int64_t first, std::int64_t last, float* u, float* mean,
                      float* a);

struct SequenceGradient {
  const float *mean = nullptr, *a = nullptr;  // [N, out]
  const float* du = nullptr;                  // [N, out]
  float* dh = nullptr;                        // [M, in]
  // Added to:
  float *dw = nullptr, *dbias = nullptr, *dslope = nullptr, *dv = nullptr;  // [in, out], [out], [out], [out, out]
};

// The gradients of objects [first, last).
void sequence_backward(const SequenceProblem& problem, std::int64_t first, std::int64_t last,
                       const SequenceGradient& gradient);

}  // namespace lgode::ops::cpu
