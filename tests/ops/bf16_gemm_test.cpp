// bf16 products of the CPU's kernels: against float64 sums of the rounded factors, over all sizes of blocks.
#include "ops/cpu/bf16_gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "lgode/core/random.h"
#include "ops/cpu/panels.h"

namespace lgode::ops::cpu {
namespace {

std::vector<float> random_values(std::int64_t count, Random& random) {
  std::vector<float> out(static_cast<std::size_t>(count));
  for (float& v : out) v = static_cast<float>(random.normal());
  return out;
}

// A sum of k products of rounded factors, in float32: its rounding is relative to the sum of the absolute products.
void expect_sum(float got, double expected, double absolute, std::int64_t k) {
  const double ulp = std::numeric_limits<float>::epsilon();
  EXPECT_LE(std::abs(got - expected), 4 * ulp * std::sqrt(static_cast<double>(k + 1)) * (absolute + 1));
}

TEST(Bf16Test, RoundsToNearestEven) {
  EXPECT_EQ(rounded_to_bf16(1.0F), 1.0F);
  EXPECT_EQ(rounded_to_bf16(1.0F + 0x1p-9F), 1.0F);              // just below the middle between 1 and 1 + 2^-7
  EXPECT_EQ(rounded_to_bf16(1.0F + 0x1p-8F), 1.0F);              // the middle: to even
  EXPECT_EQ(rounded_to_bf16(1.0F + 0x1.8p-7F), 1.0F + 0x1p-6F);  // the next middle: to even, up
  EXPECT_EQ(rounded_to_bf16(-3.0F - 0x1.8p-7F), -3.015625F);
  EXPECT_EQ(rounded_to_bf16(std::numeric_limits<float>::infinity()), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(rounded_to_bf16(std::numeric_limits<float>::quiet_NaN())));
}

TEST(Bf16Test, ProductsAreSumsOfRoundedFactors) {
  if (!has_bf16_products()) GTEST_SKIP() << "this CPU has no bf16 dot products, or they are switched off";
  Random random(3, RandomUse::kTest);
  for (const std::int64_t m : {0, 1, 5, 6, 7, 80, 161})
    for (const std::int64_t n : {16, 48, 64, 80, 208})
      for (const std::int64_t k : {16, 32, 80}) {
        const std::int64_t ld = k + 3;
        const std::vector<float> a = random_values(m * ld, random), b = random_values(k * n, random),
                                 bias = random_values(n, random), other = random_values(m * n, random);
        std::vector<float> panels(b.size());
        write_panels({b.data(), k, n, n}, k, n, 0, 0, panels.data());
        std::vector<std::uint32_t> pairs(b.size() / 2), scratch(static_cast<std::size_t>(bf16_scratch(m, k)));
        pack_bf16(panels.data(), k, n, pairs.data());
        for (const Around way :
             {Around::kNothing, Around::kBias, Around::kBiasRelu, Around::kMask, Around::kAccumulate}) {
          SCOPED_TRACE(::testing::Message() << m << " x " << n << " x " << k << ", " << static_cast<int>(way));
          std::vector<float> c = other;
          Gemm g{.m = m, .n = n, .k = k, .a = a.data(), .row_step = ld, .c = c.data(), .ldc = n};
          g.accumulate = way == Around::kAccumulate;
          if (way == Around::kBias || way == Around::kBiasRelu) g.bias = bias.data();
          g.relu = way == Around::kBiasRelu;
          if (way == Around::kMask) g.mask = other.data(), g.ldm = n;
          bf16_gemm(g, pairs.data(), scratch.data());
          for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
              const float before = other[i * n + j];
              double sum = way == Around::kAccumulate ? before : g.bias != nullptr ? bias[j] : 0.0, absolute = 0;
              for (std::int64_t l = 0; l < k; ++l) {
                const double term = static_cast<double>(rounded_to_bf16(a[i * ld + l])) * rounded_to_bf16(b[l * n + j]);
                sum += term, absolute += std::abs(term);
              }
              if (g.relu) sum = std::max(sum, 0.0);
              if (way == Around::kMask && before <= 0) sum = 0;
              expect_sum(c[i * n + j], sum, absolute, k);
            }
        }
      }
}

TEST(Bf16Test, TransposedProductsAreSumsOfRoundedFactors) {
  if (!has_bf16_products()) GTEST_SKIP() << "this CPU has no bf16 dot products, or they are switched off";
  Random random(4, RandomUse::kTest);
  const std::int64_t m = 48;
  for (const std::int64_t rows : {0, 1, 2, 3, 127, 128, 129, 320})
    for (const std::int64_t n : {16, 80, 144}) {
      SCOPED_TRACE(::testing::Message() << rows << " rows, " << n << " columns");
      const std::int64_t ldx = m + 5, ldy = n + 1;
      const std::vector<float> x = random_values(rows * ldx, random), y = random_values(rows * ldy, random),
                               before = random_values(m * n, random);
      std::vector<float> c = before;
      std::vector<std::uint32_t> scratch(static_cast<std::size_t>(bf16_transposed_scratch(m, n)));
      bf16_add_transposed_product(x.data(), ldx, y.data(), ldy, rows, m, n, c.data(), scratch.data());
      for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          double sum = before[i * n + j], absolute = 0;
          for (std::int64_t r = 0; r < rows; ++r) {
            const double term = static_cast<double>(rounded_to_bf16(x[r * ldx + i])) * rounded_to_bf16(y[r * ldy + j]);
            sum += term, absolute += std::abs(term);
          }
          expect_sum(c[i * n + j], sum, absolute, rows);
        }
    }
}

}  // namespace
}  // namespace lgode::ops::cpu
