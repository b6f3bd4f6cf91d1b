// Intervals that hold: half-widths around predictions, fitted to the errors on data that were not trained on.
//
// Split-conformal (Vovk et al. 2005; Lei et al. 2018): the half-width of level p is the ceil((n + 1) p)-th smallest of
// n absolute errors. Errors grow with the distance from the context, so they are grouped by it, and widths do not
// fall with it. They are in units of the predicted spread where that gives sharper intervals, else in normalised units.
//
// The promise is for new systems, and errors within a system are alike: of S systems the level p (S + 1/2) / S is
// taken, half-way between the pooled one, p, and the one that holds at least, p (S + 1) / S (Dunn, Wasserman and Ramdas
// 2022; Hazen's plotting position does the same for single values). Where errors of forecasts grow the later in a
// system's life they start, by more than chance, widths do as well: exponentially with the start, so that a system that
// is forecast later than any of those that were fitted gets wider intervals.
//
// Distances in model time. A forecast: time since the object's last seen observation. Between two observations, with a
// time a since the one and b until the other: 2 a b / (a + b); outside them twice the time from the nearest one, which
// is the limit. No LibTorch here.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lgode/data/batch.h"

namespace lgode {
template <class T>
struct Fields;  // core/fields.h
}  // namespace lgode

namespace lgode::eval {

// The distance of a moment a time a after one observation and b before the next.
inline double distance_between(double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0.0; }

// The distance of every target of a batch, [T]; infinity for objects without context.
std::vector<double> target_distances(const data::Batch& batch, bool forecast);

// The half-widths of one feature. They are linear between the knots, and beyond the last one they grow as before it.
struct WidthTable {
  std::vector<double> distance;            // [B] knots, ascending
  std::vector<std::vector<double>> width;  // [L][B] by level; falls neither with the level nor with the distance
  bool scaled = false;                     // in units of the predicted spread
  double growth = 0;                       // widths are those above times exp(growth * start)
};

class Calibration {
 public:
  // From 10 to 99 %.
  static const std::vector<double>& levels();

  bool empty() const { return features_.empty(); }
  // The largest distance that was fitted; beyond it widths are extrapolated.
  double reach() const { return reach_; }
  // The latest start of a forecast that was fitted, model time since the system's origin.
  double latest() const { return latest_; }
  // Half-width of the interval of `level`, normalised. `spread`: the predicted standard deviation. `start`: of the
  // forecast, model time since the system's origin; growth ends a quarter beyond the latest that was fitted.
  double half_width(std::int64_t feature, double level, double distance, double spread, double start = 0) const;
  // How far the q-quantile lies above the prediction; from kLowest to 1 - kLowest.
  double offset(std::int64_t feature, double q, double distance, double spread, double start = 0) const {
    return (q < 0.5 ? -1 : 1) * half_width(feature, q < 0.5 ? 1 - 2 * q : 2 * q - 1, distance, spread, start);
  }
  static constexpr double kLowest = 0.005;
  // Whether widths depend on the predicted spread.
  bool uses_spread() const;

  const std::vector<WidthTable>& features() const { return features_; }
  std::int64_t values() const { return values_; }    // errors it was fitted to
  std::int64_t systems() const { return systems_; }  // from this number of systems

  nlohmann::json to_json() const;
  // DataError (starting with `where`) if the JSON is not a calibration.
  static Calibration from_json(const nlohmann::json& json, const std::string& where);

 private:
  friend class CalibrationFit;
  friend struct Fields<Calibration>;
  std::vector<WidthTable> features_;  // [D]
  double reach_ = 0, latest_ = 0;     // largest distance and start that were fitted
  std::int64_t values_ = 0, systems_ = 0;
};

// The standard deviations of the errors of these features, [T, D] normalised: of the normal distribution whose central
// 90 % are the calibrated interval, at least kLeastDeviation. NaN for other features, targets that the encoder sees and
// objects without context. `spread`: [T, D] normalised; null: ones.
std::vector<double> calibrated_deviations(const Calibration& calibration, const data::Batch& batch, bool forecast,
                                          const float* spread, const std::vector<int>& features);
inline constexpr double kLeastDeviation = 1e-6;

// The calibrations of a run: of its model, and of the classical paths on the same data (by name).
struct Calibrations {
  Calibration model;
  std::vector<std::pair<std::string, Calibration>> classical = {};
  std::int64_t epoch = 0, step = 0;  // of the weights that they belong to
  std::string data = {};             // name of the data set that they were fitted on
  std::string fingerprint = {};      // of that data set
  std::string part = "validation";   // of it: also "train", "test" or "all"
  // Mean squared errors there, as evaluations have them: of "model" and of the classical methods, on the same targets.
  // Empty in files of earlier versions.
  std::vector<std::pair<std::string, double>> errors = {};

  bool empty() const { return model.empty(); }
  // Null if there is none.
  const Calibration* of(const std::string& classical_name) const;
  nlohmann::json to_json() const;
  static Calibrations from_json(const nlohmann::json& json, const std::string& where);
};
inline constexpr const char* kModelError = "model";                  // the name in Calibrations::errors
inline constexpr const char* kCalibrationFile = "calibration.json";  // next to the checkpoint

// Collects errors and fits the widths.
class CalibrationFit {
 public:
  explicit CalibrationFit(std::int64_t features) : errors_(static_cast<std::size_t>(features)) {}

  // predicted, spread: [T, D] normalised, in the order of the batch's targets. Targets that the encoder sees, and those
  // without a distance, do not count.
  void add(const data::Batch& batch, bool forecast, const float* predicted, const float* spread);
  // Empty if there is nothing to fit.
  Calibration fit() const;

 private:
  struct Error {
    double distance, error, spread, start;
    std::int64_t system;
  };
  std::vector<std::vector<Error>> errors_;  // [D]
};

}  // namespace lgode::eval
