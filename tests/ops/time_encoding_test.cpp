// Time encoding: accuracy in float32, empty and strided times, and the same bits on any number of threads.
#include "lgode/ops/time_encoding.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cmath>

#include "lgode/core/random.h"
#include "support/numeric.h"
#include "support/simd.h"

namespace lgode::ops {
namespace {

using lgode::testing::expect_close;
using lgode::testing::for_each_simd;

TEST(TimeEncodingTest, SineAndCosineInFloat64Angles) {
  const at::Tensor t = at::tensor(std::vector<double>{1000.25}, at::kDouble);
  const at::Tensor te = time_encoding(t, 5, 200.0, at::TensorOptions(at::kFloat));
  for (int c = 0; c < 5; ++c) {
    const double angle = 200.0 * 1000.25 / std::pow(10000.0, (c - c % 2) / 5.0);
    EXPECT_NEAR(te[0][c].item<double>(), c % 2 == 0 ? std::sin(angle) : std::cos(angle), 1e-6);
  }
}

// Rounding an angle of at most pi to float32 costs half an ulp (1.2e-7), sine and cosine three ulp of theirs (1.8e-7).
constexpr double kTolerance = 4e-7;

TEST(TimeEncodingTest, Float32FollowsFloat64) {
  std::vector<double> times{0.0, 1e-12, -0.37, 1.0, -1.0, 1000.25, -12345.678, 1e5, 4e6};
  Random random(5, RandomUse::kTest);
  while (times.size() < 1100) times.push_back(random.uniform(-1.0, 1.0));  // more than one thread's share
  const at::Tensor t = at::tensor(times, at::kDouble);
  for (std::int64_t width : {1, 2, 5, 16, 37, 64, 128}) {
    const at::Tensor expected = time_encoding(t, width, 200.0, at::TensorOptions(at::kDouble));
    for_each_simd([&] {
      SCOPED_TRACE("width " + std::to_string(width));
      const at::Tensor got = time_encoding(t, width, 200.0, at::TensorOptions(at::kFloat));
      ASSERT_EQ(got.scalar_type(), at::kFloat);
      expect_close(got.to(at::kDouble), expected, kTolerance);
      // A row does not depend on the other rows.
      for (std::int64_t row : {0, 1, 5, 8, 700})
        EXPECT_TRUE(time_encoding(t.slice(0, row, row + 1), width, 200.0, at::TensorOptions(at::kFloat))
                        .equal(got.slice(0, row, row + 1)));
    });
  }
}

TEST(TimeEncodingTest, NoTimesAndStridedTimes) {
  const at::Tensor t = at::linspace(-1.0, 1.0, 20, at::kDouble);
  for (at::ScalarType dtype : {at::kFloat, at::kDouble}) {
    const at::TensorOptions options(dtype);
    EXPECT_EQ(time_encoding(t.slice(0, 0, 0), 6, 200.0, options).sizes(), (std::vector<std::int64_t>{0, 6}));
    const at::Tensor strided = t.slice(0, 0, 20, 3);
    EXPECT_TRUE(
        time_encoding(strided, 6, 200.0, options).equal(time_encoding(strided.contiguous(), 6, 200.0, options)));
  }
}

TEST(TimeEncodingTest, SameBitsForAnyNumberOfThreads) {
  const at::Tensor t = at::linspace(-3.0, 3.0, 2000, at::kDouble);
  const int before = at::get_num_threads();
  std::vector<at::Tensor> results;
  for (int threads : {1, 2, 3}) {
    at::set_num_threads(threads);
    results.push_back(time_encoding(t, 64, 200.0, at::TensorOptions(at::kFloat)));
  }
  at::set_num_threads(before);
  EXPECT_TRUE(results[1].equal(results[0]) && results[2].equal(results[0]));
}

}  // namespace
}  // namespace lgode::ops
