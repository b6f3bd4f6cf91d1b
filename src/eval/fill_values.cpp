// Classical paths of whole recordings, and the choice of a value for each gap.
#include "fill_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "lgode/data/decimals.h"
#include "lgode/eval/calibration.h"

namespace lgode::eval {
namespace {

constexpr int kDigits = 10;  // of a classical value: without the rounding errors of its computation
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

ObjectPaths::ObjectPaths(const data::Dataset& set, std::int64_t object)
    : ObjectPaths(set.description().features, set.times_of(object), set.values_of(object)) {}

ObjectPaths::ObjectPaths(const std::vector<data::Feature>& features, std::span<const double> times,
                         std::span<const double> values)
    : features_(features), motion_(features_.size()) {
  const std::size_t width = features_.size();
  for (std::size_t k = 0; k < times.size(); ++k)
    for (std::size_t f = 0; f < width; ++f)
      if (!std::isnan(values[k * width + f])) motion_[f].position.add(times[k], values[k * width + f]);
  for (std::size_t f = 0; f < width; ++f)
    if (features_[f].velocity_of >= 0 && !features_[f].derived)
      motion_[static_cast<std::size_t>(features_[f].velocity_of)].velocity = motion_[f].position;
}

double ObjectPaths::linear(std::size_t f, double time) const {
  return motion_[f].position.empty() ? kNaN : motion_[f].position.linear(time);
}

double ObjectPaths::hermite(std::size_t f, double time) const {
  if (features_[f].velocity_of < 0)
    return motion_[f].position.inside(time) ? motion_[f].hermite(time, false) : linear(f, time);
  const data::Motion& of = motion_[static_cast<std::size_t>(features_[f].velocity_of)];
  return of.position.inside(time) ? of.hermite(time, true) : linear(f, time);
}

double ObjectPaths::gap(std::size_t f, double time) const {
  const data::Series& s = motion_[f].position;
  if (!s.inside(time)) return std::numeric_limits<double>::infinity();
  const auto k = static_cast<std::size_t>(s.before(time));
  return s.time[k + 1] - s.time[k];
}

double ObjectPaths::distance(std::size_t f, double time) const {
  const data::Series& s = motion_[f].position;
  if (s.empty()) return std::numeric_limits<double>::infinity();
  if (!s.inside(time)) return 2 * std::max(s.time.front() - time, std::max(time - s.time.back(), 0.0));
  const auto k = static_cast<std::size_t>(s.before(time));
  return distance_between(time - s.time[k], s.time[k + 1] - time);
}

KalmanPaths::KalmanPaths(const RunInfo& info, const ObjectPaths& paths)
    : info_(info), positions_(info.features.size()) {
  const std::vector<data::Feature>& features = info.features;
  for (std::size_t f = 0; f < features.size(); ++f) {
    const data::Series& x = paths.series(f);
    if (features[f].derived || features[f].velocity_of >= 0 || x.empty()) continue;
    std::map<double, data::KalmanSeries::Observation> seen;
    for (std::size_t k = 0; k < x.time.size(); ++k) seen[x.time[k]].position = x.value[k];
    for (std::size_t g = 0; g < features.size(); ++g) {
      if (features[g].derived || features[g].velocity_of != static_cast<int>(f)) continue;
      const data::Series& v = paths.series(g);
      for (std::size_t k = 0; k < v.time.size(); ++k) seen[v.time[k]].velocity = v.value[k];
    }
    // Normalised, and counted from the first observation.
    Position& own = positions_[f];
    own.first = x.value.front(), own.origin = seen.begin()->first;
    const double scale = info.normalisation.scale[f];
    std::vector<data::KalmanSeries::Observation> series;
    for (auto& [time, observation] : seen) {
      observation.time = (time - own.origin) / info.time_scale;
      if (observation.position) *observation.position = (*observation.position - own.first) / scale;
      if (observation.velocity) *observation.velocity *= info.time_scale / scale;
      series.push_back(observation);
    }
    own.series.emplace(info.classical.noise.empty() ? data::WienerNoise() : info.classical.noise[f], series);
  }
}

KalmanPaths::Value KalmanPaths::at(std::size_t f, double time) const {
  const bool velocity = info_.features[f].velocity_of >= 0;
  const std::size_t of = velocity ? static_cast<std::size_t>(info_.features[f].velocity_of) : f;
  const Position& own = positions_[of];
  if (!own.series) return {kNaN, kNaN};
  const data::KalmanSeries::Value found = own.series->at((time - own.origin) / info_.time_scale);
  const double scale = info_.normalisation.scale[of] / (velocity ? info_.time_scale : 1.0);
  if (velocity) return {scale * found.velocity, scale * found.velocity_spread};
  return {own.first + scale * found.position, scale * found.position_spread};
}

// The model's values are rounded already.
FillValue FillValues::value(const ObjectPaths& paths, const KalmanPaths* kalman, std::size_t f, double time,
                            double model) const {
  const auto classical = [&](double x, FillMethod method, FillCause cause) {
    return FillValue{data::rounded(x, info_.normalisation.scale[f], kDigits), method, cause};
  };
  const double line = paths.linear(f, time);
  const double gap = paths.gap(f, time);
  const bool too_long = std::isfinite(gap) && gap > longest_;
  if (methods_[f] == FillMethod::kModel && !std::isnan(model) && !too_long) return {model, FillMethod::kModel};
  if (methods_[f] == FillMethod::kHermite && gap <= longest_)
    return classical(paths.hermite(f, time), FillMethod::kHermite, FillCause::kChosen);
  if (methods_[f] == FillMethod::kKalman && std::isfinite(gap) && !too_long) {
    const double smoothed = kalman->at(f, time).value;
    if (!std::isnan(smoothed)) return classical(smoothed, FillMethod::kKalman, FillCause::kChosen);
  }
  const FillCause cause = methods_[f] == FillMethod::kLinear  ? FillCause::kChosen
                          : too_long                          ? FillCause::kLongGap
                          : methods_[f] == FillMethod::kModel ? FillCause::kUnseen
                                                              : FillCause::kOutside;
  if (!std::isnan(line)) return classical(line, FillMethod::kLinear, cause);
  // Never observed: the model, or the slope of the position whose velocity this is.
  if (!std::isnan(model)) return {model, FillMethod::kModel, FillCause::kNever};
  return classical(paths.hermite(f, time), FillMethod::kHermite,
                   methods_[f] == FillMethod::kHermite ? FillCause::kChosen : FillCause::kNever);
}

void FillValues::compute(const std::vector<std::int64_t>& systems) {
  const std::size_t width = methods_.size();
  for (const std::int64_t s : systems)
    for (std::int64_t o = whole_.first_object(s); o < whole_.first_object(s) + whole_.objects_of(s); ++o) {
      std::vector<FillValue>& values = objects_[static_cast<std::size_t>(o)];
      values.clear();
      if (gaps_.times(o).empty()) continue;
      const ObjectPaths paths(whole_, o);
      std::optional<KalmanPaths> kalman;
      if (std::find(methods_.begin(), methods_.end(), FillMethod::kKalman) != methods_.end())
        kalman.emplace(info_, paths);
      values.reserve(gaps_.times(o).size() * width);
      for (const double time : gaps_.times(o))
        for (std::size_t f = 0; f < width; ++f)
          values.push_back(value(paths, kalman ? &*kalman : nullptr, f, time, gaps_.values(o, time)[f]));
    }
}

bool FillValues::incomplete() const {
  const std::vector<data::Feature>& features = whole_.description().features;
  for (const std::vector<FillValue>& object : objects_)
    for (std::size_t at = 0; at < object.size(); ++at)
      if (std::isnan(object[at].value) && !features[at % features.size()].derived) return true;
  return false;
}

std::span<const FillValue> FillValues::at(std::int64_t object, double time) const {
  const std::span<const double> times = gaps_.times(object);
  const auto at = std::lower_bound(times.begin(), times.end(), time);
  if (at == times.end() || *at != time) return {};
  return std::span(objects_[static_cast<std::size_t>(object)])
      .subspan(static_cast<std::size_t>(at - times.begin()) * methods_.size(), methods_.size());
}

}  // namespace lgode::eval
