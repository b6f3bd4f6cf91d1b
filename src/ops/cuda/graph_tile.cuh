// What the forward and the backward of a tile have in common (legend: graph_kernel.h): who owns which element, steps,
// jumps and presence of rows, and the first layer of the messages.
#pragma once

#include "ops/cuda/graph_kernel.h"
#include "ops/cuda/mma.cuh"

namespace lgode::ops::cuda {
namespace {

__device__ inline std::uint32_t load_pair(const bf16* p) { return *reinterpret_cast<const std::uint32_t*>(p); }
__device__ inline float2 load_pair(const float* p) { return *reinterpret_cast<const float2*>(p); }
__device__ inline void add_pair(float* p, float x, float y) {
  float2 v = *reinterpret_cast<float2*>(p);
  v.x += x, v.y += y;
  *reinterpret_cast<float2*>(p) = v;
}
// What rounding to bf16 loses.
__device__ inline bf16 rest_of(float x) { return __float2bfloat16(x - __bfloat162float(__float2bfloat16(x))); }
__device__ inline void store_eight(bf16* p, const float (&x)[8]) {
  *reinterpret_cast<uint4*>(p) =
      uint4{bf16_pair(x[0], x[1]), bf16_pair(x[2], x[3]), bf16_pair(x[4], x[5]), bf16_pair(x[6], x[7])};
}
__device__ inline void store_eight(float* p, const float (&x)[8]) {
  reinterpret_cast<float4*>(p)[0] = make_float4(x[0], x[1], x[2], x[3]);
  reinterpret_cast<float4*>(p)[1] = make_float4(x[4], x[5], x[6], x[7]);
}
struct Nothing {};

// Eq. 10, first layer of MLP_r: h = ReLU(u_target + v_source), zeros in empty slots. [slots, Hp], also to `out` if it
// is not null. SPLIT: h in two parts, `split` elements apart.
template <bool SPLIT = false, class Number, class Wide>
__device__ inline void build_h(const GraphWork& work, int chunk, int pairs, const Wide* uv, int ldu, int hp, Number* h,
                               int ldh, Number* out, int split = 0, int slots = kChunk) {
  constexpr int kVector = 16 / sizeof(Wide);
  const int vectors = hp / kVector;  // a constant where the kernel knows hp
  const std::uint8_t *target = work.target + chunk * kChunk, *source = work.source + chunk * kChunk;
  for (int i = static_cast<int>(threadIdx.x); i < slots * vectors; i += kThreads) {
    const int p = i / vectors, c = (i - p * vectors) * kVector;
    uint4 r = {0, 0, 0, 0};
    if (p < pairs) {
      const uint4 u = *reinterpret_cast<const uint4*>(uv + __ldg(target + p) * ldu + c);
      const uint4 v = *reinterpret_cast<const uint4*>(uv + __ldg(source + p) * ldu + hp + c);
      if constexpr (sizeof(Wide) == 2) {
        r = {relu_of_sum(u.x, v.x), relu_of_sum(u.y, v.y), relu_of_sum(u.z, v.z), relu_of_sum(u.w, v.w)};
      } else {
        const auto sum = [](std::uint32_t a, std::uint32_t b) {
          return __float_as_uint(relu(__uint_as_float(a) + __uint_as_float(b)));
        };
        r = {sum(u.x, v.x), sum(u.y, v.y), sum(u.z, v.z), sum(u.w, v.w)};
      }
    }
    if constexpr (SPLIT && sizeof(Number) == 2) {
      const auto scaled = [](std::uint32_t x) { return __uint_as_float(x) * kActivationScale; };
      const SplitHalves x(scaled(r.x), scaled(r.y)), y(scaled(r.z), scaled(r.w));
      *reinterpret_cast<uint2*>(h + p * ldh + c) = {x.big, y.big};
      *reinterpret_cast<uint2*>(h + split + p * ldh + c) = {x.small, y.small};
      continue;
    } else if constexpr (SPLIT) {
      const Split x(__uint_as_float(r.x)), y(__uint_as_float(r.y));
      const Split z(__uint_as_float(r.z)), w(__uint_as_float(r.w));
      r = {bits(x.big), bits(y.big), bits(z.big), bits(w.big)};
      *reinterpret_cast<float4*>(h + split + p * ldh + c) = make_float4(x.small, y.small, z.small, w.small);
    }
    *reinterpret_cast<uint4*>(h + p * ldh + c) = r;
    if (out != nullptr) *reinterpret_cast<uint4*>(out + p * hp + c) = r;
  }
}

// Data of forward and backward about their tile. Each thread owns some elements of the state: rows by warp, columns
// by lane. ZP, HP: Zp and Hp as compile-time constants, or 0 if known only at run time, which costs a third more
// instructions.
template <int ZP, int HP>
class Tile {
 public:
  __device__ Tile(const GraphModel& model, const GraphWork& work, int z)
      : model_(model),
        work_(work),
        z_(z),
        tile_(static_cast<int>(blockIdx.x)),
        begin_(work.row_begin[tile_]),
        n_(work.row_begin[tile_ + 1] - begin_) {}

