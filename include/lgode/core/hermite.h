// The cubic Hermite basis. Between two ends l and r, h apart, at the share u of the gap,
//   x = left x_l + left_slope h x'_l + right x_r + right_slope h x'_r,
// and its derivative is the same sum over the derivative's weights, divided by h. Where the slope at a point is
// unknown, parabola_slope() gives one.
#pragma once

namespace lgode {

struct HermiteWeights {
  double left, left_slope, right, right_slope;
};

inline HermiteWeights hermite_weights(double u) {
  return {2 * u * u * u - 3 * u * u + 1, u * u * u - 2 * u * u + u, 3 * u * u - 2 * u * u * u, u * u * u - u * u};
}

inline HermiteWeights hermite_derivative_weights(double u) {
  return {6 * u * u - 6 * u, 3 * u * u - 4 * u + 1, 6 * u - 6 * u * u, 3 * u * u - 2 * u};
}

// The derivative, at the middle one of three points, of the parabola through them: from the lengths of the gaps before
// and after it, and the slopes of the lines over these gaps.
inline double parabola_slope(double before, double after, double slope_before, double slope_after) {
  return (after * slope_before + before * slope_after) / (before + after);
}

}  // namespace lgode
