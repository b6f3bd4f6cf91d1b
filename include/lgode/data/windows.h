// The recordings that a set's windows are cut from, and the parts that contain them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgode/data/dataset.h"
#include "lgode/data/presence.h"

namespace lgode::data {

struct WindowCount {
  std::vector<std::int64_t> windows;           // per recording; empty: the systems are not windows
  std::int64_t train = 0, test = 0, both = 0;  // recordings with windows in one part, or in both
  // Of those in both, recordings with a training and a test window less than the length of a window apart.
  std::int64_t near = 0;
  std::string nearest;  // the one where they are nearest
  double distance = 0;  // of them, from the end of one to the start of the other; negative: they overlap
  double length = 0;    // of a window: the first range, or longer where later observations exist
};
WindowCount count_windows(const Dataset& set, const ObservedTimes& times);

}  // namespace lgode::data
