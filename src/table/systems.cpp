// Rows and extents of systems under construction, and copies of them.
#include "table/systems.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "lgode/core/median.h"
#include "lgode/data/observed_rows.h"

namespace lgode::table {

namespace {

using data::Per;

template <class T>
std::span<const T> view_of(const std::vector<T>& array) {
  return array;
}
template <class T>
std::span<const T> view_of(const ScratchArray<T>& array) {
  return array.span();
}

template <class T>
void append(std::span<const T> more, std::vector<T>& array) {
  array.insert(array.end(), more.begin(), more.end());
}
template <class T>
void append(std::span<const T> more, ScratchArray<T>& array) {
  std::copy(more.begin(), more.end(), array.extend(more.size()).begin());
}

}  // namespace

data::Dataset::Arrays OwnedArrays::view() const {
  data::Dataset::Arrays views;
  data::Dataset::Arrays::each([](const char*, Per, auto& view, const auto& own) { view = view_of(own); }, views, *this);
  return views;
}

std::span<const double> Systems::times_of(std::size_t object) const {
  const auto first = static_cast<std::size_t>(arrays.observation_offsets[object]);
  return arrays.times.span().subspan(first, static_cast<std::size_t>(arrays.observation_offsets[object + 1]) - first);
}

std::span<const double> Systems::values_of(std::size_t object) const {
  const auto first = static_cast<std::size_t>(arrays.observation_offsets[object]);
  const auto last = static_cast<std::size_t>(arrays.observation_offsets[object + 1]);
  return arrays.values.span().subspan(first * features, (last - first) * features);
}

bool Systems::is_observation(std::size_t object, std::size_t k) const {
  return data::has_value(values_of(object).subspan(k * features, features));
}

std::int64_t Systems::empty_rows() const {
  std::int64_t count = 0;
  for (std::size_t o = 0; o < object_ids.size(); ++o)
    for (std::size_t k = 0; k < times_of(o).size(); ++k) count += is_observation(o, k) ? 0 : 1;
  return count;
}

data::SceneSource Systems::source(std::size_t system) const {
  return {.offsets = std::span(arrays.observation_offsets)
                         .subspan(static_cast<std::size_t>(arrays.object_offsets[system]),
                                  static_cast<std::size_t>(objects_of(system)) + 1),
          .times = arrays.times.span(),
          .values = arrays.values.span(),
          .features = features};
}

void copy_rows(const Systems& source, std::size_t object, std::ptrdiff_t from, std::ptrdiff_t to, Systems& target) {
  const auto first = static_cast<std::size_t>(source.arrays.observation_offsets[object] + from);
  const auto count = static_cast<std::size_t>(to - from);
  data::Dataset::Arrays::each(
      [&](const char*, Per per, const auto& have, auto& into) {
        if (per == Per::kRow) append(view_of(have).subspan(first, count), into);
        if (per == Per::kValue) append(view_of(have).subspan(first * source.features, count * source.features), into);
      },
      source.arrays, target.arrays);
}

void end_object(const Systems& source, std::size_t object, Systems& target) {
  target.arrays.observation_offsets.push_back(static_cast<std::int64_t>(target.arrays.times.size()));
  target.object_ids.push_back(source.object_ids[object]);
  target.place_in_recording.push_back(source.place_in_recording[object]);
}

void end_system(const Systems& source, std::size_t system, std::string id, Systems& target) {
  target.arrays.object_offsets.push_back(static_cast<std::int64_t>(target.object_ids.size()));
  target.system_ids.push_back(std::move(id));
  target.recording.push_back(source.recording[system]);
  data::Dataset::Arrays::each(
      [&](const char*, Per per, const auto& have, auto& into) {
        if (per == Per::kSystem && system < have.size()) append(view_of(have).subspan(system, 1), into);
      },
      source.arrays, target.arrays);
}

double typical_gap(const Systems& systems) {
  constexpr std::size_t kMost = 1'000'000;
  const std::size_t step = systems.arrays.times.size() / kMost + 1;  // between the gaps that are taken
  std::vector<double> gaps;
  std::size_t seen = 0;
  for (std::size_t o = 0; o < systems.object_ids.size(); ++o) {
    data::for_each_gap(
        systems.times_of(o), [&](std::size_t k) { return !systems.is_observation(o, k); },
        [&](double gap) {
          if (seen++ % step == 0) gaps.push_back(gap);
        });
  }
  return gaps.empty() ? 0 : median(std::move(gaps));
}

RowCount count_once(const Systems& systems) {
  RowCount count;
  std::unordered_map<std::int32_t, double> counted;  // by object of the recording: up to this time
  for (std::size_t s = 0; s < systems.recording.size(); ++s) {
    if (s > 0 && systems.recording[s] != systems.recording[s - 1]) counted.clear();
    for (auto o = static_cast<std::size_t>(systems.arrays.object_offsets[s]);
         o < static_cast<std::size_t>(systems.arrays.object_offsets[s + 1]); ++o) {
      const auto times = systems.times_of(o);
      if (times.empty()) continue;
      const auto [last, fresh] =
          counted.try_emplace(systems.place_in_recording[o], -std::numeric_limits<double>::infinity());
      for (std::size_t k = 0; k < times.size(); ++k) {
        if (times[k] <= last->second) continue;
        ++count.rows;
        count.empty += systems.is_observation(o, k) ? 0 : 1;
      }
      last->second = std::max(last->second, times.back());
    }
  }
  return count;
}

Systems without(const Systems& from, const std::vector<bool>& out, const ScratchPlace& place) {
  Systems to(place);
  to.features = from.features;
  for (std::size_t s = 0; s < out.size(); ++s) {
    if (out[s]) continue;
    for (auto o = static_cast<std::size_t>(from.arrays.object_offsets[s]);
         o < static_cast<std::size_t>(from.arrays.object_offsets[s + 1]); ++o) {
      copy_rows(from, o, 0, static_cast<std::ptrdiff_t>(from.times_of(o).size()), to);
      end_object(from, o, to);
    }
    end_system(from, s, from.system_ids[s], to);
  }
  return to;
}

}  // namespace lgode::table
