// Products of a tile in shared memory with a matrix of fragments in global memory, bf16 in, float32 sums, on the tensor
// cores (mma.sync m16n8k16).
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

namespace lgode::ops::cuda {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kAhead = 8;  // fragments of B that a warp loads together, before it needs them

using bf16 = __nv_bfloat16;

__device__ inline int lane_id() { return static_cast<int>(threadIdx.x) & 31; }
__device__ inline int warp_id() { return static_cast<int>(threadIdx.x) >> 5; }

// The A fragment of rows [0, 16), columns [0, 16) at `a`, rows `ld` elements apart.
__device__ inline void load_a(const bf16* a, int ld, std::uint32_t (&f)[4]) {
  const int lane = lane_id();
  const bf16* p = a + (lane & 15) * ld + (lane >> 4) * 8;
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3])
               : "r"(address)
               : "memory");
}

__device__ inline void mma(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// C = A B for A [16 MT, K] in shared memory. B's fragments: for each 16 columns and 16 rows, 16 bytes a lane. A warp
// takes every kWarps-th group of 16 columns. prefetch() may come before the barrier that A waits for.
template <int MT>
class Product {
 public:
  // groups: columns / 16; depth: rows / 16; stride: fragments between groups (depth, where B is a whole matrix).
  __device__ Product(const bf16* b, int groups, int depth, int stride)
      : b_(reinterpret_cast<const uint4*>(b) + lane_id()), groups_(groups), depth_(depth), stride_(stride) {
    load(warp_id(), 0, now_);
  }

  // out(column, c): c[mt][half][4] sums of columns [column, column+16).
  template <class Out>
  __device__ void run(const bf16* a, int lda, const Out& out) {
    for (int group = warp_id(); group < groups_; group += kWarps) {
      float c[MT][2][4] = {};
      for (int k = 0; k < depth_; k += kAhead) {
        uint4 next[kAhead];
        const bool more = k + kAhead < depth_;
        load(more ? group : group + kWarps, more ? k + kAhead : 0, next);
#pragma unroll
        for (int i = 0; i < kAhead; ++i) {
          if (k + i < depth_) {
#pragma unroll
            for (int mt = 0; mt < MT; ++mt) {
              std::uint32_t f[4];
              load_a(a + mt * 16 * lda + (k + i) * 16, lda, f);
              mma(c[mt][0], f, now_[i].x, now_[i].y);
              mma(c[mt][1], f, now_[i].z, now_[i].w);
            }
          }
        }
#pragma unroll
        for (int i = 0; i < kAhead; ++i) now_[i] = next[i];
      }
      out(group * 16, c);
    }
  }

 private:
  __device__ void load(int group, int k, uint4 (&to)[kAhead]) const {
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
      if (group < groups_ && k + i < depth_) to[i] = __ldg(b_ + (group * stride_ + k + i) * 32);
  }

  const uint4* b_;
  int groups_, depth_, stride_;
  uint4 now_[kAhead];
};

// Calls put(row, column, x, y) for the sums of two neighbouring columns that this lane holds.
template <int MT, class Put>
__device__ inline void for_each_pair(int column, const float (&c)[MT][2][4], const Put& put) {
  const int lane = lane_id();
#pragma unroll
  for (int mt = 0; mt < MT; ++mt)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int at = column + half * 8 + (lane & 3) * 2, row = mt * 16 + (lane >> 2);
      put(row, at, c[mt][half][0], c[mt][half][1]);
      put(row + 8, at, c[mt][half][2], c[mt][half][3]);
    }
}

__device__ inline std::uint32_t as_bits(__nv_bfloat162 v) { return *reinterpret_cast<std::uint32_t*>(&v); }
__device__ inline __nv_bfloat162 as_pair(std::uint32_t v) { return *reinterpret_cast<__nv_bfloat162*>(&v); }

}  // namespace lgode::ops::cuda
