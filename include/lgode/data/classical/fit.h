// What the classical methods take from the training part of a run; stored with the run. No LibTorch here.
#pragma once

#include <vector>

#include "lgode/core/methods.h"
#include "lgode/data/classical/kalman.h"

namespace lgode::data {

struct ClassicalFit {
  std::vector<double> damping = {};     // [D] of the damped velocity, per model time; empty: 0
  std::vector<WienerNoise> noise = {};  // [D] of the Kalman smoother; empty: its defaults

  bool operator==(const ClassicalFit&) const = default;
};

// Whether the fit has the numbers that a method takes, if it takes any.
bool is_fitted(Classical kind, const ClassicalFit& fit);

}  // namespace lgode::data
