// Rows of values as a model sees them: (value - centre) / scale and a mask. Batches and followers use the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "lgode/data/normalisation.h"

namespace lgode::data {

// Normalises rows of values; NaN is missing. Several rows at once, so that loops over them are long enough for vector
// instructions.
class Scaling {
 public:
  // `centre`: [D], subtracted from the values.
  Scaling(const std::vector<double>& centre, const Normalisation& norm) {
    const std::size_t width = centre.size();
    centre_.reserve(kTogether + width), scale_.reserve(kTogether + width);
    do {
      centre_.insert(centre_.end(), centre.begin(), centre.end());
      scale_.insert(scale_.end(), norm.scale.begin(), norm.scale.end());
    } while (!centre.empty() && centre_.size() < kTogether);
  }
  // Appends normalised values [rows, D], 0 where missing, and their mask.
  void append(std::span<const double> values, std::vector<float>& to, std::vector<float>& mask) const {
    const std::size_t before = to.size(), mask_before = mask.size();
    to.resize(before + values.size()), mask.resize(mask_before + values.size());
    for (std::size_t at = 0; at < values.size(); at += centre_.size())
      scale(values.data() + at, std::min(centre_.size(), values.size() - at), to.data() + before + at,
            mask.data() + mask_before + at);
  }

 private:
  static constexpr std::size_t kTogether = 32;

  void scale(const double* __restrict from, std::size_t count, float* __restrict to, float* __restrict mask) const {
    const double* __restrict centre = centre_.data();
    const double* __restrict unit = scale_.data();
    for (std::size_t i = 0; i < count; ++i) {
      const auto scaled = static_cast<float>((from[i] - centre[i]) / unit[i]);
      const bool present = !std::isnan(from[i]);
      to[i] = present ? scaled : 0.0F;
      mask[i] = present ? 1.0F : 0.0F;
    }
  }

  std::vector<double> centre_, scale_;  // of whole rows
};

}  // namespace lgode::data
