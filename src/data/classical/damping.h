// How far a velocity carries that decays.
#pragma once

#include <cmath>

namespace lgode::data {

// The way of a velocity of 1 within `dt`.
inline double damped_time(double damping, double dt) {
  return damping * dt > 1e-12 ? -std::expm1(-damping * dt) / damping : dt;
}

}  // namespace lgode::data
