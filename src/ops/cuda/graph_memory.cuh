// Where the arrays of a block are (legend: graph_kernel.h): in shared memory or, of large tiles, in scratch memory. The
// same constructors, with null pointers, give the number of bytes that a launch needs. P: the numbers of the products'
// factors (mma.cuh).
#pragma once

#include "ops/cuda/graph_kernel.h"

namespace lgode::ops::cuda {
namespace {

// Takes arrays one after the other from a block's shared memory. With a null pointer it only adds up their sizes.
struct Arena {
  __host__ __device__ explicit Arena(char* memory) : base(memory) {}
  template <class T>
  __host__ __device__ T* take(int count) {
    T* p = reinterpret_cast<T*>(base + used);
    used += (count * static_cast<int>(sizeof(T)) + 15) / 16 * 16;
    return p;
  }
  char* base;
  int used = 0;
};

// In tiles of more than kSharedRows rows, arrays that are not factors of products are in `scratch`. Rows of factors
// have P::kPad elements more: rows that start an odd multiple of 16 bytes apart modulo 128 do not share banks. SPLIT:
// factors are stored as two matrices whose sum they are, so that not every warp has to split them again. With float32
// factors arrays share memory where one is not needed any more when the other is written.
template <class P, bool SPLIT>
struct ForwardMemory {
  using Number = typename P::Number;
  using Wide = typename P::Wide;
  static constexpr int kParts = SPLIT ? 2 : 1;

  __host__ __device__ ForwardMemory(char* memory, char* scratch, int zp, int hp, int rows, int stages)
      : arena(memory),
        far(scratch),
        ldz(zp + hp + P::kPad),
        ldu(2 * hp + 16 / static_cast<int>(sizeof(Wide))),
        ldh(hp + P::kPad),
        lds(P::kFloat ? ldz : hp + 4),
        ldo(zp + 4),
        split_z(rows * ldz),
        split_a(rows * ldh),
        split_h(kChunk * ldh),
        buffers_(buffers(rows)),
        zs(arena.template take<Number>(kParts * rows * ldz)),
        uv(place(rows, kNearRows).template take<Wide>(rows * ldu)),
        h_(arena.template take<Number>(kParts * buffers_ * kChunk * ldh)),
        a1(SPLIT && rows <= kChunk ? h_ : arena.template take<Number>(kParts * rows * ldh)),
        a2(P::kSplits || P::kFloat ? zs : arena.template take<Number>(rows * ldh)),
        out(P::kKeeps ? place(rows).template take<float>(rows * ldo) : reinterpret_cast<float*>(uv)),
        y(place(rows, kStateRows).template take<float>(rows * zp)),
        k(place(rows, kStateRows).template take<float>(stages * rows * zp)),
        weight_(arena.template take<float>(2 * kChunk)),
        tie(arena.template take<int>(zp)) {
    // In float32 the sums grow where they are needed.
    if constexpr (P::kFloat)
      sum = zs + zp;
    else
      sum = place(rows, kNearRows).template take<float>(rows * lds);
  }

  // Two buffers in turn, one for this chunk, one for the next; a single one where memory is short.
  __host__ __device__ static constexpr int buffers(int rows) {
    return P::kFloat && (SPLIT || rows == kMaxRows) ? 1 : !P::kKeeps ? 1 : 2;
  }
  __device__ Number* h(int turn) const { return h_ + (buffers_ == 1 ? 0 : turn) * kChunk * ldh; }
  __device__ float* weight(int turn) const { return weight_ + turn * kChunk; }
  // Without a backward two blocks share a multiprocessor: they hide each other's latency better than larger tiles
  // would, and find y and k in the second-level cache.
  static constexpr int kNearRows = P::kKeeps ? kSharedRows : 2 * kSharedRows;  // most rows of uv and sum
  static constexpr int kStateRows = P::kKeeps ? kSharedRows : 0;               // of y and k
  __host__ __device__ Arena& place(int rows, int most = kSharedRows) { return rows > most ? far : arena; }

  Arena arena, far;
  int ldz, ldu, ldh, lds, ldo;
  int split_z, split_a, split_h;  // from the first to the second part of zs, of a1 and a2, and of h
  int buffers_;
  Number* zs;
  Wide* uv;
  Number *h_, *a1, *a2;
  float *out, *y, *k;
  float* weight_;
  int* tie;  // [zp] the tie whose position a column is, -1: none
  float* sum;
};

// Whether the forward's factors are stored split: up to where they fit into shared memory.
template <class P>
__host__ __device__ constexpr bool is_split(int rows) {
  return P::kSplits && (!P::kFloat || rows < kMaxRows);
}

template <class P>
struct BackwardMemory {
  using Number = typename P::Number;
  using Wide = typename P::Wide;

  __host__ __device__ BackwardMemory(char* memory, char* scratch, int zp, int hp, int rows)
      : arena(memory),
        far(scratch),
        ldg(zp + P::kPad),
        ldu(2 * hp + P::kPad),
        ldh(hp + P::kPad),
        lds(hp + 4),
        ldd(2 * hp + 4),
        ldo(zp + 4),
        g(arena.template take<Number>(rows * ldg)),
        d2(arena.template take<Number>(rows * ldh)),
        d1(arena.template take<Number>(rows * ldh)),
        duv((P::kFloat ? arena : place(rows)).template take<float>(rows * ldd)),
        dz(place(rows).template take<float>(rows * ldo)),
        dsum(place(rows).template take<float>(rows * lds)),
        lambda(place(rows).template take<float>(rows * zp)),
        rows_(rows),
        uv_(is_far(rows) ? nullptr : arena.template take<Wide>(2 * rows * ldu)),
        h_(arena.template take<Number>(kBuffers * kChunk * ldh)),
        de(arena.template take<Number>(kChunk * ldh)),
        later_(place(rows).template take<float>((kMaxStages - 1) * rows * zp)),
        zp_(zp),
        tie(arena.template take<int>(zp)) {
    if constexpr (P::kFloat)
      factor = duv;
    else
      factor = arena.template take<Number>(rows * ldu);
  }

  static constexpr int kBuffers = P::kFloat ? 1 : 2;
  // Whether [u | v] stays in global memory.
  __host__ __device__ static constexpr bool is_far(int rows) { return P::kFloat || rows > kSharedRows; }

  // Two buffers in turn: one for this list or chunk, one for the next.
  __device__ Wide* uv(int turn) const { return uv_ + turn * rows_ * ldu; }
  __device__ Number* h(int turn) const { return h_ + (kBuffers == 1 ? 0 : turn) * kChunk * ldh; }
  // dz of a stage after the first, kept until the step is done.
  __device__ float* later(int stage) const { return later_ + (stage - 1) * rows_ * zp_; }
  __host__ __device__ Arena& place(int rows) { return rows > kSharedRows ? far : arena; }

  Arena arena, far;
  int ldg, ldu, ldh, lds, ldd, ldo;
  Number *g, *d2, *d1;
  float *duv, *dz, *dsum, *lambda;
  int rows_;
  Wide* uv_;
  Number *h_, *de;
  float* later_;
  int zp_;
  int* tie;        // as in the forward
  Number* factor;  // duv as a factor: rounded to bf16, or duv itself
};

}  // namespace
}  // namespace lgode::ops::cuda
