// What `model` frames takes from its training data: features, the classical base path, units and time grid
// (docs/frames.md). Saved with the model. No LibTorch here.
//
// Shapes: D features, S slots.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lgode/data/classical/fit.h"
#include "lgode/data/dataset.h"

namespace lgode::model {

// Where a scene is, as an input: positions relative to `centre`, in units of `extent`.
struct FramesPlace {
  std::vector<double> centre;  // [d] physical
  double extent = 1.0;         // physical

  bool operator==(const FramesPlace&) const = default;
};

struct FramesShape {
  // Which pairs of objects count: near ones; those and the listed relations; or related ones only.
  enum class Pairs { kNear, kNearAndListed, kRelated };

  std::vector<data::Feature> features;  // [D]
  std::vector<double> scale;            // [D] physical = normalised * scale
  double time_scale = 1.0;              // physical time of one model unit
  std::vector<std::int64_t> positions;  // 2 or 3 features of one unit; a frame turns in the plane of the first two
  // The base path: a classical method (core/methods.h) with its numbers, which do not depend on direction.
  std::string base = "constant_velocity";
  data::ClassicalFit fit;
  double length = 1.0;        // unit of positions, physical
  double time = 1.0;          // tau, unit of times, model time
  double pair_length = 1.0;   // unit of distances between objects, physical
  double radius = 8.0;        // farther objects are no neighbours, physical
  double step = 0.1;          // of the dynamics, model time
  std::vector<double> slots;  // [S] times before an object's last observation, model time; ascending from 0
  Pairs pairs = Pairs::kNear;
  std::optional<FramesPlace> place;  // unset: nothing depends on where a scene is and how it is turned

  bool operator==(const FramesShape&) const = default;
};

}  // namespace lgode::model
