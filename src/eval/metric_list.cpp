// The list of metrics. A new one is an entry here: its key and name, its shape and unit, how it is averaged, and a
// function that adds what an object contributes. Those over positions are in point_metrics.cpp.
#include <algorithm>
#include <cmath>
#include <vector>

#include "lgode/eval/metrics.h"
#include "point_metrics.h"

namespace lgode::eval {
namespace {

// The mean squared error of one feature of an object.
template <class Counts>
Sums squares(const PathErrors& object, std::int64_t f, const Counts& counts) {
  Sums sums;
  for (std::int64_t k = 0; k < object.points; ++k)
    if (object.mask(k, f) && counts(k)) sums.add(object.error(k, f) * object.error(k, f));
  return sums;
}

// Per object: mean over its targets, then over features.
template <class Counts>
void add_mean_square(const PathErrors& object, std::span<Sums> sums, const Counts& counts) {
  Sums features;
  for (std::int64_t f = 0; f < object.features; ++f) {
    if (!object.counts(f)) continue;
    if (const Sums of_feature = squares(object, f, counts); of_feature.count > 0) features.add(of_feature.mean());
  }
  if (features.count > 0) sums[0].add(features.mean());
}

void add_mse(const PathErrors& object, std::span<Sums> sums) {
  add_mean_square(object, sums, [](std::int64_t) { return true; });
}

void add_mse_unseen(const PathErrors& object, std::span<Sums> sums) {
  add_mean_square(object, sums, [&](std::int64_t k) { return object.seen[k] == 0; });
}

void add_feature_mse(const PathErrors& object, std::span<Sums> sums) {
  for (std::int64_t f = 0; f < object.features; ++f)
    if (const Sums own = squares(object, f, [](std::int64_t) { return true; }); own.count > 0)
      sums[static_cast<std::size_t>(f)].add(own.mean());
}

// The values of an object one by one, in the order of their times.
template <class Use>
void each_value(const PathErrors& object, const Use& use) {
  for (std::int64_t k = 0; k < object.points; ++k)
    for (std::int64_t f = 0; f < object.features; ++f)
      if (object.mask(k, f)) use(k, f);
}

void add_feature_squares(const PathErrors& object, std::span<Sums> sums) {
  each_value(object, [&](std::int64_t k, std::int64_t f) {
    const double error = object.original_error(k, f);
    sums[static_cast<std::size_t>(f)].add(error * error);
  });
}

void add_horizon_squares(const PathErrors& object, std::span<Sums> sums) {
  each_value(object, [&](std::int64_t k, std::int64_t f) {
    if (object.counts(f)) sums[object.bins[k]].add(object.error(k, f) * object.error(k, f));
  });
}

// The mean distance of the predicted from the true positions, where all of them are targets.
void add_distance(const PathErrors& object, std::span<Sums> sums) {
  const std::vector<int>& positions = object.about->positions;
  if (positions.empty()) return;
  Sums distances;
  for (std::int64_t k = 0; k < object.points; ++k) {
    if (!std::all_of(positions.begin(), positions.end(), [&](int f) { return object.mask(k, f); })) continue;
    double square = 0;
    for (const int f : positions) square += object.original_error(k, f) * object.original_error(k, f);
    distances.add(std::sqrt(square));
  }
  if (distances.count > 0) sums[0].add(distances.mean());
}

using enum Metric::Shape;
using enum Metric::Average;
using enum Metric::Unit;

constexpr Metric kMetrics[] = {
    {.key = "mse", .name = "all targets", .add = add_mse, .in_table = true},
    {.key = "mse_unseen", .name = "unseen", .add = add_mse_unseen, .in_table = true},
    {.key = "mse_first_half", .name = "first half", .average = kValues, .half_of = "mse"},
    {.key = "distance", .name = "mean distance", .unit = kOriginal, .add = add_distance},
    {.key = "mse", .name = "error", .shape = kFeatures, .add = add_feature_mse},
    {.key = "rmse",
     .name = "RMSE",
     .shape = kFeatures,
     .average = kValues,
     .unit = kOriginal,
     .add = add_feature_squares,
     .root = true},
    {.key = "mse", .name = "error", .shape = kHorizon, .average = kValues, .add = add_horizon_squares},
};

// With those over positions: numbers, then the same by part of the range.
std::vector<Metric> make_list() {
  std::vector<Metric> list(std::begin(kMetrics), std::end(kMetrics));
  for (const Metric::Shape shape : {kNumber, kHorizon})
    for (const PointMetric& metric : point_metrics())
      list.push_back({.key = metric.key,
                      .name = metric.name,
                      .shape = shape,
                      .average = kValues,
                      .unit = metric.unit,
                      .add_points = metric.add});
  return list;
}

}  // namespace

std::span<const Metric> all_metrics() {
  static const std::vector<Metric> list = make_list();
  return list;
}

}  // namespace lgode::eval
