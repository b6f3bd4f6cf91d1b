// Imports a long table of observations (one row per object and time), in one file or several, and optionally a table of
// edges as a data set.
// Tables are read once, front to back, in parallel. What does not fit the memory goes to temporary files, so a table
// may be larger than the memory. The result does not depend on the number of threads.
//
// Leaves out wide tables (one column per object) and joins of tables with different columns.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"

namespace lgode::table {

enum class Edges { kAll, kNone, kNearest, kWithin, kTable };
enum class Velocities { kGiven, kDifference };

struct ImportOptions {
  // One table: all files have the same columns. Without a column of systems each of several files is a system, named
  // after the file without its extension.
  std::vector<std::filesystem::path> observations;
  bool file_systems = false;         // also where there is one file
  std::vector<std::string> columns;  // names of all columns ("_": skipped) where the files have no line of names
  std::vector<std::string> missing;  // texts that stand for a missing value, beside the usual ones
  // Columns by name; where it is empty: "system" if there is such a column, "object", "time", and all others as
  // features. A system may be a list of columns as in CSV, "game,period"; their texts are joined with /.
  std::string system, object, time;
  std::vector<std::string> features;
  std::vector<std::pair<std::string, std::string>> velocity_of;  // velocity, position
  std::map<std::string, std::string> units;                      // of features
  std::string time_unit;                                         // "s" where times are dates, or counts
  // Adds a derived velocity (Feature::derived) for each of `positions`, or each feature that is no velocity, that has
  // none.
  Velocities velocities = Velocities::kGiven;
  double rate = 0;            // times are counts, so many per second; 0: they are times
  bool keep_columns = false;  // do not refuse a table whose columns of objects and times look exchanged
  // Where it is not empty: the features of the set, in place of all options for features; those derived are not in the
  // table.
  std::vector<data::Feature> same_features;

  Edges edges = Edges::kAll;
  std::int64_t neighbours = 0;  // of kNearest
  double radius = 0;            // of kWithin
  std::vector<std::string>
      positions;  // features that distance is measured in; empty: those that have a velocity, or all
  std::filesystem::path edge_table;
  std::map<std::string, std::string> edge_columns;  // what system, source, target, type and weight are called
  bool undirected = false;                          // an edge goes both ways
  std::vector<std::string> same_types;              // the types of the set's relations; a table may have no others

  std::optional<double> split;  // share of the systems that train; default 0.8 where there are two or more
  // Systems of the table or windows of them ("rec/3"); * and ? stand for any text and any character.
  std::vector<std::string> test_systems;
  std::uint64_t seed = 1;

  std::optional<double> window, stride;  // cut each system into systems of this length, this far apart
  std::optional<double> every;           // keep one row of each object per interval of this length
  std::optional<double> first_range;     // conditioning length; default: window, or the longest training system

  char delimiter = 0;  // 0: found from the first line
  bool decimal_comma = false;
  std::int64_t max_errors = 20;  // reported in detail; 0: all
  bool skip_bad_rows = false;
  int threads = 0;                             // 0: all cores
  std::optional<std::uint64_t> memory;         // above this many bytes work in a file; default: half of the machine's
  std::filesystem::path scratch_folder = ".";  // for that file
  std::string name, source;                    // of the description

  // For a folder that export_csv wrote: what the tables cannot hold. Rows must agree with it.
  struct Known {
    data::Description description;
    std::vector<data::Part> parts;
    std::vector<double> origins;
    std::vector<std::vector<std::string>> objects;  // ids, by system
    bool seconds = false;                           // times are numbers, even if the description has dates
  };
  std::optional<Known> known;
};

// What the import skipped, dropped and noticed.
struct ImportReport {
  std::int64_t rows = 0, skipped_rows = 0, skipped_edges = 0;
  std::int64_t joined_rows = 0;       // joined with another row of the same object and time, not in `rows`
  std::int64_t empty_rows = 0;        // of `rows`, those without a value that `every` kept
  std::int64_t empty_outside = 0;     // of these, those that no system of the set holds
  std::int64_t thinned_rows = 0;      // of `rows`, those that `every` left out
  std::int64_t recordings = 0;        // systems of the table, before they were cut into windows
  std::int64_t empty_systems = 0;     // of these, those left out because they have no observation
  std::int64_t empty_windows = 0;     // left out because they hold no observation
  std::int64_t split_windows = 0;     // left out because they overlap the other part, or lie too near to it
  std::int64_t outside_windows = 0;   // observations that no window holds
  std::vector<std::string> bad_rows;  // skipped rows, as text
  std::vector<std::string> notes;     // warnings for the user; options in backquotes
};

// Throws ConfigError on columns or options that do not fit the table, DataError on its content, Interrupted.
// `progress(done, total)` counts bytes; total is 0 if it is unknown.
data::Dataset import_csv(const ImportOptions& options, ImportReport& report,
                         const std::function<void(std::int64_t, std::int64_t)>& progress = {},
                         const StopFlag* stop = nullptr);

// Sets the options for relations from a text: none, all (or nothing), k-nearest=K, within=R, or a file. ConfigError.
void choose_edges(const std::string& text, ImportOptions& options);

// The options that read a folder of export_csv back. DataError names what is missing.
ImportOptions folder_import(const std::filesystem::path& folder);

// The options that read a table as that of an imported set was read: columns, delimiter, missing words, times and
// features. Files, relations and split are the caller's.
ImportOptions table_import(const data::Description& description);

// The files that names and patterns (*, ?, [a-z]) stand for, patterns in alphabetical order. ConfigError where a
// pattern matches nothing or a file is there twice.
std::vector<std::filesystem::path> find_files(const std::vector<std::string>& names);

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
