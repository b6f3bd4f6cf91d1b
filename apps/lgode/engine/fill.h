// A table with its gaps filled by a model: the user's own, or that of a data set.
#pragma once

#include <filesystem>
#include <functional>

#include "lgode/core/file.h"
#include "lgode/core/stop.h"
#include "lgode/eval/predict.h"

namespace lgode::app {

struct FillOptions {
  eval::PredictOptions predict;  // systems (not empty), samples, seed and batch count
  bool all_times = false;        // also a row for every object at each time at which its system was observed
  std::filesystem::path table;   // the user's table, which is filled whole; empty: the rows of the data set
};

struct Filled {
  std::int64_t rows = 0, new_rows = 0;
  std::int64_t values = 0;                      // that were imputed
  std::int64_t open_values = 0, open_rows = 0;  // missing values that stay, and the rows that have any
  std::int64_t blind_times = 0;                 // rows predicted where nothing near in time was seen
  std::int64_t bad_rows = 0;                    // of the user's table, which cannot be read and stay as they are
};

using FillProgress = std::function<void(std::int64_t, std::int64_t)>;

// CSV: the columns of the table that the data came from, then `imputed`, the names of the features of this row that the
// model told, with blanks between them. ConfigError unless the model interpolates.
//
// With a table: its rows in their order, byte for byte but for the values that were missing; rows that --all-times adds
// come last. Without: rows system by system, object by object, by time, with the names that the table had, so that what
// several windows hold stands there once.
Filled write_filled(const std::filesystem::path& path, Overwrite overwrite, const eval::Run& run,
                    const data::Dataset& dataset, const FillOptions& options, const FillProgress& progress,
                    const StopFlag* stop);

}  // namespace lgode::app
