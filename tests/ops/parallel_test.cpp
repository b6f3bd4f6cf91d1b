// Parallel loops of the operators: numbers below 1e-38 are zero inside, and only there.
#include "ops/parallel.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <stdexcept>

namespace lgode::ops {
namespace {

// Half of the smallest normal number.
float half_of_smallest() {
  volatile float smallest = std::numeric_limits<float>::min();
  return smallest * 0.5F;
}

// The sum with a denormal that comes from elsewhere.
float added(float denormal) {
  volatile float x = denormal;
  return x + std::numeric_limits<float>::min();
}

TEST(ParallelLoop, FlushesDenormals) {
#if !defined(__SSE2__) && !defined(__aarch64__)
  GTEST_SKIP() << "this processor's way to flush denormals is not known";
#endif
  const float outside = half_of_smallest();
  ASSERT_GT(outside, 0.0F);
  std::array<float, 8> results{}, sums{};
  results.fill(1.0F);
  parallel_for(0, 8, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      results[static_cast<std::size_t>(i)] = half_of_smallest(), sums[static_cast<std::size_t>(i)] = added(outside);
  });
  for (const float x : results) EXPECT_EQ(x, 0.0F);
  for (const float x : sums) EXPECT_EQ(x, std::numeric_limits<float>::min());
  EXPECT_EQ(half_of_smallest(), outside);
  EXPECT_GT(added(outside), std::numeric_limits<float>::min());
}

TEST(ParallelLoop, RestoresAfterAnException) {
  EXPECT_THROW(parallel_for(0, 4, 1, [](std::int64_t, std::int64_t) { throw std::runtime_error("stop"); }),
               std::runtime_error);
  EXPECT_GT(half_of_smallest(), 0.0F);
}

}  // namespace
}  // namespace lgode::ops
