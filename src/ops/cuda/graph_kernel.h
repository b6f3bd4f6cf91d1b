// The solve of the graph ODE on tensor cores: raw pointers and a stream, no LibTorch.
//
// A block takes a tile of whole systems through all stages of all steps by itself: states, sums and activations live in
// shared memory, products are bf16 with float32 sums (mma.sync), and the weights stream from the second-level cache,
// packed in the order in which a warp's lanes want them, so that each is read once a product and block. A forward solve
// that shall be differentiated writes out what the gradient needs; the backward walks the steps in reverse and writes
// the other factor of every weight gradient, which are then a few large matrix products (by the caller).
//
// Shapes: n rows and p pairs of a tile, R lists of pairs, Zp state, Hp hidden (multiples of 16), E evaluations of the
// field, N rows of the batch. Pairs of a list are cut into chunks of kChunk, the last one of a tile padded with none.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime_api.h>

#include <cstdint>

namespace lgode::ops::cuda {

constexpr int kMaxLists = 8;
constexpr int kMaxStages = 4;
constexpr int kChunk = 64;    // pairs
constexpr int kMaxRows = 32;  // of a tile
constexpr int kNoRow = 255;

struct GraphModel {
  int zp = 0, hp = 0, lists = 0;
  int biases = 0;  // 3 * lists * hp + 2 * hp + zp
  // Offsets in elements, the same in all three buffers (ops/graph_layout.h).
  int w1 = 0, b1 = 0, w2[kMaxLists] = {}, b2[kMaxLists] = {}, o1 = 0, c1 = 0, o2 = 0, c2 = 0, o3 = 0, c3 = 0;
  const float* flat = nullptr;                // biases are read from here
  const __nv_bfloat16* fragments = nullptr;   // matrices, inputs by outputs
  const __nv_bfloat16* transposed = nullptr;  // the same, outputs by inputs
};

struct GraphWork {
  int tiles = 0, rows = 0, chunks = 0, stages = 0;
  const int* row_begin = nullptr;        // [tiles+1]
  const int* chunk_begin = nullptr;      // [R, tiles+1] chunks are numbered list after list, tile after tile
  const int* count = nullptr;            // [chunks] pairs in it
  const std::uint8_t* target = nullptr;  // [chunks, kChunk] row in the tile; kNoRow beyond the chunk's pairs
  const std::uint8_t* source = nullptr;
  const float* weight = nullptr;  // [chunks, kChunk]
  const float* step = nullptr;    // [K, N] size of a row's step, 0 after its end
  float a[kMaxStages][kMaxStages] = {}, b[kMaxStages] = {};
};

// One factor of each weight gradient and what the backward needs besides, for evaluations [first, first+E).
// Evaluation of step k and stage i: k * stages + i.
struct GraphKept {
  int first = 0;
  __nv_bfloat16* zs = nullptr;     // [E, N, Zp+Hp] state beside the sum of messages
  __nv_bfloat16* a1 = nullptr;     // [E, N, Hp]
  __nv_bfloat16* a2 = nullptr;     // [E, N, Hp]
  __nv_bfloat16* uv = nullptr;     // [E, N, R*2*Hp]
  std::uint32_t* signs = nullptr;  // [E, chunks, Hp*2] where the second message layer is above zero, as warps vote
};

// The other factors.
struct GraphGradients {
  __nv_bfloat16* g = nullptr;    // [E, N, Zp]
  __nv_bfloat16* d2 = nullptr;   // [E, N, Hp]
  __nv_bfloat16* d1 = nullptr;   // [E, N, Hp]
  __nv_bfloat16* duv = nullptr;  // [E, N, R*2*Hp]
  __nv_bfloat16* h = nullptr;    // [E, chunks*kChunk, Hp] first message layer
  __nv_bfloat16* de = nullptr;   // [E, chunks*kChunk, Hp]
  float* bias = nullptr;         // [tiles, biases] added to: b1 (R*2*Hp), b2 (R*Hp), c1, c2, c3
  float* lambda = nullptr;       // [N, Zp] gradient in the state after the last step; before the first one on return
};

// Shared memory that the two kernels need, for tiles of at most `rows` rows (16 or 32).
int forward_shared(const GraphModel& model, int rows);
int backward_shared(const GraphModel& model, int rows);

// Row-major float matrices [inputs, outputs] at `offset` to fragments, and transposed to fragments.
struct PackedMatrix {
  int offset = 0, inputs = 0, outputs = 0;
};
cudaError_t pack_fragments(const float* flat, const PackedMatrix* matrices, int count, __nv_bfloat16* fragments,
                           __nv_bfloat16* transposed, cudaStream_t stream);

// Steps [first, last) from states[first]; with the slope at node `last` where `last_slope`. states, slopes: [K+1, N,
// Z]. kept: null pointers where no gradient will be asked.
cudaError_t graph_forward(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                          bool last_slope, float* states, float* slopes, const GraphKept& kept, cudaStream_t stream);

// Steps [first, last) in reverse; with the slope at node `last` where `last_slope`. dstates, dslopes: [K+1, N, Z] or
// null.
cudaError_t graph_backward(const GraphModel& model, const GraphWork& work, int z, int rows, int first, int last,
                           bool last_slope, const float* dstates, const float* dslopes, const GraphKept& kept,
                           const GraphGradients& gradients, cudaStream_t stream);

}  // namespace lgode::ops::cuda
