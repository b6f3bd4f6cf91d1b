// Rounding errors of times: times of a grid are not exact, and the errors grow with the distance from zero.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace lgode::data {

// Times of a range of `length` near `time` that differ by less count as the same.
inline double time_margin(double length, double time) {
  constexpr double kShare = 1e-9, kUlps = 8;
  return std::max(kShare * length, kUlps * std::numeric_limits<double>::epsilon() * std::abs(time));
}

}  // namespace lgode::data
