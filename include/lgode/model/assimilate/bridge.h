// The bridge: bends a path that meets an object's observations only in jumps so that it is continuous
// (docs/assimilation.md). Between two observations l < t < r of an object, with the jump R at r, the gap h and
// u = (t - t_l) / h:
//   position x with velocity v   x + (3u^2 - 2u^3) R_x + (u^3 - u^2) h k R_v
//   its velocity v               v + (6u - 6u^2) / (h k) R_x + (3u^2 - 2u) R_v
//   any other feature            y + u R
// Before the first observation R is held, and extrapolated with R_v; after the last one nothing is added. k is the
// tie's factor. A pair of features is bridged together only where both have values at both ends and neither in between;
// else each is bridged linearly between its own observed values.
//
// Where a velocity is the mean one over a time D before it (TiedPair::lag), the state after the jump at r gives the
// position at r - D, observed or not: x(r+) - D k v(r+). The path is read there, and misses it by
//   B = R_x - D k R_v + Q(r),   Q(t) = x(t-) - D k v(t-) - x(t - D)
// with Q, the deviation, zero for a path of constant velocity. Then x gets the cubic c with c(l - D) = c(l) = 0,
// c(r - D) = B and c(r) = R_x, and v gets (c(t) - c(t - D) + Q(t)) / (D k): it is the difference of the bridged
// positions at t and t - D. Before l, both for c and Q, the path is the one that reaches the state after the jump at l
// with constant velocity. All this tends to the formulas above as D falls to 0; it is used for gaps of 1.5 D and more,
// and D above 2 kSameTime. Before the first observation x gets the line through B and R_x, if the solve includes r - D.
//
// With a path of constant velocity between jumps this is cubic Hermite interpolation, with a constant path the line
// between neighbours.
//
// Shapes: M observations, T targets, D features, S samples, Q readings for lags.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/model/shape.h"
#include "lgode/ops/segment.h"
#include "lgode/ops/upload.h"

namespace lgode::model {

// What deviations are made of: the state before the jump of an observation or the path at a target, and the path a lag
// before it.
struct LagReadings {
  struct Entry {
    std::int64_t object = 0;
    std::int64_t at = 0;  // observation or target
    double lag = 0;
    // For a target: the observation l, if the lag reaches it. The path is then read after its jump.
    std::int64_t left = -1;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<Entry> before;  // of observations, ascending
  std::vector<Entry> here;    // of targets, ascending

  std::int64_t size() const { return static_cast<std::int64_t>(before.size() + here.size()); }
  // Number of the entry, counted through `before` and `here`; -1: there is none.
  std::int64_t find_before(const Entry& entry) const;
  std::int64_t find_here(const Entry& entry) const;
};
// target_times as in write_bridge().
LagReadings lag_readings(const data::Batch& batch, const std::vector<double>& target_times,
                         const std::vector<TiedPair>& ties);

// The correction of target t and feature f is own R[m, f] + other R[m, partner of f] + before Q[q, x] + here Q[p, x],
// with m the next observation, q and p entries of lag readings, before m and at t, and x the position of the pair.
// Arrays [T, D] to be written: only where there is something to add, and all but the first only where they have a
// weight.
template <class T>
struct BridgeTerms {
  std::int64_t *own_index, *other_index;  // into R [M, D], flat
  T *own_weight, *other_weight;
  std::int64_t *before_index, *here_index;  // into Q [Q, D], flat; not touched without lag readings
  T *before_weight, *here_weight;
};
// target_times [T]: of the targets, where one is at an observation the time of that. T: float, double
template <class T>
void write_bridge(const data::Batch& batch, const std::vector<double>& target_times, const std::vector<TiedPair>& ties,
                  const LagReadings& readings, const BridgeTerms<T>& to);

// The terms of a batch on the model's device.
struct Bridge {
  ops::GatherIndex own_index, other_index;    // [S*T*D] into the residuals [S*M*D]; undefined without observations
  at::Tensor own_weight, other_weight;        // [T*D]
  ops::GatherIndex before_index, here_index;  // [S*T*D] into the deviations [S*Q*D]; undefined without lag readings
  at::Tensor before_weight, here_weight;      // [T*D]
  ops::GatherIndex lag_states;                // [S*Q] into the states before jumps [S*M] and the path [S*T]
  at::Tensor back;                            // [S*Q, 1] time to go back from the reading
  std::vector<TiedPair> ties;

  struct Sizes {
    std::int64_t samples, observations, targets, readings;  // S and, with padding, M, T and Q
  };
  static Bridge make(const data::Batch& batch, const std::vector<double>& target_times,
                     const std::vector<TiedPair>& ties, const LagReadings& readings, const Sizes& sizes,
                     at::ScalarType dtype, ops::Upload& upload);
  // Deviations [S*Q, D] of the states before the jumps [S*M, D], the path [S*T, D] and its lag readings [S*Q, D];
  // meaningful in the columns of positions.
  at::Tensor deviations(const at::Tensor& before, const at::Tensor& path, const at::Tensor& read) const;
  // path [S, T, D], its jumps R [S, M, D] and deviations Q [S*Q, D] (undefined without lag readings) -> [S, T, D].
  // Differentiable in all.
  at::Tensor operator()(const at::Tensor& path, const at::Tensor& residual, const at::Tensor& deviation) const;
};

}  // namespace lgode::model
