// What the classical methods take from the training part of a run; stored with the run. No LibTorch here.
#pragma once

#include <vector>

#include "lgode/data/classical/kalman.h"

namespace lgode::data {

struct ClassicalFit {
  std::vector<double> damping = {};     // [D] of the damped velocity, per model time; empty: 0
  std::vector<WienerNoise> noise = {};  // [D] of the Kalman smoother; empty: its defaults

  bool operator==(const ClassicalFit&) const = default;
};

}  // namespace lgode::data
