// Filled tables as CSV files: the rows of a data set, the user's table with its bytes, and the table of intervals.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "filled_values.h"
#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/data/recordings.h"
#include "lgode/data/time_text.h"
#include "lgode/table/cell.h"
#include "lgode/table/clock.h"
#include "lgode/table/csv/file.h"
#include "lgode/table/csv/rewrite.h"
#include "lgode/table/csv/write.h"
#include "lgode/table/import.h"
#include "lgode/use/own_columns.h"

namespace lgode::use {
namespace {

// The text of a filled value in a table of this style.
std::string value_text(const eval::FillValue& value, const table::CsvStyle& style) {
  std::string text = filled_text(value);
  if (style.decimal_comma) std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

// Writes the rows of a data set, system by system.
class OwnTable {
 public:
  OwnTable(const eval::FilledGaps& gaps, Filled& filled)
      : gaps_(gaps),
        set_(gaps.set()),
        filled_(filled),
        filler_(gaps.set(), filled),
        times_(gaps.set().description()),
        csv_(table::style_of(gaps.set().description())) {}

  void write(FileSink& file) {
    write_header();
    for (const std::int64_t s : gaps_.systems()) {
      write_system(s);
      csv_.flush(file);
    }
    csv_.flush(file);
  }

 private:
  void write_header() {
    std::vector<std::string> names = table_columns(set_);
    if (!has_system_column(set_)) names.erase(names.begin());
    for (const std::size_t f : filler_.features()) names.push_back(set_.description().features[f].name);
    names.emplace_back(kImputed);
    csv_.header(names);
  }

  void write_system(std::int64_t s) {
    std::vector<std::string> fills(static_cast<std::size_t>(set_.features()));
    for (std::int64_t o = 0; o < set_.objects_of(s); ++o)
      each_row(gaps_, set_.first_object(s) + o,
               [&](double time, std::span<const double> observed, std::span<const eval::FillValue> values) {
                 const auto missing = [&](std::size_t f) { return observed.empty() || std::isnan(observed[f]); };
                 const RowFiller::Row row = filler_.fill(
                     values, missing,
                     [&](std::size_t f, const eval::FillValue& value) { fills[f] = value_text(value, csv_.style()); });
                 if (has_system_column(set_)) csv_.field(set_.system_id(s));
                 csv_.field(set_.object_id(s, o)).time(times_, time, set_.description().rate);
                 for (const std::size_t f : filler_.features()) {
                   if (missing(f))
                     csv_.field(std::exchange(fills[f], ""));
                   else
                     csv_.number(observed[f]);
                 }
                 csv_.field(row.names).end_row();
                 filled_.open_rows += row.open ? 1 : 0;
                 filled_.new_rows += observed.empty() ? 1 : 0;
                 ++filled_.rows;
               });
  }

  const eval::FilledGaps& gaps_;
  const data::Dataset& set_;
  Filled& filled_;
  RowFiller filler_;
  data::TimeText times_;
  table::CsvText csv_;
};

// Writes the rows of the user's table, from which the filled recordings were read.
class UserTable {
 public:
  UserTable(const std::filesystem::path& table, const eval::FilledGaps& gaps, UnreadRows& unread, Filled& filled)
      : path_(table),
        gaps_(gaps),
        set_(gaps.set()),
        unread_(unread),
        filled_(filled),
        filler_(set_, filled),
        objects_(set_),
        times_(set_.description()),
        read_time_(set_.description()),
        style_(table::style_of(set_.description())),
        file_(table, style_.delimiter, false, set_.description().header),
        missing_(set_.description().missing, set_.description().decimal_comma),
        system_(file_, table::table_import(set_.description())) {
    const std::vector<std::string>& columns = set_.description().columns;
    object_ = place(columns[1]);
    time_ = place(columns[2]);
    places_.resize(static_cast<std::size_t>(set_.features()));
    for (const std::size_t f : filler_.features()) places_[f] = place(set_.description().features[f].name);
  }

  void write(FileSink& out, bool new_rows) {
    table::CsvRewrite rewrite;
    rewrite.table = path_;
    rewrite.delimiter = style_.delimiter;
    rewrite.column = kImputed;
    rewrite.no_header = set_.description().header.size();
    rewrite.change = [&](auto fields, auto replace) { return change(fields, replace); };
    all_times_ = new_rows;
    if (new_rows) rewrite.more = [&] { return more(); };
    filled_.rows += table::rewrite_csv(rewrite, out);
  }

 private:
  using Fields = std::span<const std::string_view>;

  std::size_t place(const std::string& name) const {
    const auto& header = file_.header();
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  }

  std::string change(Fields fields, std::span<std::optional<std::string>> replace) {
    const auto missing = [&](std::size_t f) { return missing_(fields[places_[f]]); };
    const bool whole = std::none_of(filler_.features().begin(), filler_.features().end(), missing);
    if (whole && !all_times_) return {};
    const auto object = objects_.find(system_(fields), fields[object_]);
    const std::optional<double> time = read_time_(fields[time_]);
    if (all_times_) remember_system(fields);
    std::uint8_t* unread = all_times_ && object && time ? unread_.add(*object, *time) : nullptr;
    if (whole) return {};
    const std::span<const eval::FillValue> fills =
        object && time ? gaps_.at(*object, *time) : std::span<const eval::FillValue>();
    const RowFiller::Row row = filler_.fill(fills, missing, [&](std::size_t f, const eval::FillValue& value) {
      replace[places_[f]] = value_text(value, style_);
      if (unread != nullptr) unread[f] = 1;
    });
    filled_.open_rows += row.open ? 1 : 0;
    return row.names;
  }

  void remember_system(Fields fields) {
    auto& texts = system_fields_[system_(fields)];
    if (texts.empty())
      for (const std::size_t column : system_.columns()) texts.emplace_back(column, fields[column]);
  }

  // New rows, at times at which the table has no row for an object.
  std::vector<std::vector<std::string>> more() {
    std::vector<std::vector<std::string>> rows;
    unread_.each_new([&](std::int64_t s, std::int64_t o, double time, std::span<const eval::FillValue> fills) {
      std::vector<std::string>& row = rows.emplace_back(file_.header().size() + 1);
      for (const auto& [column, text] : system_fields_[data::recording_of(set_, s)]) row[column] = text;
      row[object_] = set_.object_id(s, o);
      row[time_] = table::time_field(times_, time, set_.description().rate, style_);
      row.back() =
          filler_
              .fill(
                  fills, [](std::size_t) { return true; },
                  [&](std::size_t f, const eval::FillValue& value) { row[places_[f]] = value_text(value, style_); })
              .names;
    });
    filled_.new_rows += static_cast<std::int64_t>(rows.size());
    filled_.rows += static_cast<std::int64_t>(rows.size());
    return rows;
  }

  std::filesystem::path path_;
  const eval::FilledGaps& gaps_;
  const data::Dataset& set_;
  UnreadRows& unread_;
  Filled& filled_;
  RowFiller filler_;
  ObjectsByName objects_;
  data::TimeText times_;
  table::TableTimes read_time_;
  table::CsvStyle style_;
  table::CsvFile file_;
  table::MissingWords missing_;
  table::SystemOfRow system_;
  std::size_t object_ = 0, time_ = 0;  // columns
  std::vector<std::size_t> places_;    // [D] the column of a feature
  bool all_times_ = false;
  std::unordered_map<std::string, std::vector<std::pair<std::size_t, std::string>>> system_fields_;  // of new rows
};

// A table without a column of systems is one of several files, and its name is the name of the system.
void check_system(const std::filesystem::path& table, const table::CsvFile& file, const table::ImportOptions& import,
                  const data::Dataset& dataset) {
  if (!import.file_systems || !table::SystemOfRow(file, import).columns().empty()) return;
  const std::string name = table.stem().string();
  std::vector<std::string> names;
  for (std::int64_t s = 0; s < dataset.systems(); ++s) names.push_back(data::recording_of(dataset, s));
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  throw ConfigError(fmt::format(
      "`table` {}: the data set was made of several files, and a file's name is the name of its system; there is no "
      "system '{}'{}",
      table.string(), name, did_you_mean(name, names)));
}

// Reads the table as whole recordings, with the settings of the data set's import.
data::Dataset read_table(const FillOptions& options, const data::Dataset& dataset, std::int64_t& bad_rows,
                         const StopFlag* stop) {
  const table::TableFormat format = table::table_import(dataset.description()).format;
  const table::CsvFile file(options.table, format.delimiter, false, format.columns);
  table::ImportOptions import = whole_import(dataset, file.header(), options.table.string());
  import.observations = {options.table};
  check_system(options.table, file, import, dataset);
  import.scratch_folder = options.scratch_folder;
  table::ImportReport report;
  data::Dataset whole = table::import_csv(import, report, {}, stop);
  bad_rows = report.skipped_rows;
  check_table_fits(whole, dataset, options.table.string());
  return whole;
}

void write_intervals(FileSink& file, const eval::FilledGaps& gaps, const UnreadRows& unread,
                     const std::vector<double>& quantiles, bool user, Filled& filled) {
  const data::Dataset& set = gaps.set();
  const data::TimeText times(set.description());
  table::CsvText csv;
  std::vector<std::string> values{"feature", "value", "method"};
  for (const double q : quantiles) values.push_back(eval::quantile_name(q));
  const OwnColumns own(set, values, /*split=*/user);
  std::vector<std::string> names = own.header();
  names.insert(names.end(), values.begin(), values.end());
  csv.header(names);
  constexpr std::size_t kBytes = 1U << 20U;
  each_interval(gaps, unread, quantiles,
                [&](std::int64_t s, std::int64_t o, double time, std::size_t f, const eval::FillValue& fill,
                    const std::vector<double>& values) {
                  for (const std::string& entry : own.system(set.system_id(s))) csv.field(entry);
                  csv.field(set.object_id(s, o)).time(times, time, set.description().rate);
                  csv.field(set.description().features[f].name).rounded(fill.value, kIntervalValueDigits);
                  csv.field(eval::fill_method_name(fill.method));
                  for (std::size_t i = 0; i < quantiles.size(); ++i) {
                    if (values.empty())
                      csv.empty();
                    else
                      csv.rounded(values[i], kIntervalDigits);
                  }
                  csv.end_row();
                  ++filled.interval_rows;
                  csv.flush(file, kBytes);
                });
  csv.flush(file);
}

}  // namespace

Filled write_filled(const std::filesystem::path& path, Overwrite overwrite, const eval::Run& run,
                    const data::Dataset& dataset, const FillOptions& options, const FillCallbacks& callbacks,
                    const StopFlag* stop) {
  eval::check_fill(run.info, options);
  Filled filled;
  const bool user = !options.table.empty();
  const Recordings recordings = user ? recordings_of_table(read_table(options, dataset, filled.bad_rows, stop))
                                     : recordings_of(dataset, options.predict.systems);
  if (user && callbacks.table_read) callbacks.table_read(recordings.set);
  const eval::FilledGaps gaps =
      eval::fill(run, dataset, recordings.set, recordings.systems, options, callbacks.progress, stop);
  static_cast<eval::FillChoice&>(filled) = gaps.choice();
  UnreadRows unread(gaps);
  write_file(path, overwrite, [&](FileSink& file) {
    if (user)
      UserTable(options.table, gaps, unread, filled).write(file, options.all_times);
    else
      OwnTable(gaps, filled).write(file);
    if (stop != nullptr && stop->requested()) throw Interrupted();
    if (callbacks.before_commit) callbacks.before_commit();
  });
  if (!options.intervals.empty() && gaps.has_intervals())
    write_file(options.intervals, overwrite,
               [&](FileSink& file) { write_intervals(file, gaps, unread, interval_quantiles(options), user, filled); });
  filled.without_intervals = !options.intervals.empty() && !gaps.has_intervals();
  return filled;
}

}  // namespace lgode::use
