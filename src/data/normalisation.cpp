// Computes scales from the observed values of some systems. Missing values (NaN) are ignored.
#include "lgode/data/normalisation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>

namespace lgode::data {

namespace {

// The values of an object, without those that a gate does not believe.
class Believed {
 public:
  Believed(const Dataset& dataset, const OutlierGate* gate) : dataset_(dataset), gate_(gate) {}

  // Valid until the next call.
  std::span<const double> operator()(std::int64_t object) {
    const std::span<const double> values = dataset_.values_of(object);
    if (gate_ == nullptr) return values;
    const std::vector<FlaggedRow> flagged = flagged_rows(*gate_, dataset_.times_of(object), values);
    if (flagged.empty()) return values;
    kept_.assign(values.begin(), values.end());
    const auto width = static_cast<std::ptrdiff_t>(dataset_.features());
    for (const FlaggedRow& f : flagged)
      if (!f.vindicated) std::fill_n(kept_.begin() + f.row * width, width, std::numeric_limits<double>::quiet_NaN());
    return kept_;
  }

 private:
  const Dataset& dataset_;
  const OutlierGate* gate_;
  std::vector<double> kept_;
};

// Mean of a feature over all observations of a system; 0 where there is none.
double system_mean(const Dataset& dataset, Believed& believed, std::int64_t system, std::size_t feature) {
  const auto width = static_cast<std::size_t>(dataset.features());
  double sum = 0;
  std::int64_t count = 0;
  const std::int64_t first = dataset.first_object(system);
  for (std::int64_t object = first; object < first + dataset.objects_of(system); ++object) {
    const std::span<const double> values = believed(object);
    for (std::size_t i = feature; i < values.size(); i += width) {
      if (std::isnan(values[i])) continue;
      sum += values[i];
      ++count;
    }
  }
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

// The largest difference quotient of neighbouring values of a feature, of changes that a gate allows.
double largest_slope(std::span<const double> times, std::span<const double> values, std::size_t feature,
                     const OutlierGate* gate) {
  const std::size_t width = times.empty() ? 0 : values.size() / times.size();
  double largest = 0, last_time = 0, last_value = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double value = values[k * width + feature];
    if (std::isnan(value)) continue;
    if (!std::isnan(last_value) && (gate == nullptr || gate->allows(feature, times[k] - last_time, value - last_value)))
      largest = std::max(largest, std::abs(value - last_value) / (times[k] - last_time));
    last_time = times[k], last_value = value;
  }
  return largest;
}

}  // namespace

Normalisation fit_normalisation(const Dataset& dataset, const std::vector<std::int64_t>& systems, bool centred,
                                const OutlierGate* gate) {
  Believed believed(dataset, gate);
  const auto& features = dataset.description().features;
  const std::size_t width = features.size();
  std::vector<double> largest(width, 0.0), centre(width, 0.0);
  for (const std::int64_t system : systems) {
    if (centred)
      for (const int f : position_features(features))
        centre[static_cast<std::size_t>(f)] = system_mean(dataset, believed, system, static_cast<std::size_t>(f));
    const std::int64_t first = dataset.first_object(system);
    for (std::int64_t object = first; object < first + dataset.objects_of(system); ++object) {
      const std::span<const double> values = believed(object);
      for (std::size_t i = 0; i < values.size(); i += width) {
        for (std::size_t f = 0; f < width; ++f) {
          // NaN compares false and keeps the maximum.
          const double magnitude = std::abs(values[i + f] - centre[f]);
          largest[f] = magnitude > largest[f] ? magnitude : largest[f];
        }
      }
      for (std::size_t f = 0; f < width; ++f)
        if (features[f].derived)
          largest[f] = std::max(largest[f], largest_slope(dataset.times_of(object), values,
                                                          static_cast<std::size_t>(features[f].velocity_of), gate));
    }
  }
  std::map<int, double> group_scale;
  for (std::size_t f = 0; f < width; ++f) {
    double& scale = group_scale[features[f].scale_group];
    scale = std::max(scale, largest[f]);
  }
  Normalisation normalisation;
  for (const Feature& feature : features) {
    const double scale = group_scale[feature.scale_group];
    normalisation.scale.push_back(scale > 0.0 ? scale : 1.0);
  }
  return normalisation;
}

}  // namespace lgode::data
