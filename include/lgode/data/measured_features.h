// The features that a table holds, which are also those that are filled, forecast and written: all but derived ones.
// And which of them tell nothing of motion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::data {

// Their places in a row.
template <class Index = std::size_t>
std::vector<Index> measured_features(const Description& description) {
  std::vector<Index> places;
  for (std::size_t f = 0; f < description.features.size(); ++f)
    if (!description.features[f].derived) places.push_back(static_cast<Index>(f));
  return places;
}

inline std::vector<std::string> measured_names(const Description& description) {
  std::vector<std::string> names;
  for (const Feature& feature : description.features)
    if (!feature.derived) names.push_back(feature.name);
  return names;
}

// [D] 1 for a measured feature that never changes: every object keeps one value, as in a column that says its team or
// its mass. Such a feature is predicted, but counts in no error. All are 0 where no feature changes.
// Dataset::constant_features() keeps the result.
std::vector<std::uint8_t> constant_features(const Description& description, const Dataset::Arrays& arrays);

}  // namespace lgode::data
