// Hidden frames: how many of the 8 seen frames are hidden takes every number in turn, and which ones is drawn for each
// person of each window from a stream of its own. So the masks depend on nothing but the files. No LibTorch.
#pragma once

#include <array>

#include "lgode/benchmark/tracks.h"

namespace lgode::benchmark {

using Hidden = std::array<bool, kSeen>;  // by frame

inline constexpr std::uint64_t kMaskSeed = 1;

// `count` of the seen frames, each set equally likely. The stream is named by kMaskSeed and the text
// "trajimpute RECORDING WINDOW PERSON COUNT".
Hidden hidden_frames(const Track& track, int count);

// Mean errors of constant velocity, from the last two shown positions, over the five scenes of the published files in
// hard: masks drawn with the same rule must give nearly the same.
inline constexpr double kHardAde = 1.21, kHardFde = 2.06, kMaskTolerance = 0.03;
bool masks_are_comparable(double ade, double fde);

}  // namespace lgode::benchmark
