// Recognises velocities that are differences of positions.
#pragma once

#include <cstdint>

#include "lgode/data/dataset.h"

namespace lgode::data {

// The time D, physical, for which the training part's velocities are backward differences, v(t) = (x(t) - x(t - D)) /
// D: that between the closest observations of an object, if almost all that are so close say so to rounding. 0
// otherwise. Such a velocity tells the position a time D earlier, seen or not. Large sets: a sample of objects decides.
double difference_lag(const Dataset& dataset, std::int64_t position, std::int64_t velocity);

}  // namespace lgode::data
