// The products of bf16_gemm.h with intrinsics: Highway of the distributions lacks a target with AVX512_BF16.
// Every function is compiled for that target by its attribute, and only called after has_bf16_products().
#include "ops/cpu/bf16_gemm.h"

#include <bit>

#include "lgode/ops/simd.h"
#include "ops/cpu/panels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include <string_view>

#define LGODE_BF16 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))
#define LGODE_BF16_INLINE LGODE_BF16 inline __attribute__((always_inline))

namespace lgode::ops::cpu {
namespace {

constexpr std::int64_t kLanes = 16;

// The first factor: the pair of row i and pair l of columns is at[i * row_step + l * pair_step].
struct Rows {
  const std::uint32_t* at;
  std::int64_t row_step, pair_step;
};

// Consecutive columns of the second factor, with pairs of rows `step` apart.
struct Columns {
  const std::uint32_t* at;
  std::int64_t step;
};

LGODE_BF16_INLINE __m512i load(const std::uint32_t* from) { return _mm512_loadu_si512(from); }

// One block of MR rows and NV vectors of columns, sums in registers.
template <Around kAround, int MR, int NV>
LGODE_BF16_INLINE void block(const Gemm& g, std::int64_t pairs, const Rows& rows, const Columns& columns,
                             std::int64_t row, std::int64_t column) {
  const std::int64_t row_step = rows.row_step, pair_step = rows.pair_step, step = columns.step, ldc = g.ldc;
  float* c = g.c + row * ldc + column;
  __m512 acc[MR][NV];
#pragma GCC unroll 8
  for (int r = 0; r < MR; ++r)
#pragma GCC unroll 8
    for (int v = 0; v < NV; ++v) {
      if constexpr (kAround == Around::kBias || kAround == Around::kBiasRelu)
        acc[r][v] = _mm512_loadu_ps(g.bias + column + v * kLanes);
      else if constexpr (kAround == Around::kAccumulate)
        acc[r][v] = _mm512_loadu_ps(c + r * ldc + v * kLanes);
      else
        acc[r][v] = _mm512_setzero_ps();
    }
  const std::uint32_t* a = rows.at + row * row_step;
  const std::uint32_t* b = columns.at;
  for (std::int64_t l = pairs; l > 0; --l, a += pair_step, b += step) {
    __m512i bv[NV];
#pragma GCC unroll 8
    for (int v = 0; v < NV; ++v) bv[v] = load(b + v * kLanes);
#pragma GCC unroll 8
    for (int r = 0; r < MR; ++r) {
      const __m512i av = _mm512_set1_epi32(std::bit_cast<int>(a[r * row_step]));
#pragma GCC unroll 8
      for (int v = 0; v < NV; ++v)
        acc[r][v] = _mm512_dpbf16_ps(acc[r][v], reinterpret_cast<__m512bh>(av), reinterpret_cast<__m512bh>(bv[v]));
    }
  }
  const float* mask = kAround == Around::kMask ? g.mask + row * g.ldm + column : nullptr;
#pragma GCC unroll 8
  for (int r = 0; r < MR; ++r)
#pragma GCC unroll 8
    for (int v = 0; v < NV; ++v) {
      const __m512 zero = _mm512_setzero_ps();
      if constexpr (kAround == Around::kBiasRelu) acc[r][v] = _mm512_max_ps(acc[r][v], zero);
      if constexpr (kAround == Around::kMask) {
        const __mmask16 kept = _mm512_cmp_ps_mask(_mm512_loadu_ps(mask + r * g.ldm + v * kLanes), zero, _CMP_GT_OQ);
        acc[r][v] = _mm512_maskz_mov_ps(kept, acc[r][v]);
      }
      _mm512_storeu_ps(c + r * ldc + v * kLanes, acc[r][v]);
    }
}

// As in gemm-inl.h: 24 or 25 accumulators.
template <Around kAround, int NV>
LGODE_BF16 void all_rows(const Gemm& g, std::int64_t pairs, const Rows& rows, const Columns& columns,
                         std::int64_t column) {
  constexpr int kRows = NV == 5 ? 5 : 6;
  std::int64_t row = 0;
  for (; row + kRows <= g.m; row += kRows) block<kAround, kRows, NV>(g, pairs, rows, columns, row, column);
  switch (g.m - row) {
    case 5:
      if constexpr (NV != 5) block<kAround, 5, NV>(g, pairs, rows, columns, row, column);
      return;
    case 4:
      return block<kAround, 4, NV>(g, pairs, rows, columns, row, column);
    case 3:
      return block<kAround, 3, NV>(g, pairs, rows, columns, row, column);
    case 2:
      return block<kAround, 2, NV>(g, pairs, rows, columns, row, column);
    case 1:
      return block<kAround, 1, NV>(g, pairs, rows, columns, row, column);
    default:
      return;
  }
}

// All columns; b [pairs, n] in panels.
template <Around kAround>
void all_columns(const Gemm& g, std::int64_t pairs, const Rows& rows, const std::uint32_t* b) {
  for (std::int64_t start = 0, width = 0; start < g.n; start += width) {
    width = panel_width(g.n - start);
    Columns columns{b + start * pairs, width};
    if (width == 5 * kLanes) {
      all_rows<kAround, 5>(g, pairs, rows, columns, start);
      continue;
    }
    std::int64_t column = start;
    const std::int64_t end = start + width;
    const auto next = [&](std::int64_t vectors) { column += vectors * kLanes, columns.at += vectors * kLanes; };
    for (; column + 4 * kLanes <= end; next(4)) all_rows<kAround, 4>(g, pairs, rows, columns, column);
    for (; column + 2 * kLanes <= end; next(2)) all_rows<kAround, 2>(g, pairs, rows, columns, column);
    for (; column + kLanes <= end; next(1)) all_rows<kAround, 1>(g, pairs, rows, columns, column);
  }
}

// [rows, k] -> pairs of neighbours in a row, [rows, k/2]; k a multiple of 16.
LGODE_BF16 void pair_columns(const float* x, std::int64_t ld, std::int64_t rows, std::int64_t k, std::uint32_t* out) {
  for (std::int64_t r = 0; r < rows; ++r, x += ld, out += k / 2) {
    std::int64_t c = 0;
    for (; c + 2 * kLanes <= k; c += 2 * kLanes)
      _mm512_storeu_si512(out + c / 2, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(_mm512_loadu_ps(x + c + kLanes),
                                                                                     _mm512_loadu_ps(x + c))));
    if (c < k)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + c / 2),
                          reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(_mm512_loadu_ps(x + c))));
  }
}

