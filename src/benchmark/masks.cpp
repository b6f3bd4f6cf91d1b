// Draws hidden frames.
#include "lgode/benchmark/masks.h"

#include <fmt/format.h>

#include <cmath>

#include "lgode/core/random.h"

namespace lgode::benchmark {

Hidden hidden_frames(const Track& track, int count) {
  Random random(kMaskSeed, RandomUse::kHide,
                fmt::format("trajimpute {} {} {} {}", track.recording, track.window, track.person, count));
  Hidden hidden = {};
  for (const std::int64_t frame : random.choose(kSeen, count)) hidden[static_cast<std::size_t>(frame)] = true;
  return hidden;
}

bool masks_are_comparable(double ade, double fde) {
  return std::abs(ade / kHardAde - 1) <= kMaskTolerance && std::abs(fde / kHardFde - 1) <= kMaskTolerance;
}

}  // namespace lgode::benchmark
