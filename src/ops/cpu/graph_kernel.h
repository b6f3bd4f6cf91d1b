// The inner loops of the fused graph ODE: raw pointers, no LibTorch, SIMD chosen at run time.
//
// A tile is a few systems that take the same steps. A thread carries a tile through all stages of all steps, with
// weights packed once a solve and activations in its own workspace. The first message layer is taken by node: W[z_i |
// z_j] + b = (W_a z_i + b) + W_b z_j.
//
// Shapes: n rows and p pairs of a tile, R lists of pairs, Z state, H hidden; Zp and Hp are Z and H padded with zeros to
// a multiple of 16. Pairs of a list are sorted by target, so those of a tile are one run of every list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ops/graph_layout.h"

namespace lgode::ops::cpu {

struct GraphPairs {
  const std::int64_t* target = nullptr;  // rows over the whole batch
  const std::int64_t* source = nullptr;
  const std::int64_t* before = nullptr;  // [rows+1]
  const float* weight = nullptr;         // null: all 1
};

// What the forward solve keeps of every evaluation beside states and slopes, so that the backward computes less again.
// The later ones keep what the earlier ones do, too.
enum class Keep {
  kNothing,
  kMessages,  // the sum of messages of a row, and which units of a pair's message are above zero, a bit each
  kHidden,    // the first hidden layer of a row
};

struct GraphProblem {
  GraphSize size;
  const GraphLayout* layout = nullptr;
  const float* weights = nullptr;     // as the layout says, each matrix in panels
  const float* transposed = nullptr;  // the same matrices, outputs by inputs, at the same offsets; for gradients only
  std::vector<GraphPairs> pairs;      // R
  std::int64_t stages = 0;
  std::vector<double> a, b;  // [stages * stages], [stages] of the rule
  std::int64_t rows = 0;     // of the whole batch
};

struct GraphTile {
  std::int64_t row_begin = 0, row_end = 0;
  std::int64_t steps = 0;
  const double* nodes = nullptr;  // [steps+1]
  Keep keep = Keep::kNothing;
  std::byte* kept = nullptr;  // kept_bytes(), aligned to 64; written by the forward solve, read by the backward
};

// Bytes that a tile keeps over all steps.
std::int64_t kept_bytes(const GraphProblem& problem, const GraphTile& tile);

// Integrates a tile. states, slopes: [K+1, rows, Z]; states[0] holds the start.
void graph_forward(const GraphProblem& problem, const GraphTile& tile, float* states, float* slopes);

// Gradients of a tile, stages computed again from states, slopes and what was kept. dstates, dslopes: incoming, [K+1,
// rows, Z] or null. dstart [rows, Z]: written for the tile's rows; dweights (packed as the layout says): added to.
void graph_backward(const GraphProblem& problem, const GraphTile& tile, const float* states, const float* slopes,
                    const float* dstates, const float* dslopes, float* dstart, float* dweights);

}  // namespace lgode::ops::cpu
