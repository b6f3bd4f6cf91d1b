// Finds gaps, divides recordings into ranges, predicts each range as a system of its own.
#include "lgode/eval/gaps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "lgode/core/error.h"
#include "lgode/data/recordings.h"
#include "lgode/data/time_margin.h"
#include "lgode/data/time_text.h"

namespace lgode::eval {

Gaps::Gaps(const Run& run, const data::Dataset& source, const data::Dataset& whole, bool all_times)
    : run_(run),
      source_(source),
      whole_(whole),
      all_times_(all_times),
      length_(run.info.conditioning_length),
      shift_(data::time_shift(source.description(), whole.description())),
      width_(static_cast<std::size_t>(whole.features())),
      objects_(static_cast<std::size_t>(whole.objects())) {
  for (std::size_t f = 0; f < width_; ++f)
    if (!whole.description().features[f].derived) filled_.push_back(f);
  for (std::int64_t s = 0; s < source.systems(); ++s) windows_[data::recording_of(source, s)].push_back(s);
}

std::span<const float> Gaps::row(std::int64_t object, double time, std::vector<float> Object::*of) const {
  const Object& o = objects_[static_cast<std::size_t>(object)];
  const auto at = std::lower_bound(o.times.begin(), o.times.end(), time);
  if (at == o.times.end() || *at != time) return {};
  return std::span(o.*of).subspan(static_cast<std::size_t>(at - o.times.begin()) * width_, width_);
}

std::span<const float> Gaps::values(std::int64_t object, double time) const {
  return row(object, time, &Object::values);
}

std::span<const float> Gaps::spreads(std::int64_t object, double time) const {
  return row(object, time, &Object::spreads);
}

void Gaps::find(const std::vector<std::int64_t>& systems) {
  for (const std::int64_t s : systems) {
    if (!windows_.contains(data::recording_of(whole_, s))) continue;
    find_gaps(s);
    add_ranges(s);
  }
}

void Gaps::predict(const PredictOptions& predict, const std::function<void(std::int64_t, std::int64_t)>& progress,
                   const StopFlag* stop) {
  if (ranges_.empty()) return;
  const data::Dataset set = range_set();
  PredictOptions options = predict;
  options.systems.clear();
  options.own_times.clear();
  options.relative = false;
  options.allow_mismatch = true;  // the whole data set was checked; single ranges may be unusual
  for (std::size_t r = 0; r < ranges_.size(); ++r) {
    options.systems.push_back(static_cast<std::int64_t>(r));
    options.own_times.push_back(ranges_[r].times);
  }
  std::size_t next = 0;
  eval::predict(
      run_, set, options,
      [&](const SystemPrediction& prediction) {
        take(ranges_[next++], prediction);
        if (progress) progress(static_cast<std::int64_t>(next), static_cast<std::int64_t>(ranges_.size()));
      },
      stop);
}

void Gaps::find_gaps(std::int64_t system) {
  const std::int64_t first = whole_.first_object(system);
  std::vector<double> all;
  for (std::int64_t o = first; o < first + whole_.objects_of(system) && all_times_; ++o)
    all.insert(all.end(), whole_.times_of(o).begin(), whole_.times_of(o).end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (std::int64_t o = first; o < first + whole_.objects_of(system); ++o) {
    Object& object = objects_[static_cast<std::size_t>(o)];
    const auto times = whole_.times_of(o);
    const auto values = whole_.values_of(o);
    // Only while the object is there: who came later or left earlier gets no rows outside that time.
    const auto from = times.empty() ? all.end() : std::lower_bound(all.begin(), all.end(), times.front());
    const auto to = times.empty() ? all.end() : std::upper_bound(all.begin(), all.end(), times.back());
    std::set_difference(from, to, times.begin(), times.end(), std::back_inserter(object.times));
    for (std::size_t k = 0; k < times.size(); ++k) {
      const auto row = values.subspan(k * width_, width_);
      if (std::any_of(filled_.begin(), filled_.end(), [&](std::size_t f) { return std::isnan(row[f]); }))
        object.times.push_back(times[k]);
    }
    std::sort(object.times.begin(), object.times.end());
    object.values.assign(object.times.size() * width_, std::numeric_limits<float>::quiet_NaN());
    object.spreads = object.values;
  }
}

void Gaps::add_ranges(std::int64_t system) {
  const double origin = whole_.origin(system);
  const std::int64_t first = whole_.first_object(system);
  double last = origin;
  std::map<double, std::vector<double>> by_range;  // by whole ranges since the origin: no time is too far
  for (std::int64_t o = first; o < first + whole_.objects_of(system); ++o) {
    if (!whole_.times_of(o).empty()) last = std::max(last, whole_.times_of(o).back());
    for (const double time : objects_[static_cast<std::size_t>(o)].times) {
      double k = std::floor((time - origin) / length_);
      if (origin + k * length_ > time) --k;
      by_range[k].push_back(time);
    }
  }
  // The last observation of a full range lies about one time step before the end of the range.
  const double step = length_ / static_cast<double>(std::max<std::int64_t>(2, source_.description().max_length));
  for (auto& [k, times] : by_range) {
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    double start = origin + k * length_;
    if (k > 0 && start + length_ > last + step) start = std::max(origin, last + step - length_);
    Range& range = ranges_.emplace_back(Range{system, start, std::move(times), false});
    range.blind = is_blind(range);
    if (range.blind) blind_times_ += rows_at(range);
  }
}

// A data set with each range as a system.
data::Dataset Gaps::range_set() const {
  data::Description description = source_.description();
  description.system_ids.clear();
  description.object_ids.clear();
  description.recordings.clear();
  data::DatasetBuilder builder(description);
  for (const Range& range : ranges_) {
    builder.begin_system(data::Part::kTest, range.start);
    add_observations(range, builder);
    add_relations(range, builder);
  }
  return builder.finish("the ranges to fill");
}

void Gaps::add_observations(const Range& range, data::DatasetBuilder& builder) const {
  const double margin = data::time_margin(length_, range.start);
  const std::int64_t first = whole_.first_object(range.system);
  for (std::int64_t o = first; o < first + whole_.objects_of(range.system); ++o) {
    builder.add_object();
    const auto times = whole_.times_of(o);
    const auto values = whole_.values_of(o);
    const auto from = std::lower_bound(times.begin(), times.end(), range.start - margin) - times.begin();
    const auto to = std::lower_bound(times.begin(), times.end(), range.start + length_ - margin) - times.begin();
    for (auto k = static_cast<std::size_t>(from); k < static_cast<std::size_t>(to); ++k)
      builder.add_observation(times[k], values.subspan(k * width_, width_));
  }
}

void Gaps::add_relations(const Range& range, data::DatasetBuilder& builder) const {
  const std::int64_t window = nearest_window(range);
  std::unordered_map<std::string, std::int32_t> place;
  for (std::int64_t o = 0; o < whole_.objects_of(range.system); ++o)
    place.emplace(whole_.object_id(range.system, o), static_cast<std::int32_t>(o));
  const std::int64_t first = source_.first_relation(window);
  for (std::int64_t e = first; e < first + source_.relations_of(window); ++e) {
    data::Relation relation = source_.relation(e);
    const auto source = place.find(source_.object_id(window, relation.source));
    const auto target = place.find(source_.object_id(window, relation.target));
    if (source == place.end() || target == place.end()) continue;
    relation.source = source->second;
    relation.target = target->second;
    builder.add_relation(relation);
  }
}

std::int64_t Gaps::nearest_window(const Range& range) const {
  if (&whole_ == &source_) return range.system;
  const std::vector<std::int64_t>& windows = windows_.at(data::recording_of(whole_, range.system));
  return *std::min_element(windows.begin(), windows.end(), [&](std::int64_t a, std::int64_t b) {
    return std::abs(source_.origin(a) + shift_ - range.start) < std::abs(source_.origin(b) + shift_ - range.start);
  });
}

bool Gaps::is_blind(const Range& range) const {
  const double margin = data::time_margin(length_, range.start);
  const std::int64_t first = whole_.first_object(range.system);
  for (std::int64_t o = first; o < first + whole_.objects_of(range.system); ++o) {
    const auto times = whole_.times_of(o);
    const auto from = std::lower_bound(times.begin(), times.end(), range.start - margin) - times.begin();
    const auto to = std::lower_bound(times.begin(), times.end(), range.start + length_ - margin) - times.begin();
    for (auto k = from; k < to; ++k)
      if (!whole_.is_empty(o, k)) return false;
  }
  return true;
}

std::int64_t Gaps::rows_at(const Range& range) const {
  std::int64_t rows = 0;
  const std::int64_t first = whole_.first_object(range.system);
  for (std::int64_t o = first; o < first + whole_.objects_of(range.system); ++o)
    for (const double time : range.times) rows += std::binary_search(times(o).begin(), times(o).end(), time) ? 1 : 0;
  return rows;
}

void Gaps::take(const Range& range, const SystemPrediction& prediction) {
  if (range.blind) return;
  for (std::int64_t o = 0; o < prediction.objects; ++o) {
    Object& object = objects_[static_cast<std::size_t>(whole_.first_object(range.system) + o)];
    for (std::size_t k = 0; k < prediction.times.size(); ++k) {
      const auto at = std::lower_bound(object.times.begin(), object.times.end(), prediction.times[k]);
      if (at == object.times.end() || *at != prediction.times[k]) continue;
      const std::size_t from = (static_cast<std::size_t>(o) * prediction.times.size() + k) * width_;
      const auto to = (at - object.times.begin()) * static_cast<std::ptrdiff_t>(width_);
      std::copy_n(prediction.mean.begin() + static_cast<std::ptrdiff_t>(from), width_, object.values.begin() + to);
      std::copy_n(prediction.spread.begin() + static_cast<std::ptrdiff_t>(from), width_, object.spreads.begin() + to);
    }
  }
}

}  // namespace lgode::eval
