// Each object's observations as a row of a matrix, padded to the longest series of the batch.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdint>

#include "lgode/model/batch_tensors.h"

namespace lgode::model {

struct PaddedRuns {
  at::Tensor rows;     // [N, K] int64 observation; any one in the padding
  at::Tensor present;  // [N, K] bool
};

inline std::int64_t longest_run(const data::Batch& batch) {
  std::int64_t longest = 0;
  for (std::int64_t i = 0; i < batch.objects(); ++i)
    longest = std::max(longest, batch.observation_offsets[i + 1] - batch.observation_offsets[i]);
  return longest;
}

// On the batch's device, which is not asked anything; the batch has at least one observation.
inline PaddedRuns pad_runs(const BatchTensors& batch) {
  const at::Tensor& offsets = batch.observation_offsets;
  const at::Tensor rows =
      offsets.slice(0, 0, -1).unsqueeze(1) + at::arange(longest_run(batch.batch), offsets.options()).unsqueeze(0);
  return {rows.clamp_max(batch.batch.observations() - 1), rows.lt(offsets.slice(0, 1).unsqueeze(1))};
}

}  // namespace lgode::model
