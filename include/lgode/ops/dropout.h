// Dropout masks that do not depend on how systems are batched or where they are computed: a random stream a system.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/ops/upload.h"

namespace lgode::ops {

// Which stream draws which elements of a mask, made ready where it will be drawn.
struct DropoutStreams {
  std::vector<Random> streams;
  std::vector<std::int64_t> begin;    // [streams+1] first element of each
  at::Tensor names, begin_on_device;  // of a GPU: int32 [streams, 4], int64 [streams+1]

  std::int64_t count() const { return begin.back(); }
};
DropoutStreams dropout_streams(std::vector<Random> streams, std::vector<std::int64_t> begin, Upload& upload);

// Element begin[i] + k is zero with probability `rate`, by word k of stream i, else 1 / (1 - rate). float32 [count].
at::Tensor dropout_mask(const DropoutStreams& streams, double rate);

}  // namespace lgode::ops
