// New data sets from existing ones: other parts, or several sets merged.
#pragma once

#include <string>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::data {

// The same systems with other parts; one entry per system.
Dataset with_parts(const Dataset& dataset, const std::vector<Part>& parts);

// The systems of all sets, one set after another, in memory. Sets must have the same features (name, unit, velocities),
// the same rule for relations, and all or none must have dates; relation types are joined by name; clock and name are
// those of the first. Where systems of two sets have the same name, `names` (one per set) are put before them.
// DataError names the set that does not fit.
Dataset merge(const std::vector<Dataset>& sets, const std::vector<std::string>& names);

}  // namespace lgode::data
