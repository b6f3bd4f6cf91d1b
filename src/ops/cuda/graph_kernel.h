// The fused solve of the graph ODE (Eqs. 1 and 10) on tensor cores: raw pointers and a stream, no LibTorch. Tiles,
// packed weights and the weight gradients' matrix products are the caller's (graph_rk.cpp).
//
// One thread block takes one tile of whole systems through all stages of all steps. States, sums and activations stay
// in shared memory; products have bf16, tf32 or float32 factors and float32 sums (mma.sync). Weights are read from the
// second-level cache, once per product and block, packed in the order in which the lanes of a warp use them
// (fragments). If the solve is differentiated, the forward writes out what the gradient needs. The backward goes
// through the steps in reverse and writes the other factor of every weight gradient; the caller then forms these as a
// few large matrix products.
//
// Legend. "sm" is the array in shared memory, "gm" the one in global memory. An evaluation is one call of the
// right-hand side (Eq. 10); step k and stage i have the number k * stages + i. CPU twin with the same names:
// ops/cpu/graph_kernel.h.
//   factor, wide   numbers of products' factors: bf16, or float32 (Factors); of uv: f16, or float32
//   N            rows of the batch (code: work.rows); a row is an object of one latent sample
//   n            rows of the tile (code: n_), at most 16 MT; begin_ is the tile's first row in the batch
//   MT           16-row blocks of a tile: 1, 2, 4 or 8. From 4 on, what does not fit into shared memory is in `scratch`
//   K            steps of the longest system; a solve has K+1 nodes
//   E            evaluations of a call
//   Z, Zp        width of the state, and rounded up to a multiple of 16 (code: z, zp)
//   H, Hp        hidden width, and rounded up to a multiple of 16 (code: hp)
//   R            lists of pairs, one per message network (code: lists); r is the index of a list
//   tile         rows of a few whole systems, the work of one block
//   chunk        kChunk = 64 pairs of one list and tile; the last one of a tile may have fewer, see `count`. A slot is
//                the place of a pair in a chunk. Chunks are numbered list after list, tile after tile
//   wide, uvp    columns of zs and uv: Zp+Hp and R*2*Hp
//   ld*          row pitch of an array in shared memory, in elements: ldz of zs, ldu of uv and factor, ldh of arrays
//                with Hp columns, lds of sum and dsum, ldd of duv, ldo of out and dz, ldg of g
//   step         [K, N] float32 step size h of each row, in model time units
//   y            sm [16 MT, Zp] float32 state at the current node
//   k            sm [stages, 16 MT, Zp] float32 slopes dz/dt of the stages
//   zs           sm [16 MT, Zp+Hp], gm [E, N, Zp+Hp] factor: [z | sum], state z of a stage and sum
//   sum          sm [16 MT, Hp] float32 weighted sum of messages of each target
//   uv           sm [16 MT, 2*Hp] of one list, gm [E, N, R*2*Hp] wide: per list [u | v] with u = W_a z + b1 (as
//                target), v = W_b z (as source). Their sum often is the small difference of two positions, which needs
//                more digits than bf16 has
//   h            sm [kChunk, Hp], gm [E, chunks*kChunk, Hp] factor: first message layer, ReLU(u_target + v_source)
//   e            second message layer, the message e_ij; stays in registers. As an index: number of an evaluation
//   signs        gm [E, chunks, 2*Hp] uint32: one bit per pair and unit of e, whether it is above zero
//   a1, a2       sm [16 MT, Hp], gm [E, N, Hp] factor: hidden layers of MLP_o
//   out          sm [16 MT, Zp] float32 result of an evaluation, dz/dt
//   w1, b1, w2, b2, o1, c1, o2, c2, o3, c3   weights and biases; shapes in ops/graph_layout.h
//   lambda       sm [16 MT, Zp], gm [N, Zp] float32: gradient with respect to the state at a node
//   g            sm [16 MT, Zp], gm [E, N, Zp] factor: gradient with respect to the result of an evaluation, dk
//   d2, d1       sm [16 MT, Hp], gm [E, N, Hp] factor: gradients before the ReLU of a2 and a1
//   dz, dsum     sm [16 MT, Zp], [16 MT, Hp] float32: gradients of the two parts of zs
//   de           sm [kChunk, Hp], gm [E, chunks*kChunk, Hp] factor: gradient before the ReLU of e
//   dh           gradient before the ReLU of h; stays in registers
//   duv, factor  sm [16 MT, 2*Hp] of one list, in float32 and as a factor of a product; gm [E, N, R*2*Hp] factor
//   later(i)     sm [16 MT, Zp] float32 dz of stage i > 0, kept until the step is done
//   row0         first row of the tile's part of evaluation e in an [E, N, ...] array: e * N + begin_
// Assimilation (ops/graph_rk.h):
//   jump step    a step without length. If work.alternating, the steps 0, 2, 4, .. are jump steps: one evaluation, for
//                the slope before the jump, then z <- keep z + add. All other steps are Runge-Kutta steps
//   tie          the slope of column `position` is factor * z[velocity], plus the network's result with a remainder
//   present      0: the row's slope is zero, and pairs of which it is the source weigh nothing
//   pairs' weight   sm [2, kChunk] float32: weights of a chunk's pairs, 0 for absent sources
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cstdint>

