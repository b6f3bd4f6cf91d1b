// The times of one system under the assimilating model: where its solve has nodes, and where the state jumps. No
// tensors here.
//
// All times are model times. Times of a batch count from the start of its system, nodes from the begin of the solve.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lgode/data/batch.h"

namespace lgode::model {

inline constexpr double kSameTime = 1e-6;  // times that are closer are the same: their events share a node

// Whether a time without observations is longer than the memory (ModelShape::memory).
inline bool outlasts(double unseen, double memory) { return unseen > memory + kSameTime; }

// Calls each(end) for the equal steps of at most `step` that a gap is divided into; the last one ends at `gap`. None
// for a gap that is only a rounding error of a step.
template <class Each>
void for_each_step(double gap, double step, const Each& each) {
  const auto steps = static_cast<std::int64_t>(std::ceil(gap / step - 1e-9));
  for (std::int64_t k = 1; k <= steps; ++k)
    each(k == steps ? gap : gap * static_cast<double>(k) / static_cast<double>(steps));
}

// Calls each(node) for nodes at whole steps after `from`, until one is at `to` or later.
template <class Each>
void for_each_whole_step(double from, double to, double step, const Each& each) {
  double node = from;
  for (std::int64_t k = 1; node < to; ++k) each(node = from + static_cast<double>(k) * step);
}

// Events are the times at which something is observed and, for a forecast, its start; those within kSameTime after one
// belong to it. Between events there are steps of at most `step`, after the last one steps of this length up to the
// last target. Steps without length separate them, one before each step with a length, so that all systems have
// them at the same places and can share tiles.
struct Timeline {
  double begin = 0;                     // of the solve: 0, or the first event if that is earlier
  std::vector<double> events;           // ascending
  std::vector<double> nodes;            // since `begin`
  std::vector<std::int64_t> jump_step;  // of each event: the step without length in which the state jumps

  // System `system` of a batch. forecast: whether the start is an event.
  static Timeline make(const data::Batch& batch, std::int64_t system, double step, bool forecast);

  // The last event that is not after a time, or the first one; known not to be before `from`.
  std::size_t event_at(double time, std::size_t from = 0) const {
    constexpr double kRounding = 1e-12;
    while (from + 1 < events.size() && events[from + 1] <= time + kRounding) ++from;
    return from;
  }
  std::int64_t jump_step_at(double time) const { return jump_step[event_at(time)]; }
  double node(std::int64_t k) const { return nodes[static_cast<std::size_t>(k)]; }
};

// Calls each(t, m) for the targets t of an object with the observation m that each one is at: the nearest one of the
// object if it is within kSameTime, else -1. Targets usually ascend.
template <class Each>
void for_each_target(const data::Batch& batch, std::int64_t object, const Each& each) {
  const double* seen = batch.observation_times.data();
  const std::int64_t begin = batch.observation_offsets[object], end = batch.observation_offsets[object + 1];
  std::int64_t next = begin;  // the first one that is not before the target
  for (std::int64_t t = batch.target_offsets[object]; t < batch.target_offsets[object + 1]; ++t) {
    const double time = batch.target_times[static_cast<std::size_t>(t)];
    if (next > begin && seen[next - 1] >= time - kSameTime) next = begin;
    while (next < end && seen[next] < time - kSameTime) ++next;
    if (next == end || seen[next] > time + kSameTime) {
      each(t, std::int64_t{-1});
      continue;
    }
    std::int64_t nearest = next;
    while (nearest + 1 < end && std::abs(seen[nearest + 1] - time) <= std::abs(seen[nearest] - time)) ++nearest;
    each(t, nearest);
  }
}

}  // namespace lgode::model
