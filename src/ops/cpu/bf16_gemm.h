// Matrix products whose factors are rounded to bfloat16 and whose sums are float32, with AVX512_BF16's dot products:
// one instruction multiplies pairs of neighbours in k and adds both products to a float32 sum, twice the operations of
// a fused multiply-add. Factors are stored in pairs: the lower half of a std::uint32_t holds the element of an even k,
// the upper half the next one. Single-threaded. The float32 twin is gemm-inl.h.
#pragma once

#include <cstdint>

#include "ops/cpu/gemm.h"

namespace lgode::ops::cpu {

// Whether this processor has the instructions and the fused operators are not held to older ones (lgode/ops/simd.h).
// Only then may the other functions be called.
bool has_bf16_products();

// The nearest bfloat16, as a float.
float rounded_to_bf16(float value);

// `panels` [k, n] in panels (panels.h), k even -> pairs [k/2, n] in the same panels.
void pack_bf16(const float* panels, std::int64_t k, std::int64_t n, std::uint32_t* pairs);

// g with the pairs `b` as its second factor (g.b and g.ldb are not used) and its first factor, whose column_step is 1,
// rounded to bf16. k is a multiple of 16. scratch: bf16_scratch(m, k).
void bf16_gemm(const Gemm& g, const std::uint32_t* b, std::uint32_t* scratch);
inline std::int64_t bf16_scratch(std::int64_t m, std::int64_t k) { return m * k / 2; }

// C [m, n] += X' Y with both rounded.   X [rows, m], Y [rows, n], m and n multiples of 16.
// scratch: bf16_transposed_scratch(m, n).
void bf16_add_transposed_product(const float* x, std::int64_t ldx, const float* y, std::int64_t ldy, std::int64_t rows,
                                 std::int64_t m, std::int64_t n, float* c, std::uint32_t* scratch);
// Rows of X and Y that are packed at a time: 64 pairs of 64 columns are 16 KiB, half a first-level cache.
constexpr std::int64_t kBf16Rows = 128;
inline std::int64_t bf16_transposed_scratch(std::int64_t m, std::int64_t n) { return kBf16Rows / 2 * (m + n); }

}  // namespace lgode::ops::cpu
