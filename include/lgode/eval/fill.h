// Computes values for the gaps of recordings: by a model or by classical paths, whichever is best for each feature.
// Reading and writing tables is left to callers.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/eval/predict.h"

namespace lgode::eval {

enum class FillMethod : std::uint8_t { kModel, kLinear, kHermite, kKalman };
std::string_view fill_method_name(FillMethod method);  // "model", "linear", "hermite", "kalman"

// Why a value is filled by another method than the one of its feature.
enum class FillCause : std::uint8_t { kChosen, kLongGap, kOutside, kUnseen, kNever };

struct FillValue {
  double value = 0;  // with the digits that it is worth (data/decimals.h); NaN: there is none
  FillMethod method = FillMethod::kLinear;
  FillCause cause = FillCause::kChosen;
};

struct FillOptions {
  PredictOptions predict;  // systems (not empty), seed and batch size
  // How values are filled; unset: for each feature, what is best on gaps that are cut into known values. A model that
  // forecasts is not used (FillChoice::model_cannot), and classical paths fill.
  std::optional<FillMethod> with = {};
  bool all_times = false;  // also a row for every object at each time of its system between its own rows
};

// Cut-out values that are needed to decide how a feature is filled; with fewer it is the line.
inline constexpr std::int64_t kLeastCompared = 10;

// How the values of one feature are filled.
struct FeatureFill {
  std::size_t feature = 0;
  FillMethod method = FillMethod::kLinear;
  // Root mean square errors on the cut-out values, in the unit of the feature; NaN where nothing was compared.
  double model_error = kNoError, linear_error = kNoError, hermite_error = kNoError;
  std::int64_t compared = 0;                                                // cut-out values
  std::int64_t by_model = 0, by_linear = 0, by_hermite = 0, by_kalman = 0;  // values filled, counted by who writes them
  // Values not filled by `method`, and why: their gap is longer than a range; they lie before the first or after the
  // last observation; the object has no observation in their range; it has none of this feature at all.
  std::int64_t long_gap = 0, outside = 0, unseen = 0, never = 0;

  static constexpr double kNoError = std::numeric_limits<double>::quiet_NaN();

  void count(const FillValue& value);
};

// What was decided about the features that have gaps.
struct FillChoice {
  std::vector<FeatureFill> features;
  // The data into which gaps were cut for comparison: the run's validation part, or the filled data if that is not the
  // training data or if nothing could be cut in the validation part.
  bool compared_on_validation = false;
  bool data_of_training = false;  // that data is what the run was trained on
  bool model_cannot = false;      // the model forecasts, or values are missing and it takes none; it was not used
  std::int64_t blind_times = 0;   // rows in ranges without any observation, filled from outside
};

// The gaps of recordings and the values that fill them.
class FilledGaps {
 public:
  struct State;
  explicit FilledGaps(std::unique_ptr<const State> state);
  FilledGaps(FilledGaps&& other) noexcept;
  ~FilledGaps();

  const data::Dataset& set() const;                  // the recordings
  const std::vector<std::int64_t>& systems() const;  // of it, which were filled
  const FillChoice& choice() const;
  // Times at which an object (index over the whole set) has gaps, ascending.
  std::span<const double> times(std::int64_t object) const;
  // [D] at a gap, observed features included; empty if there is no gap.
  std::span<const FillValue> at(std::int64_t object, double time) const;

  // Whether the run can give intervals: it is calibrated and interpolates.
  bool has_intervals() const;
  // Calibrated quantiles of the value that fills a gap of this object, by the method that filled it and the time to the
  // neighbouring observations of the feature; none where the run has no calibration for them. Valid as long as this.
  using Intervals = std::function<std::vector<double>(double time, std::size_t feature)>;
  Intervals intervals(std::int64_t object, std::vector<double> quantiles) const;

 private:
  std::unique_ptr<const State> state_;
};

// Fills the gaps of `systems` of `whole`, which holds whole recordings; `source` has the relations (it may be the same
// set). The sets share their content with the result.
//
// A value is filled by the model, from the observations in its range, or by a classical path of its feature and object
// over the whole recording: the line between the neighbouring observations, cubic Hermite or the Kalman smoother
// (classical.h). Before the first and after the last observation all hold the nearest one. Which of them is used is
// decided for each feature
// (`FillOptions::with`): gaps as long as those in the table are cut into the run's validation part, and of model, line
// and Hermite the method with the smallest error is used; the line if too little can be cut, or if it is not clearly
// worse. Values of gaps longer than a range are on the line. Where the model has no value, the line is used; where an
// object was never observed in a feature, the model.
//
// `progress`: after each batch of predicted ranges. ConfigError if the model forecasts and is to fill all values.
// Interrupted on a stop request.
FilledGaps fill(const Run& run, const data::Dataset& source, const data::Dataset& whole,
                const std::vector<std::int64_t>& systems, const FillOptions& options,
                const std::function<void(std::int64_t done, std::int64_t total)>& progress = {},
                const StopFlag* stop = nullptr);
// The ConfigError of fill(), before any data is read.
void check_fill(const RunInfo& info, const FillOptions& options);

}  // namespace lgode::eval
