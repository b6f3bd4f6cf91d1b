// Filled tables as arrays: the rows of a data set, or of a table in memory.
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "filled_loop.h"
#include "lgode/core/error.h"
#include "lgode/data/measured_features.h"
#include "lgode/data/recordings.h"
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
                  out.intervals.push_back({.system = set.system_id(s),
                                           .object = set.object_id(s, o),
                                           .feature = set.description().features[f].name,
                                           .time = table::time_field(times, time, set.description().rate, {}),
                                           .value = fill.value,
                                           .method = fill.method,
                                           .quantiles = std::move(values)});
                });
  out.filled.interval_rows = static_cast<std::int64_t>(out.intervals.size());
}

// The rows of a table in memory: which object and time each one has.
class MemoryRows {
 public:
  MemoryRows(const table::MemoryTable& memory, const data::Dataset& set)
      : memory_(memory),
        clock_(table::TableClock::from(set.description())),
        objects_(set),
        only_system_(memory.system.empty() ? data::recording_of(set, 0) : "") {
    for (const table::NumberColumn& column : memory.features) {
      std::set<std::int64_t>& bad = unreadable_.emplace_back();
      for (const table::NumberColumn::Bad& cell : column.bad) bad.insert(cell.row);
    }
    for (const table::NumberColumn::Bad& cell : memory.time.cells.bad) without_time_.insert(cell.row);
  }

  std::int64_t count() const { return memory_.rows; }
  // Nothing where a name is missing; where the table has no column of systems, the name of its one system.
  std::optional<std::string> system(std::size_t row) const {
    std::string joined = only_system_;
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
  std::string only_system_;
  std::vector<std::set<std::int64_t>> unreadable_;  // by column
  std::set<std::int64_t> without_time_;
};

// The rows of a data set.
class OwnRows : public FilledSink {
 public:
  OwnRows(const data::Dataset& set, FilledRows& out) : set_(set), times_(set.description()), out_(out) {}

  void begin(std::int64_t s, std::int64_t o, double time) override {
    out_.systems.push_back(set_.system_id(s));
    out_.objects.push_back(set_.object_id(s, o));
    out_.times.push_back(table::time_field(times_, time, set_.description().rate, {}));
  }
  void filled(std::size_t /*feature*/, const eval::FillValue& value) override { out_.values.push_back(value.value); }
  void kept(std::size_t /*feature*/, double value) override { out_.values.push_back(value); }
  void end(const std::string& imputed) override { out_.imputed.push_back(imputed); }

 private:
  const data::Dataset& set_;
  data::TimeText times_;
  FilledRows& out_;
};

// What is filled of the rows of a table in memory, and the rows to add.
class MemoryFill : FilledSink {
 public:
  MemoryFill(const table::MemoryTable& memory, const data::Dataset& set, FillLoop& loop, FilledRows& out)
      : set_(set), loop_(loop), rows_(memory, set), times_(set.description()), out_(out) {
    columns_.resize(static_cast<std::size_t>(set.features()));
    for (std::size_t c = 0; c < width(); ++c) columns_[loop.features()[c]] = c;
  }

  void fill() {
    out_.values.assign(static_cast<std::size_t>(rows_.count()) * width(), kNone);
    out_.imputed.resize(static_cast<std::size_t>(rows_.count()));
    for (std::size_t row = 0; row < out_.imputed.size(); ++row) {
      values_ = &out_.values[row * width()];
      imputed_ = &out_.imputed[row];
      TableRow of_table{*this, row};
      loop_.row_of_table(of_table, *this);
    }
    out_.filled.rows += rows_.count();
  }
  void add_rows() { loop_.new_rows_of_table(*this); }

 private:
  // A row of the table, for the loop. It is remembered for rows to add.
  struct TableRow {
    MemoryFill& fill;
    std::size_t row;

    std::optional<std::int64_t> object() const {
      const std::optional<std::int64_t> object = fill.rows_.object(row);
      if (object) fill.of_object_.try_emplace(*object, static_cast<std::int64_t>(row));
      return object;
    }
    std::optional<double> time() const { return fill.rows_.time(row); }
    bool missing(std::size_t f) const { return fill.rows_.missing(row, fill.columns_[f]); }
  };

  void begin(std::int64_t s, std::int64_t o, double time) override {
    FilledRows::Added& added = out_.added;
    added.times.push_back(table::time_field(times_, time, set_.description().rate, {}));
    added.like_system.push_back(row_of_system(s));
    added.like_object.push_back(of_object_.at(set_.first_object(s) + o));
    added.values.resize(added.values.size() + width(), kNone);
    values_ = &added.values[added.values.size() - width()];
    imputed_ = &added.imputed.emplace_back();
  }
  void filled(std::size_t feature, const eval::FillValue& value) override { values_[columns_[feature]] = value.value; }
  void kept(std::size_t /*feature*/, double /*value*/) override {}
  void end(const std::string& imputed) override { *imputed_ = imputed; }

  std::size_t width() const { return loop_.features().size(); }
  // A row of the first object that has any.
  std::int64_t row_of_system(std::int64_t s) const {
    const auto row = of_object_.lower_bound(set_.first_object(s));
    return row != of_object_.end() && row->first < set_.first_object(s) + set_.objects_of(s) ? row->second : 0;
  }

  const data::Dataset& set_;
  FillLoop& loop_;
  MemoryRows rows_;
  data::TimeText times_;
  FilledRows& out_;
  std::vector<std::size_t> columns_;                // [D] of the features that are not derived
  std::map<std::int64_t, std::int64_t> of_object_;  // a row of each object
  double* values_ = nullptr;                        // of the current row
  std::string* imputed_ = nullptr;
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
  FillLoop loop(gaps, options.all_times, out.filled);
  OwnRows rows(set, out);
  loop.rows_of_set(rows);
  if (intervals) add_intervals(gaps, loop.unread(), options, out);
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
  FillLoop loop(gaps, options.all_times, out.filled);
  MemoryFill fill(memory, gaps.set(), loop, out);
  fill.fill();
  if (options.all_times) fill.add_rows();
  if (intervals) add_intervals(gaps, loop.unread(), options, out);
  return out;
}

}  // namespace lgode::use
