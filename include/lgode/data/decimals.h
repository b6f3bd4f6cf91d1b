// Numbers in original units with the digits that they are worth. A model computes in float32, in normalised units:
// (value - centre) / scale. The way back is computed in float64, so that nothing is lost at large values (coordinates
// of a map), and rounded to the fewest decimals that keep the model's precision, so that a text has no digits that mean
// nothing.
#pragma once

namespace lgode::data {

// centre + scale * normalised, rounded by less than half the distance of neighbouring float32 numbers there. Where
// values are centred, results closer to the centre than 1/256 of the scale have the digits that they would have there.
double in_units(double normalised, double scale, double centre = 0.0);

// With this number of significant digits, or as many decimals as that is for a value of the size of `scale`, if these
// are more: digits of the offset of large values do not count.
double rounded(double value, double scale, int digits);

}  // namespace lgode::data
