// Which way temporal edges go. No LibTorch here: options name these, too.
#pragma once

namespace lgode::ops {

// Which sources an observation listens to: all within the window, or only those not later / not earlier.
enum class Direction { kBoth, kPast, kFuture };

}  // namespace lgode::ops
