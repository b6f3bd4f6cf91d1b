// Which velocity belongs to which position, and its unit: what every classical method needs of a set's features.
#pragma once

#include <cstddef>
#include <vector>

namespace lgode::data {

// Of each feature the measured velocity that belongs to it, or -1; of several the last. `Feature` has velocity_of and
// derived.
template <class Feature>
std::vector<int> velocities_of(const std::vector<Feature>& features) {
  std::vector<int> out(features.size(), -1);
  for (std::size_t v = 0; v < features.size(); ++v)
    if (features[v].velocity_of >= 0 && !features[v].derived)
      out[static_cast<std::size_t>(features[v].velocity_of)] = static_cast<int>(v);
  return out;
}

// From a normalised velocity to normalised positions per model time.
inline double velocity_factor(double scale_of_velocity, double time_scale, double scale_of_position) {
  return scale_of_velocity * time_scale / scale_of_position;
}

}  // namespace lgode::data
