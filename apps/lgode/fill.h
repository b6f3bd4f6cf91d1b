// A data set's own table with its gaps filled by a model.
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
};

struct Filled {
  std::int64_t rows = 0, new_rows = 0, values = 0;  // values that were imputed
};

// CSV: the columns that the data came from, then `imputed`, the names of the features of this row that the model told,
// with blanks between them. Rows stand system by system, object by object, by time. Long systems are filled one first
// range after another. ConfigError unless the model interpolates.
Filled write_filled(const std::filesystem::path& path, Overwrite overwrite, const eval::Run& run,
                    const data::Dataset& dataset, const FillOptions& options,
                    const std::function<void(std::int64_t, std::int64_t)>& progress, const StopFlag* stop);

}  // namespace lgode::app
