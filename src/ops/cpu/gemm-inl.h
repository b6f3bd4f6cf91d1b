// Matrix products for the fused kernels: row-major, small, single-threaded, with what follows a product folded in.
// Included once a SIMD target (Highway's foreach_target).
#if defined(LGODE_GEMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LGODE_GEMM_INL_H_
#undef LGODE_GEMM_INL_H_
#else
#define LGODE_GEMM_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace lgode::ops::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::ScalableTag<float>;
using V = hn::Vec<F>;

// C [m, n] = A [m, k] B [k, n], n a multiple of 16; A's element (i, l) is a[i * row_step + l * column_step].
struct Gemm {
  std::int64_t m = 0, n = 0, k = 0;
  const float* a = nullptr;
  std::int64_t row_step = 0, column_step = 1;
  const float* b = nullptr;
  std::int64_t ldb = 0;
  float* c = nullptr;
  std::int64_t ldc = 0;
  bool accumulate = false;      // C += instead of C =
  const float* bias = nullptr;  // [n] added to every row
  bool relu = false;
  const float* mask = nullptr;  // [m, n]: zero where mask <= 0
  std::int64_t ldm = 0;
};

// One block of MR rows and NV vectors of columns, accumulators in registers.
template <int MR, int NV>
HWY_INLINE void gemm_block(const Gemm& g, std::int64_t row, std::int64_t column) {
  const F f;
  const auto n = static_cast<std::int64_t>(hn::Lanes(f));
  V acc[MR][NV];
  for (int r = 0; r < MR; ++r)
    for (int v = 0; v < NV; ++v) {
      acc[r][v] = g.bias != nullptr ? hn::LoadU(f, g.bias + column + v * n) : hn::Zero(f);
      if (g.accumulate) acc[r][v] = hn::Add(acc[r][v], hn::LoadU(f, g.c + (row + r) * g.ldc + column + v * n));
    }
  const float* a = g.a + row * g.row_step;
  const float* b = g.b + column;
  for (std::int64_t l = 0; l < g.k; ++l, a += g.column_step, b += g.ldb) {
    V bv[NV];
    for (int v = 0; v < NV; ++v) bv[v] = hn::LoadU(f, b + v * n);
    for (int r = 0; r < MR; ++r) {
      const V av = hn::Set(f, a[r * g.row_step]);
      for (int v = 0; v < NV; ++v) acc[r][v] = hn::MulAdd(av, bv[v], acc[r][v]);
    }
  }
  for (int r = 0; r < MR; ++r)
    for (int v = 0; v < NV; ++v) {
      if (g.relu) acc[r][v] = hn::Max(acc[r][v], hn::Zero(f));
      if (g.mask != nullptr)
        acc[r][v] = hn::IfThenElseZero(hn::Gt(hn::LoadU(f, g.mask + (row + r) * g.ldm + column + v * n), hn::Zero(f)),
                                       acc[r][v]);
      hn::StoreU(acc[r][v], f, g.c + (row + r) * g.ldc + column + v * n);
    }
}

template <int NV>
void gemm_columns(const Gemm& g, std::int64_t column) {
  std::int64_t row = 0;
  for (; row + 6 <= g.m; row += 6) gemm_block<6, NV>(g, row, column);
  switch (g.m - row) {
    case 5:
      return gemm_block<5, NV>(g, row, column);
    case 4:
      return gemm_block<4, NV>(g, row, column);
    case 3:
      return gemm_block<3, NV>(g, row, column);
    case 2:
      return gemm_block<2, NV>(g, row, column);
    case 1:
      return gemm_block<1, NV>(g, row, column);
    default:
      return;
  }
}

// 24 accumulators where there are 32 registers, 12 where there are 16.
#if HWY_TARGET <= HWY_AVX3
constexpr int kVectors = 4;
#else
constexpr int kVectors = 2;
#endif

inline void gemm(const Gemm& g) {
  const auto n = static_cast<std::int64_t>(hn::Lanes(F()));
  std::int64_t column = 0;
  for (; column + kVectors * n <= g.n; column += kVectors * n) gemm_columns<kVectors>(g, column);
  if (kVectors > 2 && column + 2 * n <= g.n) gemm_columns<2>(g, column), column += 2 * n;
  for (; column + n <= g.n; column += n) gemm_columns<1>(g, column);
}

}  // namespace lgode::ops::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
