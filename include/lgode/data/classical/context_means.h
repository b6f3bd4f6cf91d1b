// What a classical method predicts of an object without context.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lgode/data/batch.h"

namespace lgode::data {

// Means of the features [D] over the context of all objects of a system; 0 without context.
inline std::vector<double> context_means(const Batch& batch, std::int64_t system) {
  const auto features = static_cast<std::size_t>(batch.features);
  std::vector<double> sum(features, 0.0), count(features, 0.0);
  const auto begin = static_cast<std::size_t>(batch.observation_offsets[batch.object_offsets[system]]),
             end = static_cast<std::size_t>(batch.observation_offsets[batch.object_offsets[system + 1]]);
  for (std::size_t m = begin; m < end; ++m)
    for (std::size_t f = 0; f < features; ++f) {
      const std::size_t at = m * features + f;
      if (batch.observation_mask[at] != 0.0F) sum[f] += batch.observation_values[at], count[f] += 1;
    }
  for (std::size_t f = 0; f < features; ++f) sum[f] /= std::max(count[f], 1.0);
  return sum;
}

}  // namespace lgode::data
