// One scale per group of features: the largest absolute value, so that normalised values lie in [-1, 1].
#pragma once

#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::data {

struct Normalisation {
  std::vector<double> scale;  // [D] > 0; normalised = value / scale
};

// Fitted on the observed values of the given systems; a group without a non-zero value gets 1. `centred`: of positions,
// the distance from the system's mean counts. The scale of a derived velocity is that of differences between
// neighbours.
Normalisation fit_normalisation(const Dataset& dataset, const std::vector<std::int64_t>& systems, bool centred = false);

}  // namespace lgode::data
