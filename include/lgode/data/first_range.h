// The end of the first range of systems, as scenes see it.
#pragma once

#include <cstdint>

#include "lgode/data/dataset.h"
#include "lgode/data/time_margin.h"

namespace lgode::data {

// Whether a time is before the end of a system's first range. A time on the end, up to rounding errors, is after it.
inline bool before_range_end(const Dataset& dataset, std::int64_t system, double time) {
  const Description& d = dataset.description();
  const double origin = dataset.origin(system);
  return time - origin < d.conditioning_length - time_margin(d.time_scale, origin);
}

}  // namespace lgode::data
