// Groups rows by object with a counting sort: two passes over a table in any order. Then sorts by time.
#include "table/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <numeric>

#include "lgode/core/parallel.h"

namespace lgode::table {
namespace {

// Sorts the rows of each object by time and removes rows whose time occurred before.
class ObjectSorter {
 public:
  ObjectSorter(Systems& systems, std::span<std::uint32_t> lines, std::vector<Duplicate>& duplicates)
      : systems_(systems), lines_(lines), duplicates_(duplicates), kept_(systems.object_ids.size()) {}

  void run(int threads) {
    const auto objects = static_cast<std::int64_t>(kept_.size());
    constexpr std::int64_t kTogether = 256;
    parallel_tasks((objects + kTogether - 1) / kTogether, threads, [&](std::int64_t task) {
      for (std::int64_t o = task * kTogether; o < std::min(objects, (task + 1) * kTogether); ++o)
        sort(static_cast<std::size_t>(o));
    });
    if (!duplicates_.empty() || joined_ > 0) close_up();
  }

  // Rows joined with another of the same object and time.
  std::int64_t joined() const { return joined_; }

 private:
  void sort(std::size_t object) {
    auto& offsets = systems_.arrays.observation_offsets;
    const auto first = static_cast<std::size_t>(offsets[object]);
    const auto count = static_cast<std::size_t>(offsets[object + 1]) - first;
    const std::span<double> times = systems_.arrays.times.span().subspan(first, count);
    kept_[object] = count;
    if (std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) == times.end()) return;
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
    const std::size_t width = systems_.features;
    const std::span<double> values = systems_.arrays.values.span().subspan(first * width, count * width);
    const std::span<std::uint32_t> lines = lines_.subspan(first, count);
    std::vector<double> new_times, new_values;
    std::vector<std::uint32_t> new_lines;
    for (const std::size_t i : order) {
      if (!new_times.empty() && times[i] == new_times.back()) {
        if (join(values.subspan(i * width, width), std::span(new_values).last(width)))
          ++joined_;
        else
          report(object, times[i], lines[i], new_lines.back());
        continue;
      }
      new_times.push_back(times[i]);
      new_lines.push_back(lines[i]);
      new_values.insert(new_values.end(), values.begin() + static_cast<std::ptrdiff_t>(i * width),
                        values.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
    }
    kept_[object] = new_times.size();
    std::copy(new_times.begin(), new_times.end(), times.begin());
    std::copy(new_lines.begin(), new_lines.end(), lines.begin());
    std::copy(new_values.begin(), new_values.end(), values.begin());
  }

  // Adds the values of a second row of the same object and time to the first, unless the two contradict each other.
  static bool join(std::span<const double> row, std::span<double> into) {
    for (std::size_t f = 0; f < row.size(); ++f)
      if (!std::isnan(row[f]) && !std::isnan(into[f]) && row[f] != into[f]) return false;
    for (std::size_t f = 0; f < row.size(); ++f)
      if (std::isnan(into[f])) into[f] = row[f];
    return true;
  }

  void report(std::size_t object, double time, std::uint32_t line, std::uint32_t first_line) {
    const std::lock_guard lock(mutex_);
    duplicates_.push_back({line, first_line, systems_.object_ids[object], time});
  }

  // Closes the gaps left by removed rows.
  void close_up() {
    OwnedArrays& a = systems_.arrays;
    const std::size_t width = systems_.features;
    std::int64_t to = 0;
    for (std::size_t o = 0; o < kept_.size(); ++o) {
      const std::int64_t from = std::exchange(a.observation_offsets[o], to);
      const auto count = static_cast<std::int64_t>(kept_[o]);
      std::memmove(a.times.data() + to, a.times.data() + from, kept_[o] * sizeof(double));
      std::memmove(a.values.data() + to * static_cast<std::int64_t>(width),
                   a.values.data() + from * static_cast<std::int64_t>(width), kept_[o] * width * sizeof(double));
      to += count;
    }
    a.observation_offsets.back() = to;
    a.times.resize(static_cast<std::size_t>(to));
    a.values.resize(static_cast<std::size_t>(to) * width);
  }

