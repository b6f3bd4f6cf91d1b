// Presence of objects: the times of their observations, and how many objects stay, enter and leave.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::data {

// The times of each object's observations, without empty rows. The set must outlive it.
class ObservedTimes {
 public:
  explicit ObservedTimes(const Dataset& set);
  std::span<const double> of(std::int64_t object) const;

 private:
  const Dataset& set_;
  std::vector<double> times_;  // these two only where the set has empty rows
  std::vector<std::size_t> offsets_;
};

// Objects that are observed at all, over all systems. One enters if its first observation is more than 1.5 typical gaps
// (data::typical_gap) later than the first of its system, and leaves if its last is as much earlier than the last of
// its system.
struct Presence {
  std::int64_t stay = 0, enter = 0, leave = 0, enter_and_leave = 0;
  // First observed in the second half of the first range, or after the seen frames: a forecast excludes them.
  std::int64_t late = 0;
  // Observed before the middle of the first range, or the last seen frame, and after it.
  std::int64_t both_halves = 0;
};
Presence count_presence(const Dataset& set, const ObservedTimes& times);

}  // namespace lgode::data
