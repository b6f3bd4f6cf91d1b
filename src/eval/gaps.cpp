// Finds gaps, divides recordings into ranges, predicts each range as a scene of its own.
#include "lgode/eval/gaps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "lgode/core/error.h"
#include "lgode/data/measured_features.h"
#include "lgode/data/recordings.h"
#include "lgode/data/time_margin.h"
#include "lgode/data/time_text.h"

namespace lgode::eval {

Gaps::Gaps(const Run& run, const data::Dataset& source, const data::Dataset& whole, bool all_times,
           std::vector<Recording> recordings)
    : run_(run),
      source_(source),
      whole_(whole),
      recordings_(std::move(recordings)),
      all_times_(all_times),
      length_(run.info.conditioning_length),
      shift_(data::time_shift(source.description(), whole.description())),
      width_(static_cast<std::size_t>(whole.features())),
      objects_(recordings_.empty() ? static_cast<std::size_t>(whole.objects()) : 0) {
  filled_ = data::measured_features(whole.description());
  for (std::int64_t s = 0; s < source.systems(); ++s) windows_[data::recording_of(source, s)].push_back(s);
  for (const Recording& recording : recordings_) {
    first_object_.push_back(static_cast<std::int64_t>(objects_.size()));
    objects_.resize(objects_.size() + static_cast<std::size_t>(recording.rows.objects()));
  }
}

data::SceneSource Gaps::rows(std::int64_t system) const {
  return recordings_.empty() ? data::source_of(whole_, system) : recordings_[static_cast<std::size_t>(system)].rows;
}

std::int64_t Gaps::first_object(std::int64_t system) const {
  return recordings_.empty() ? whole_.first_object(system) : first_object_[static_cast<std::size_t>(system)];
}

std::int64_t Gaps::named(std::int64_t system) const {
  return recordings_.empty() ? system : recordings_[static_cast<std::size_t>(system)].system;
}

std::span<const double> Gaps::row(std::int64_t object, double time, std::vector<double> Object::*of) const {
  const Object& o = objects_[static_cast<std::size_t>(object)];
  const auto at = std::lower_bound(o.times.begin(), o.times.end(), time);
  if (at == o.times.end() || *at != time) return {};
  return std::span(o.*of).subspan(static_cast<std::size_t>(at - o.times.begin()) * width_, width_);
}

std::span<const double> Gaps::values(std::int64_t object, double time) const {
  return row(object, time, &Object::values);
}

std::span<const double> Gaps::spreads(std::int64_t object, double time) const {
  return row(object, time, &Object::spreads);
}

void Gaps::find(const std::vector<std::int64_t>& systems) {
  for (const std::int64_t s : systems) {
    if (!windows_.contains(data::recording_of(whole_, named(s)))) continue;
    find_gaps(s);
    add_ranges(s);
  }
}

void Gaps::predict(const PredictOptions& predict, const std::function<void(std::int64_t, std::int64_t)>& progress,
                   const StopFlag* stop) {
  if (ranges_.empty()) return;
  const data::BatchMaker maker = batch_maker(run_.info, source_);
  std::vector<data::Scene> scenes;
  scenes.reserve(ranges_.size());
  for (std::size_t r = 0; r < ranges_.size(); ++r) scenes.push_back(scene_of(r, maker));
  PredictOptions own;  // no samples: only the mean path and its spread are kept
  own.seed = predict.seed, own.batch = predict.batch, own.samples = 0;
  if (progress) own.progress = [&](std::int64_t done, std::int64_t total, double) { progress(done, total); };
  std::size_t next = 0;
  eval::predict(
      run_, maker, scenes, own, [&](const SystemPrediction& prediction) { take(ranges_[next++], prediction); }, stop);
}

void Gaps::find_gaps(std::int64_t system) {
  const data::SceneSource source = rows(system);
  std::vector<double> all;
  for (std::int64_t o = 0; o < source.objects() && all_times_; ++o)
    all.insert(all.end(), source.times_of(o).begin(), source.times_of(o).end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (std::int64_t o = 0; o < source.objects(); ++o) {
    Object& object = objects_[static_cast<std::size_t>(first_object(system) + o)];
    const auto times = source.times_of(o);
    // Only while the object is present: objects that enter late or leave early get no rows outside that time.
    const auto from = times.empty() ? all.end() : std::lower_bound(all.begin(), all.end(), times.front());
    const auto to = times.empty() ? all.end() : std::upper_bound(all.begin(), all.end(), times.back());
    std::set_difference(from, to, times.begin(), times.end(), std::back_inserter(object.times));
    for (std::size_t k = 0; k < times.size(); ++k) {
      const auto row = source.row(o, static_cast<std::int64_t>(k));
      if (std::any_of(filled_.begin(), filled_.end(), [&](std::size_t f) { return std::isnan(row[f]); }))
        object.times.push_back(times[k]);
    }
    std::sort(object.times.begin(), object.times.end());
    object.values.assign(object.times.size() * width_, std::numeric_limits<double>::quiet_NaN());
    object.spreads = object.values;
  }
}

void Gaps::add_ranges(std::int64_t system) {
  const data::SceneSource source = rows(system);
  const double origin = source.origin;
  double last = origin;
  std::map<double, std::vector<double>> by_range;  // by whole ranges since the origin: no time is too far
  for (std::int64_t o = 0; o < source.objects(); ++o) {
    if (!source.times_of(o).empty()) last = std::max(last, source.times_of(o).back());
    for (const double time : times(first_object(system) + o)) {
      double k = std::floor((time - origin) / length_);
      if (origin + k * length_ > time) --k;
      by_range[k].push_back(time);
    }
  }
  // The last observation of a full range is about one time step before the end of the range.
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

// A range with a clock of its own. All of it is context.
data::Scene Gaps::scene_of(std::size_t range, const data::BatchMaker& maker) const {
  const Range& r = ranges_[range];
  data::SceneSource source = rows(r.system);
  source.origin = r.start;
  data::Scene scene = maker.scene(source, r.times);
  scene.number = static_cast<std::int64_t>(range);
  if (source_.description().edges.kind == data::EdgeRule::Kind::kListed) scene.relations = relations_of(r);
  return scene;
}

// The relations of the nearest window, among the objects that the recording has by the same names.
std::vector<data::Relation> Gaps::relations_of(const Range& range) const {
  const std::int64_t window = nearest_window(range), system = named(range.system);
  std::unordered_map<std::string, std::int32_t> place;
  for (std::int64_t o = 0; o < whole_.objects_of(system); ++o)
    place.emplace(whole_.object_id(system, o), static_cast<std::int32_t>(o));
  std::vector<data::Relation> relations;
  const std::int64_t first = source_.first_relation(window);
  for (std::int64_t e = first; e < first + source_.relations_of(window); ++e) {
    data::Relation relation = source_.relation(e);
    const auto source = place.find(source_.object_id(window, relation.source));
    const auto target = place.find(source_.object_id(window, relation.target));
    if (source == place.end() || target == place.end()) continue;
    relation.source = source->second;
    relation.target = target->second;
    relations.push_back(relation);
  }
  return relations;
}

std::int64_t Gaps::nearest_window(const Range& range) const {
  if (&whole_ == &source_ && recordings_.empty()) return range.system;
  const std::vector<std::int64_t>& windows = windows_.at(data::recording_of(whole_, named(range.system)));
  return *std::min_element(windows.begin(), windows.end(), [&](std::int64_t a, std::int64_t b) {
    return std::abs(source_.origin(a) + shift_ - range.start) < std::abs(source_.origin(b) + shift_ - range.start);
  });
}

bool Gaps::is_blind(const Range& range) const {
  const double margin = data::time_margin(length_, range.start);
  const data::SceneSource source = rows(range.system);
  for (std::int64_t o = 0; o < source.objects(); ++o) {
    const auto times = source.times_of(o);
    const auto from = std::lower_bound(times.begin(), times.end(), range.start - margin) - times.begin();
    const auto to = std::lower_bound(times.begin(), times.end(), range.start + length_ - margin) - times.begin();
    for (auto k = from; k < to; ++k)
      if (!source.is_empty(o, k)) return false;
  }
  return true;
}

std::int64_t Gaps::rows_at(const Range& range) const {
  std::int64_t count = 0;
  const std::int64_t first = first_object(range.system);
  for (std::int64_t o = first; o < first + rows(range.system).objects(); ++o)
    for (const double time : range.times) count += std::binary_search(times(o).begin(), times(o).end(), time) ? 1 : 0;
  return count;
}

void Gaps::take(const Range& range, const SystemPrediction& prediction) {
  if (range.blind) return;
  for (std::int64_t o = 0; o < prediction.objects; ++o) {
    Object& object = objects_[static_cast<std::size_t>(first_object(range.system) + o)];
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
