// Dropout masks that depend neither on how systems are batched nor on the device: one random stream per system.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/ops/upload.h"

namespace lgode::ops {

// Which stream draws which elements of a mask, uploaded to the device that draws them.
struct DropoutStreams {
  std::vector<Random> streams;
  std::vector<std::int64_t> begin;    // [streams+1] first element of each
  at::Tensor names, begin_on_device;  // on a GPU only: int32 [streams, 4], int64 [streams+1]

  std::int64_t count() const { return begin.back(); }
};
DropoutStreams dropout_streams(std::vector<Random> streams, std::vector<std::int64_t> begin, Upload& upload);

// float32 [count]: element begin[i] + k is drawn by word k of stream i; 0 with probability `rate`, else 1 / (1 - rate).
// The same bits on every device. No gradient.
at::Tensor dropout_mask(const DropoutStreams& streams, double rate);

}  // namespace lgode::ops
