// The gaps that a fill of a data set's own table meets: stretches of rows in which an object lacks a value of a
// feature. Windows are joined to their recordings first, so that each row counts once.
#pragma once

#include <cstdint>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::data {

struct FillGaps {
  std::int64_t values = 0;      // that are missing, of features that are not derived
  std::int64_t open = 0;        // of these: before the first value of an object's feature, or after its last
  std::vector<double> lengths;  // ascending: from the last value before a gap to the first after it
};
FillGaps fill_gaps(const Dataset& dataset);

}  // namespace lgode::data
