// The values that fill gaps, by the model, the line or cubic Hermite, in original units. Internal to
// filling.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lgode/data/dataset.h"
#include "lgode/eval/fill.h"
#include "lgode/eval/gaps.h"
#include "series.h"

namespace lgode::eval {

// The classical paths of one object over a whole recording. Before the first and after the last observation of a
// feature both hold the nearest value. NaN for features that were never observed.
class ObjectPaths {
 public:
  ObjectPaths(const data::Dataset& set, std::int64_t object);
  // Rows [K], [K, D]; `features` must outlive this object.
  ObjectPaths(const std::vector<data::Feature>& features, std::span<const double> times,
              std::span<const double> values);

  double linear(std::size_t feature, double time) const;
  double hermite(std::size_t feature, double time) const;
  // Time between the observations around `time`; infinite outside them.
  double gap(std::size_t feature, double time) const;
  // How far `time` is from what is known of the feature, as for calibrations (target_distances); infinite without
  // any.
  double distance(std::size_t feature, double time) const;
  // The observations of a feature.
  const Series& series(std::size_t feature) const { return motion_[feature].position; }

 private:
  const std::vector<data::Feature>& features_;
  std::vector<Motion> motion_;
};

class FillValues {
 public:
  // `methods`: [D]. `scale`: [D] of the features, by which classical values are rounded. `longest`: gaps between
  // observations that are longer are filled by the line. Both sets must outlive this object.
  FillValues(const data::Dataset& whole, const Gaps& gaps, std::vector<FillMethod> methods, std::vector<double> scale,
             double longest)
      : whole_(whole),
        gaps_(gaps),
        methods_(std::move(methods)),
        scale_(std::move(scale)),
        longest_(longest),
        objects_(whole.objects()) {}

  // Computes the values of all gaps of these systems.
  void compute(const std::vector<std::int64_t>& systems);
  // Whether there is a gap without a value.
  bool incomplete() const;
  // [D] at a gap; empty if there is none. Observed features have values, too.
  std::span<const FillValue> at(std::int64_t object, double time) const;

 private:
  FillValue value(const ObjectPaths& paths, std::size_t feature, double time, double model) const;

  const data::Dataset& whole_;
  const Gaps& gaps_;
  std::vector<FillMethod> methods_;
  std::vector<double> scale_;
  double longest_;
  std::vector<std::vector<FillValue>> objects_;  // [gaps, D] each
};

}  // namespace lgode::eval
