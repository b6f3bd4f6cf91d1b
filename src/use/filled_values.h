// What writers of filled tables share: names of objects, the text of a value, and the row that is filled and counted.
// Internal to filled tables.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lgode/table/options.h"
#include "lgode/use/fill.h"

namespace lgode::use {

// The text of a value: of the model, which computes in float32, the shortest; of others what is surely exact.
std::string filled_text(const eval::FillValue& value);
// The numbers that read back from the texts of a filled table and of a table of intervals.
double filled_number(const eval::FillValue& value);
double interval_number(double value, int digits);
inline constexpr int kIntervalValueDigits = 10, kIntervalDigits = 7;

// The objects of whole recordings by the names that the user's table has.
class ObjectsByName {
 public:
  explicit ObjectsByName(const data::Dataset& set);
  // Index over the whole set.
  std::optional<std::int64_t> find(std::string_view system, std::string_view object) const;

 private:
  std::unordered_map<std::string, std::int64_t> objects_;
};

// Fills the missing features of rows, names them and counts.
class RowFiller {
 public:
  RowFiller(const data::Dataset& set, Filled& filled);

  struct Row {
    std::string names;  // of the features that were filled
    bool open = false;  // some stay missing
  };
  // `fills`: [D] of the row, or empty. `missing(f)`: whether the row lacks feature f; `put(f, value)` takes its value.
  template <class Missing, class Put>
  Row fill(std::span<const eval::FillValue> fills, const Missing& missing, const Put& put) const {
    Row row;
    for (const std::size_t f : features_) {
      if (!missing(f)) continue;
      if (fills.empty() || std::isnan(fills[f].value)) {
        ++filled_.open_values;
        row.open = true;
        continue;
      }
      put(f, fills[f]);
      row.names += (row.names.empty() ? "" : separator_) + set_.description().features[f].name;
      count(f, fills[f]);
    }
    return row;
  }

  const std::vector<std::size_t>& features() const { return features_; }  // that are not derived

 private:
  void count(std::size_t feature, const eval::FillValue& value) const;

  const data::Dataset& set_;
  Filled& filled_;
  std::vector<std::size_t> features_;
  std::string separator_;
};

// Calls `row(object, time, observed, fills)` for every row of an object, and for those that fill its gaps: `observed`
// is empty where the set has no row at that time.
template <class Take>
void each_row(const eval::FilledGaps& gaps, std::int64_t object, const Take& row) {
  const data::Dataset& set = gaps.set();
  const auto width = static_cast<std::size_t>(set.features());
  const std::span<const double> times = set.times_of(object), holes = gaps.times(object);
  std::vector<double> all;
  std::set_union(times.begin(), times.end(), holes.begin(), holes.end(), std::back_inserter(all));
  std::size_t k = 0;
  for (const double time : all) {
    const bool seen = k < times.size() && times[k] == time;
    row(time, seen ? set.values_of(object).subspan(k * width, width) : std::span<const double>(),
        gaps.at(object, time));
    k += seen ? 1 : 0;
  }
}

// The rows of a user's table that the recordings lack: they cannot be read or appear twice. They stay in the table, and
// no row is added at their times.
class UnreadRows {
 public:
  explicit UnreadRows(const eval::FilledGaps& gaps) : gaps_(gaps) {}

  // Takes a row of the table. [D], to set what is filled of it; null where the recordings have the row.
  std::uint8_t* add(std::int64_t object, double time) {
    const auto width = static_cast<std::size_t>(gaps_.set().features());
    if (in_recordings(object, time)) return nullptr;
    return rows_.try_emplace({object, time}, width).first->second.data();
  }
  // Calls `take(system, object of it, time, fills)` for every row to add: at the times of a gap at which the table has
  // no row for an object. In the order of the set.
  template <class Take>
  void each_new(const Take& take) const {
    const data::Dataset& set = gaps_.set();
    for (std::int64_t s = 0; s < set.systems(); ++s)
      for (std::int64_t o = 0; o < set.objects_of(s); ++o) {
        const std::int64_t object = set.first_object(s) + o;
        for (const double time : gaps_.times(object))
          if (!in_recordings(object, time) && !rows_.contains({object, time})) take(s, o, time, gaps_.at(object, time));
      }
  }
  // Whether a value at a gap is in the filled table.
  bool written(std::int64_t object, double time, std::size_t feature) const {
    const auto found = rows_.find({object, time});
    return found == rows_.end() || found->second[feature] != 0;
  }

 private:
  bool in_recordings(std::int64_t object, double time) const {
    const auto times = gaps_.set().times_of(object);
    return std::binary_search(times.begin(), times.end(), time);
  }

  const eval::FilledGaps& gaps_;
  std::map<std::pair<std::int64_t, double>, std::vector<std::uint8_t>> rows_;
};

// Calls `take(system, object of it, time, feature, fill, quantiles)` for every filled value, in the order of the set.
template <class Take>
void each_interval(const eval::FilledGaps& gaps, const UnreadRows& unread, const std::vector<double>& quantiles,
                   const Take& take) {
  const data::Dataset& set = gaps.set();
  const std::vector<data::Feature>& features = set.description().features;
  for (const std::int64_t s : gaps.systems())
    for (std::int64_t o = 0; o < set.objects_of(s); ++o) {
      const std::int64_t object = set.first_object(s) + o;
      if (gaps.times(object).empty()) continue;
      const eval::FilledGaps::Intervals intervals = gaps.intervals(object, quantiles);
      const auto times = set.times_of(object);
      for (const double time : gaps.times(object)) {
        const auto found = std::lower_bound(times.begin(), times.end(), time);
        const bool there = found != times.end() && *found == time;
        const auto k = static_cast<std::size_t>(found - times.begin());
        const std::span<const eval::FillValue> fills = gaps.at(object, time);
        for (std::size_t f = 0; f < features.size(); ++f) {
          if (features[f].derived || std::isnan(fills[f].value)) continue;
          if (there && !std::isnan(set.values_of(object)[k * features.size() + f])) continue;
          if (!there && !unread.written(object, time, f)) continue;
          take(s, o, time, f, fills[f], intervals(time, f));
        }
      }
    }
}

// The recordings to fill: the data set's own systems or, where they were cut into windows, these joined.
struct Recordings {
  data::Dataset set;
  std::vector<std::int64_t> systems;
};
Recordings recordings_of(const data::Dataset& dataset, const std::vector<std::int64_t>& systems);
Recordings recordings_of_table(data::Dataset table);  // all of its systems
// How a user's table is read: as whole recordings, with the settings of the data set's import. ConfigError if the
// table, `where`, has a column `imputed` among `columns`.
table::ImportOptions whole_import(const data::Dataset& dataset, const std::vector<std::string>& columns,
                                  const std::string& where);
// A table read as whole recordings fits the data set: the same features, and dates in both or in neither. DataError.
void check_table_fits(const data::Dataset& table, const data::Dataset& dataset, const std::string& where);

// Whether the rows of a data set have a column of systems.
bool has_system_column(const data::Dataset& set);

}  // namespace lgode::use
