// Tests of the comparisons that the numeric tests use.
#include "support/numeric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lgode::testing {
namespace {

TEST(DistanceTest, IsRelativeHoweverSmallTheNumbers) {
  EXPECT_NEAR(distance(vector_of({1.01, -2}), vector_of({1, -2})), 0.005, 1e-12);
  EXPECT_NEAR(distance(vector_of({1.01e-20, -2e-20}), vector_of({1e-20, -2e-20})), 0.005, 1e-12);
  EXPECT_NEAR(distance(vector_of({1.01e20, -2e20}), vector_of({1e20, -2e20})), 0.005, 1e-12);
}

TEST(DistanceTest, OnlyZerosAreCloseToZeros) {
  EXPECT_EQ(distance(vector_of({0, -0.0}), vector_of({0, 0})), 0);
  EXPECT_TRUE(std::isinf(distance(vector_of({0, 1e-300}), vector_of({0, 0}))));
  EXPECT_EQ(distance(vector_of({0, 0}), vector_of({0, 1e-300})), 1);
  EXPECT_EQ(distance(vector_of({}), vector_of({})), 0);
}

TEST(DistanceTest, NothingIsCloseToNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(distance(vector_of({1, nan}), vector_of({1, 2}))));
  EXPECT_TRUE(std::isnan(distance(vector_of({1, 2}), vector_of({1, nan}))));
  EXPECT_TRUE(std::isnan(distance(vector_of({nan}), vector_of({0}))));
  EXPECT_TRUE(std::isnan(distance(vector_of({inf}), vector_of({inf}))));
  EXPECT_TRUE(std::isinf(distance(vector_of({inf}), vector_of({1}))));
}

}  // namespace
}  // namespace lgode::testing
