// Fills the gaps of a table with a model's predictions: the user's own table, or that of a data set.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "lgode/core/file.h"
#include "lgode/core/stop.h"
#include "lgode/eval/predict.h"

namespace lgode::eval {

struct FillOptions {
  PredictOptions predict;       // systems (not empty), samples, seed and batch size
  bool all_times = false;       // also add a row for every object at each time at which its system was observed
  std::filesystem::path table;  // the user's table, filled as a whole; empty: the rows of the data set
  std::filesystem::path scratch_folder = ".";  // for a temporary file while a large table is read
};

// Called during the work; any may be empty.
struct FillCallbacks {
  std::function<void(const data::Dataset&)> table_read;                 // with the user's table, before predicting
  std::function<void(std::int64_t done, std::int64_t total)> progress;  // after each predicted range
  // All rows are written and the file is about to get its name. If this throws, there is no file.
  std::function<void()> before_commit;
};

struct Filled {
  std::int64_t rows = 0, new_rows = 0;
  std::int64_t values = 0;                      // imputed
  std::int64_t open_values = 0, open_rows = 0;  // missing values that stay missing, and the rows that have any
  std::int64_t blind_times = 0;                 // rows predicted from ranges without any observation
  std::int64_t bad_rows = 0;                    // rows of the user's table that cannot be read and stay as they are
};

// Writes a CSV table: the columns of the table that the data came from, then `imputed`, which lists the features of the
// row that the model predicted, separated by blanks (by '|' where a feature's name has a blank).
//
// With a table: its rows in their order, byte for byte except for the missing values; rows added by `all_times` come
// last. Without: rows ordered by system, object and time, under the names of the original table; a row that is in
// several windows appears once.
//
// ConfigError unless the model interpolates, or if the table has a column `imputed` already. DataError if the table
// does not fit the data set. Interrupted on a stop request; then there is no file.
Filled write_filled(const std::filesystem::path& path, Overwrite overwrite, const Run& run,
                    const data::Dataset& dataset, const FillOptions& options, const FillCallbacks& callbacks = {},
                    const StopFlag* stop = nullptr);

}  // namespace lgode::eval
