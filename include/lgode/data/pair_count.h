// How many pairs of objects a batch holds, and how many of them are related: by the set's rule, or as listed.
#pragma once

#include <cstdint>

#include "lgode/data/dataset.h"
#include "lgode/data/presence.h"

namespace lgode::data {

// Counts the objects that are observed in the first range of their system.
struct PairCount {
  std::int64_t most_objects = 0;  // of one system
  std::int64_t most_in = -1;      // that system; -1: there are no objects
  double pairs = 0;               // ordered pairs per system, on average
  // Relations per object, on average; NaN: no objects, or systems too large. By distance it is an estimate: mean
  // positions in the first range, of some systems.
  double related = 0;
};
PairCount count_pairs(const Dataset& set, const ObservedTimes& times);

}  // namespace lgode::data
