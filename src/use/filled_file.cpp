// Filled tables as CSV files: the rows of a data set, the user's table with its bytes, and the table of intervals.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "filled_loop.h"
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

constexpr std::size_t kBytes = 1U << 20U;  // written at once

// The text of a filled value in a table of this style.
std::string value_text(const eval::FillValue& value, const table::CsvStyle& style) {
  std::string text = fmt::format("{}", value.value);
  if (style.decimal_comma) std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

// Writes the rows of a data set.
class OwnTable : public FilledSink {
 public:
  OwnTable(const data::Dataset& set, const std::vector<std::size_t>& features, FileSink& file)
      : set_(set), file_(file), times_(set.description()), csv_(table::style_of(set.description())) {
    std::vector<std::string> names = table_columns(set);
    if (!has_system_column(set)) names.erase(names.begin());
    for (const std::size_t f : features) names.push_back(set.description().features[f].name);
    names.emplace_back(kImputed);
    csv_.header(names);
  }

  void begin(std::int64_t s, std::int64_t o, double time) override {
    if (has_system_column(set_)) csv_.field(set_.system_id(s));
    csv_.field(set_.object_id(s, o)).time(times_, time, set_.description().rate);
  }
  void filled(std::size_t /*feature*/, const eval::FillValue& value) override {
    csv_.field(value_text(value, csv_.style()));
  }
  void kept(std::size_t /*feature*/, double value) override { csv_.value(value); }
  void end(const std::string& imputed) override {
    csv_.field(imputed).end_row();
    csv_.flush(file_, kBytes);
  }
  void finish() { csv_.flush(file_); }

 private:
  const data::Dataset& set_;
  FileSink& file_;
  data::TimeText times_;
  table::CsvText csv_;
};

// Writes the rows of the user's table, from which the filled recordings were read.
class UserTable : FilledSink {
 public:
  UserTable(const std::filesystem::path& table, const data::Dataset& set, FillLoop& loop)
      : path_(table),
        set_(set),
        loop_(loop),
        objects_(set),
        times_(set.description()),
        read_time_(set.description()),
        style_(table::style_of(set.description())),
        file_(table, style_.delimiter, false, set.description().header),
        missing_(set.description().missing, set.description().decimal_comma),
        system_(file_, table::same_table_import(set.description())),
        file_object_(table::file_name(table)) {
    const std::vector<std::string>& columns = set.description().columns;
    object_ = place(columns[1]);
    time_ = place(columns[2]);
    places_.resize(static_cast<std::size_t>(set.features()));
    for (const std::size_t f : loop.features()) places_[f] = place(set.description().features[f].name);
  }

  // Returns the number of its own rows.
  std::int64_t write(FileSink& out, bool new_rows) {
    table::CsvRewrite rewrite;
    rewrite.table = path_;
    rewrite.delimiter = style_.delimiter;
    rewrite.column = kImputed;
    rewrite.no_header = set_.description().header.size();
    rewrite.change = [&](Fields fields, std::span<std::optional<std::string>> replace) {
      replace_ = replace;
      imputed_.clear();
      TableRow row{*this, fields};
      loop_.row_of_table(row, *this);
      return std::move(imputed_);
    };
    if (new_rows) rewrite.more = [&] { return more(); };
    return table::rewrite_csv(rewrite, out);
  }

 private:
  using Fields = std::span<const std::string_view>;

  // A row of the table, for the loop. Its system's fields are remembered for rows to add.
  struct TableRow {
    UserTable& table;
    Fields fields;

    std::optional<std::int64_t> object() const {
      const std::string system = table.system_(fields);
      auto& texts = table.system_fields_[system];
      if (texts.empty())
        for (const std::size_t column : table.system_.columns()) texts.emplace_back(column, fields[column]);
      return table.objects_.find(system, table.object_ < fields.size() ? fields[table.object_] : table.file_object_);
    }
    std::optional<double> time() const { return table.read_time_(fields[table.time_]); }
    bool missing(std::size_t f) const { return table.missing_(fields[table.places_[f]]); }
  };

  std::size_t place(const std::string& name) const { return file_.column(name).value_or(file_.header().size()); }

  std::vector<std::vector<std::string>> more() {
    loop_.new_rows_of_table(*this);
    return std::move(rows_);
  }

  void begin(std::int64_t s, std::int64_t o, double time) override {
    std::vector<std::string>& row = rows_.emplace_back(file_.header().size() + 1);
    for (const auto& [column, text] : system_fields_[data::recording_of(set_, s)]) row[column] = text;
    if (object_ < file_.header().size()) row[object_] = set_.object_id(s, o);
    row[time_] = table::time_field(times_, time, set_.description().rate, style_);
  }
  void filled(std::size_t feature, const eval::FillValue& value) override {
    std::string text = value_text(value, style_);
    if (rows_.empty())
      replace_[places_[feature]] = std::move(text);
    else
      rows_.back()[places_[feature]] = std::move(text);
  }
  void kept(std::size_t /*feature*/, double /*value*/) override {}
  void end(const std::string& imputed) override {
    imputed_ = imputed;
    if (!rows_.empty()) rows_.back().back() = imputed;
  }

  std::filesystem::path path_;
  const data::Dataset& set_;
  FillLoop& loop_;
  ObjectsByName objects_;
  data::TimeText times_;
  table::TableTimes read_time_;
  table::CsvStyle style_;
  table::CsvFile file_;
  table::MissingWords missing_;
  table::SystemOfRow system_;
  std::string file_object_;                        // the object of all rows, where no column has it
  std::size_t object_ = 0, time_ = 0;              // columns
  std::vector<std::size_t> places_;                // [D] the column of a feature
  std::span<std::optional<std::string>> replace_;  // of the current row
  std::string imputed_;                            // of it
  std::vector<std::vector<std::string>> rows_;     // to add
  std::unordered_map<std::string, std::vector<std::pair<std::size_t, std::string>>> system_fields_;  // of rows to add
};

// A table without a column of systems is one of several files, and its name is the name of the system.
void check_system(const std::filesystem::path& table, const table::CsvFile& file, const table::ImportOptions& import,
                  const data::Dataset& dataset) {
  if (!import.file_systems || !import.file_system.empty() || !table::SystemOfRow(file, import).columns().empty())
    return;
  const std::string name = table::file_name(table);
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
  each_interval(gaps, unread, quantiles,
                [&](std::int64_t s, std::int64_t o, double time, std::size_t f, const eval::FillValue& fill,
                    const std::vector<double>& values) {
                  for (const std::string& entry : own.system(set.system_id(s))) csv.field(entry);
                  csv.field(set.object_id(s, o)).time(times, time, set.description().rate);
                  csv.field(set.description().features[f].name).number(fill.value);
                  csv.field(eval::fill_method_name(fill.method));
                  for (std::size_t i = 0; i < quantiles.size(); ++i) {
                    if (values.empty())
                      csv.empty();
                    else
                      csv.number(values[i]);
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
  FillLoop loop(gaps, options.all_times, filled);
  write_file(path, overwrite, [&](FileSink& file) {
    if (user) {
      filled.rows += UserTable(options.table, gaps.set(), loop).write(file, options.all_times);
    } else {
      OwnTable table(gaps.set(), loop.features(), file);
      loop.rows_of_set(table);
      table.finish();
    }
    if (stop != nullptr && stop->requested()) throw Interrupted();
    if (callbacks.before_commit) callbacks.before_commit();
  });
  if (!options.intervals.empty() && gaps.has_intervals())
    write_file(options.intervals, overwrite, [&](FileSink& file) {
      write_intervals(file, gaps, loop.unread(), interval_quantiles(options), user, filled);
    });
  filled.without_intervals = !options.intervals.empty() && !gaps.has_intervals();
  return filled;
}

}  // namespace lgode::use
