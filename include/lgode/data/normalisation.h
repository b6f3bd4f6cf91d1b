// One scale per group of features: the largest absolute value, so that normalised values are in [-1, 1].
#pragma once

#include <vector>

#include "lgode/data/dataset.h"
#include "lgode/data/outliers.h"

namespace lgode::data {

struct Normalisation {
  std::vector<double> scale;  // [D] > 0; normalised = value / scale
  // [D] > 0: the unit of reported errors, where that is another one. Relative coordinates have smaller scales; errors
  // are reported in the scales of the world's, so that runs can be compared.
  std::vector<double> error_scale = {};

  // From a normalised error to a reported one.
  double error_factor(std::size_t feature) const {
    return error_scale.empty() ? 1.0 : scale[feature] / error_scale[feature];
  }
};

// Fitted on the observed values of the given systems; a group without a non-zero value gets 1. `centred`: of positions,
// the distance from the system's mean counts. A derived velocity is scaled by the differences between
// neighbours. `gate`: values that it does not believe do not count.
Normalisation fit_normalisation(const Dataset& dataset, const std::vector<std::int64_t>& systems, bool centred = false,
                                const OutlierGate* gate = nullptr);

}  // namespace lgode::data
