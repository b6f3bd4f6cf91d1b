// Finds the features that no object changes.
#include "lgode/data/measured_features.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace lgode::data {
namespace {

// Whether the values of a feature of one object, some of which may be missing, differ.
bool changes(std::span<const double> values, std::size_t feature, std::size_t features) {
  double first = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t at = feature; at < values.size(); at += features) {
    if (std::isnan(values[at])) continue;
    if (!std::isnan(first) && values[at] != first) return true;
    first = values[at];
  }
  return false;
}

}  // namespace

std::vector<std::uint8_t> constant_features(const Description& description, const Dataset::Arrays& arrays) {
  const std::size_t features = description.features.size();
  const std::vector<std::size_t> measured = measured_features(description);
  std::vector<std::size_t> open = measured;  // not seen to change yet
  for (std::size_t i = 0; i + 1 < arrays.observation_offsets.size() && !open.empty(); ++i) {
    const auto first = static_cast<std::size_t>(arrays.observation_offsets[i]) * features,
               last = static_cast<std::size_t>(arrays.observation_offsets[i + 1]) * features;
    std::erase_if(open,
                  [&](std::size_t f) { return changes(arrays.values.subspan(first, last - first), f, features); });
  }
  std::vector<std::uint8_t> constant(features, 0);
  if (open.size() < measured.size())
    for (const std::size_t f : open) constant[f] = 1;
  return constant;
}

}  // namespace lgode::data
