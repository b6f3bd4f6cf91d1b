// Samples of lists.
#include "lgode/core/evenly_spaced.h"

#include <gtest/gtest.h>

namespace lgode {
namespace {

TEST(EvenlySpaced, ChoosesFromTheWholeListInOrder) {
  const std::vector<int> all{10, 11, 12, 13, 14, 15, 16};
  EXPECT_EQ(evenly_spaced(all, 3), (std::vector<int>{10, 12, 14}));
  EXPECT_EQ(evenly_spaced(all, 6), (std::vector<int>{10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(evenly_spaced(all, 1), (std::vector<int>{10}));
}

TEST(EvenlySpaced, TakesAllWhereThereAreNoMore) {
  const std::vector<int> all{3, 1, 2};
  EXPECT_EQ(evenly_spaced(all, 3), all);
  EXPECT_EQ(evenly_spaced(all, 9), all);
  EXPECT_TRUE(evenly_spaced(all, 0).empty());
  EXPECT_TRUE(evenly_spaced(std::vector<int>{}, 5).empty());
}

}  // namespace
}  // namespace lgode
