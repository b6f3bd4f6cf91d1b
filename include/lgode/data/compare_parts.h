// Differences between the training and the test part of a data set: a model rarely predicts well what is unlike its
// training data.
#pragma once

#include <string>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::data {

struct PartDifference {
  enum class Kind {
    kRange,         // test values outside the training part's range; the numbers are shares, 0 for training
    kSpeed,         // median absolute difference quotient of a position
    kObjects,       // median number of objects per system
    kObservations,  // median number of observations per object in the first range
    kGap,           // median time between neighbouring observations of an object
    kMissing,       // share of the values that observations lack
  };
  Kind kind = Kind::kRange;
  int feature = -1;  // of kRange and kSpeed
  std::string what;  // a sentence without its full stop, with both numbers
  double train = 0, test = 0;
};

// The notable ones: more than 1 % of a feature's test values outside, a factor of more than 1.5, 5 points more or fewer
// missing values. Values and speeds come from the first ranges, because test systems may be longer. Empty rows and
// derived features do not count. Empty if one of the parts has no value. `centred`: of positions, the distance from
// the system's mean counts. Large sets: medians come from a sample of systems.
// `later`: ranges of values count to the end of a system, for forecasts beyond the first range.
std::vector<PartDifference> compare_parts(const Dataset& dataset, bool centred = false, bool later = false);

}  // namespace lgode::data
