// Filled tables as arrays: the rows of a data set, or of a table in memory.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "filled_values.h"
#include "lgode/core/error.h"
#include "lgode/data/measured_features.h"
#include "lgode/data/time_text.h"
#include "lgode/table/clock.h"
#include "lgode/table/csv/write.h"
#include "lgode/table/import.h"

namespace lgode::use {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Into `out`, with their number.
void add_intervals(const eval::FilledGaps& gaps, const UnreadRows& unread, const eval::FillOptions& options,
                   FilledRows& out) {
  out.filled.without_intervals = !gaps.has_intervals();
  if (!gaps.has_intervals()) return;
  const data::Dataset& set = gaps.set();
  const data::TimeText times(set.description());
  each_interval(gaps, unread, interval_quantiles(options),
                [&](std::int64_t s, std::int64_t o, double time, std::size_t f, const eval::FillValue& fill,
                    std::vector<double> values) {
                  for (double& value : values) value = interval_number(value, kIntervalDigits);
                  out.intervals.push_back({.system = set.system_id(s),
                                           .object = set.object_id(s, o),
                                           .feature = set.description().features[f].name,
                                           .time = table::time_field(times, time, set.description().rate, {}),
                                           .value = interval_number(fill.value, kIntervalValueDigits),
                                           .method = fill.method,
                                           .quantiles = std::move(values)});
                });
  out.filled.interval_rows = static_cast<std::int64_t>(out.intervals.size());
}

// The rows of a table in memory: which object and time each one has.
class MemoryRows {
 public:
  MemoryRows(const table::MemoryTable& memory, const data::Dataset& set)
      : memory_(memory), clock_(table::TableClock::from(set.description())), objects_(set) {
    for (const table::NumberColumn& column : memory.features) {
      std::set<std::int64_t>& bad = unreadable_.emplace_back();
      for (const table::NumberColumn::Bad& cell : column.bad) bad.insert(cell.row);
    }
    for (const table::NumberColumn::Bad& cell : memory.time.cells.bad) without_time_.insert(cell.row);
  }

  std::int64_t count() const { return memory_.rows; }
  // Nothing where a name is missing; empty where the table has no column of systems.
  std::optional<std::string> system(std::size_t row) const {
    std::string joined;
    for (std::size_t c = 0; c < memory_.system.size(); ++c) {
      const std::int32_t code = memory_.system[c].codes[row];
      if (code < 0) return {};
      joined += (c > 0 ? "/" : "") + memory_.system[c].names[static_cast<std::size_t>(code)];
    }
    return joined;
  }
  std::optional<std::int64_t> object(std::size_t row) const {
    const std::int32_t code = memory_.object.codes[row];
    const std::optional<std::string> name = system(row);
    if (!name || code < 0) return {};
    return objects_.find(*name, memory_.object.names[static_cast<std::size_t>(code)]);
  }
  std::optional<double> time(std::size_t row) const {
    if (without_time_.contains(static_cast<std::int64_t>(row))) return {};
    if (memory_.time.instants && memory_.time.instant(row) == table::TimeColumn::kMissing) return {};
    const double time = clock_(memory_.time, row);
    return std::isnan(time) ? std::nullopt : std::optional(time);
  }
  // `column`: of the features that are not derived.
  bool missing(std::size_t row, std::size_t column) const {
    return std::isnan(memory_.features[column][row]) && !unreadable_[column].contains(static_cast<std::int64_t>(row));
  }

 private:
  const table::MemoryTable& memory_;
  table::TableClock clock_;
  ObjectsByName objects_;
  std::vector<std::set<std::int64_t>> unreadable_;  // by column
  std::set<std::int64_t> without_time_;
};

// What fills the rows of a table in memory.
class MemoryFill {
 public:
  MemoryFill(const table::MemoryTable& memory, const eval::FilledGaps& gaps, UnreadRows& unread, FilledRows& out)
      : gaps_(gaps), unread_(unread), rows_(memory, gaps.set()), filler_(gaps.set(), out.filled), out_(out) {
    columns_.resize(static_cast<std::size_t>(gaps.set().features()));
    for (std::size_t c = 0; c < filler_.features().size(); ++c) columns_[filler_.features()[c]] = c;
  }

  void fill() {
    const std::size_t width = filler_.features().size();
    out_.values.assign(static_cast<std::size_t>(rows_.count()) * width, kNone);
    out_.imputed.resize(static_cast<std::size_t>(rows_.count()));
    for (std::size_t row = 0; row < out_.imputed.size(); ++row) {
      const std::optional<std::int64_t> object = rows_.object(row);
      const std::optional<double> time = rows_.time(row);
      const bool known = object && time;
      std::uint8_t* unread = known ? unread_.add(*object, *time) : nullptr;
      if (object) of_object_.try_emplace(*object, static_cast<std::int64_t>(row));
      const RowFiller::Row filled = filler_.fill(
          known ? gaps_.at(*object, *time) : std::span<const eval::FillValue>(),
          [&](std::size_t f) { return rows_.missing(row, columns_[f]); },
          [&](std::size_t f, const eval::FillValue& value) {
            out_.values[row * width + columns_[f]] = filled_number(value);
            if (unread != nullptr) unread[f] = 1;
          });
      out_.imputed[row] = filled.names;
      out_.filled.open_rows += filled.open ? 1 : 0;
    }
    out_.filled.rows += rows_.count();
  }

