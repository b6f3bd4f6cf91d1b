// Queries about the targets of a batch.
#include "lgode/data/batch.h"

#include <algorithm>

namespace lgode::data {

bool Batch::asks_something() const {
  return std::any_of(target_mask.begin(), target_mask.end(), [](float m) { return m != 0.0F; });
}

std::vector<double> Batch::horizons() const {
  std::vector<double> out(static_cast<std::size_t>(systems()), 0.0);
  for (std::int64_t b = 0; b < systems(); ++b)
    for (std::int64_t t = target_offsets[object_offsets[b]]; t < target_offsets[object_offsets[b + 1]]; ++t)
      out[b] = std::max(out[b], target_times[t]);
  return out;
}

}  // namespace lgode::data
