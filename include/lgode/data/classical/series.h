// One quantity of one object as a time series, alone and with its velocity: what the classical paths are made of.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "lgode/core/hermite.h"

namespace lgode::data {

// The present values of one feature of one object, ascending in time.
struct Series {
  std::vector<double> time, value;
  bool empty() const { return time.empty(); }
  void add(double t, double x) { time.push_back(t), value.push_back(x); }

  // Index of the last entry not later than t, or -1.
  std::ptrdiff_t before(double t) const { return std::upper_bound(time.begin(), time.end(), t) - time.begin() - 1; }
  // Whether t lies between two entries.
  bool inside(double t) const {
    const std::ptrdiff_t k = before(t);
    return k >= 0 && k + 1 < static_cast<std::ptrdiff_t>(time.size());
  }
  double hold(double t) const { return value[static_cast<std::size_t>(std::max<std::ptrdiff_t>(before(t), 0))]; }
  double linear(double t) const {
    const std::ptrdiff_t k = before(t);
    if (k < 0) return value.front();
    if (k + 1 >= static_cast<std::ptrdiff_t>(time.size())) return value.back();
    const double share = (t - time[k]) / (time[k + 1] - time[k]);
    return value[k] + share * (value[k + 1] - value[k]);
  }
  // Slope of the line from entry k - 1 to entry k.
  double difference(std::size_t k) const { return (value[k] - value[k - 1]) / (time[k] - time[k - 1]); }
};

// A position with its velocity, in units of the position per unit of time. The velocity may be empty: unknown.
struct Motion {
  Series position, velocity;

  // Velocity at t: of the data, or the latest difference (before the second entry: the first one).
  double slope(double t) const {
    if (!velocity.empty()) return velocity.linear(t);
    const auto n = static_cast<std::ptrdiff_t>(position.time.size());
    if (n < 2) return 0.0;
    return position.difference(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(position.before(t), 1, n - 1)));
  }
  // Velocity at entry k: of the data or, without, the derivative of the parabola through the entry and its neighbours;
  // at the ends, the difference from the neighbour.
  double tangent(std::size_t k) const {
    if (!velocity.empty()) return velocity.linear(position.time[k]);
    const std::size_t n = position.time.size();
    if (n < 2) return 0.0;
    if (k == 0) return position.difference(1);
    if (k + 1 == n) return position.difference(k);
    const double before = position.time[k] - position.time[k - 1], after = position.time[k + 1] - position.time[k];
    return parabola_slope(before, after, position.difference(k), position.difference(k + 1));
  }
  double constant_velocity(double t) const {
    const auto k = static_cast<std::size_t>(std::max<std::ptrdiff_t>(position.before(t), 0));
    return position.value[k] + slope(position.time[k]) * (t - position.time[k]);
  }
  // Cubic through the two neighbouring entries with their tangents, or its derivative; t lies between two entries.
  double hermite(double t, bool derivative) const {
    const auto k = static_cast<std::size_t>(position.before(t));
    const double h = position.time[k + 1] - position.time[k], x = (t - position.time[k]) / h;
    const double y0 = position.value[k], y1 = position.value[k + 1];
    const double s0 = h * tangent(k), s1 = h * tangent(k + 1);
    if (derivative) {
      const HermiteWeights w = hermite_derivative_weights(x);
      return (w.left * (y0 - y1) + w.left_slope * s0 + w.right_slope * s1) / h;
    }
    const HermiteWeights w = hermite_weights(x);
    return w.left * y0 + w.left_slope * s0 + w.right * y1 + w.right_slope * s1;
  }
};

}  // namespace lgode::data
