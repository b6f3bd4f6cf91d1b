// What a matrix product of the fused kernels computes. The kernels are in gemm-inl.h (float32) and bf16_gemm.h.
#pragma once

#include <cstdint>

namespace lgode::ops::cpu {

// C [m, n] = A [m, k] B [k, n], n a multiple of 16; A's element (i, l) is a[i * row_step + l * column_step].
// B is row-major with rows ldb apart or, if ldb is 0, packed in panels (panels.h).
struct Gemm {
  std::int64_t m = 0, n = 0, k = 0;
  const float* a = nullptr;
  std::int64_t row_step = 0, column_step = 1;
  const float* b = nullptr;
  std::int64_t ldb = 0;
  float* c = nullptr;
  std::int64_t ldc = 0;
  // At most one of accumulate, bias and mask.
  bool accumulate = false;      // C += instead of C =
  const float* bias = nullptr;  // [n] added to every row
  bool relu = false;            // after the bias
  const float* mask = nullptr;  // [m, n]: C is zero where mask <= 0
  std::int64_t ldm = 0;
};

// What is done before and after the sum over k.
enum class Around { kNothing, kBias, kBiasRelu, kMask, kAccumulate };

inline Around around(const Gemm& g) {
  if (g.accumulate) return Around::kAccumulate;
  if (g.mask != nullptr) return Around::kMask;
  if (g.bias == nullptr) return Around::kNothing;
  return g.relu ? Around::kBiasRelu : Around::kBias;
}

}  // namespace lgode::ops::cpu
