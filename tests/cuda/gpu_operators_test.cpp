// Sums over segments, dropout masks and time encodings on a GPU against the CPU.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cuda/gpu.h"
#include "lgode/core/random.h"
#include "lgode/ops/dropout.h"
#include "lgode/ops/segment.h"
#include "lgode/ops/time_encoding.h"
#include "support/temporal.h"

namespace lgode {
namespace {

using lgode::testing::kGpu;
using lgode::testing::random_tensor;

TEST(GpuSegmentTest, SumsAndCopiesMatchTheCpu) {
  LGODE_NEEDS_GPU();
  Random random(3, RandomUse::kTest);
  const at::Tensor offsets = at::tensor(std::vector<std::int64_t>{0, 2, 2, 7, 40}, at::kLong);
  for (at::ScalarType dtype : {at::kFloat, at::kDouble}) {
    const at::Tensor x = random_tensor({40, 33}, random).to(dtype), y = random_tensor({4, 33}, random).to(dtype);
    EXPECT_TRUE(ops::segment_sum(x.to(kGpu), offsets.to(kGpu)).to(at::kCPU).equal(ops::segment_sum(x, offsets)));
    EXPECT_TRUE(
        ops::segment_expand(y.to(kGpu), offsets.to(kGpu), 40).to(at::kCPU).equal(ops::segment_expand(y, offsets)));
    const at::Tensor longer = ops::segment_expand(y.to(kGpu), offsets.to(kGpu), 97).to(at::kCPU);
    EXPECT_TRUE(longer.slice(0, 0, 40).equal(ops::segment_expand(y, offsets)));
    EXPECT_EQ(longer.slice(0, 40).abs().sum().item<double>(), 0.0);
  }
}

TEST(GpuDropoutTest, MasksAreTheCpusBitForBit) {
  LGODE_NEEDS_GPU();
  std::vector<Random> streams;
  for (std::uint64_t i = 0; i < 5; ++i)
    streams.emplace_back(7, RandomUse::kDropout, std::initializer_list<std::uint64_t>{i});
  const std::vector<std::int64_t> begin{0, 0, 1, 130, 1000, 70001};
  ops::Upload here(at::kCPU), there(kGpu);
  const at::Tensor cpu = ops::dropout_mask(ops::dropout_streams(streams, begin, here), 0.2);
  EXPECT_TRUE(ops::dropout_mask(ops::dropout_streams(streams, begin, there), 0.2).to(at::kCPU).equal(cpu));
  EXPECT_NEAR(cpu.eq(0).to(at::kDouble).mean().item<double>(), 0.2, 0.01);
}

TEST(GpuTimeEncodingTest, MatchesTheCpu) {
  LGODE_NEEDS_GPU();
  Random random(5, RandomUse::kTest);
  const at::Tensor times = random_tensor({1000}, random).to(at::kDouble) * 3.0;
  for (std::int64_t width : {64, 7, 1}) {
    // Not by ATen's sine, which some CPUs' vector units compute with errors of 1e-8.
    const at::Tensor expected = at::empty({times.size(0), width}, at::kDouble);
    for (std::int64_t row = 0; row < times.size(0); ++row)
      for (std::int64_t c = 0; c < width; ++c) {
        const double angle = times[row].item<double>() * 200.0 /
                             std::pow(10000.0, static_cast<double>(c - c % 2) / static_cast<double>(width));
        expected[row][c] = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
      }
    for (at::ScalarType dtype : {at::kFloat, at::kDouble}) {
      const at::Tensor got =
          ops::time_encoding(times.to(kGpu), width, 200.0, at::TensorOptions(dtype).device(kGpu)).to(at::kCPU);
      // Angles up to 2,000, rounded to double: an error of 2,000 2^-53, and a few more roundings.
      EXPECT_LE((got.to(at::kDouble) - expected).abs().max().item<double>(), dtype == at::kDouble ? 2e-12 : 1.2e-7);
    }
  }
}

}  // namespace
}  // namespace lgode
