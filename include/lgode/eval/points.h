// What metrics over positions get: how far the predicted positions of a system's objects are from the true ones, and
// where they are. A point is a target in all position features. Everything is in the original unit of the positions.
//
// Shapes: K points of an object, Q position features, P paths: the mean path and, of a model with several futures,
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lgode::eval {

// Distances that count as failures, in the unit of the positions.
struct PointLimits {
  double miss = 2;         // a final error above it is a miss
  double collision = 0.2;  // centres nearer than it collide
};
// 2 m and 0.2 m in a unit of length (m, cm, mm, km, ft); otherwise 2 and 0.2 of the unit, and `note` says so unless
// both are given. A given number is in the unit of the positions.
PointLimits point_limits(std::string_view unit, std::optional<double> miss, std::optional<double> collision,
                         std::string& note);

struct ObjectPoints {
  std::size_t paths = 1, points = 0, dimensions = 0;
  std::vector<double> times;        // [K] model time, ascending
  std::vector<std::size_t> bins;    // [K] part of the range
  std::vector<double> predicted;    // [P, K, Q] relative to a point that is the same for all objects of the system
  std::vector<double> errors;       // [P, K, Q] predicted minus true
  std::vector<double> distances;    // [P, K]
  std::vector<double> deviations;   // [K, Q] standard deviations of the errors; NaN where they are not known
  std::vector<double> probability;  // [P - 1] of the futures
};

// Consecutive points of an object, at least one.
struct PointSpan {
  const ObjectPoints* object = nullptr;
  std::size_t first = 0, last = 0;  // the points [first, last)

  std::size_t size() const { return last - first; }
  double distance(std::size_t k, std::size_t p) const { return object->distances[p * object->points + first + k]; }
  const double* predicted(std::size_t k, std::size_t p) const {
    return object->predicted.data() + (p * object->points + first + k) * object->dimensions;
  }
  const double* errors(std::size_t k, std::size_t p) const {
    return object->errors.data() + (p * object->points + first + k) * object->dimensions;
  }
  const double* deviations(std::size_t k) const { return object->deviations.data() + (first + k) * object->dimensions; }
  double time(std::size_t k) const { return object->times[first + k]; }
};

// The objects of a system that have points; at least one.
struct SystemPoints {
  std::vector<PointSpan> objects;
  std::size_t paths = 1, dimensions = 0;
  PointLimits limits;
};

}  // namespace lgode::eval
