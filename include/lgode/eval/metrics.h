// Errors of predictions on targets. The metrics are a list (src/eval/metric_list.cpp): an entry says what an object
// contributes and how it is averaged; sums over processes, JSON, tables and pages follow from the list.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/dataset.h"
#include "lgode/data/normalisation.h"
#include "lgode/eval/points.h"

namespace lgode::eval {

// A sum that adds up over objects, systems and processes.
struct Sums {
  double total = 0;
  std::int64_t count = 0;
  void add(double x) { total += x, ++count; }
  // NaN if there is nothing to average.
  double mean() const;
};

// Which features count in errors.
struct ErrorFeatures {
  std::vector<std::uint8_t> constant = {};  // [D] 1: in none (data::constant_features()); empty: all count
  std::vector<int> positions = {};          // those that a distance is measured in; empty: there is no distance
};
// Positions are measured in one unit and normalised by one scale.
ErrorFeatures error_features(const data::BatchMaker& maker);

// What is predicted for a batch of T targets with D features and N objects.
struct PredictedPaths {
  const float* values = nullptr;       // [P, T, D] normalised, in the order of the batch's targets; the mean path first
  std::int64_t count = 1;              // P: behind the mean path P - 1 futures
  const float* probability = nullptr;  // [N, P - 1] of the futures; null: all are equally probable
  const double* deviations = nullptr;  // [T, D] of errors, normalised; NaN where not known; null: nowhere
};

// The errors of one object's path at its targets: K points in time of D features, and P predicted paths, of which the
// first one is the mean path. Point k is a target in feature f where mask(k, f) holds.
struct PathErrors {
  std::int64_t paths = 1, points = 0, features = 0;
  const double* errors = nullptr;      // [P, K, D] predicted minus target, in the unit of reported errors (normalised)
  const double* original = nullptr;    // [P, K, D] the same in original units
  const float* targets = nullptr;      // [K, D] 0: not a target
  const double* times = nullptr;       // [K] model time since the start of the range, ascending
  const std::uint8_t* seen = nullptr;  // [K] whether the encoder sees the target
  const std::size_t* bins = nullptr;   // [K] part of the range, the last one for points beyond it
  const ErrorFeatures* about = nullptr;  // of the features

  bool counts(std::int64_t f) const { return about->constant.empty() || about->constant[f] == 0; }
  bool mask(std::int64_t k, std::int64_t f) const { return targets[k * features + f] != 0.0F; }
  double error(std::int64_t k, std::int64_t f, std::int64_t p = 0) const {
    return errors[(p * points + k) * features + f];
  }
  double original_error(std::int64_t k, std::int64_t f, std::int64_t p = 0) const {
    return original[(p * points + k) * features + f];
  }
};

struct Metric {
  enum class Shape { kNumber, kFeatures, kHorizon };  // one number; one per feature; one per part of the range
  enum class Average {
    kSystems,  // what add() gives for objects is averaged over the objects of a system, then over systems
    kValues,   // over everything that add() gives
  };
  enum class Unit {
    kSquared,   // squares of normalised errors; tables show them in units of 10^-2
    kOriginal,  // the unit of the data
    kShare,     // 0 to 1; tables show per cent
    kNats,      // a logarithm of a density in the unit of the data
  };
  std::string_view key;   // in JSON; one per shape
  std::string_view name;  // in tables; {k} stands for the number of futures
  Shape shape = Shape::kNumber;
  Average average = Average::kSystems;
  Unit unit = Unit::kSquared;
  // Adds what an object contributes to `sums`: one, [D], or one per part of the range.
  void (*add)(const PathErrors& object, std::span<Sums> sums) = nullptr;
  // In place of `add`, of a metric over positions: adds what a system contributes by its points, or, if it is a
  // kHorizon metric, by those in one part of the range. Averages are over everything that is added. Where nothing is
  // added, without position features for example, scores do not have the metric.
  void (*add_points)(const SystemPoints& system, Sums& sums) = nullptr;
  bool root = false;      // the square root of the average
  bool in_table = false;  // a number with a column in the table of errors
  // A number without sums of its own: the average of the kHorizon metric of this key over the first half of the range.
  std::string_view half_of = {};
};

// The metrics of every evaluation, in the order of tables. The first one averages over systems: its count is the number
// of systems with a target, and what it adds for an object is the object's error.
std::span<const Metric> all_metrics();
// Whether it is a number over positions.
inline bool is_over_positions(const Metric& metric) {
  return metric.add_points != nullptr && metric.shape == Metric::Shape::kNumber;
}
// "squared", "original", "share" or "nats", in JSON.
std::string_view unit_name(Metric::Unit unit);
// Its name in tables of a model with this number of futures; 0: of several models.
std::string metric_name(const Metric& metric, std::int64_t futures);
// Null if there is none.
const Metric* find_metric(std::span<const Metric> metrics, Metric::Shape shape, std::string_view key);

// The value of a metric: one value, [D], or one per part of the range.
struct MetricScore {
  const Metric* metric = nullptr;
  std::vector<double> values;
  std::vector<std::int64_t> counts;  // of what was averaged
};

struct HorizonBin {
  double begin = 0, end = 0;  // physical time since the start
  double mse = 0;             // normalised, mean over values
  std::int64_t values = 0;
};

// NaN if there is nothing to average (JSON: null).
struct Scores {
  std::vector<MetricScore> metrics;  // in the order of the list; without those over positions that were not measured
  // The metrics that decisions depend on.
  double mse = 0;                    // all targets, including seen ones
  double mse_unseen = 0;             // targets that the encoder does not see
  double mse_first_half = 0;         // over values, targets in the first half of the range
  double distance = 0;               // mean distance of positions, original unit
  std::vector<double> feature_mse;   // [D] all targets
  std::vector<double> feature_rmse;  // [D] original units, over all values
  std::vector<HorizonBin> horizon;
  std::int64_t systems = 0, objects = 0, values = 0;

