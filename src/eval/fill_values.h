// The values that fill gaps, by the model, the line, cubic Hermite or the Kalman smoother, in original units. Internal
// to filling.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lgode/data/classical/kalman.h"
#include "lgode/data/classical/series.h"
#include "lgode/data/dataset.h"
#include "lgode/eval/fill.h"
#include "lgode/eval/gaps.h"

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
  const data::Series& series(std::size_t feature) const { return motion_[feature].position; }

 private:
  const std::vector<data::Feature>& features_;
  std::vector<data::Motion> motion_;
};

// The Kalman smoother on one object over a whole recording, with the variances of a run.
class KalmanPaths {
 public:
  KalmanPaths(const RunInfo& info, const ObjectPaths& paths);

  // In original units; NaN for features that were never observed.
  struct Value {
    double value, spread;
  };
  Value at(std::size_t feature, double time) const;

 private:
  struct Position {
    std::optional<data::KalmanSeries> series;  // none: never observed
    double first = 0, origin = 0;              // value and time that the series counts from
  };
  const RunInfo& info_;
  std::vector<Position> positions_;  // [D], without entries for velocities
};

class FillValues {
 public:
  // `methods`: [D]. Classical values are rounded by the run's scales. `longest`: gaps between observations that are
  // longer are filled by the line. All must outlive this object.
  FillValues(const RunInfo& info, const data::Dataset& whole, const Gaps& gaps, std::vector<FillMethod> methods,
             double longest)
      : info_(info),
        whole_(whole),
        gaps_(gaps),
        methods_(std::move(methods)),
        longest_(longest),
        objects_(whole.objects()) {}

  // Computes the values of all gaps of these systems.
  void compute(const std::vector<std::int64_t>& systems);
  // Whether there is a gap without a value.
  bool incomplete() const;
  // [D] at a gap; empty if there is none. Observed features have values, too.
  std::span<const FillValue> at(std::int64_t object, double time) const;

 private:
  // `kalman`: null unless a feature is filled by it.
  FillValue value(const ObjectPaths& paths, const KalmanPaths* kalman, std::size_t feature, double time,
                  double model) const;

  const RunInfo& info_;
  const data::Dataset& whole_;
  const Gaps& gaps_;
  std::vector<FillMethod> methods_;
  double longest_;
  std::vector<std::vector<FillValue>> objects_;  // [gaps, D] each
};

}  // namespace lgode::eval
