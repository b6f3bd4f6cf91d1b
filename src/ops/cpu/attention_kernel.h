// The fused encoder layer (Eqs. 4 and 5) on the CPU: raw pointers, no LibTorch, SIMD chosen at run time.
//
// With p = W_h x + b_t, folded queries q and score offsets c (ops/attention_fold.h), for every target t, head and edge
// s -> t of type y:
//   hat_s = ReLU(p_s + slope D) + TE(D),  D = t_s - t_t
//   score_s = hat_s . q^y_t + c^y_t + log w,  alpha = softmax over all s
//   m^y_t = sum over edges of type y of alpha hat_s,   a^y_t = sum of alpha
// A shift in time rotates TE, so TE(D) . q = TE(t_s) . r with r the rotated q: no sine is computed per edge. Edges
// follow from sorted times; data per edge lives for one target only. A system is the unit of work: its rows [p | q | c]
// are one matrix product (computed again for the gradient), and [m | a] times a matrix is the output.
//
// Shapes: M observations, N objects, B systems, G = heads * 2 groups (by head, then by type), `stride` floats per row
// (a power of two from 16 to 128, the width padded with zeros). wide: [p | q of every group | c of every group],
// narrow: [m of every group | a of every group], both padded with zeros to a multiple of 16.
#pragma once

#include <cstdint>

namespace lgode::ops::cpu {

struct AttentionProblem {
  std::int64_t systems = 0;
  const std::int64_t* system_offsets = nullptr;       // [B+1] objects of each system
  const std::int64_t* observation_offsets = nullptr;  // [N+1]
  const std::int64_t* source_offsets = nullptr;       // [N+1]
  const std::int64_t* sources = nullptr;
  const double* log_weights = nullptr;
  const double* times = nullptr;           // [M]
  double reach_back = 0, reach_ahead = 0;  // -reach_back <= t_s - t_t <= reach_ahead
  std::int64_t heads = 1;
  std::int64_t stride = 64;
  const float* x = nullptr;                               // [M, stride]
  const float* te = nullptr;                              // [M, stride] TE(t_s), sine and cosine interleaved
  const float* slope = nullptr;                           // [stride]
  const float *in = nullptr, *in_transposed = nullptr;    // [stride, wide], [wide, stride], in panels
  const float* in_bias = nullptr;                         // [wide]
  const float *out = nullptr, *out_transposed = nullptr;  // [narrow, stride], [stride, narrow], in panels
  // The forward does not read the transposes, the backward does not read `out`.

  std::int64_t groups() const { return 2 * heads; }
  std::int64_t narrow() const { return stride * groups() + (groups() + 15) / 16 * 16; }
  std::int64_t wide() const { return stride + narrow(); }
};

// Systems [first, last): writes the output y [M, stride] and, for the gradient, ma = [m | a] [M, narrow] and lse [M,
// heads], the logarithm of the softmax's denominator.
void attention_forward(const AttentionProblem& problem, std::int64_t first, std::int64_t last, float* y, float* ma,
                       float* lse);

struct AttentionGradient {
  const float* ma = nullptr;   // [M, narrow]
  const float* lse = nullptr;  // [M, heads]
  const float* dy = nullptr;   // [M, stride]
  float* dx = nullptr;         // [M, stride]
  // Added to:
  float* din = nullptr;       // [stride, wide]
  float* din_bias = nullptr;  // [wide]
  float* dslope = nullptr;    // [stride]
  float* dout = nullptr;      // [narrow, stride]
};

// The gradients of systems [first, last). Computes scores and hat again.
void attention_backward(const AttentionProblem& problem, std::int64_t first, std::int64_t last,
                        const AttentionGradient& gradient);

// The instruction set in use, e.g. "AVX3".
const char* simd_name();

}  // namespace lgode::ops::cpu
