// The widths of one feature's intervals, for the calibration and for its fit.
#pragma once

#include "lgode/eval/calibration.h"

namespace lgode::eval {

inline constexpr double kLeastSpread = 1e-9;
// Distances, in model time, that differ by rounding only.
inline constexpr double kSameDistance = 1e-6;

// Half-width of the interval of `level`, normalised.
double width_of(const WidthTable& table, double level, double distance, double spread, double start);

}  // namespace lgode::eval
