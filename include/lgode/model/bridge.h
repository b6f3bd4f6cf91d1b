// The bridge: bends a path that meets an object's observations only in jumps so that it is continuous
// (docs/assimilation .md). Between two seen observations l < t < r of an object, with the jump R at r, the gap h and u
// = (t - t_l) / h:
//   position x with velocity v   x + (3u^2 - 2u^3) R_x + (u^3 - u^2) h k R_v
//   its velocity v               v + (6u - 6u^2) / (h k) R_x + (3u^2 - 2u) R_v
//   any other feature            y + u R
// Before the first observation R is held, and moved on with R_v; after the last one there is nothing to add. k is the
// tie's factor. Where a velocity is the mean one over a time D before it (TiedPair::lag), R_v says how far off the
// position was at r - D, seen or not: x gets the cubic c with c(l - D) = c(l) = 0, c(r - D) = R_x - D k R_v and
// c(r) = R_x, and v gets (c(t) - c(t - D)) / (D k). Both go over into the formulas above as D falls to 0; they are used
// for gaps of 1.5 D and more. A pair of features is bridged together only where both are seen at both ends and neither
// in between; else each is bridged linearly between its own seen values.
//
// With a path of constant velocity between jumps this is cubic Hermite interpolation, with one that stands still the
// line between neighbours.
//
// A path without jumps, that of the other models, differs from the observations by a residual R = x - path at each of
// them. Its bridge adds the residuals' own interpolation (ResidualBridge): the line between neighbours, or cubic
// Hermite interpolation of the residuals of a position and its velocity, under the same condition. Outside the
// observations the nearest residual is held, and moved on with that of the velocity. At an observation the bridged path
// is the observation; with a path of zeros it is the line or cubic Hermite interpolation.
//
// Shapes: M observations, T targets, D features, S samples, K terms.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/model/shape.h"
#include "lgode/ops/upload.h"

namespace lgode::model {

// The correction of target t and feature f is own R[m, f] + other R[m, partner of f], with m the next observation.
// Arrays [T, D] to be written: only where there is something to add, and the partner's only where it has a weight.
template <class T>
struct BridgeTerms {
  std::int64_t *own_index, *other_index;  // into R [M, D], flat
  T *own_weight, *other_weight;
};
// target_times [T]: of the readings, which are the batch's own or those of observations. T: float,
// double
template <class T>
void write_bridge(const data::Batch& batch, const std::vector<double>& target_times, const std::vector<TiedPair>& ties,
                  const BridgeTerms<T>& to);

// The correction of target t and feature f is the sum over K terms weight R[index], R flat [M, D]. With `ties`, pairs
// of features are interpolated together; K is 4, else 2.
struct ResidualTerms {
  std::int64_t terms = 2;           // K
  std::vector<std::int64_t> index;  // [K, T, D]; 0 where the weight is 0
  std::vector<double> weight;       // [K, T, D]
};
ResidualTerms residual_terms(const data::Batch& batch, const std::vector<TiedPair>& ties);

// The residual terms of a batch and its observations, on the model's device.
struct ResidualBridge {
  at::Tensor index, weight;  // [K*T*D]
  at::Tensor values, mask;   // [M, D]

  ResidualBridge(const data::Batch& batch, const std::vector<TiedPair>& ties, at::ScalarType dtype,
                 ops::Upload& upload);
  // x - path at the observations, 0 where a value is missing. seen: [S, M, D], the path there.
  at::Tensor residuals(const at::Tensor& seen) const { return (values - seen) * mask; }
  // path [S, T, D] and its residuals [S, M, D] -> [S, T, D]. Differentiable in both.
  at::Tensor operator()(const at::Tensor& path, const at::Tensor& residuals) const;
};

}  // namespace lgode::model
