// The metrics over positions, a part of the list of metrics.
#pragma once

#include <span>
#include <string_view>

#include "lgode/eval/metrics.h"

namespace lgode::eval {

// A number over all points of a system, and by part of the range one over the points in it.
struct PointMetric {
  std::string_view key, name;
  Metric::Unit unit = Metric::Unit::kOriginal;
  void (*add)(const SystemPoints& system, Sums& sums) = nullptr;
};
std::span<const PointMetric> point_metrics();

}  // namespace lgode::eval
