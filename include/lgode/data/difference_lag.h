// Recognises velocities that are differences of positions.
#pragma once

#include <cstdint>

#include "lgode/data/dataset.h"

namespace lgode::data {

// The time D, physical, for which the training part's velocities are backward differences, v(t) = (x(t) - x(t - D)) /
// D: the time between the closest observations of an object, if almost all pairs this close agree up to rounding. 0
// otherwise. Such a velocity gives the position a time D earlier, observed or not. Large sets: decided on a sample.
double difference_lag(const Dataset& dataset, std::int64_t position, std::int64_t velocity);

}  // namespace lgode::data
