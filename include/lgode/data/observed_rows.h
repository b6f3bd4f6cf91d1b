// Which rows of an object are observations: the same for a data set, a scene and systems that are being imported.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace lgode::data {

// Whether a row [D] has any value; else it is an empty row, a place to fill.
inline bool has_value(std::span<const double> row) {
  return std::any_of(row.begin(), row.end(), [](double x) { return !std::isnan(x); });
}

// Calls add(gap) for each two neighbouring observations of an object. is_empty(k): whether row k has no value.
template <class IsEmpty, class Add>
void for_each_gap(std::span<const double> times, const IsEmpty& is_empty, const Add& add) {
  double last = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (is_empty(k)) continue;
    if (!std::isnan(last)) add(times[k] - last);
    last = times[k];
  }
}

}  // namespace lgode::data
