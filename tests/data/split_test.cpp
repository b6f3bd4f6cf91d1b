// Which systems are held out: the side that the share counts, and what differs between test and validation.
#include "lgode/data/split.h"

#include <gtest/gtest.h>

#include <numeric>

namespace lgode::data {
namespace {

// Windows [k, k + 1) of recordings of these lengths.
struct Windows {
  explicit Windows(const std::vector<int>& lengths) : observed(lengths.size(), true) {
    for (std::size_t r = 0; r < lengths.size(); ++r)
      for (int k = 0; k < lengths[r]; ++k) recording.push_back(static_cast<std::uint32_t>(r)), origins.push_back(k);
  }
  SplitTask task(Side counted, double share) const {
    return {.recording = recording,
            .origins = origins,
            .observed = observed,
            .window = 1.0,
            .stride = 1.0,
            .share = share,
            .counted = counted,
            .by_windows = counted == Side::kHeldOut,
            .random = Random(1, RandomUse::kSplit)};
  }

  std::vector<std::uint32_t> recording;
  std::vector<double> origins;
  std::vector<bool> observed;
};

std::string letters(const SplitResult& result) {
  std::string text;
  for (const Fate fate : result.fates)
    text += fate == Fate::kTrain ? 't' : fate == Fate::kHeldOut ? 'h' : fate == Fate::kBetween ? 'b' : 'e';
  return text;
}

TEST(Split, TheSideThatIsCountedIsSettledFirst) {
  const Windows ten({10});
  // Half of the nine windows that are not spared train; half of all ten are held out.
  EXPECT_EQ(letters(split_systems(ten.task(Side::kTrain, 0.5))), "tttttbhhhh");
  EXPECT_EQ(letters(split_systems(ten.task(Side::kHeldOut, 0.5))), "ttttbhhhhh");
}

TEST(Split, EachRecordingIsDividedWhereTheTrainingSideIsCounted) {
  const Windows three({4, 4, 4});
  EXPECT_EQ(letters(split_systems(three.task(Side::kTrain, 0.9))), "ttthttthttth");
  EXPECT_EQ(letters(split_systems(three.task(Side::kHeldOut, 0.05))), "ttbhtttttttt");
}

TEST(Split, SparesNothingWhereThatWouldLeaveTooFew) {
  EXPECT_EQ(letters(split_systems(Windows({2}).task(Side::kTrain, 0.5))), "th");
  EXPECT_EQ(letters(split_systems(Windows({2}).task(Side::kHeldOut, 0.5))), "th");
  const SplitResult one = split_systems(Windows({1}).task(Side::kHeldOut, 0.5));
  EXPECT_EQ(letters(one), "t");
  EXPECT_TRUE(one.undivided);
}

TEST(Split, ValidationLeavesOutOnlyWhatItOverlaps) {
  const Windows ten({10});
  SplitTask task = ten.task(Side::kHeldOut, 0.2);
  EXPECT_EQ(letters(split_systems(task)), "tttttttbhh");
  task.apart = false;
  EXPECT_EQ(letters(split_systems(task)), "tttttttthh");
  task.window = 3.0;  // each overlaps the two before it
  EXPECT_EQ(letters(split_systems(task)), "ttttttbbhh");
}

TEST(Split, WhereWindowsOverlapMuchValidationComesFromFewRecordings) {
  const Windows three({10, 12, 10});
  SplitTask task = three.task(Side::kHeldOut, 0.1);
  task.apart = false;
  task.window = 5.0;  // each overlaps the four before it
  EXPECT_EQ(letters(split_systems(task)),
            "tttttttttt"
            "tttttbbbbhhh"
            "tttttttttt");
  task.window = 2.0;  // as many are lost as are held out
  EXPECT_EQ(letters(split_systems(task)),
            "ttttttttbh"
            "ttttttttttbh"
            "ttttttttbh");
}

TEST(Split, FiveRecordingsAreNeverDivided) {
  const Windows five({3, 3, 3, 3, 3});
  for (const Side side : {Side::kTrain, Side::kHeldOut}) {
    const SplitResult result = split_systems(five.task(side, 0.4));
    EXPECT_EQ(result.count(Fate::kBetween), 0);
    EXPECT_EQ(result.count(Fate::kHeldOut), side == Side::kTrain ? 9 : 6);
    for (std::size_t s = 0; s < result.fates.size(); s += 3) {
      EXPECT_EQ(result.fates[s], result.fates[s + 1]);
      EXPECT_EQ(result.fates[s], result.fates[s + 2]);
    }
  }
}

TEST(Split, EmptyRecordingsAreOnNoSide) {
  Windows five({1, 1, 1, 1, 1});
  five.observed[2] = false;
  const SplitResult result = split_systems(five.task(Side::kTrain, 0.5));
  EXPECT_EQ(result.fates[2], Fate::kEmpty);
  EXPECT_EQ(result.count(Fate::kHeldOut), 2);
}

}  // namespace
}  // namespace lgode::data
