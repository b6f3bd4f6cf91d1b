// Ranks join through a store, as threads of one process.
#include "train/rank_store.h"

#include <gtest/gtest.h>

#include <thread>

#include "train/memory_store.h"

namespace lgode::train {
namespace {

using namespace std::chrono_literals;

RankPlace place_of(int rank, int size) {
  RankPlace place;
  place.rank = rank, place.size = size, place.address = "node0";
  return place;
}

TEST(RankStoreTest, EveryRankLearnsWhereAllAre) {
  MemoryStore store;
  std::vector<std::vector<Member>> found(3);
  {
    std::vector<std::jthread> ranks;
    for (const int r : {2, 1, 0})
      ranks.emplace_back([&, r] {
        found[static_cast<std::size_t>(r)] =
            gather(*store.connect(), place_of(r, 3), {"node" + std::to_string(r), 10 + r}, 60s);
      });
  }
  for (const std::vector<Member>& members : found) {
    ASSERT_EQ(members.size(), 3U);
    for (std::size_t r = 0; r < 3; ++r) {
      EXPECT_EQ(members[r].host, "node" + std::to_string(r));
      EXPECT_EQ(members[r].process, 10 + static_cast<std::int64_t>(r));
    }
  }
}

TEST(RankStoreTest, RanksThatDoNotArriveAreNamed) {
  MemoryStore store;
  store.connect()->set("here/1", R"({"host": "node1", "process": 11})");
  try {
    gather(*store.connect(), place_of(0, 4), {"node0", 10}, 0s);
    FAIL();
  } catch (const RankLostError& error) {
    EXPECT_STREQ(error.what(),
                 "ranks 2 and 3 of 4 did not arrive within 0 s; check that every process is started and reaches node0");
  }
  // The others get the same answer, however late they ask.
  EXPECT_THROW(gather(*store.connect(), place_of(1, 4), {"node1", 11}, 0s), RankLostError);
}

}  // namespace
}  // namespace lgode::train
