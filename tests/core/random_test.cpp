// Random streams: the published words of Philox, the independence of streams, and the distributions. The task loop,
// which such streams make free of order, is tested here, too.
#include "lgode/core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

#include "lgode/core/parallel.h"

namespace lgode {
namespace {

// The known answers of Random123 (kat_vectors, philox4x32 10).
TEST(Philox, KnownAnswers) {
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Words{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}));
  const std::uint32_t ones = 0xFFFFFFFF;
  EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}),
            (Words{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}));
  EXPECT_EQ(philox4x32({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}, {0xA4093822, 0x299F31D0}),
            (Words{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}));
}

TEST(Random, SameNameSameNumbers) {
  Random a(7, RandomUse::kTest, {1, 2});
  Random b(7, RandomUse::kTest, {1, 2});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next_u64(), b.next_u64());
}

TEST(Random, EveryPartOfTheNameCounts) {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed : {0, 1, 2}) {
    for (RandomUse use : {RandomUse::kTest, RandomUse::kNoise}) {
      first.insert(Random(seed, use).next_u64());
      first.insert(Random(seed, use, {0}).next_u64());
      first.insert(Random(seed, use, {0, 0}).next_u64());
      first.insert(Random(seed, use, {1, 0}).next_u64());
      first.insert(Random(seed, use, {0, 1}).next_u64());
    }
  }
  EXPECT_EQ(first.size(), 30U);
}

TEST(Random, ManyStreamsAreDistinct) {
  std::set<std::uint64_t> first;
  for (std::uint64_t i = 0; i < 20000; ++i) first.insert(Random(1, RandomUse::kTest, {i}).next_u64());
  EXPECT_EQ(first.size(), 20000U);
}

TEST(Random, FillGivesTheWordsOfSingleCalls) {
  for (const std::size_t size : {0, 1, 3, 4, 63, 64, 65, 200, 1000}) {
    for (int before = 0; before < 5; ++before) {
      Random bulk(3, RandomUse::kTest);
      Random single(3, RandomUse::kTest);
      for (int i = 0; i < before; ++i) EXPECT_EQ(bulk.next_u32(), single.next_u32());
      std::vector<std::uint32_t> words(size);
      bulk.fill(words);
      for (const std::uint32_t word : words) ASSERT_EQ(word, single.next_u32());
      EXPECT_EQ(bulk.next_u64(), single.next_u64());
    }
  }
}

TEST(Random, UniformStaysInsideAndHasItsMean) {
  Random random(1, RandomUse::kTest);
  double sum = 0.0;
  for (int i = 0; i < 100000; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 5 * 0.2887 / std::sqrt(100000.0));
  for (int i = 0; i < 1000; ++i) {
    const double u = random.uniform(-3.0, std::nextafter(-3.0, 0.0));
    ASSERT_EQ(u, -3.0);
  }
  EXPECT_EQ(random.uniform(2.0, 2.0), 2.0);
}

TEST(Random, BelowIsEven) {
  Random random(1, RandomUse::kTest);
  for (const std::uint64_t bound : {1ULL, 2ULL, 7ULL, 13ULL}) {
    std::map<std::uint64_t, int> counts;
    for (int i = 0; i < 20000; ++i) ++counts[random.below(bound)];
    EXPECT_EQ(counts.size(), bound);
    EXPECT_LT(counts.rbegin()->first, bound);
    const double expected = 20000.0 / static_cast<double>(bound);
    for (const auto& [value, count] : counts) EXPECT_NEAR(count, expected, 5 * std::sqrt(expected)) << value;
  }
  // Beyond 32 bits: three quarters of 2^64, so that a quarter of the draws must be repeated.
  const std::uint64_t large = 3ULL << 62;
  int upper = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t x = random.below(large);
    ASSERT_LT(x, large);
    upper += x >= large / 2 ? 1 : 0;
  }
  EXPECT_NEAR(upper, 10000, 5 * std::sqrt(5000.0));
}

TEST(Random, BetweenReachesBothEnds) {
  Random random(1, RandomUse::kTest);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.between(-2, 3));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2, 3}));
  EXPECT_EQ(random.between(5, 5), 5);
  random.between(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
}

TEST(Random, CoinIsFair) {
  Random random(1, RandomUse::kTest);
  int heads = 0;
  for (int i = 0; i < 10000; ++i) heads += random.coin() ? 1 : 0;
  EXPECT_NEAR(heads, 5000, 250);
}