 protected:
  __device__ std::int64_t at(int node, int row, int c) const {
    return (static_cast<std::int64_t>(node) * work_.rows + begin_ + row) * z_ + c;
  }
  __device__ float step_size(int step, int row) const { return __ldg(work_.step + of(step, row)); }
  __device__ bool is_jump(int step) const { return work_.alternating && (step & 1) == 0; }
  // The jump of a row at a jump step, -1: none.
  __device__ int jump_of(int step, int row) const {
    return work_.jump != nullptr ? __ldg(work_.jump + of(step, row)) : -1;
  }
  __device__ bool is_present(int node, int row) const {
    return work_.present == nullptr || __ldg(work_.present + of(node, row)) != 0;
  }
  // Whether the slope of a jump step is not read.
  __device__ bool is_skipped(int step) const {
    return is_jump(step) && work_.read != nullptr && __ldg(work_.read + step * work_.tiles + tile_) == 0;
  }
  // Zeros for the tile's rows of an evaluation, [n, columns].
  template <class Number>
  __device__ void clear_rows(Number* to, std::int64_t row0, int columns) const {
    constexpr int kVector = 16 / sizeof(Number);
    uint4* p = reinterpret_cast<uint4*>(to + row0 * columns);
    for (int i = static_cast<int>(threadIdx.x); i < n_ * columns / kVector; i += kThreads) p[i] = uint4{0, 0, 0, 0};
  }
  // Fills the table of ties, for all threads after the next barrier.
  __device__ void set_ties(int* tie) const {
    for (int c = static_cast<int>(threadIdx.x); c < zp(); c += kThreads) {
      tie[c] = -1;
      for (int t = 0; t < work_.ties; ++t)
        if (work_.tie[t].position == c) tie[c] = t;
    }
  }
  template <class Body>
  __device__ void each_row(const Body& body) const {
    for (int row = warp_id(); row < n_; row += kWarps) body(row);
  }
  template <class Body>
  __device__ void each_column(const Body& body) const {
    for (int c = lane_id(); c < zp(); c += 32) body(c);
  }
  __device__ std::int64_t of(int node, int row) const {
    return static_cast<std::int64_t>(node) * work_.rows + begin_ + row;
  }
  __device__ int first_chunk(int list) const { return work_.chunk_begin[list * (work_.tiles + 1) + tile_]; }
  __device__ int last_chunk(int list) const { return work_.chunk_begin[list * (work_.tiles + 1) + tile_ + 1]; }
  __device__ int zp() const { return ZP != 0 ? ZP : model_.zp; }
  __device__ int hp() const { return HP != 0 ? HP : model_.hp; }
  __device__ int uvp() const { return model_.lists * 2 * hp(); }

  const GraphModel& model_;
  const GraphWork& work_;
  int z_, tile_, begin_, n_;
};

}  // namespace
}  // namespace lgode::ops::cuda
