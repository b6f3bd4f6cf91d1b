// The fused encoder layer: raw pointers, no LibTorch, SIMD chosen at run time.
//
// With p = W_h x + b_t, folded queries q and offsets c (see temporal_attention.cpp here), for every target t, head and
// edge s -> t of type y:
//   hat_s = ReLU(p_s + slope D) + TE(D),  D = t_s - t_t
//   score_s = hat_s . q^y_t + c^y_t + log w,  alpha = softmax over all s
//   m^y_t = sum over edges of type y of alpha hat_s,   a^y_t = sum of alpha
// TE is a rotation, so that TE(D) . q = TE(t_s) . r with r the rotated q, and no sine is taken on an edge. Edges are
// implied by sorted times; nothing per edge is kept beyond one target. A system is the unit of work: its rows
// [p | q | c] are one product with the input, made again for the gradient, and [m | a] times a matrix is the output.
//
// Shapes: M observations, G = heads * 2 groups (head-major, type-minor), `stride` floats a row (a power of two from 16
// to 128, the width padded with zeros). wide: [p | q of every group | c of every group], narrow: [m of every group | a
// of every group], both padded with zeros to a multiple of 16.
#pragma once

#include <cstdint>

namespace lgode::ops::cpu {

struct AttentionProblem {
  std::int64_t systems = 0;
  const std::int64_t* system_offsets = nullptr;       // [B+1] objects
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
  // The forward reads no transpose, the backward not `out`.

  std::int64_t groups() const { return 2 * heads; }
  std::int64_t narrow() const { return stride * groups() + (groups() + 15) / 16 * 16; }
  std::int64_t wide() const { return stride + narrow(); }
};

// Systems [first, last): fills y [M, stride], and for the gradient [m | a] [M, narrow] and the logarithm of the
// softmax's denominator, lse [M, heads].
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

// The gradients of systems [first, last). Scores and hat are computed again.
void attention_backward(const AttentionProblem& problem, std::int64_t first, std::int64_t last,
                        const AttentionGradient& gradient);

// The instruction set in use, e.g. "AVX3".
const char* simd_name();

}  // namespace lgode::ops::cpu