// Two rows of 16 columns -> 16 pairs.
LGODE_BF16_INLINE __m512i pair_of(__m512 even, __m512 odd) {
  const __m512i low = _mm512_cvtepu16_epi32(reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(even)));
  const __m512i high = _mm512_cvtepu16_epi32(reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(odd)));
  return _mm512_or_si512(low, _mm512_slli_epi32(high, 16));
}

// Columns `begin` to before `end` of [rows, ...] -> pairs of neighbouring rows, [(rows+1)/2, end - begin]; after an odd
// last row comes a row of zeros.
LGODE_BF16 void pair_rows(const float* x, std::int64_t ld, std::int64_t rows, std::int64_t begin, std::int64_t end,
                          std::uint32_t* out) {
  for (std::int64_t r = 0; r < rows; r += 2)
    for (std::int64_t c = begin; c < end; c += kLanes, out += kLanes) {
      const float* even = x + r * ld + c;
      const __m512 odd = r + 1 < rows ? _mm512_loadu_ps(even + ld) : _mm512_setzero_ps();
      _mm512_storeu_si512(out, pair_of(_mm512_loadu_ps(even), odd));
    }
}

}  // namespace

bool has_bf16_products() { return __builtin_cpu_supports("avx512bf16") && std::string_view(simd_name()) == "AVX3"; }

void pack_bf16(const float* panels, std::int64_t k, std::int64_t n, std::uint32_t* pairs) {
  for (std::int64_t start = 0, width = 0; start < n; start += width) {
    width = panel_width(n - start);
    pair_rows(panels + start * k, width, k, 0, width, pairs + start * (k / 2));
  }
}

void bf16_gemm(const Gemm& g, const std::uint32_t* b, std::uint32_t* scratch) {
  pair_columns(g.a, g.row_step, g.m, g.k, scratch);
  const std::int64_t pairs = g.k / 2;
  const Rows rows{scratch, pairs, 1};
  switch (around(g)) {
    case Around::kAccumulate:
      return all_columns<Around::kAccumulate>(g, pairs, rows, b);
    case Around::kMask:
      return all_columns<Around::kMask>(g, pairs, rows, b);
    case Around::kNothing:
      return all_columns<Around::kNothing>(g, pairs, rows, b);
    case Around::kBias:
      return all_columns<Around::kBias>(g, pairs, rows, b);
    case Around::kBiasRelu:
      return all_columns<Around::kBiasRelu>(g, pairs, rows, b);
  }
}

void bf16_add_transposed_product(const float* x, std::int64_t ldx, const float* y, std::int64_t ldy, std::int64_t rows,
                                 std::int64_t m, std::int64_t n, float* c, std::uint32_t* scratch) {
  const Gemm g{.m = m, .n = n, .c = c, .ldc = n, .accumulate = true};
  for (std::int64_t row = 0; row < rows; row += kBf16Rows) {
    const std::int64_t count = std::min(kBf16Rows, rows - row), pairs = (count + 1) / 2;
    pair_rows(x + row * ldx, ldx, count, 0, m, scratch);
    std::uint32_t* panels = scratch + pairs * m;
    for (std::int64_t start = 0, width = 0; start < n; start += width) {
      width = panel_width(n - start);
      pair_rows(y + row * ldy, ldy, count, start, start + width, panels + start * pairs);
    }
    all_columns<Around::kAccumulate>(g, pairs, Rows{scratch, 1, m}, panels);
  }
}

}  // namespace lgode::ops::cpu

#else  // another architecture

namespace lgode::ops::cpu {

bool has_bf16_products() { return false; }
void pack_bf16(const float*, std::int64_t, std::int64_t, std::uint32_t*) {}
void bf16_gemm(const Gemm&, const std::uint32_t*, std::uint32_t*) {}
void bf16_add_transposed_product(const float*, std::int64_t, const float*, std::int64_t, std::int64_t, std::int64_t,
                                 std::int64_t, float*, std::uint32_t*) {}

}  // namespace lgode::ops::cpu

#endif

namespace lgode::ops::cpu {

// To nearest, ties to even, as the conversion instructions do.
float rounded_to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7f800000U) == 0x7f800000U) return value;  // infinite, or not a number
  return std::bit_cast<float>((bits + 0x7fffU + (bits >> 16 & 1U)) & 0xffff0000U);
}

}  // namespace lgode::ops::cpu
