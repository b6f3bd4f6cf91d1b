// Summary of sampled paths: mean, deviation and quantiles of one value, in original units. Internal to predictions.
#pragma once

#include <cstdint>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/eval/calibration.h"

namespace lgode::eval {

struct ValueSummary {
  float mean = 0, deviation = 0, low = 0, high = 0;
};

// The arguments of a calibration's widths.
struct Widths {
  const Calibration* calibration = nullptr;  // null: none
  std::int64_t feature = 0;
  double distance = 0, start = 0;

  bool known() const { return calibration != nullptr && !calibration->empty(); }
};
// With widths from a calibration: quantiles at its half-width of 90 %, the deviation at the one of 68.27 %. `scale` as
// below.
ValueSummary with_widths(ValueSummary value, const Widths& widths, double scale);

// The q-quantile of ascending values, with linear interpolation.
double quantile(const std::vector<double>& sorted, double q);

// Of `draw.size()` samples, `stride` apart, with the decoder's noise sigma (normalised); value * scale + centre is in
// original units. Not `sampled`: one path; the quantiles are the noise's. `draw`: room to work in; afterwards it
// has the samples with noise, ascending.
ValueSummary summarise_value(const float* value, std::int64_t stride, double sigma, double scale, double centre,
                             bool sampled, Random& random, std::vector<double>& draw);

}  // namespace lgode::eval
