// New data sets from existing ones: other parts, a new split, or several sets merged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::data {

// The same systems with other parts; one entry per system.
Dataset with_parts(const Dataset& dataset, const std::vector<Part>& parts);

struct SplitOptions {
  double test = 0.2;  // share of the systems
  // In its place: names of systems or recordings; * and ? match any text and any character.
  std::vector<std::string> test_systems = {};
  std::uint64_t seed = 1;
};

// Splits a set again by the rules of the import. Windows of one recording are on one side where there are five
// recordings or more; of fewer, the later windows test. `left_out` counts the windows that overlap the other part, or
// are too near to it: the result has none of them. ConfigError on a name that no system has, or on a single system.
Dataset split(const Dataset& dataset, const SplitOptions& options, std::int64_t& left_out);

// The systems of all sets, one set after another, in memory. Sets must have the same features (name, unit, velocities),
// the same rule for relations, and all or none must have dates; relation types are joined by name; clock and name are
// taken from the first. Where systems of two sets have the same name, `names` (one per set) are put before them.
// DataError names the set that does not fit.
Dataset merge(const std::vector<Dataset>& sets, const std::vector<std::string>& names);

}  // namespace lgode::data
