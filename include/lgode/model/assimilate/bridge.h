// The bridge: bends a path that meets an object's observations only in jumps so that it is continuous
// (docs/assimilation.md). Between two observations l < t < r of an object, with the jump R at r, the gap h and
// u = (t - t_l) / h:
//   position x with velocity v   x + (3u^2 - 2u^3) R_x + (u^3 - u^2) h k R_v
//   its velocity v               v + (6u - 6u^2) / (h k) R_x + (3u^2 - 2u) R_v
//   any other feature            y + u R
// Before the first observation R is held, and extrapolated with R_v; after the last one nothing is added. k is the
// tie's factor. Where a velocity is the mean one over a time D before it (TiedPair::lag), R_v gives the error of the
// position at r - D, observed or not: x gets the cubic c with c(l - D) = c(l) = 0, c(r - D) = R_x - D k R_v and
// c(r) = R_x, and v gets (c(t) - c(t - D)) / (D k). Both tend to the formulas above as D falls to 0; they are used
// for gaps of 1.5 D and more. A pair of features is bridged together only where both have values at both ends and
// neither in between; else each is bridged linearly between its own observed values.
//
// With a path of constant velocity between jumps this is cubic Hermite interpolation, with a constant path the line
// between neighbours.
//
// Shapes: M observations, T targets, D features, S samples.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/model/shape.h"
#include "lgode/ops/segment.h"
#include "lgode/ops/upload.h"

namespace lgode::model {

// The correction of target t and feature f is own R[m, f] + other R[m, partner of f], with m the next observation.
// Arrays [T, D] to be written: only where there is something to add, and the partner's only where it has a weight.
template <class T>
struct BridgeTerms {
  std::int64_t *own_index, *other_index;  // into R [M, D], flat
  T *own_weight, *other_weight;
};
// target_times [T]: of the targets, where one is at an observation the time of that. T: float, double
template <class T>
void write_bridge(const data::Batch& batch, const std::vector<double>& target_times, const std::vector<TiedPair>& ties,
                  const BridgeTerms<T>& to);

// The terms of a batch on the model's device.
struct Bridge {
  ops::GatherIndex own_index, other_index;  // [S*T*D] into the residuals [S*M*D]; undefined without observations
  at::Tensor own_weight, other_weight;      // [T*D]

  struct Sizes {
    std::int64_t samples, observations, targets;  // S and, with padding, M and T
  };
  static Bridge make(const data::Batch& batch, const std::vector<double>& target_times,
                     const std::vector<TiedPair>& ties, const Sizes& sizes, at::ScalarType dtype, ops::Upload& upload);
  // path [S, T, D] and its jumps R [S, M, D] -> [S, T, D]. Differentiable in both.
  at::Tensor operator()(const at::Tensor& path, const at::Tensor& residual) const;
};

}  // namespace lgode::model
