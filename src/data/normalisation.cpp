// Computes scales from the observed values of some systems. Missing values (NaN) are ignored.
#include "lgode/data/normalisation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace lgode::data {

Normalisation fit_normalisation(const Dataset& dataset, const std::vector<std::int64_t>& systems) {
  const auto& features = dataset.description().features;
  const std::size_t width = features.size();
  std::vector<double> largest(width, 0.0);
  for (const std::int64_t system : systems) {
    const std::int64_t first = dataset.first_object(system);
    for (std::int64_t object = first; object < first + dataset.objects_of(system); ++object) {
      const std::span<const double> values = dataset.values_of(object);
      for (std::size_t i = 0; i < values.size(); i += width) {
        for (std::size_t f = 0; f < width; ++f) {
          // NaN compares false and keeps the maximum.
          const double magnitude = std::abs(values[i + f]);
          largest[f] = magnitude > largest[f] ? magnitude : largest[f];
        }
      }
    }
  }
  std::map<int, double> group_scale;
  for (std::size_t f = 0; f < width; ++f) {
    double& scale = group_scale[features[f].scale_group];
    scale = std::max(scale, largest[f]);
  }
  Normalisation normalisation;
  for (const Feature& feature : features) {
    const double scale = group_scale[feature.scale_group];
    normalisation.scale.push_back(scale > 0.0 ? scale : 1.0);
  }
  return normalisation;
}

}  // namespace lgode::data
