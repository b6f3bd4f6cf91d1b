// Building blocks of graph_forward.cuh and graph_backward.cuh on the tensor cores (mma.sync): products C = A B of a
// matrix A in shared memory with a matrix B of fragments in global memory, float32 sums; sums over pairs by target or
// source; column sums; asynchronous copies. Longer than other files because each kind of factors needs all of these in
// its own instructions and layout of lanes. The factors' numbers are a template argument P:
//   Bf16         bf16 (m16n8k16); the first message layer's parts in f16
//   Tf32         float32, rounded to tf32 as they enter a product (m16n8k8)
//   Float32      float32, each factor as a sum of two tf32 numbers, three products (Markidis et al. 2018, Ootomo and
//                Yokota 2022): 22 digits of a factor's 24
//   Halves       float32, each factor as a sum of two f16 numbers, three products (m16n8k16): as many digits with half
//                the instructions and bytes, but only of numbers between 2^-7 and 2^12; below with an absolute error
//                of 2^-29, above not at all. For forwards that keep nothing
//
// Legend.
//   group        16 columns of a product. A warp owns every kWarps-th group, and within a group a lane always owns the
//                same sums, so that what a lane adds to in shared memory needs no barrier
//   fragment     16 x kDeep block of A, kDeep x 16 block of B in the order of the tensor cores' registers: 16 bytes per
//                lane
//   MT, PT       16-row blocks of A and C; of a chunk of pairs
//   mt, half     16-row block of C; first (0) or second (1) 8 columns of a group
//   low          0: rows 0 to 7 of a 16-row block, 1: rows 8 to 15
//   q            one of a lane's four sums of an (mt, half): columns 2 (lane % 4) and the next of row lane / 4, then of
//                row lane / 4 + 8
//   which        number of a pair of neighbouring sums: mt * 4 + half * 2 + low
//   depth, k     inner dimension of a product in blocks of 16; index of a fragment
//   f            fragment of A; b: of B; ld, lda: row pitch in elements
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace lgode::ops::cuda {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;

using bf16 = __nv_bfloat16;
using f16 = __half;

__device__ inline int lane_id() { return static_cast<int>(threadIdx.x) & 31; }
// The remainder shows the compiler that there are no more warps, so that it drops loops of one iteration.
__device__ inline int warp_id() { return static_cast<int>(threadIdx.x) / 32 % kWarps; }

__device__ inline std::uint32_t as_bits(__nv_bfloat162 v) { return *reinterpret_cast<std::uint32_t*>(&v); }
__device__ inline __nv_bfloat162 as_pair(std::uint32_t v) { return *reinterpret_cast<__nv_bfloat162*>(&v); }
__device__ inline std::uint32_t bf16_pair(float x, float y) { return as_bits(__floats2bfloat162_rn(x, y)); }
__device__ inline float2 floats_of(std::uint32_t v) { return __bfloat1622float2(as_pair(v)); }
// Two numbers in f16: three more digits than bf16, but at most 65504, where this stops.
__device__ inline std::uint32_t f16_pair(float x, float y) {
  constexpr float kMost = 65504;
  const __half2 v = __floats2half2_rn(fminf(fmaxf(x, -kMost), kMost), fminf(fmaxf(y, -kMost), kMost));
  return *reinterpret_cast<const std::uint32_t*>(&v);
}
// max(x, 0), but NaN of NaN.
__device__ inline float relu(float x) {
  float y;
  asm("max.NaN.f32 %0, %1, 0f00000000;" : "=f"(y) : "f"(x));
  return y;
}
// ReLU of the sum of two pairs of f16, as bf16.
__device__ inline std::uint32_t relu_of_sum(std::uint32_t u, std::uint32_t v) {
  const float2 s = __half22float2(__hadd2(*reinterpret_cast<__half2*>(&u), *reinterpret_cast<__half2*>(&v)));
  return bf16_pair(fmaxf(s.x, 0), fmaxf(s.y, 0));
}

// Where a lane finds its row of the A fragment of rows [0, 16), columns [0, kDeep) at `a`, rows `ld` elements apart: an
// address in shared memory. Computed once, so that a load needs no more than an offset.
template <class T>
__device__ inline std::uint32_t address_of_a(const T* a, int ld) {
  const int lane = lane_id();
  return static_cast<std::uint32_t>(
      __cvta_generic_to_shared(a + (lane & 15) * ld + (lane >> 4) * static_cast<int>(16 / sizeof(T))));
}
__device__ inline void load_a(std::uint32_t address, std::uint32_t (&f)[4]) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3])
               : "r"(address));
}