#include "ops/cuda/graph_limits.h"

namespace lgode::ops::cuda {

// Numbers of the products' factors, see mma.cuh. kHalves: forwards that keep nothing, with the digits of kFloat32
// except where numbers are very large, which GraphWork::failed reports.
enum class Factors { kBf16, kTf32, kFloat32, kHalves };
// Bytes of a weight's fragments; with kFloat32 and kHalves they have two parts.
constexpr int fragment_bytes(Factors factors) {
  return factors == Factors::kBf16 ? 2 : factors == Factors::kFloat32 ? 8 : 4;
}

struct GraphModel {
  Factors factors = Factors::kBf16;
  int zp = 0, hp = 0, lists = 0;
  int biases = 0;  // 3 * lists * hp + 2 * hp + zp
  // Offsets in elements, the same in the three buffers below (ops/graph_layout.h).
  int w1 = 0, b1 = 0, w2[kMaxLists] = {}, b2[kMaxLists] = {}, o1 = 0, c1 = 0, o2 = 0, c2 = 0, o3 = 0, c3 = 0;
  const float* flat = nullptr;       // float32 weights; the kernels read the biases only
  const void* fragments = nullptr;   // matrices (inputs by outputs) as fragments, see pack_fragments()
  const void* transposed = nullptr;  // transposed matrices (outputs by inputs) as fragments
};

struct GraphTie {
  int position = 0, velocity = 0;
  float factor = 1;
  bool remainder = false;
};

struct GraphWork {
  int tiles = 0, rows = 0, chunks = 0, stages = 0;
  int steps = 0;                         // K
  const int* row_begin = nullptr;        // [tiles+1] first row of each tile
  const int* chunk_begin = nullptr;      // [R, tiles+1] first chunk of each list and tile
  const int* count = nullptr;            // [chunks] number of pairs
  const std::uint8_t* target = nullptr;  // [chunks, kChunk] row in the tile; kNoRow in empty slots
  const std::uint8_t* source = nullptr;  // [chunks, kChunk] likewise
  const float* weight = nullptr;         // [chunks, kChunk] w_ij; 0 in empty slots
  const float* step = nullptr;           // [K, N] step size of each row, 0 after its system's end
  // Coefficients of the Runge-Kutta rule.
  float a[kMaxStages][kMaxStages] = {}, b[kMaxStages] = {};
  // Assimilation.
  bool alternating = false;                     // every other step is a jump step
  const int* jump = nullptr;                    // [K, N] jump of a jump step and row, -1: none; null: none at all
  const float *keep = nullptr, *add = nullptr;  // [J, Z]
  const std::uint8_t* present = nullptr;        // [K+1, N] by node; null: all are
  const std::uint8_t* read = nullptr;           // [K, tiles] 0: the slope of this jump step is not read; null: all 1
  int ties = 0;
  GraphTie tie[kMaxTies] = {};  // no two with the same position or velocity
  // The first `precise` columns enter the products with twice the digits: what rounding to bf16 loses of them is in
  // the columns from Z on, which have the same weights. Z + precise <= Zp.
  int precise = 0;
  char* scratch = nullptr;  // [tiles, scratch_bytes()]
  // kHalves: [tiles] written, 1 if a result of the tile is infinite or not a number.
  int* failed = nullptr;
  // The forward takes only tiles whose element is not 0; null: all. [tiles]
  const int* only = nullptr;

