// Fills the gaps of a table with a model's predictions: the user's own table, or that of a data set.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "lgode/core/file.h"
#include "lgode/core/stop.h"
#include "lgode/eval/predict.h"

namespace lgode::eval {

enum class FillMethod : std::uint8_t { kModel, kLinear, kHermite };
std::string_view fill_method_name(FillMethod method);  // "model", "linear", "hermite"

struct FillOptions {
  PredictOptions predict;  // systems (not empty), samples, seed and batch size
  // How values are filled; nothing: for each feature, what is best on gaps that are cut into known values.
  std::optional<FillMethod> with = {};
  // A model that forecasts is no error: it is left out (Filled::model_cannot), and classical paths fill.
  bool without_forecaster = false;
  bool all_times = false;       // also add a row for every object at each time of its system between its own rows
  std::filesystem::path table;  // the user's table, filled as a whole; empty: the rows of the data set
  std::filesystem::path scratch_folder = ".";  // for a temporary file while a large table is read
  // Where the intervals of the filled values are written (CSV); empty: nowhere. Only where the run is calibrated.
  std::filesystem::path intervals = {};
};

// Called during the work; any may be empty.
struct FillCallbacks {
  std::function<void(const data::Dataset&)> table_read;                 // with the user's table, before predicting
  std::function<void(std::int64_t done, std::int64_t total)> progress;  // after each predicted range
  // All rows are written and the file is about to get its name. If this throws, there is no file.
  std::function<void()> before_commit;
};

// Cut-out values that are needed to decide how a feature is filled; with fewer it is the line.
inline constexpr std::int64_t kLeastCompared = 10;

// How the values of one feature were filled.
struct FeatureFill {
  std::size_t feature = 0;
  FillMethod method = FillMethod::kLinear;
  // Root mean square errors on the cut-out values, in the unit of the feature; NaN where nothing was compared.
  double model_error = kNoError, linear_error = kNoError, hermite_error = kNoError;
  std::int64_t compared = 0;                                 // cut-out values
  std::int64_t by_model = 0, by_linear = 0, by_hermite = 0;  // values filled
  // Those not filled by `method`, and why: their gap is longer than a range; they lie before the first or after the
  // last observation; the object was not seen in their range; it was never seen in this feature.
  std::int64_t long_gap = 0, outside = 0, unseen = 0, never = 0;

  static constexpr double kNoError = std::numeric_limits<double>::quiet_NaN();
};

struct Filled {
  std::vector<FeatureFill> features;  // that have gaps
  // Where gaps were cut for comparison: the run's validation part or, with other data than that of the training, or if
  // nothing could be cut there, the data that is filled.
  bool compared_on_validation = false;
  bool data_of_training = false;  // that data is what the run was trained on
  bool model_cannot = false;      // the model forecasts, or values are missing and it takes none; it was left out
  std::int64_t rows = 0, new_rows = 0;
  std::int64_t values = 0;                      // imputed
  std::int64_t open_values = 0, open_rows = 0;  // missing values that stay missing, and the rows that have any
  std::int64_t blind_times = 0;                 // rows in ranges without any observation, filled from outside
  std::int64_t bad_rows = 0;                    // rows of the user's table that cannot be read and stay as they are
  std::int64_t interval_rows = 0;               // written to FillOptions::intervals
};

// Writes a CSV table: the columns of the table that the data came from, then `imputed`, which lists the features of the
// row that were filled, separated by blanks (by '|' where a feature's name has a blank).
//
// With a table: its rows in their order, byte for byte except for the missing values; rows added by `all_times` come
// last. Without: rows ordered by system, object and time, under the names of the original table; a row that is in
// several windows appears once.
//
// A value is filled by the model, from the observations in its range, or by a classical path of its feature and object
// over the whole recording: the line between the neighbouring observations, or cubic Hermite (classical.h). Before the
// first and after the last observation both hold the nearest one. Which of them, is decided for each feature
// (`FillOptions::with`): gaps as long as those in the table are cut into the run's validation part, and the method with
// the smallest error is used; the line if too little can be cut, or if it is not clearly worse. Values of gaps longer
// than a range are on the line. Where the model has no value, the line is used; where an object was never observed in a
// feature, the model.
//
// Intervals: a row for every filled value, system,object,time,feature,value,method and the quantiles of
// PredictOptions::quantiles (none: 5 and 95 %), calibrated for the method that filled it, by the time to the
// neighbouring observations of the feature.
//
// ConfigError unless the model interpolates (or FillOptions::without_forecaster), or if the table has a column
// `imputed` already. DataError if the table does not fit the data set. Interrupted on a stop request; then there is no
// file.
Filled write_filled(const std::filesystem::path& path, Overwrite overwrite, const Run& run,
                    const data::Dataset& dataset, const FillOptions& options, const FillCallbacks& callbacks = {},
                    const StopFlag* stop = nullptr);

}  // namespace lgode::eval
