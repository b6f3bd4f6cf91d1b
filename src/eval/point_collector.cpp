// Reads the points of objects from errors and predictions of a batch.
#include "point_collector.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lgode::eval {

void PointCollector::add(const PathErrors& object, const data::Batch& batch, std::int64_t i,
                         const PredictedPaths& predicted) {
  if (used_ == objects_.size()) objects_.emplace_back();
  ObjectPoints& out = objects_[used_++];
  const std::vector<int>& positions = features_.positions;
  std::vector<std::int64_t> rows;  // of the object's targets
  for (std::int64_t k = 0; k < object.points; ++k)
    if (std::all_of(positions.begin(), positions.end(), [&](int f) { return object.mask(k, f); })) rows.push_back(k);
  out.paths = static_cast<std::size_t>(object.paths), out.points = rows.size(), out.dimensions = positions.size();
  out.times.clear(), out.bins.clear(), out.predicted.clear(), out.errors.clear(), out.distances.clear();
  out.deviations.clear(), out.probability.clear();
  const std::int64_t first = batch.target_offsets[static_cast<std::size_t>(i)], width = object.features;
  for (const std::int64_t k : rows) {
    out.times.push_back(object.times[k]), out.bins.push_back(object.bins[k]);
    for (const int f : positions)
      out.deviations.push_back(predicted.deviations == nullptr ? std::numeric_limits<double>::quiet_NaN()
                                                               : predicted.deviations[(first + k) * width + f] *
                                                                     normalisation_.scale[static_cast<std::size_t>(f)]);
  }
  for (std::int64_t p = 0; p < object.paths; ++p)
    for (const std::int64_t k : rows) {
      double square = 0;
      for (const int f : positions) {
        const double error = object.original_error(k, f, p);
        square += error * error;
        out.errors.push_back(error);
        // The centre of the system and the mean of the data are left out: they are the same for all of its objects.
        out.predicted.push_back(static_cast<double>(predicted.values[(p * batch.targets() + first + k) * width + f]) *
                                normalisation_.scale[static_cast<std::size_t>(f)]);
      }
      out.distances.push_back(std::sqrt(square));
    }
  const std::size_t futures = out.paths - 1;
  for (std::size_t k = 0; k < futures; ++k)
    out.probability.push_back(predicted.probability == nullptr
                                  ? 1.0 / static_cast<double>(futures)
                                  : predicted.probability[static_cast<std::size_t>(i) * futures + k]);
}

template <class Range>
SystemPoints PointCollector::spans(const Range& range) const {
  SystemPoints out{.objects = {}, .paths = 1, .dimensions = features_.positions.size(), .limits = limits_};
  for (std::size_t i = 0; i < used_; ++i) {
    const auto [first, last] = range(objects_[i]);
    if (first == last) continue;
    out.objects.push_back({&objects_[i], first, last});
    out.paths = objects_[i].paths;
  }
  return out;
}

SystemPoints PointCollector::all() const {
  return spans([](const ObjectPoints& object) { return std::pair<std::size_t, std::size_t>(0, object.points); });
}

SystemPoints PointCollector::in_bin(std::size_t bin) const {
  // Times ascend, and with them the parts of the range.
  return spans([&](const ObjectPoints& object) {
    const auto [first, last] = std::equal_range(object.bins.begin(), object.bins.end(), bin);
    return std::pair(static_cast<std::size_t>(first - object.bins.begin()),
                     static_cast<std::size_t>(last - object.bins.begin()));
  });
}

}  // namespace lgode::eval