  // The coefficients with which graph_backward() takes a step of the continuous adjoint over evaluations whose stages
  // are in reverse order. With dz_i = b_i J_i' (h costate_i), the adjoint's costate_i = lambda + sum_j a_ij J_j' (h
  // costate_j) becomes g_i = h (b_i lambda + sum_j b_i a_ij / b_j dz_j). No b_i may be zero.
  GraphWork adjoint() const {
    GraphWork out = *this;
    for (int i = 0; i < stages; ++i) {
      out.b[stages - 1 - i] = b[i];
      for (int j = 0; j < stages; ++j) out.a[i][j] = 0;
    }
    for (int i = 0; i < stages; ++i)
      for (int j = 0; j < i; ++j) out.a[stages - 1 - j][stages - 1 - i] = b[i] * a[i][j] / b[j];
    return out;
  }

  // Number of the first evaluation of a step.
  __host__ __device__ int evaluation(int step) const {
    return alternating ? step / 2 * (stages + 1) + (step & 1) : step * stages;
  }
};

// Written by the forward for evaluations [first, first+E): one factor of each weight gradient, and what else the
// backward needs. Null pointers: not written.
struct GraphKept {
  int first = 0;
  void* zs = nullptr;              // [E, N, Zp+Hp]
  void* a1 = nullptr;              // [E, N, Hp]
  void* a2 = nullptr;              // [E, N, Hp]
  void* uv = nullptr;              // [E, N, R*2*Hp]
  std::uint32_t* signs = nullptr;  // [E, chunks, 2*Hp] in the order of the warps' votes, see Forward::messages()
};

// Written by the backward: the other factors of the weight gradients, bias gradients and lambda.
struct GraphGradients {
  void* g = nullptr;                        // [E, N, Zp]
  void* d2 = nullptr;                       // [E, N, Hp]
  void* d1 = nullptr;                       // [E, N, Hp]
  void* duv = nullptr;                      // [E, N, R*2*Hp]
  void* h = nullptr;                        // [E, chunks*kChunk, Hp]
  void* de = nullptr;                       // [E, chunks*kChunk, Hp]
  float* bias = nullptr;                    // [tiles, biases] added to; order: b1 (R*2*Hp), b2 (R*Hp), c1, c2, c3
  float* lambda = nullptr;                  // [N, Zp] in: of the state after the last step; out: before the first step
  float *dkeep = nullptr, *dadd = nullptr;  // [J, Z]
};

// Bytes that the kernels need for tiles of at most `rows` rows (16, 32, 64 or 128): shared memory, and scratch memory
// per tile. With float32 and tf32 factors there is no backward for 128 rows.
struct GraphMemory {
  int forward = 0, backward = 0, scratch = 0;
};
GraphMemory graph_memory(const GraphModel& model, int rows);

// Converts the row-major float32 matrices [inputs, outputs] at `offset` in model.flat to fragments, as they are and, if
// `transposed` is not null, transposed.
struct PackedMatrix {
  int offset = 0, inputs = 0, outputs = 0;
};
cudaError_t pack_fragments(const GraphModel& model, const PackedMatrix* matrices, int count, void* fragments,
                           void* transposed, cudaStream_t stream);

// Copies the transpose of matrices [outputs, inputs] into the flat weights: element (i, o) to `to` + i * to_pitch + o.
struct WeightPlace {
  const float* from = nullptr;
  int pitch = 0, inputs = 0, outputs = 0;  // pitch: from one row of `from` to the next
  int to = 0, to_pitch = 0;
};
constexpr int kMostPlaces = 5 * kMaxLists + 7;
cudaError_t gather_weights(const WeightPlace* places, int count, float* flat, cudaStream_t stream);

// Takes steps [first, last) from states[first]; also computes the slope at node `last` if `last_slope`. states, slopes:
// [K+1, N, Z]. kept: null pointers if no gradient is needed.
cudaError_t graph_forward(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                          bool last_slope, float* states, float* slopes, const GraphKept& kept, cudaStream_t stream);

// For the continuous adjoint: the evaluations of steps [first, last) taken backwards from the states after them, into
// `kept`, stages in reverse order. With work.adjoint() graph_backward() then takes the adjoint's steps.
cudaError_t graph_forward_back(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                               const float* states, const GraphKept& kept, cudaStream_t stream);

// The backward of graph_forward() with the same arguments. dstates, dslopes: incoming gradients, [K+1, N, Z] or null;
// with jump steps dslopes is not null.
cudaError_t graph_backward(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                           bool last_slope, const float* states, const float* dstates, const float* dslopes,
                           const GraphKept& kept, const GraphGradients& gradients, cudaStream_t stream);

}  // namespace lgode::ops::cuda
