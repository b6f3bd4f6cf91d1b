// Sine and cosine for time encodings (Eq. 5), as float32 from an angle in double.
#pragma once

#include <cuda_runtime_api.h>

namespace lgode::ops::cuda {

// x: sine, y: cosine, each with an error below 2e-9 before it is rounded. The angle is reduced by multiples of a right
// angle in two parts (Cody and Waite 1980); then Taylor's series up to the tenth power.
__device__ inline float2 turn(double angle) {
  if (!(fabs(angle) < 1e9)) {
    double sine, cosine;
    sincos(angle, &sine, &cosine);
    return make_float2(static_cast<float>(sine), static_cast<float>(cosine));
  }
  const double right = rint(angle * 0.63661977236758134308);
  double r = fma(-right, 1.57079632679489661923, angle);
  r = fma(-right, 6.1232339957367658860e-17, r);
  const double s = r * r;
  double sine = fma(s, 1.0 / 362880, -1.0 / 5040), cosine = fma(s, -1.0 / 3628800, 1.0 / 40320);
  sine = fma(s, sine, 1.0 / 120), cosine = fma(s, cosine, -1.0 / 720);
  sine = fma(s, sine, -1.0 / 6), cosine = fma(s, cosine, 1.0 / 24);
  sine = fma(s * r, sine, r), cosine = fma(s, cosine, -0.5);
  cosine = fma(s, cosine, 1.0);
  const int quadrant = static_cast<int>(right);
  const auto x = static_cast<float>((quadrant & 1) != 0 ? cosine : sine);
  const auto y = static_cast<float>((quadrant & 1) != 0 ? sine : cosine);
  return make_float2((quadrant & 2) != 0 ? -x : x, ((quadrant + 1) & 2) != 0 ? -y : y);
}

// The factor of a time in the angle of columns 2 pair and 2 pair + 1.
__device__ inline double rate_of(int pair, double width, double frequency) {
  return frequency * exp2(-2.0 * 13.287712379549449 * pair / width);  // 10000^(-2 pair / width)
}

}  // namespace lgode::ops::cuda
