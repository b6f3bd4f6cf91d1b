// The median and other quantiles of a list of numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lgode {

// Reorders the numbers, of which there must be one.
inline double quantile(std::vector<double>& values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

// Needs at least one number; of an even count it is the higher of the two in the middle.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace lgode
