// Imports a long table of observations (one row per object and time), in one file or several, or in memory, and
// optionally a table of edges as a data set.
// Files are read once, front to back, in parallel. What does not fit the memory goes to temporary files, so a table
// may be larger than the memory. The result does not depend on the number of threads.
//
// Wide tables (one column per object) and joins of tables with different columns are not supported.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"
#include "lgode/table/memory.h"
#include "lgode/table/options.h"

namespace lgode::table {

// Columns that would be features hold text. The message names them; `others` are the columns that can be features.
class TextColumnsError : public ConfigError {
 public:
  TextColumnsError(const std::string& what, std::vector<std::string> others_)
      : ConfigError(what), others(std::move(others_)) {}

  std::vector<std::string> others;
};

// What the import skipped, dropped and noticed.
struct ImportReport {
  std::int64_t rows = 0, skipped_rows = 0, skipped_edges = 0;
  std::int64_t joined_rows = 0;       // joined with another row of the same object and time, not in `rows`
  std::int64_t empty_rows = 0;        // of `rows`: rows without a value that `every` kept
  std::int64_t empty_outside = 0;     // of these: rows that no system of the set holds
  std::int64_t thinned_rows = 0;      // of `rows`: rows that `every` skipped
  std::int64_t recordings = 0;        // systems of the table, before cutting into windows
  std::int64_t empty_systems = 0;     // of these: skipped because they have no observation
  std::int64_t windows = 0;           // that recordings were cut into, in a part or not
  std::int64_t empty_windows = 0;     // skipped because they hold no observation
  std::int64_t split_windows = 0;     // skipped because they overlap the other part, or are too near to it
  std::int64_t few_targets = 0;       // windows of frames skipped because they have too few objects to forecast
  std::int64_t outside_windows = 0;   // observations that no window holds
  std::vector<std::string> bad_rows;  // skipped rows, as text
  std::vector<std::string> units;     // features with the units that stood with their names, "x in cm"
  std::vector<std::string> notes;     // warnings for the user; options in backquotes
};

// CSV files. Throws ConfigError on columns or options that do not fit the table, DataError on its content, Interrupted.
// `progress(done, total)` counts bytes; total is 0 if it is unknown. The relations come from `edges` if it is
// given.
data::Dataset import_csv(const ImportOptions& options, ImportReport& report,
                         const std::function<void(std::int64_t, std::int64_t)>& progress = {},
                         const StopFlag* stop = nullptr, const TextTable* edges = nullptr);

// A table in memory makes the same data set as a file of it: the same checks and order of systems and objects. Numbers
// are read in place; the data set's own arrays are their only copy. `options`: observations, format and known are
// not used. Rows are counted from 0 in messages. Throws as import_csv.
data::Dataset import_table(const ImportOptions& options, const MemoryTable& table, const TextTable* edges,
                           ImportReport& report, const StopFlag* stop = nullptr);

// The options that read a folder of export_csv back. DataError names what is missing.
ImportOptions folder_import(const std::filesystem::path& folder);

class CsvFile;

// The system that a row of a table belongs to, for tables that table_import reads.
class SystemOfRow {
 public:
  SystemOfRow(const CsvFile& file, const ImportOptions& options);
  std::string operator()(std::span<const std::string_view> fields) const;
  const std::vector<std::size_t>& columns() const { return columns_; }  // that make the name; empty: none

 private:
  std::vector<std::size_t> columns_;
  std::string file_system_;
};

}  // namespace lgode::table