  // New rows, at times at which the table has no row for an object.
  void add_rows() {
    const data::Dataset& set = gaps_.set();
    const data::TimeText times(set.description());
    const std::size_t width = filler_.features().size();
    FilledRows::Added& added = out_.added;
    unread_.each_new([&](std::int64_t s, std::int64_t o, double time, std::span<const eval::FillValue> fills) {
      added.times.push_back(table::time_field(times, time, set.description().rate, {}));
      added.like_system.push_back(row_of_system(s));
      added.like_object.push_back(of_object_.at(set.first_object(s) + o));
      added.values.resize(added.values.size() + width, kNone);
      double* values = &added.values[added.values.size() - width];
      added.imputed.push_back(
          filler_
              .fill(
                  fills, [](std::size_t) { return true; },
                  [&](std::size_t f, const eval::FillValue& value) { values[columns_[f]] = filled_number(value); })
              .names);
    });
    out_.filled.new_rows += static_cast<std::int64_t>(added.times.size());
    out_.filled.rows += static_cast<std::int64_t>(added.times.size());
  }

 private:
  // A row of the first object that has any.
  std::int64_t row_of_system(std::int64_t s) const {
    const data::Dataset& set = gaps_.set();
    const auto row = of_object_.lower_bound(set.first_object(s));
    return row != of_object_.end() && row->first < set.first_object(s) + set.objects_of(s) ? row->second : 0;
  }

  const eval::FilledGaps& gaps_;
  UnreadRows& unread_;
  MemoryRows rows_;
  RowFiller filler_;
  FilledRows& out_;
  std::vector<std::size_t> columns_;                // [D] of the features that are not derived
  std::map<std::int64_t, std::int64_t> of_object_;  // a row of each object
};

// Reads the table as whole recordings, with the settings of the data set's import.
data::Dataset read_memory(const table::MemoryTable& memory, const data::Dataset& dataset, std::int64_t& bad_rows,
                          const StopFlag* stop) {
  table::ImportOptions import = whole_import(dataset, memory.columns, memory.where);
  if (memory.system.empty()) import.roles.system.clear();
  import.file_systems = false;
  table::ImportReport report;
  data::Dataset whole = table::import_table(import, memory, nullptr, report, stop);
  bad_rows = report.skipped_rows;
  check_table_fits(whole, dataset, memory.where);
  return whole;
}

}  // namespace

FilledRows fill_rows(const eval::Run& run, const data::Dataset& dataset, const eval::FillOptions& options,
                     bool intervals, const StopFlag* stop) {
  const Recordings recordings = recordings_of(dataset, options.predict.systems);
  const eval::FilledGaps gaps = eval::fill(run, dataset, recordings.set, recordings.systems, options, {}, stop);
  FilledRows out;
  static_cast<eval::FillChoice&>(out.filled) = gaps.choice();
  const data::Dataset& set = gaps.set();
  out.features = data::measured_names(set.description());
  const RowFiller filler(set, out.filled);
  const data::TimeText times(set.description());
  std::vector<double> fills(static_cast<std::size_t>(set.features()));
  for (const std::int64_t s : gaps.systems())
    for (std::int64_t o = 0; o < set.objects_of(s); ++o)
      each_row(gaps, set.first_object(s) + o,
               [&](double time, std::span<const double> observed, std::span<const eval::FillValue> values) {
                 const auto missing = [&](std::size_t f) { return observed.empty() || std::isnan(observed[f]); };
                 std::fill(fills.begin(), fills.end(), kNone);
                 const RowFiller::Row row =
                     filler.fill(values, missing,
                                 [&](std::size_t f, const eval::FillValue& value) { fills[f] = filled_number(value); });
                 out.systems.push_back(set.system_id(s));
                 out.objects.push_back(set.object_id(s, o));
                 out.times.push_back(table::time_field(times, time, set.description().rate, {}));
                 for (const std::size_t f : filler.features())
                   out.values.push_back(missing(f) ? fills[f] : observed[f]);
                 out.imputed.push_back(row.names);
                 out.filled.open_rows += row.open ? 1 : 0;
                 out.filled.new_rows += observed.empty() ? 1 : 0;
                 ++out.filled.rows;
               });
  if (intervals) add_intervals(gaps, UnreadRows(gaps), options, out);
  return out;
}

FilledRows fill_rows(const eval::Run& run, const data::Dataset& dataset, const table::MemoryTable& memory,
                     const eval::FillOptions& options, bool intervals, const StopFlag* stop) {
  eval::check_fill(run.info, options);
  FilledRows out;
  const Recordings recordings = recordings_of_table(read_memory(memory, dataset, out.filled.bad_rows, stop));
  const eval::FilledGaps gaps = eval::fill(run, dataset, recordings.set, recordings.systems, options, {}, stop);
  static_cast<eval::FillChoice&>(out.filled) = gaps.choice();
  out.features = data::measured_names(gaps.set().description());
  UnreadRows unread(gaps);
  MemoryFill fill(memory, gaps, unread, out);
  fill.fill();
  if (options.all_times) fill.add_rows();
  if (intervals) add_intervals(gaps, unread, options, out);
  return out;
}

}  // namespace lgode::use
