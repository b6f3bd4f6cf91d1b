// Direction of temporal edges. Free of LibTorch, because option parsing includes it.
#pragma once

namespace lgode::ops {

// Sources of an observation: all within the window (kBoth), only those not later (kPast) or not earlier (kFuture).
enum class Direction { kBoth, kPast, kFuture };

}  // namespace lgode::ops
