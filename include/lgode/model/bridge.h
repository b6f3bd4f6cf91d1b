// The bridge: bends a path that meets an object's observations only in jumps so that it is continuous
// (docs/assimilation .md). Between two seen observations l < t < r of an object, with the jump R at r, the gap h and u
// = (t - t_l) / h:
//   position x with velocity v   x + (3u^2 - 2u^3) R_x + (u^3 - u^2) h k R_v
//   its velocity v               v + (6u - 6u^2) / (h k) R_x + (3u^2 - 2u) R_v
//   any other feature            y + u R
// Before the first observation R is held, and moved on with R_v; after the last one there is nothing to add. k is the
// tie's factor. A pair of features is bridged together only where both are seen at both ends and neither in between;
// else each is bridged linearly between its own seen values.
//
// With a path of constant velocity between jumps this is cubic Hermite interpolation, with one that stands still the
// line between neighbours.
//
// Shapes: M observations, T targets, D features.
#pragma once

#include <cstdint>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/model/shape.h"

namespace lgode::model {

// The correction of target t and feature f is own R[m, f] + other R[m, partner of f], with m the next observation.
struct BridgeTerms {
  std::vector<std::int64_t> own_index, other_index;  // [T, D] into R [M, D], flat; 0 where the weight is 0
  std::vector<double> own_weight, other_weight;      // [T, D]
};
BridgeTerms bridge_terms(const data::Batch& batch, const std::vector<TiedPair>& ties);

}  // namespace lgode::model
