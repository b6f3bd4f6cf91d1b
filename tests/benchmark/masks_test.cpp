// Hidden frames: as many as asked for, the same at every call, others for others, and all sets about equally often.
#include "lgode/benchmark/masks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "sample.h"

namespace lgode::benchmark {
namespace {

TEST(Masks, HideAsManyFramesAsAskedForEveryTime) {
  for (int person = 0; person < 20; ++person)
    for (int count = 0; count < kSeen; ++count) {
      const Track track = turning(std::to_string(person));
      const Hidden hidden = hidden_frames(track, count);
      EXPECT_EQ(std::count(hidden.begin(), hidden.end(), true), count);
      EXPECT_EQ(hidden_frames(track, count), hidden);
    }
}

TEST(Masks, DependOnRecordingWindowPersonAndCountAlone) {
  const Track track = turning();
  Track moved = track;
  moved.people = 7;
  for (Point& point : moved.points) point.x += 3;
  std::map<std::string, int> different;
  for (int window = 0; window < 50; ++window) {
    Track here = track, other_person = track, other_recording = track, other_window = track;
    here.window = other_person.window = other_recording.window = moved.window = window;
    other_window.window = window + 100;
    other_person.person = "2";
    other_recording.recording = "another";
    EXPECT_EQ(hidden_frames(moved, 4), hidden_frames(here, 4));
    different["person"] += hidden_frames(other_person, 4) != hidden_frames(here, 4) ? 1 : 0;
    different["recording"] += hidden_frames(other_recording, 4) != hidden_frames(here, 4) ? 1 : 0;
    different["window"] += hidden_frames(other_window, 4) != hidden_frames(here, 4) ? 1 : 0;
  }
  for (const auto& [what, count] : different) EXPECT_GT(count, 40) << what;  // 70 sets: one in 70 is equal by chance
}

TEST(Masks, EveryFrameIsHiddenEquallyOften) {
  constexpr int kDraws = 4000;
  std::array<int, kSeen> hidden_there = {};
  for (int window = 0; window < kDraws; ++window) {
    Track track = turning();
    track.window = window;
    const Hidden hidden = hidden_frames(track, 2);
    for (std::size_t k = 0; k < kSeen; ++k) hidden_there[k] += hidden[k] ? 1 : 0;
  }
  // 1,000 each; five standard deviations of a binomial count.
  for (const int count : hidden_there) EXPECT_NEAR(count, 1000, 5 * 27.4);
}

TEST(Masks, AreComparableWithinThreePerCent) {
  EXPECT_TRUE(masks_are_comparable(1.21, 2.06));
  EXPECT_TRUE(masks_are_comparable(1.21 * 1.029, 2.06 * 0.971));
  EXPECT_FALSE(masks_are_comparable(1.21 * 1.031, 2.06));
  EXPECT_FALSE(masks_are_comparable(1.21, 2.06 * 0.969));
}

}  // namespace
}  // namespace lgode::benchmark