// The B fragments of rows [0, 16), columns [0, 16): f[0], f[1] of the first 8 columns, f[2], f[3] of the others.
__device__ inline void load_b(const bf16* b, int ld, std::uint32_t (&f)[4]) {
  const int lane = lane_id();
  const bf16* p = b + (lane & 15) * ld + (lane >> 4) * 8;
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3])
               : "r"(address));
}

// Transposes an 8 x 8 matrix that the warp holds, two neighbouring elements per lane.
__device__ inline std::uint32_t transposed(std::uint32_t v) {
  std::uint32_t r;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(v));
  return r;
}

// C += A B for one 16 x 16 fragment of A and 8 columns of B.
__device__ inline void mma(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// The same in f16.
__device__ inline void mma_f16(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
// The same for 8 columns of A in tf32.
__device__ inline void mma_tf32(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
// x = big + small; big has the 11 digits of tf32 (Veltkamp 1968), and so has small, up to what the tensor cores cut
// off. Instructions on floats only: others have half the throughput, and a conversion to tf32 is several of them.
struct Split {
  float big, small;
  __device__ explicit Split(float x) {
    const float wide = x * 8193.0F;  // 2^13 + 1
    big = __fsub_rn(wide, __fsub_rn(wide, x));
    small = x - big;
  }
};
__device__ inline std::uint32_t bits(float x) { return __float_as_uint(x); }

// Two numbers, each big + small in f16. What is too large becomes infinite, and NaN in a product.
struct SplitHalves {
  std::uint32_t big, small;
  __device__ SplitHalves(float x, float y) {
    const __half2 b = __floats2half2_rn(x, y);
    const float2 rounded = __half22float2(b);
    const __half2 s = __floats2half2_rn(x - rounded.x, y - rounded.y);
    big = *reinterpret_cast<const std::uint32_t*>(&b), small = *reinterpret_cast<const std::uint32_t*>(&s);
  }
};

__device__ inline void store_pair(bf16* p, float x, float y) { *reinterpret_cast<std::uint32_t*>(p) = bf16_pair(x, y); }
__device__ inline void store_pair(f16* p, float x, float y) { *reinterpret_cast<std::uint32_t*>(p) = f16_pair(x, y); }
__device__ inline void store_pair(float* p, float x, float y) { *reinterpret_cast<float2*>(p) = make_float2(x, y); }
__device__ inline void store_number(bf16* p, float x) { *p = __float2bfloat16(x); }
__device__ inline void store_number(f16* p, float x) { *p = __float2half(x); }
__device__ inline void store_number(float* p, float x) { *p = x; }

// The two parts of a float32 factor, `split` elements apart.
__device__ inline void store_split(float* p, int split, float x) {
  const Split s(x);
  p[0] = s.big, p[split] = s.small;
}
__device__ inline void store_split_pair(float* p, int split, float x, float y) {
  const Split a(x), b(y);
  store_pair(p, a.big, b.big);
  store_pair(p + split, a.small, b.small);
}
// The same in f16, scaled.
constexpr float kActivationScale = 16, kWeightScale = 256;
__device__ inline void store_split(f16* p, int split, float x) {
  x *= kActivationScale;
  p[0] = __float2half_rn(x), p[split] = __float2half_rn(x - __half2float(p[0]));
}
__device__ inline void store_split_pair(f16* p, int split, float x, float y) {
  const SplitHalves s(x * kActivationScale, y * kActivationScale);
  *reinterpret_cast<std::uint32_t*>(p) = s.big;
  *reinterpret_cast<std::uint32_t*>(p + split) = s.small;
}

// The numbers of a kernel's factors. Number: of activations and weights; Wide: of the first message layer's parts;
// Pair: two neighbouring numbers in registers; multiply: C += A B for 16 MT rows and a group's two halves.
struct Bf16 {
  static constexpr bool kSplits = false;  // whether factors are sums of two numbers
  static constexpr bool kKeeps = true;    // whether a backward can follow
  static constexpr float kUnscale = 1;    // of sums of products
  static constexpr int kParts = 1;        // fragments of B for one of A
  static constexpr int kAhead = 8;        // fragments of B that a warp loads ahead of their use
  using Number = bf16;
  using Wide = f16;
  using Pair = std::uint32_t;
  static constexpr bool kFloat = false;
  static constexpr int kDeep = 16, kPad = 8;
  __device__ static void multiply(float (&c)[2][4], const std::uint32_t (&a)[4], const uint4 (&b)[1]) {
    mma(c[0], a, b[0].x, b[0].y);
    mma(c[1], a, b[0].z, b[0].w);
  }
  __device__ static float2 floats(Pair v) { return floats_of(v); }
};

struct FloatNumbers {
  static constexpr bool kKeeps = true;
  static constexpr float kUnscale = 1;
  using Number = float;
  using Wide = float;
  using Pair = float2;
  static constexpr bool kFloat = true;
  static constexpr int kDeep = 8, kPad = 4;
  __device__ static float2 floats(Pair v) { return v; }
};

// A is rounded here: the tensor cores would cut it off, which is a bias and twice the error.
struct Tf32 : FloatNumbers {
  static constexpr bool kSplits = false;
  static constexpr int kParts = 1, kAhead = 4;
  __device__ static void multiply(float (&c)[2][4], const std::uint32_t (&a)[4], const uint4 (&b)[1]) {
    std::uint32_t rounded[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) rounded[i] = bits(Split(__uint_as_float(a[i])).big);
    mma_tf32(c[0], rounded, b[0].x, b[0].y);
    mma_tf32(c[1], rounded, b[0].z, b[0].w);
  }
};

// C += A B for all rows, with factors in two parts. Products of different rows alternate, as those of one wait for
// each other. The small terms come first, as they would be lost behind the large one; the last, small times small, is
// omitted. product: C += A B of one block of rows and 8 columns.
template <int MT, class Product>
__device__ inline void multiply_parts(float (&c)[MT][2][4], const std::uint32_t (&big)[MT][4],
                                      const std::uint32_t (&small)[MT][4], const uint4 (&b)[2],
                                      const Product& product) {
  const auto add = [&](const std::uint32_t(&a)[MT][4], const uint4& f) {
#pragma unroll
    for (int mt = 0; mt < MT; ++mt) {
      product(c[mt][0], a[mt], f.x, f.y);
      product(c[mt][1], a[mt], f.z, f.w);
    }
  };
  add(small, b[0]);
  add(big, b[1]);
  add(big, b[0]);
}

// B comes in two parts: big, then small.
struct Float32 : FloatNumbers {
  static constexpr bool kSplits = true;
  static constexpr int kParts = 2, kAhead = 4;
  template <int MT>
  __device__ static void multiply(float (&c)[MT][2][4], const std::uint32_t (&big)[MT][4],
                                  const std::uint32_t (&small)[MT][4], const uint4 (&b)[2]) {
    multiply_parts<MT>(c, big, small, b, [](auto&... of) { mma_tf32(of...); });
  }
};

// Both factors are scaled, so that small parts do not fall below f16's range. B comes in two parts.
struct Halves {
  static constexpr bool kSplits = true, kFloat = false, kKeeps = false;
  static constexpr int kParts = 2, kAhead = 2, kDeep = 16, kPad = 8;
  static constexpr float kUnscale = 1 / (kActivationScale * kWeightScale);
  using Number = f16;
  using Wide = float;
  template <int MT>
  __device__ static void multiply(float (&c)[MT][2][4], const std::uint32_t (&big)[MT][4],
                                  const std::uint32_t (&small)[MT][4], const uint4 (&b)[2]) {
    multiply_parts<MT>(c, big, small, b, [](auto&... of) { mma_f16(of...); });
  }
};

// A lane's sums of a group: rows mt * 16 + lane / 4 (elements 2, 3: + 8), columns half * 8 + lane % 4 * 2 (odd
// elements:
// + 1).
template <int MT>
struct Sums {
  float c[MT][2][4];
  __device__ Sums() {
#pragma unroll
    for (int mt = 0; mt < MT; ++mt)
#pragma unroll
      for (int half = 0; half < 2; ++half)
#pragma unroll
        for (int q = 0; q < 4; ++q) c[mt][half][q] = 0;
  }
};

// Calls body(row, column, which) for each pair of neighbouring sums that this lane owns in the group at `column`.
template <int MT, class Body>
__device__ inline void for_each_owned(int column, const Body& body) {
  const int lane = lane_id();
#pragma unroll
  for (int mt = 0; mt < MT; ++mt)
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
      for (int low = 0; low < 2; ++low)
        body(mt * 16 + (lane >> 2) + 8 * low, column + half * 8 + (lane & 3) * 2, (mt * 2 + half) * 2 + low);
}
// The same with the sums: put(row, column, sum, next sum, which).
template <int MT, class Put>
__device__ inline void for_each_pair(int column, const Sums<MT>& s, const Put& put) {
  for_each_owned<MT>(column, [&](int row, int col, int which) {
    const float* c = s.c[which >> 2][which >> 1 & 1] + 2 * (which & 1);
    put(row, col, c[0], c[1], which);
  });
}

// C = A B for A [16 MT, 16 depth] in shared memory. B's fragments are 16 bytes per lane, ordered by group, then by
// rows. The constructor starts loading the first fragments: construct the product before the barrier that A needs, so
// that the loads overlap with it.
template <int MT, class P>
class Product {
  using Number = typename P::Number;

 public:
  // groups: number of column groups; depth: rows of B / 16; stride: rows of the whole matrix / 16, if B is some of
  // them.
  __device__ Product(const Number* b, int groups, int depth, int stride)
      : b_(reinterpret_cast<const uint4*>(b) + lane_id()),
        groups_(groups),
        depth_(depth * (16 / P::kDeep)),
        stride_(stride * (16 / P::kDeep)) {
    const uint4* from = fragments_of(warp_id());
#pragma unroll
    for (int i = 0; i < P::kAhead; ++i)
      if (warp_id() < groups_ && i < depth_) load(from, i);
  }

  // For each group of this warp: calls begin(column), computes the sums, calls out(column, sums, result of begin).
  // begin can start loads that out needs. SPLIT: A is stored as two matrices whose sum it is, the second one `split`
  // elements behind the first.
  template <bool SPLIT = false, class Begin, class Out>
  __device__ void run(const Number* a, int lda, const Begin& begin, const Out& out, int split = 0) {
    constexpr int kBytes = sizeof(Number);
    const std::uint32_t address = address_of_a(a, lda);
    for (int group = warp_id(); group < groups_; group += kWarps) {
      const auto early = begin(group * 16);
      Sums<MT> s;
#pragma unroll
      for (int k = 0; k < depth_; k += P::kAhead) {
        const bool more = k + P::kAhead < depth_;
        // The next fragments of this group, or the first ones of the warp's next group.
        const uint4* from =
            more ? fragments_of(group) + (k + P::kAhead) * P::kParts * 32 : fragments_of(group + kWarps);
        const int left = more ? depth_ - k - P::kAhead : group + kWarps < groups_ ? depth_ : 0;
#pragma unroll
        for (int i = 0; i < P::kAhead; ++i) {
          if (k + i < depth_) {
            const std::uint32_t p = address + (k + i) * P::kDeep * kBytes;
            if constexpr (P::kSplits) {
              std::uint32_t big[MT][4], small[MT][4];
#pragma unroll
              for (int mt = 0; mt < MT; ++mt) {
                load_a(p + mt * 16 * lda * kBytes, big[mt]);
                if constexpr (SPLIT) {
                  static_assert(P::kSplits);
                  load_a(p + (split + mt * 16 * lda) * kBytes, small[mt]);
                } else {
                  static_assert(P::kFloat);
#pragma unroll
                  for (int j = 0; j < 4; ++j) {
                    const Split both(__uint_as_float(big[mt][j]));
                    big[mt][j] = bits(both.big), small[mt][j] = bits(both.small);
                  }
                }
              }
              P::template multiply<MT>(s.c, big, small, now_[i]);
            } else {
#pragma unroll
              for (int mt = 0; mt < MT; ++mt) {
                std::uint32_t f[4];
                load_a(p + mt * 16 * lda * kBytes, f);
                P::multiply(s.c[mt], f, now_[i]);
              }
            }
          }
          if (i < left) load(from, i);
        }
      }
      out(group * 16, s, early);
    }
  }

 private:
  __device__ const uint4* fragments_of(int group) const { return b_ + group * stride_ * P::kParts * 32; }
  // Bypasses the first-level cache: with so much shared memory it is small, and it should hold the biases.
  __device__ void load(const uint4* from, int i) {
#pragma unroll
    for (int part = 0; part < P::kParts; ++part) now_[i][part] = __ldcg(from + (i * P::kParts + part) * 32);
  }

  const uint4* b_;
  int groups_, depth_, stride_;
  uint4 now_[P::kAhead][P::kParts];
};

// The entries of a bias for the columns that a lane owns: two neighbouring ones per half of a group.
struct Bias {
  float2 half[2];
  __device__ static Bias load(const float* bias, int column) {
    const auto* p = reinterpret_cast<const float2*>(bias + column) + (lane_id() & 3);
    return {{__ldg(p), __ldg(p + 4)}};
  }
};

// The selection matrix sums over pairs by row: element (row, pair) is weight[pair] (1 if null) if index[pair] == row,
// else 0. This is its A fragment for rows [16 mt, 16 mt + 16) and pairs [16 k, 16 k + 16).
__device__ inline std::uint32_t pick(uchar2 index, int wanted, std::uint32_t w) {
  return ((index.x == wanted ? 0xffffU : 0U) | (index.y == wanted ? 0xffff0000U : 0U)) & w;
}
__device__ inline void select_rows(const std::uint8_t* index, const float* weight, int mt, int k,
                                   std::uint32_t (&f)[4]) {
  const int p = k * 16 + (lane_id() & 3) * 2, row = mt * 16 + (lane_id() >> 2);
  const auto first = __ldg(reinterpret_cast<const uchar2*>(index + p));
  const auto second = __ldg(reinterpret_cast<const uchar2*>(index + p + 8));
  std::uint32_t w1 = 0x3f803f80U, w2 = 0x3f803f80U;  // ones
  if (weight != nullptr) {
    const float2 a = *reinterpret_cast<const float2*>(weight + p);
    const float2 b = *reinterpret_cast<const float2*>(weight + p + 8);
    w1 = bf16_pair(a.x, a.y), w2 = bf16_pair(b.x, b.y);
  }
  f[0] = pick(first, row, w1), f[1] = pick(first, row + 8, w1);
  f[2] = pick(second, row, w2), f[3] = pick(second, row + 8, w2);
}

// The same without weights; ones: two of them in the factors' format.
__device__ inline void select_rows(const std::uint8_t* index, int mt, int k, std::uint32_t ones,
                                   std::uint32_t (&f)[4]) {
  const int p = k * 16 + (lane_id() & 3) * 2, row = mt * 16 + (lane_id() >> 2);
  const auto first = __ldg(reinterpret_cast<const uchar2*>(index + p));
  const auto second = __ldg(reinterpret_cast<const uchar2*>(index + p + 8));
  f[0] = pick(first, row, ones), f[1] = pick(first, row + 8, ones);
  f[2] = pick(second, row, ones), f[3] = pick(second, row + 8, ones);
}

// The same for 8 pairs from `pair` on in tf32, without weights; the lane's two columns are neighbouring pairs.
__device__ inline void select_rows(const std::uint8_t* index, int mt, int pair, std::uint32_t (&f)[4]) {
  const int row = mt * 16 + (lane_id() >> 2);
  const auto two = __ldg(reinterpret_cast<const uchar2*>(index + pair + (lane_id() & 3) * 2));
  constexpr std::uint32_t kOne = 0x3f800000U;
  f[0] = two.x == row ? kOne : 0U, f[1] = two.x == row + 8 ? kOne : 0U;
  f[2] = two.y == row ? kOne : 0U, f[3] = two.y == row + 8 ? kOne : 0U;
}

// Of an 8 x 8 matrix of floats that the warp holds, two neighbouring elements x, y of a row per lane: elements
// (2 (lane % 4), lane / 4) and, one row further, (2 (lane % 4) + 1, lane / 4).
__device__ inline void transpose(float& x, float& y) {
  const std::uint32_t a = __float_as_uint(x), b = __float_as_uint(y);
  const std::uint32_t low = transposed(__byte_perm(a, b, 0x5410)), high = transposed(__byte_perm(a, b, 0x7632));
  x = __uint_as_float(__byte_perm(low, high, 0x5410)), y = __uint_as_float(__byte_perm(low, high, 0x7632));
}

// sums += S x, with S the selection matrix without weights and x the float32 values of a group for 16 PT pairs. As S is
// exact in tf32, two products give all but the last two bits of x.
template <int MT, int PT>
__device__ inline void add_selected(const Sums<PT>& x, const std::uint8_t* index, Sums<MT>& sums) {
#pragma unroll
  for (int k = 0; k < 2 * PT; ++k) {
    std::uint32_t f[MT][4];
#pragma unroll
    for (int mt = 0; mt < MT; ++mt) select_rows(index, mt, k * 8, f[mt]);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float b0 = x.c[k >> 1][half][2 * (k & 1)], b1 = x.c[k >> 1][half][2 * (k & 1) + 1];
      transpose(b0, b1);
      const Split s0(b0), s1(b1);
#pragma unroll
      for (int mt = 0; mt < MT; ++mt) {
        mma_tf32(sums.c[mt][half], f[mt], bits(s0.small), bits(s1.small));
        mma_tf32(sums.c[mt][half], f[mt], bits(s0.big), bits(s1.big));
      }
    }
  }
}

// The same with two f16 numbers for each of x, scaled as activations.
template <int MT, int PT>
__device__ inline void add_selected_halves(const Sums<PT>& x, const std::uint8_t* index, Sums<MT>& sums) {
#pragma unroll
  for (int k = 0; k < PT; ++k) {
    std::uint32_t big[2][2], small[2][2];
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
      for (int low = 0; low < 2; ++low) {
        const float* c = x.c[k][half] + 2 * low;
        const SplitHalves s(c[0], c[1]);
        big[half][low] = transposed(s.big), small[half][low] = transposed(s.small);
      }
#pragma unroll
    for (int mt = 0; mt < MT; ++mt) {
      std::uint32_t f[4];
      select_rows(index, mt, k, 0x3c003c00U, f);
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        mma_f16(sums.c[mt][half], f, small[half][0], small[half][1]);
        mma_f16(sums.c[mt][half], f, big[half][0], big[half][1]);
      }
    }
  }
}

// sums += S x, with S the selection matrix and x the values of a group for 16 PT pairs, both rounded to bf16.
template <int MT, int PT>
__device__ inline void add_selected(const Sums<PT>& x, const std::uint8_t* index, const float* weight, Sums<MT>& sums) {
#pragma unroll
  for (int k = 0; k < PT; ++k) {
    std::uint32_t b[2][2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      b[half][0] = transposed(bf16_pair(x.c[k][half][0], x.c[k][half][1]));
      b[half][1] = transposed(bf16_pair(x.c[k][half][2], x.c[k][half][3]));
    }
#pragma unroll
    for (int mt = 0; mt < MT; ++mt) {
      std::uint32_t f[4];
      select_rows(index, weight, mt, k, f);
      mma(sums.c[mt][0], f, b[0][0], b[0][1]);
      mma(sums.c[mt][1], f, b[1][0], b[1][1]);
    }
  }
}

// total[c] += the sum over rows of x [16 depth, groups * 16] in shared memory. One lane adds to an element, so that the
// order of additions is always the same.
__device__ inline void add_column_sums(const bf16* x, int ld, int depth, int groups, float* total) {
  const std::uint32_t ones[4] = {0x3f803f80U, 0x3f803f80U, 0x3f803f80U, 0x3f803f80U};
  for (int group = warp_id(); group < groups; group += kWarps) {
    Sums<1> s;
    for (int k = 0; k < depth; ++k) {
      std::uint32_t b[4];
      load_b(x + k * 16 * ld + group * 16, ld, b);
      mma(s.c[0][0], ones, b[0], b[1]);
      mma(s.c[0][1], ones, b[2], b[3]);
    }
    const int lane = lane_id();
    if (lane < 4)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        atomicAdd(total + group * 16 + half * 8 + lane * 2, s.c[0][half][0]);
        atomicAdd(total + group * 16 + half * 8 + lane * 2 + 1, s.c[0][half][1]);
      }
  }
}

