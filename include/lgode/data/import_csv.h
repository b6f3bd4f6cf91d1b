// Imports a long table of observations (one row per object and time) and optionally a table of edges as a data set.
// Tables are read once, front to back, in parallel. What does not fit the memory goes to temporary files, so a table
// may be larger than the memory. The result does not depend on the number of threads.
//
// Leaves out wide tables (one column per object) and joins of several tables of observations.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"

namespace lgode::data {

enum class Edges { kAll, kNone, kNearest, kTable };

struct CsvImport {
  std::filesystem::path observations;
  // Columns by name; where it is empty: "system" if there is such a column, "object", "time", and all others as
  // features.
  std::string system, object, time;
  std::vector<std::string> features;
  std::vector<std::pair<std::string, std::string>> velocity_of;  // velocity, position
  std::map<std::string, std::string> units;                      // of features
  std::string time_unit;                                         // "s" where times are dates

  Edges edges = Edges::kAll;
  std::int64_t neighbours = 0;  // of kNearest
  std::vector<std::string>
      positions;  // features that nearness is measured in; empty: those that have a velocity, or all
  std::filesystem::path edge_table;
  std::map<std::string, std::string> edge_columns;  // what system, source, target, type and weight are called
  bool undirected = false;                          // an edge goes both ways

  std::optional<double> split;  // share of the systems that train; default 0.8 where there are two or more
  std::vector<std::string> test_systems;
  std::uint64_t seed = 1;

  std::optional<double> window, stride;  // cut each system into systems of this length, this far apart
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
    Description description;
    std::vector<Part> parts;
    std::vector<double> origins;
    std::vector<std::vector<std::string>> objects;  // ids, by system
    bool seconds = false;                           // times are numbers, even if the description has dates
  };
  std::optional<Known> known;
};

// What the import skipped, dropped and noticed.
struct CsvImportReport {
  std::int64_t rows = 0, skipped_rows = 0, skipped_edges = 0;
  std::int64_t recordings = 0;        // systems of the table, before they were cut into windows
  std::int64_t dropped_windows = 0;   // without observations, or on both sides of the split
  std::int64_t outside_windows = 0;   // observations that no window holds
  std::vector<std::string> bad_rows;  // skipped rows, as text
  std::vector<std::string> notes;     // warnings for the user; options in backquotes
};

// Throws ConfigError on columns or options that do not fit the table, DataError on its content, Interrupted.
// `progress(done, total)` counts bytes; total is 0 if it is unknown.
Dataset import_csv(const CsvImport& options, CsvImportReport& report,
                   const std::function<void(std::int64_t, std::int64_t)>& progress = {},
                   const StopFlag* stop = nullptr);

// The options that read a folder of export_csv back. DataError names what is missing.
CsvImport folder_import(const std::filesystem::path& folder);

}  // namespace lgode::data