  Systems& systems_;
  std::span<std::uint32_t> lines_;
  std::vector<Duplicate>& duplicates_;
  std::vector<std::size_t> kept_;
  std::atomic<std::int64_t> joined_ = 0;
  std::mutex mutex_;
};

// The order of objects: by system, within a system by their first row.
std::vector<std::int64_t> place_objects(const ObjectIndex& index, Systems& systems) {
  auto& offsets = systems.arrays.object_offsets;
  offsets.assign(index.systems().size() + 1, 0);
  for (const ObjectIndex::Object& object : index.objects()) ++offsets[object.system + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
  std::vector<std::int64_t> place;
  systems.object_ids.resize(index.objects().size());
  for (const ObjectIndex::Object& object : index.objects()) {
    place.push_back(next[object.system]++);
    systems.object_ids[static_cast<std::size_t>(place.back())] = object.id;
  }
  systems.system_ids = index.systems();
  systems.recording.resize(index.systems().size());
  std::iota(systems.recording.begin(), systems.recording.end(), 0U);
  return place;
}

constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

// For each feature its place among the values of a row, kAbsent for a derived one.
std::vector<std::size_t> table_columns(const ObservationTable& table, const std::vector<data::Feature>& features) {
  std::vector<std::size_t> columns;
  for (const data::Feature& feature : features) {
    const auto found = std::find(table.features.begin(), table.features.end(), feature.name);
    columns.push_back(feature.derived ? kAbsent : static_cast<std::size_t>(found - table.features.begin()));
  }
  return columns;
}

// For each object of the index its place in its system.
std::vector<std::int32_t> local_places(const ObjectIndex& index, const std::vector<std::int64_t>& place_of,
                                       Systems& systems) {
  std::vector<std::int32_t> local_of;
  for (std::size_t o = 0; o < place_of.size(); ++o)
    local_of.push_back(
        static_cast<std::int32_t>(place_of[o] - systems.arrays.object_offsets[index.objects()[o].system]));
  systems.place_in_recording.resize(place_of.size());
  for (std::size_t o = 0; o < place_of.size(); ++o)
    systems.place_in_recording[static_cast<std::size_t>(place_of[o])] = local_of[o];
  return local_of;
}

// Copies every row to the rows of its object, in the order of the table: a counting sort in two passes.
void scatter_rows(const ObservationTable& table, const std::vector<std::size_t>& columns,
                  const std::vector<std::int64_t>& place_of, Systems& systems, ScratchArray<std::uint32_t>& lines) {
  const std::size_t rows = table.rows();
  auto& offsets = systems.arrays.observation_offsets;
  offsets.assign(place_of.size() + 1, 0);
  for (std::size_t i = 0; i < rows; ++i)
    if (table.object[i] != kNoObject) ++offsets[static_cast<std::size_t>(place_of[table.object[i]]) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
  const auto kept = static_cast<std::size_t>(offsets.back());
  systems.arrays.times.resize(kept);
  systems.arrays.values.resize(kept * systems.features);
  lines.resize(kept);
  for (std::size_t i = 0; i < rows; ++i) {
    if (table.object[i] == kNoObject) continue;
    const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(place_of[table.object[i]])]++);
    systems.arrays.times[to] = table.time_of(i);
    lines[to] = table.line(i);
    double* values = systems.arrays.values.data() + to * systems.features;
    for (std::size_t f = 0; f < systems.features; ++f)
      values[f] = columns[f] == kAbsent ? std::numeric_limits<double>::quiet_NaN() : table.value(i, columns[f]);
  }
}

}  // namespace

Grouped group_rows(ObservationTable& table, const std::vector<data::Feature>& features, const ScratchPlace& place,
                   int threads) {
  Grouped grouped{.systems = Systems(place)};
  Systems& systems = grouped.systems;
  systems.features = features.size();
  const std::vector<std::int64_t> place_of = place_objects(table.index, systems);
  grouped.local_of = local_places(table.index, place_of, systems);
  ScratchArray<std::uint32_t> lines(place);
  scatter_rows(table, table_columns(table, features), place_of, systems, lines);
  table.release(place);
  ObjectSorter sorter(systems, lines.span(), grouped.duplicates);
  sorter.run(threads);
  grouped.joined = sorter.joined();
  return grouped;
}

}  // namespace lgode::table