TEST(Random, ChooseIsAscendingDistinctAndEven) {
  Random random(1, RandomUse::kTest);
  std::vector<int> counts(10);
  for (int i = 0; i < 5000; ++i) {
    const auto chosen = random.choose(10, 4);
    ASSERT_EQ(chosen.size(), 4U);
    ASSERT_TRUE(std::adjacent_find(chosen.begin(), chosen.end(), std::greater_equal<>()) == chosen.end());
    for (const auto index : chosen) ++counts.at(static_cast<std::size_t>(index));
  }
  for (const int count : counts) EXPECT_NEAR(count, 2000, 5 * std::sqrt(5000 * 0.4 * 0.6));
  EXPECT_TRUE(random.choose(10, 0).empty());
  EXPECT_TRUE(random.choose(0, 0).empty());
  EXPECT_EQ(random.choose(3, 3), (std::vector<std::int64_t>{0, 1, 2}));
}

TEST(Random, PermutationsAreEven) {
  Random random(1, RandomUse::kTest);
  std::map<std::vector<std::int64_t>, int> counts;
  for (int i = 0; i < 6000; ++i) ++counts[random.permutation(3)];
  ASSERT_EQ(counts.size(), 6U);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 150);
  EXPECT_TRUE(random.permutation(0).empty());
}

TEST(Random, NormalHasItsMoments) {
  Random random(1, RandomUse::kTest);
  constexpr int kCount = 200000;
  double sum = 0.0;
  double squares = 0.0;
  double fourths = 0.0;
  for (int i = 0; i < kCount; ++i) {
    const double x = random.normal();
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
  }
  // Five standard errors: the variances of x, x^2 and x^4 are 1, 2 and 96.
  const double root = std::sqrt(static_cast<double>(kCount));
  EXPECT_NEAR(sum / kCount, 0.0, 5 / root);
  EXPECT_NEAR(squares / kCount, 1.0, 5 * std::sqrt(2.0) / root);
  EXPECT_NEAR(fourths / kCount, 3.0, 5 * std::sqrt(96.0) / root);
}

TEST(InverseNormal, InvertsTheDistributionFunction) {
  EXPECT_EQ(inverse_normal_cdf(0.5), 0.0);
  // Four units in the last place.
  EXPECT_NEAR(inverse_normal_cdf(0.975), 1.959963984540054, 9e-16);
  EXPECT_NEAR(inverse_normal_cdf(0.001), -3.090232306167813, 2e-15);
  EXPECT_NEAR(inverse_normal_cdf(1e-20), -9.262340089798408, 8e-15);
  // The lower half only: above, p itself is too coarse.
  for (double x = -37.0; x < 0.0; x += 0.173) {
    const double p = 0.5 * std::erfc(-x / std::sqrt(2.0));
    EXPECT_NEAR(inverse_normal_cdf(p), x, 2e-15 * (1.0 + std::abs(x)));
  }
  for (double p = 0x1p-20; p < 0.5; p *= 2) EXPECT_EQ(inverse_normal_cdf(1.0 - p), -inverse_normal_cdf(p));
}

TEST(PortableLog, IsWithinTwoUlp) {
  Random random(1, RandomUse::kTest);
  const auto check = [](double x) {
    const double expected = std::log(x);
    const double ulp = std::nextafter(std::abs(expected), INFINITY) - std::abs(expected);
    EXPECT_LE(std::abs(portable_log(x) - expected), 2 * ulp) << x;
  };
  for (int i = 0; i < 20000; ++i) {
    check(random.uniform(0.4, 2.0));
    check(std::ldexp(1.0 + random.uniform(), static_cast<int>(random.between(-1074, 1022))));
  }
  for (const double x : {1.0, 2.0, 0.5, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308}) check(x);
  EXPECT_EQ(portable_log(1.0), 0.0);
}

// Bits that must never change: data sets and runs are named by their seed.
TEST(Random, NumbersStayTheSame) {
  Random random(1, RandomUse::kSimulate, {2, 3});
  const std::uint64_t word = random.next_u64();
  const double normal = random.normal();
  EXPECT_EQ(word, 0xD77F19545DD27D4CULL) << word;
  EXPECT_EQ(normal, 0x1.4ebbfa1dcad0dp-3) << std::hexfloat << normal;
}

TEST(ParallelTasks, RunsEveryTaskOnce) {
  for (const int threads : {0, 1, 2, 7}) {
    std::vector<int> runs(1000);
    parallel_tasks(1000, threads, [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; });
    EXPECT_EQ(std::count(runs.begin(), runs.end(), 1), 1000);
  }
  parallel_tasks(0, 2, [](std::int64_t) { FAIL(); });
  EXPECT_GE(hardware_threads(), 1);
}

TEST(ParallelTasks, PassesAnErrorOn) {
  for (const int threads : {1, 3}) {
    const auto run = [&] {
      parallel_tasks(100, threads, [](std::int64_t i) {
        if (i == 5) throw std::runtime_error("five");
      });
    };
    EXPECT_THROW(run(), std::runtime_error);
  }
}

}  // namespace
}  // namespace lgode
