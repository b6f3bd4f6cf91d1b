// Collects the points of a system's objects for metrics over positions.
#pragma once

#include <cstddef>
#include <vector>

#include "lgode/eval/metrics.h"
#include "lgode/eval/points.h"

namespace lgode::eval {

class PointCollector {
 public:
  // Both must outlive it. Without position features nothing is collected.
  PointCollector(const ErrorFeatures& features, const data::Normalisation& normalisation, PointLimits limits)
      : features_(features), normalisation_(normalisation), limits_(limits) {}

  bool collects() const { return !features_.positions.empty(); }
  void next_system() { used_ = 0; }
  // `object`: its errors; `i`: its place in the batch.
  void add(const PathErrors& object, const data::Batch& batch, std::int64_t i, const PredictedPaths& predicted);
  // Objects without points there are left out.
  SystemPoints all() const;
  SystemPoints in_bin(std::size_t bin) const;

 private:
  template <class Range>
  SystemPoints spans(const Range& range) const;

  const ErrorFeatures& features_;
  const data::Normalisation& normalisation_;
  PointLimits limits_;
  std::vector<ObjectPoints> objects_;  // of the system the first `used_`; the others keep their memory
  std::size_t used_ = 0;
};

}  // namespace lgode::eval
