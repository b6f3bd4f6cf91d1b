// Histograms and regular steps of many numbers, for the check-up of a data set.
#pragma once

#include <functional>
#include <vector>

#include "lgode/data/checkup.h"

namespace lgode::data {

// Calls its argument for all numbers, the same ones each time.
using EachNumber = std::function<void(const std::function<void(double)>& take)>;

// Whole numbers get bins of whole numbers.
Checkup::Spread spread_of(bool whole, const EachNumber& each);

// The step that nearly all gaps are multiples of; `gaps` is the spread of the same numbers.
Checkup::Grid grid_of(const Checkup::Spread& gaps, const EachNumber& each);

}  // namespace lgode::data
