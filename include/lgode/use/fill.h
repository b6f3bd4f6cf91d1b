// Filled tables: the rows of a data set, or of the user's table, with missing values replaced. As a CSV file, or
// as arrays for a table in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lgode/core/file.h"
#include "lgode/eval/fill.h"
#include "lgode/table/memory.h"
#include "lgode/use/message.h"

namespace lgode::use {

inline constexpr const char* kImputed = "imputed";  // the column that names the filled features of a row

// "auto" (no value), "model", "linear", "hermite" or "kalman". ConfigError names `fill_with`.
std::optional<eval::FillMethod> parse_fill_with(const std::string& text);

struct FillOptions : eval::FillOptions {
  std::filesystem::path table;                 // the user's table, filled as a whole; empty: the rows of the data set
  std::filesystem::path scratch_folder = ".";  // for a temporary file while a large table is read
  // Where the intervals of the filled values are written (CSV); empty: nowhere. Only where the run is calibrated.
  std::filesystem::path intervals = {};
};

// Called during the work; any may be empty.
struct FillCallbacks {
  std::function<void(const data::Dataset&)> table_read;                 // with the user's table, before predicting
  std::function<void(std::int64_t done, std::int64_t total)> progress;  // after each batch of predicted ranges
  // All rows are written and the file is about to get its name. If this throws, there is no file.
  std::function<void()> before_commit;
};

// What was decided, with its values counted, and what became of the rows.
struct Filled : eval::FillChoice {
  std::int64_t rows = 0, new_rows = 0;
  std::int64_t values = 0;                      // imputed
  std::int64_t open_values = 0, open_rows = 0;  // missing values that stay missing, and the rows that have any
  std::int64_t bad_rows = 0;                    // rows of the user's table that cannot be read and stay as they are
  std::int64_t interval_rows = 0;               // of the table of intervals
  bool without_intervals = false;               // they were asked for, and the run has none for filled values
};

// Writes a CSV table: the columns of the table that the data came from, then `imputed`, which lists the features of the
// row that were filled, separated by blanks (by '|' where a feature's name has a blank).
//
// With a table: its rows in their order, byte for byte except for the missing values; rows added by `all_times` come
// last. Without: rows ordered by system, object and time, under the names of the original table; a row that is in
// several windows appears once.
//
// Intervals: a row for every filled value, with the table's own columns of systems, objects and times (OwnColumns), by
// which it joins the filled table, then feature,value,method and the quantiles of
// PredictOptions::quantiles (none: 5 and 95 %), calibrated for the method that filled it, by the time to the
// neighbouring observations of the feature.
//
// Errors as eval::fill(); ConfigError if the table has a column `imputed` already; DataError if it does not fit the
// data set. Interrupted on a stop request; then there is no file.
Filled write_filled(const std::filesystem::path& path, Overwrite overwrite, const eval::Run& run,
                    const data::Dataset& dataset, const FillOptions& options, const FillCallbacks& callbacks = {},
                    const StopFlag* stop = nullptr);

// One row for every filled value, as in the table of intervals.
struct IntervalRow {
  std::string system, object, feature;
  std::string time;  // as text
  double value = 0;
  eval::FillMethod method = eval::FillMethod::kLinear;
  std::vector<double> quantiles;  // empty: none are known
};

// Filled rows as arrays; F features that are not derived. Numbers are those that read back from the CSV file.
struct FilledRows {
  std::vector<std::string> features;  // [F]
  // Of a data set: all of its rows with their values, NaN where one stays missing. Of a table in memory: the values
  // that are filled, NaN elsewhere.
  std::vector<double> values;        // [rows, F]
  std::vector<std::string> imputed;  // [rows]
  // Of a data set, and of rows that are added to a table.
  std::vector<std::string> systems, objects, times;
  // Rows added to a table by `all_times`.
  struct Added {
    std::vector<std::string> times;
    // A row of the table with the same system, and one with the same object.
    std::vector<std::int64_t> like_system, like_object;
    std::vector<double> values;  // [added, F]
    std::vector<std::string> imputed;
  } added;
  std::vector<IntervalRow> intervals;  // empty unless they were asked for and the run is calibrated
  Filled filled;
};

// The rows of a data set, as write_filled() orders them.
FilledRows fill_rows(const eval::Run& run, const data::Dataset& dataset, const eval::FillOptions& options,
                     bool intervals, const StopFlag* stop = nullptr);
// The rows of a table in memory, which has the columns of the data set's own table. Errors as write_filled().
FilledRows fill_rows(const eval::Run& run, const data::Dataset& dataset, const table::MemoryTable& memory,
                     const eval::FillOptions& options, bool intervals, const StopFlag* stop = nullptr);

// The quantiles of intervals: PredictOptions::quantiles or, where there are none, 5 and 95 %.
std::vector<double> interval_quantiles(const eval::FillOptions& options);

// The columns that a data set's table has other than features: system (empty: none), object and time.
std::vector<std::string> table_columns(const data::Dataset& dataset);

// What the user should know. `data`: the data set as the user names it; `user_table`: the rows are of a table.
Messages messages(const Filled& filled, const data::Dataset& dataset, const eval::RunInfo& info,
                  const std::string& data, bool user_table);
// One line per feature that was filled: how, and why. `fill_with`: as given.
std::vector<std::string> fill_lines(const Filled& filled, const data::Dataset& dataset, const std::string& fill_with);
// The decisions and counts, for the notes next to a filled table.
nlohmann::json fill_notes(const Filled& filled, const data::Dataset& dataset, const std::string& fill_with);

}  // namespace lgode::use
