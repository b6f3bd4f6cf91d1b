// What writers of filled tables share: names of objects, the rows that a table lacks, and the
// intervals. Internal to filled tables.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
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

// The objects of whole recordings by the names that the user's table has.
class ObjectsByName {
 public:
  explicit ObjectsByName(const data::Dataset& set);
  // Index over the whole set.
  std::optional<std::int64_t> find(std::string_view system, std::string_view object) const;

 private:
  std::unordered_map<std::string, std::int64_t> objects_;
};

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
