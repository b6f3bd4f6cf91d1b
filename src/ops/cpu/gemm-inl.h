// Matrix products for the fused kernels: row-major, small, single-threaded, with bias, ReLU or mask applied on the fly.
// Included once per SIMD target (Highway's foreach_target).
#if defined(LGODE_GEMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LGODE_GEMM_INL_H_
#undef LGODE_GEMM_INL_H_
#else
#define LGODE_GEMM_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "ops/cpu/gemm.h"
#include "ops/cpu/panels.h"

HWY_BEFORE_NAMESPACE();
namespace lgode::ops::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::ScalableTag<float>;
using V = hn::Vec<F>;

// Consecutive columns of B, with rows `ld` apart.
struct Columns {
  const float* b;
  std::int64_t ld;
};

// One block of MR rows and NV vectors of columns, accumulators in registers.
template <Around kAround, int MR, int NV>
HWY_INLINE void gemm_block(const Gemm& g, const Columns& from, std::int64_t row, std::int64_t column) {
  const F f;
  const auto n = static_cast<std::int64_t>(hn::Lanes(f));
  // Local copies, because the compiler must assume that a store to C changes g.
  const std::int64_t row_step = g.row_step, column_step = g.column_step, ldb = from.ld, ldc = g.ldc, ldm = g.ldm;
  float* c = g.c + row * ldc + column;
  V acc[MR][NV];
  for (int r = 0; r < MR; ++r)
    for (int v = 0; v < NV; ++v) {
      if constexpr (kAround == Around::kBias || kAround == Around::kBiasRelu)
        acc[r][v] = hn::LoadU(f, g.bias + column + v * n);
      else if constexpr (kAround == Around::kAccumulate)
        acc[r][v] = hn::LoadU(f, c + r * ldc + v * n);
      else
        acc[r][v] = hn::Zero(f);
    }
  const float* a = g.a + row * row_step;
  const float* b = from.b;
  for (std::int64_t l = g.k; l > 0; --l, a += column_step, b += ldb) {
    V bv[NV];
    for (int v = 0; v < NV; ++v) bv[v] = hn::LoadU(f, b + v * n);
    for (int r = 0; r < MR; ++r) {
      const V av = hn::Set(f, a[r * row_step]);
      for (int v = 0; v < NV; ++v) acc[r][v] = hn::MulAdd(av, bv[v], acc[r][v]);
    }
  }
  const float* mask = kAround == Around::kMask ? g.mask + row * ldm + column : nullptr;
  for (int r = 0; r < MR; ++r)
    for (int v = 0; v < NV; ++v) {
      if constexpr (kAround == Around::kBiasRelu) acc[r][v] = hn::Max(acc[r][v], hn::Zero(f));
      if constexpr (kAround == Around::kMask)
        acc[r][v] = hn::IfThenElseZero(hn::Gt(hn::LoadU(f, mask + r * ldm + v * n), hn::Zero(f)), acc[r][v]);
      hn::StoreU(acc[r][v], f, c + r * ldc + v * n);
    }
}

// Blocks of five vectors have five rows: 25 accumulators, 5 vectors of B and one of A use 31 of 32 registers.
template <Around kAround, int NV>
void gemm_columns(const Gemm& g, const Columns& from, std::int64_t column) {
  constexpr int kRows = NV == 5 ? 5 : 6;
  std::int64_t row = 0;
  for (; row + kRows <= g.m; row += kRows) gemm_block<kAround, kRows, NV>(g, from, row, column);
  switch (g.m - row) {
    case 5:
      if constexpr (NV != 5) gemm_block<kAround, 5, NV>(g, from, row, column);
      return;
    case 4:
      return gemm_block<kAround, 4, NV>(g, from, row, column);
    case 3:
      return gemm_block<kAround, 3, NV>(g, from, row, column);
    case 2:
      return gemm_block<kAround, 2, NV>(g, from, row, column);
    case 1:
      return gemm_block<kAround, 1, NV>(g, from, row, column);
    default:
      return;
  }
}

// Vectors per block: 24 accumulators with 32 registers, 12 with 16.
#if HWY_TARGET <= HWY_AVX3
constexpr int kVectors = 4;
#else
constexpr int kVectors = 2;
#endif

template <Around kAround>
void gemm_around(const Gemm& g) {
  const auto n = static_cast<std::int64_t>(hn::Lanes(F()));
  for (std::int64_t start = 0, width = 0; start < g.n; start += width) {
    width = panel_width(g.n - start);
    Columns from = g.ldb == 0 ? Columns{g.b + start * g.k, width} : Columns{g.b + start, g.ldb};
    if (kVectors == 4 && width == 5 * n) {
      gemm_columns<kAround, 5>(g, from, start);
      continue;
    }
    std::int64_t column = start;
    const std::int64_t end = start + width;
    for (; column + kVectors * n <= end; column += kVectors * n, from.b += kVectors * n)
      gemm_columns<kAround, kVectors>(g, from, column);
    if (kVectors > 2 && column + 2 * n <= end)
      gemm_columns<kAround, 2>(g, from, column), column += 2 * n, from.b += 2 * n;
    for (; column + n <= end; column += n, from.b += n) gemm_columns<kAround, 1>(g, from, column);
  }
}

inline void gemm(const Gemm& g) {
  switch (around(g)) {
    case Around::kAccumulate:
      return gemm_around<Around::kAccumulate>(g);
    case Around::kMask:
      return gemm_around<Around::kMask>(g);
    case Around::kNothing:
      return gemm_around<Around::kNothing>(g);
    case Around::kBias:
      return gemm_around<Around::kBias>(g);
    case Around::kBiasRelu:
      return gemm_around<Around::kBiasRelu>(g);
  }
}

// C [m, n] += X' Y.   X [rows, m], Y [rows, n]
inline void add_transposed_product(const float* x, std::int64_t ldx, const float* y, std::int64_t ldy,
                                   std::int64_t rows, std::int64_t m, std::int64_t n, float* c) {
  gemm({.m = m,
        .n = n,
        .k = rows,
        .a = x,
        .row_step = 1,
        .column_step = ldx,
        .b = y,
        .ldb = ldy,
        .c = c,
        .ldc = n,
        .accumulate = true});
}

// out [n] += column sums of x [rows, n]
inline void add_column_sums(const float* x, std::int64_t rows, std::int64_t ld, std::int64_t n, float* out) {
  const F f;
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < n; c += static_cast<std::int64_t>(hn::Lanes(f)))
      hn::StoreU(hn::Add(hn::LoadU(f, out + c), hn::LoadU(f, x + r * ld + c)), f, out + c);
}

}  // namespace lgode::ops::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
