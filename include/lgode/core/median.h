// The median of a list of numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lgode {

// Needs at least one number; of an even count it is the higher of the two in the middle.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace lgode
