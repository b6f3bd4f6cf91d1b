// Dropout masks that do not depend on how systems are batched or where they are computed: a random stream a system.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "lgode/core/random.h"

namespace lgode::ops {

// Element begin[i] + k is zero with probability `rate`, by word k of stream i, else 1 / (1 - rate). float32 on
// `device`, [begin.back()]. begin: [streams+1].
at::Tensor dropout_mask(const std::vector<Random>& streams, const std::vector<std::int64_t>& begin, double rate,
                        at::Device device);

}  // namespace lgode::ops
