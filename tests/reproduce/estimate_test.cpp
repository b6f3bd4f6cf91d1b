// Estimates of the time left.
#include "lgode/reproduce/estimate.h"

#include <gtest/gtest.h>

namespace lgode::reproduce {
namespace {

TEST(SecondsLeft, NothingIsKnownAtFirst) {
  EXPECT_FALSE(seconds_left({{"a", State::kWaiting, 0, 10, 0, 0}}, 1));
  EXPECT_FALSE(seconds_left({{"a", State::kRunning, 5, 10, 0, 0}}, 1));
  EXPECT_FALSE(seconds_left({{"a", State::kFailed, 5, 10, 0, 0}, {"a", State::kWaiting, 0, 10, 0, 0}}, 1));
}

TEST(SecondsLeft, FromFinishedCellsOfTheSameKind) {
  const std::vector<CellProgress> cells = {{"a", State::kDone, 100, 10, 0, 10},
                                           {"b", State::kDone, 20, 10, 0, 10},
                                           {"a", State::kWaiting, 0, 10, 0, 0},
                                           {"b", State::kWaiting, 0, 10, 0, 0},
                                           {"c", State::kWaiting, 0, 10, 0, 0}};
  // c counts as the mean of the known cells, 60.
  EXPECT_DOUBLE_EQ(*seconds_left(cells, 1), 100 + 20 + 60);
  // Two at a time: half, but not less than the longest.
  EXPECT_DOUBLE_EQ(*seconds_left(cells, 2), 100);
  EXPECT_DOUBLE_EQ(*seconds_left(cells, 8), 100);
}

TEST(SecondsLeft, FromEpochsOfWhatRuns) {
  // Two of ten epochs in 30 s: 15 s each.
  EXPECT_DOUBLE_EQ(*seconds_left({{"a", State::kRunning, 30, 10, 0, 2}}, 1), 120);
  // Epochs that an earlier start had done do not count as fast ones.
  EXPECT_DOUBLE_EQ(*seconds_left({{"a", State::kRunning, 30, 10, 6, 8}}, 1), 30);
  // One that is resumed needs only the rest.
  EXPECT_DOUBLE_EQ(*seconds_left({{"a", State::kDone, 100, 10, 0, 10}, {"a", State::kWaiting, 0, 10, 4, 4}}, 1), 60);
}

TEST(SecondsLeft, RunsDownWithinAnEpoch) {
  EXPECT_DOUBLE_EQ(*seconds_left({{"a", State::kRunning, 30, 10, 0, 2, 6}}, 1), 114);
  // A slow epoch: no more than the epoch itself is taken off, so that the others are still to come.
  EXPECT_DOUBLE_EQ(*seconds_left({{"a", State::kRunning, 30, 10, 0, 2, 100}}, 1), 105);
  // Before its first epoch, by the time of its kind.
  EXPECT_DOUBLE_EQ(*seconds_left({{"a", State::kDone, 100, 10, 0, 10}, {"a", State::kRunning, 0, 10, 0, 0, 4}}, 1), 96);
}

TEST(SecondsLeft, NothingIsLeftWhenAllIsDone) {
  EXPECT_DOUBLE_EQ(*seconds_left({{"a", State::kDone, 3, 1, 0, 1}, {"b", State::kFailed, 3, 1, 0, 0}}, 2), 0);
  EXPECT_DOUBLE_EQ(*seconds_left({}, 1), 0);
}

}  // namespace
}  // namespace lgode::reproduce