  // Targets of objects without context. They are in none of the numbers above; these are the errors of the mean of
  // their system's context, over all values.
  struct NeverSeen {
    std::int64_t objects = 0, values = 0;
    double mse = 0;                    // NaN if there are none
    std::vector<double> feature_rmse;  // [D] original units
  };
  NeverSeen never_seen;

  // Null if the list has no such metric.
  const MetricScore* find(Metric::Shape shape, std::string_view key) const;
  nlohmann::json to_json(const std::vector<data::Feature>& features) const;
  nlohmann::json horizon_json() const;
};

class PointCollector;

// Accumulates errors batch by batch.
class ScoreKeeper {
 public:
  // `time_scale`: physical time of one model unit. `range`: model time that is divided into bins; targets beyond it
  // have a bin of their own. `metrics` outlive the keeper and its scores.
  ScoreKeeper(data::Normalisation normalisation, double time_scale, double range, int bins = 6,
              std::span<const Metric> metrics = all_metrics(), ErrorFeatures features = {}, PointLimits limits = {});
  // `counts`: whether a system of the data set is added, without its never seen objects; empty: all are, with them.
  // `each_object`: called with the system, the object (index within the system) and the error of each object that has
  // targets.
  void add(const data::Batch& batch, const PredictedPaths& predicted,
           const std::function<bool(std::int64_t)>& counts = {},
           const std::function<void(std::int64_t, std::int64_t, double)>& each_object = {});
  // The mean path alone.
  void add(const data::Batch& batch, const float* predicted, const std::function<bool(std::int64_t)>& counts = {},
           const std::function<void(std::int64_t, std::int64_t, double)>& each_object = {}) {
    add(batch, PredictedPaths{.values = predicted}, counts, each_object);
  }
  Scores scores() const;

  // The accumulated sums, which add up over keepers of different systems, and the latest target, of which the largest
  // counts. Sums of several keepers make one of all their systems.
  std::vector<double> sums() const;
  double latest() const { return latest_; }
  void set(const std::vector<double>& sums, double latest);
  // The same as JSON, and added to this one.
  nlohmann::json state() const;
  void add(const nlohmann::json& state);

 private:
  // The errors of one object, and room for them.
  struct Object {
    std::vector<double> errors, original, times;
    std::vector<std::size_t> bins;
    PathErrors view;
  };
  void add_unseen(const data::Batch& batch);
  void read(const data::Batch& batch, const PredictedPaths& predicted, std::int64_t object, Object& into);
  // Adds the points of a system to the metrics over positions.
  void add_points(const PointCollector& points);
  MetricScore score_of(const Metric& metric, const std::vector<Sums>& cells) const;
  Sums first_half(std::string_view key) const;
  std::vector<HorizonBin> horizon(const MetricScore& mse) const;
  Scores::NeverSeen never_seen() const;

  std::span<const Metric> metrics_;
  data::Normalisation normalisation_;
  ErrorFeatures features_;
  PointLimits limits_;
  double time_scale_;
  double range_;
  std::size_t bins_;                      // with the one beyond the range
  std::vector<std::vector<Sums>> cells_;  // by metric
  std::vector<Sums> never_seen_;          // per feature, over values
  std::int64_t never_seen_objects_ = 0;
  double latest_ = 0;
  std::int64_t objects_ = 0, values_ = 0;
  // Calls `use` with every sum, as (total, count).
  template <class Self, class Use>
  static void each(Self& self, const Use& use);
};

}  // namespace lgode::eval
