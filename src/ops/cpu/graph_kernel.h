// The fused solve of the graph ODE (Eqs. 1 and 10) on the CPU, for one tile: raw pointers, no LibTorch, SIMD chosen at
// run time. Threads, tiles and packed weights are the caller's (graph_rk.cpp).
//
// A tile is a few systems. One thread takes a tile through all stages of all steps, with weights
// packed once per solve and activations in its own workspace. The first message layer is computed per row, not per
// pair: W[z_i | z_j] + b = (W_a z_i + b) + W_b z_j.
//
// Legend. All values are float32. An evaluation is one call of the right-hand side (Eq. 10) for the rows of the tile;
// it belongs to one step and one Runge-Kutta stage. GPU twin with the same names: ops/cuda/graph_kernel.h.
//   n            rows of the tile; a row is an object of one latent sample
//   rows         rows of the whole batch
//   K            steps of the longest system; a solve has K+1 nodes
//   Z, H         width of the state, hidden width
//   Zp, Hp       Z and H rounded up to a multiple of 16; the added columns are zero (code: zp, hp). With bf16 products
//                the first of them may hold what rounding takes off the first columns of the state (GraphSize::extra)
//   wide, uvp    columns of zs and uv: Zp+Hp and R*2*Hp
//   R            lists of pairs, one per message network (code: lists); r is the index of a list
//   p_r, p       pairs of the tile in list r, and in all lists; pairs are sorted by target, so those of a tile are
//                consecutive in every list, from first[r]; in loops p counts them, q = first[r] + p is the index in
//                the list; most is the largest p_r
//   h in a step  [n] step sizes of the rows, in model time units
//   y            [n, Zp] state at the current node
//   k[i]         [n, Zp] slope dz/dt at stage i
//   zs           [n, Zp+Hp] [z | sum]: state z of a stage, weighted sum of messages of each target
//   uv           [n, R*2*Hp] per list [u | v] with u = W_a z + b1 (as target), v = W_b z (as source)
//   h of a list  [p_r, Hp] first message layer, ReLU(u_target + v_source)
//   e            [p_r, Hp] second message layer, the message e_ij
//   signs        [p, sign_bytes] one bit per unit of e: whether it is above zero
//   a1, a2       [n, Hp] hidden layers of MLP_o
//   w1, b1, w2, b2, o1, c1, o2, c2, o3, c3   weights and biases; shapes in ops/graph_layout.h
//   lambda       [n, Zp] gradient with respect to the state at a node
//   dx           gradient with respect to x, in the shape of x: dk, dz, dzs, dsum, duv, dh, de; dw of all weights
//   g            [n, Zp] gradient with respect to the result of an evaluation, dk of its stage
//   d1, d2       [n, Hp] gradients before the ReLU of a1 and a2
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ops/graph_layout.h"

namespace lgode::ops::cpu {

// One list of pairs of the whole batch, sorted by target.
struct GraphPairs {
  const std::int64_t* target = nullptr;  // [pairs] row of the batch
  const std::int64_t* source = nullptr;  // [pairs] row of the batch
  const std::int64_t* before = nullptr;  // [rows+1] pairs whose target comes before a row
  const float* weight = nullptr;         // null: all 1
};

// What the forward solve keeps of every evaluation, in addition to states and slopes, so that the backward has less to
// recompute. Each value includes the ones before it.
enum class Keep {
  kNothing,
  kMessages,  // sum of every row and signs of every pair
  kHidden,    // a1 of every row
};

// dz/dt of column `position` is factor times column `velocity`, and with `remainder` what MLP_o adds to it.
struct GraphTie {
  std::int64_t position = 0, velocity = 0;
  float factor = 1.0F;
  bool remainder = false;
};

struct GraphProblem {
  GraphSize size;
  const GraphLayout* layout = nullptr;
  const float* weights = nullptr;     // at the layout's offsets, each matrix in panels
  const float* transposed = nullptr;  // transposed matrices (outputs by inputs), same offsets; for gradients only
  // With bf16 products (bf16_gemm.h) the same matrices in pairs, at half the layout's offsets; null: float32 products.
  const std::uint32_t *bf16 = nullptr, *bf16_transposed = nullptr;
  std::vector<GraphPairs> pairs;  // R lists
  std::int64_t stages = 0;
  std::vector<double> a, b;      // [stages * stages], [stages] coefficients of the Runge-Kutta rule
  std::int64_t rows = 0;         // of the whole batch
  const double* step = nullptr;  // [K, rows] step size of each row, in model time units
  std::vector<GraphTie> ties;
  // Jumps, J of them: in a step of length zero the state z of a row becomes keep z + add. Null: there are none.
  const std::int32_t* jump = nullptr;           // [K, rows] jump of a step and row, -1: none
  const float *keep = nullptr, *add = nullptr;  // [J, Z]
  const std::uint8_t* present = nullptr;        // [K+1, rows] 0: the row is frozen and sends nothing; null: all 1
};

// Kinds of steps: of Runge-Kutta; without length, with a slope before the jump; without length, its slope unread.
constexpr std::uint8_t kNoJump = 0, kJump = 1, kJumpUnread = 2;

struct GraphTile {
  std::int64_t row_begin = 0, row_end = 0;
  std::int64_t steps = 0;                     // of its longest system; the others are frozen after their last node
  const std::uint8_t* jumps = nullptr;        // [steps] kNoJump; the others: no length for any row of the tile
  const std::int64_t* evaluations = nullptr;  // [steps+1] evaluations before each step: one per stage, or only one
                                              // if it only jumps
  Keep keep = Keep::kNothing;
  std::byte* kept = nullptr;  // kept_bytes(), aligned to 64 bytes; written by the forward, read by the backward
};

// Bytes that a tile keeps over all evaluations.
std::int64_t kept_bytes(const GraphProblem& problem, const GraphTile& tile);

// Solves a tile. A step between equal nodes only jumps. states, slopes: [K+1, rows, Z]; states[0] holds the initial
// state.
void graph_forward(const GraphProblem& problem, const GraphTile& tile, float* states, float* slopes);

// Gradients of a tile; stages are recomputed from states, slopes and stored values. dstates, dslopes: incoming
// gradients, [K+1, rows, Z] or null. dstart [rows, Z]: written for the tile's rows. dweights: added to, at the layout's
// offsets, matrices row-major. dkeep, dadd [J, Z]: written for the jumps of the tile's rows.
struct GraphGradients {
  float *dstart = nullptr, *dweights = nullptr;
  float *dkeep = nullptr, *dadd = nullptr;
};
void graph_backward(const GraphProblem& problem, const GraphTile& tile, const float* states, const float* slopes,
                    const float* dstates, const float* dslopes, const GraphGradients& gradients);

}  // namespace lgode::ops::cpu
