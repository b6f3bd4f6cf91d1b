// Numbers in original units, with the digits that they are worth.
#include "lgode/data/decimals.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "lgode/core/random.h"

namespace lgode::data {
namespace {

std::string text(double value) { return fmt::format("{}", value); }

TEST(DecimalsTest, WhatWasObservedComesBack) {
  for (const double offset : {0.0, 5.4e6, -13.25})
    for (const double scale : {0.37, 42.0, 1.0 / 3})
      for (const double value : {0.1, 0.25, -0.0625, 0.3}) {
        const auto normalised = static_cast<float>(value / scale);
        EXPECT_EQ(in_units(normalised, scale, offset), offset + value) << offset << " " << scale << " " << value;
      }
  EXPECT_EQ(text(in_units(static_cast<float>(0.1 / 7), 7, 5400000)), "5400000.1");
}

// The result is nearer to the exact one than half a step of float32.
TEST(DecimalsTest, NothingIsLostOfTheModelsPrecision) {
  Random random(3, RandomUse::kSplit);
  for (const double scale : {1e-12, 0.003, 1.0, 27.5, 6e9, 1e40})
    for (const double centre : {0.0, 5.4e6 * scale}) {
      for (int k = 0; k < 300; ++k) {
        const auto x = static_cast<float>(random.normal() * std::pow(10.0, -static_cast<double>(k % 7)));
        const double got = in_units(x, scale, centre), exact = centre + scale * static_cast<double>(x);
        const float size = centre == 0 ? std::abs(x) : std::max(std::abs(x), 1.0F / 256);
        const double step = static_cast<double>(std::nextafter(size, 1e30F)) - static_cast<double>(size);
        EXPECT_LE(std::abs(got - exact), 0.51 * scale * step + 1e-15 * std::abs(exact)) << scale << " " << x;
        if (centre == 0) EXPECT_LE(text(got).size(), 17U) << text(got);  // sign, point, exponent and 10 digits
      }
    }
}

TEST(DecimalsTest, LargeOffsetsAddNoDigitsOfNoise) {
  EXPECT_EQ(text(in_units(1.0 / 3, 10, 5400000)), "5400003.3333334");  // the float32 number is 0.33333334
  EXPECT_EQ(text(in_units(0, 10, 5400000.123456789)), "5400000.12345679");
  EXPECT_EQ(text(in_units(1e-12, 10, 5400000.0 / 7)), "771428.57142857");
}

TEST(DecimalsTest, OddNumbersStay) {
  EXPECT_TRUE(std::isnan(in_units(std::nan(""), 2, 1)));
  EXPECT_EQ(in_units(std::numeric_limits<double>::infinity(), 2, 1), std::numeric_limits<double>::infinity());
  EXPECT_EQ(in_units(0, 2), 0);
  EXPECT_NEAR(in_units(1e-45, 1), 1.4e-45, 1e-46);
  EXPECT_TRUE(std::isnan(rounded(std::nan(""), 1, 7)));
  EXPECT_EQ(rounded(0, 1, 7), 0);
}

TEST(DecimalsTest, RoundedToDigitsOfTheValueOrOfTheScale) {
  EXPECT_EQ(text(rounded(0.1 + 0.2, 1, 10)), "0.3");
  EXPECT_EQ(text(rounded(2.0 / 3, 1, 7)), "0.6666667");
  EXPECT_EQ(text(rounded(2e-5 / 3, 1, 7)), "6.666667e-06");
  EXPECT_EQ(text(rounded(5400000 + 2.0 / 3, 1, 7)), "5400000.666667");
  EXPECT_EQ(text(rounded(-5400000 - 2.0 / 3, 10, 7)), "-5400000.66667");
}

}  // namespace
}  // namespace lgode::data
