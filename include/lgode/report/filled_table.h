// A table that lgode predict --fill wrote, read back to be drawn: observed and imputed values, the intervals of the
// imputed ones, and their errors where the truth is known. Independent of LibTorch.
//
// Shapes: M rows of an object, D features of the data set.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lgode/data/dataset.h"
#include "lgode/report/drawing.h"

namespace lgode::report {

struct FilledObject {
  std::string system, id;             // system: empty where the table has no column of systems
  std::vector<double> times;          // [M] ascending, physical
  std::vector<double> values;         // [M, D] NaN: missing
  std::vector<std::uint8_t> imputed;  // [M, D] 1: filled
  std::vector<double> low, high;      // [M, D] NaN: no interval; empty: none were read
};

struct FilledTable {
  std::vector<FilledObject> objects;  // in the order of their first rows
  std::int64_t skipped_rows = 0;      // that cannot be read; a filled table keeps them as they are
  std::string interval;               // "90 % interval"; empty: none were read
};

// Whether the header of a table has a column `imputed`, or the notes next to it (NAME.json) say that it was filled.
bool is_filled_table(const std::filesystem::path& path);

// Reads a table with the column names and formats of the data set's own table. Without `filled`, nothing is imputed: a
// table of true values. DataError with the file, what is missing and what the table has.
FilledTable read_filled_table(const std::filesystem::path& path, const data::Description& description, bool filled);

// Adds the intervals of NAME.intervals.csv. The outermost two of its quantiles count. DataError where a row belongs to
// no imputed value of the table.
void read_intervals(const std::filesystem::path& path, const data::Description& description, FilledTable& table);

// Errors of the imputed values of one feature.
struct FillErrors {
  std::int64_t values = 0;                    // imputed values whose truth is known
  double root_mean_square = 0, straight = 0;  // of the table; of the line between the neighbouring observations
};
// DataError if `truth`, read from `path`, has the value of none of the imputed ones.
void check_truth(const FilledTable& table, const FilledTable& truth, const data::Description& description,
                 const std::filesystem::path& path);
FillErrors fill_errors(const FilledTable& table, const FilledTable& truth, std::size_t feature);

struct FilledFigureOptions {
  std::string system;
  std::vector<std::string> objects;  // by name; empty: the first `most`
  std::int64_t most = 4;             // 0: four
  std::vector<int> features;         // not empty
  std::string title;                 // above; empty: none
  const FilledTable* truth = nullptr;
};

// A row of panels per feature, a column per object: observed values are discs, imputed ones rings with their intervals.
// ConfigError where the table lacks the system or an object, with the nearest name.
Drawing filled_figure(const FilledTable& table, const data::Description& data, const FilledFigureOptions& options);

}  // namespace lgode::report
