// Comparisons of two methods over systems, and the object that the error comes from.
#include "lgode/eval/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace lgode::eval {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(ComparisonTest, SystemsAreTheUnits) {
  ComparisonKeeper keeper;
  // Differences of the systems' means: 2 - 5, 4 - 1, 1 - 7.
  keeper.add({{3, 1.0}, {3, 3.0}, {8, 4.0}, {9, 1.0}}, {{3, 5.0}, {3, 5.0}, {8, 1.0}, {9, 7.0}});
  const Comparison c = keeper.comparison();
  EXPECT_EQ(c.systems, 3);
  EXPECT_EQ(c.better, 2);
  EXPECT_DOUBLE_EQ(c.difference, -2);
  EXPECT_NEAR(c.standard_error, std::sqrt((1.0 + 25 + 16) / 2 / 3), 1e-12);
}

TEST(ComparisonTest, WhatHasNoErrorIsSkipped) {
  ComparisonKeeper keeper;
  keeper.add({{0, kNaN}, {1, 2.0}, {1, kNaN}}, {{0, 1.0}, {1, 1.0}, {1, 1.0}});
  EXPECT_EQ(keeper.comparison().systems, 1);
  EXPECT_DOUBLE_EQ(keeper.comparison().difference, 1);
  EXPECT_TRUE(std::isnan(keeper.comparison().standard_error));
  EXPECT_TRUE(std::isnan(ComparisonKeeper().comparison().difference));
}

TEST(ComparisonTest, SumsOfShardsAddUp) {
  ComparisonKeeper whole, first, second;
  const ObjectErrors a = {{0, 1.0}, {1, 2.0}}, b = {{0, 4.0}, {1, 1.0}}, c = {{2, 3.0}}, d = {{2, 9.0}};
  whole.add(a, b), whole.add(c, d), first.add(a, b), second.add(c, d);
  first.add(second.state());
  EXPECT_DOUBLE_EQ(first.comparison().standard_error, whole.comparison().standard_error);
  EXPECT_EQ(first.comparison().better, whole.comparison().better);

  ObjectKeeper all, one, other;
  all.add("ball", 8), all.add("ball", 4), all.add("7", 1);
  one.add("ball", 8), other.add("ball", 4), other.add("7", 1);
  one.add(other.state());
  EXPECT_EQ(one.state(), all.state());
}

TEST(WorstObjectTest, IsNamedWhereItDominates) {
  ObjectKeeper keeper;
  for (int window = 0; window < 3; ++window) {
    keeper.add("ball", 0.141);
    for (const char* player : {"1", "2", "3", "4", "5"}) keeper.add(player, 0.004);
    keeper.add("6", 0.008);
  }
  const auto worst = keeper.worst();
  ASSERT_TRUE(worst);
  EXPECT_EQ(worst->object, "ball");
  EXPECT_NEAR(worst->mse, 0.141, 1e-12);
  EXPECT_EQ(worst->next, "6");
  EXPECT_NEAR(worst->next_mse, 0.008, 1e-12);
  EXPECT_NEAR(worst->share, 0.141 / 0.169, 1e-12);
}

TEST(WorstObjectTest, NobodyIsNamedAmongEquals) {
  ObjectKeeper keeper;
  EXPECT_FALSE(keeper.worst());
  keeper.add("1", 1.0);
  EXPECT_FALSE(keeper.worst());
  keeper.add("2", 0.5);
  EXPECT_FALSE(keeper.worst());
  // Far worse than the next one, but one of very many.
  ObjectKeeper crowd;
  for (int i = 0; i < 100; ++i) crowd.add(std::to_string(i), i == 0 ? 6.0 : 1.0);
  EXPECT_FALSE(crowd.worst());
}

}  // namespace
}  // namespace lgode::eval
