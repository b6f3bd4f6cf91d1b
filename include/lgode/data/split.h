// Chooses which systems train and which test. Internal to the import and to new splits of a data set.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::data {

// Systems, those of one recording side by side and in the order of time, and how to split them.
struct SplitTask {
  std::span<const std::string> ids;          // of the systems
  std::span<const std::uint32_t> recording;  // of each
  std::span<const double> origins;
  std::span<const std::string> recordings;    // names; those of systems that were not cut are their own
  std::vector<bool> observed;                 // of recordings: others are never drawn, and left out
  std::optional<double> window;               // length; nothing: systems are whole recordings
  double stride = 0;                          // between windows
  double share = 0.8;                         // of the systems that train
  std::span<const std::string> test_systems;  // names or patterns, in place of the share
  std::uint64_t seed = 1;
};

struct SplitResult {
  std::vector<Part> parts;
  // Systems to leave out: windows that overlap the other part, or lie too near to it, and systems without observation.
  std::vector<bool> out;
  std::int64_t split_windows = 0;  // of these, those near the other part
  bool undivided = false;          // there is one recording that cannot be split; all of it trains
};

// ConfigError names an entry of `test_systems` that no system has.
SplitResult split_systems(const SplitTask& task);

}  // namespace lgode::data