// The same in float32.
__device__ inline void add_column_sums(const float* x, int ld, int depth, int groups, float* total) {
  constexpr std::uint32_t kOne = 0x3f800000U;
  const std::uint32_t ones[4] = {kOne, kOne, kOne, kOne};
  const int lane = lane_id();
  for (int group = warp_id(); group < groups; group += kWarps) {
    Sums<1> s;
    for (int k = 0; k < 2 * depth; ++k)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const float* p = x + (k * 8 + (lane & 3)) * ld + group * 16 + half * 8 + (lane >> 2);
        const Split s0(p[0]), s1(p[4 * ld]);
        mma_tf32(s.c[0][half], ones, bits(s0.small), bits(s1.small));
        mma_tf32(s.c[0][half], ones, bits(s0.big), bits(s1.big));
      }
    if (lane < 4)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        atomicAdd(total + group * 16 + half * 8 + lane * 2, s.c[0][half][0]);
        atomicAdd(total + group * 16 + half * 8 + lane * 2 + 1, s.c[0][half][1]);
      }
  }
}

// Starts a copy of 16 bytes from global to shared memory; done after wait_copies(). end_copies() closes a set of
// copies, wait_copies<kLeft>() waits until at most kLeft sets are unfinished.
__device__ inline void copy_ahead(void* to, const void* from) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
}
__device__ inline void end_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kLeft>
__device__ inline void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

}  // namespace lgode::ops::cuda
