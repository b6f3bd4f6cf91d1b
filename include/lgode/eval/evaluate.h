// The error of a model on a part of a data set, and the errors of the classical baselines on the same targets.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/data/classical/classical.h"
#include "lgode/eval/comparison.h"
#include "lgode/eval/intervals.h"
#include "lgode/eval/metrics.h"
#include "lgode/eval/run.h"

namespace lgode::eval {

// A batch prepared for its mean path; only the weights are missing.
struct PreparedBatch {
  model::BatchTensors tensors;
  std::shared_ptr<const model::Rollout> rollout;
};

struct EvaluateOptions {
  std::int64_t batch = 256;  // systems; on the CPU fewer if they have more than about 2,000 objects
  bool classical = true;
  data::ClassicalFit fit = {};  // of the classical baselines; those that need one and have none are skipped
  bool allow_mismatch = false;  // of units and time spans (check_fits)
  // Physical: also scores of the systems that stay within +-this in all position features, at all observations of the
  // data set.
  std::optional<double> within = {};
  // Final errors above it are misses, and predicted objects nearer than it collide, in the unit of the positions;
  // unset: as point_limits() says.
  std::optional<double> miss_distance = {}, collision_distance = {};
  const Calibrations* calibrations = nullptr;  // null: intervals are not evaluated
  ops::Context context = {};                   // on the model's device; gradients are never computed
  // To evaluate the same part repeatedly: the first evaluation fills it, later ones reuse it.
  std::vector<PreparedBatch>* kept = nullptr;
  // Called with the model's sums before they become scores: adds the sums of other processes, which evaluate other
  // systems.
  std::function<void(ScoreKeeper&)> combine = {};
  // Only part `shard` (from 0) of `shards` of the systems.
  std::int64_t shard = 0, shards = 1;
  // Called with everything that was accumulated over these systems. Returns what other shards accumulated, which is
  // added; unset: they are not done yet, and the result is partial.
  std::function<std::optional<std::vector<nlohmann::json>>(const nlohmann::json& own)> exchange = {};
  // Called with every batch that has systems and the model's paths.
  std::function<void(const data::Batch& batch, const PredictedPaths& predicted)> observe = {};
};

// What metrics over positions are measured in.
struct Positions {
  std::vector<std::string> features = {};  // their names; empty: there are none
  std::string unit = {};                   // of all of them; may be empty
  PointLimits limits = {};
  std::int64_t futures = 0;  // of the model; 0: it has the mean path only
  // Why there are no metrics over positions, or what the limits mean in a unit that is not known as a length.
  std::string note = {};

  // Also the list of the metrics that the model has.
  nlohmann::json to_json(const Scores& model) const;
};

struct Evaluation {
  Scores model;
  std::vector<std::pair<std::string, Scores>> classical;  // by name
  // The model beside each of them.
  std::vector<std::pair<std::string, Comparison>> comparisons = {};
  std::optional<WorstObject> worst_object = {};  // the object that the error comes from, where it is one
  Positions positions = {};
  // Scores of the calibrated intervals; unset without a calibration.
  struct Intervals {
    IntervalScores model;
    std::vector<std::pair<std::string, IntervalScores>> classical;

    nlohmann::json to_json(const std::vector<data::Feature>& features) const;
  };
  std::optional<Intervals> intervals = {};
  // The same for the systems that stay within EvaluateOptions::within.
  struct Within {
    double bound = 0;
    Scores model;
    std::vector<std::pair<std::string, Scores>> classical;
    std::optional<Intervals> intervals = {};
  };
  std::optional<Within> within = {};
  // Systems that count in none of the errors.
  std::int64_t nothing_shown = 0;    // without context
  std::int64_t without_targets = 0;  // nothing to predict
  bool partial = false;              // EvaluateOptions::exchange: other shards are not done; all else is empty

  nlohmann::json to_json(const std::vector<data::Feature>& features) const;
};

using EvaluateProgress = std::function<void(std::int64_t done, std::int64_t total)>;

// Evaluates the mean path (z0 = mu). DataError if none of the systems has a target. Interrupted on a stop request.
Evaluation evaluate(const model::Model& model, const data::BatchMaker& maker, const std::vector<std::int64_t>& systems,
                    data::View view, const EvaluateOptions& options, const EvaluateProgress& progress = {},
                    const StopFlag* stop = nullptr);

// What the run stores of the classical baselines. Of earlier runs that lack some: fitted on the training part of the
// maker's data set, empty if there is none.
data::ClassicalFit classical_fit_of(const RunInfo& info, const data::BatchMaker& maker);

// Evaluates the test part of `dataset` with the run's own task, normalisation, context, fit and calibrations (those
// of `options` are ignored).
Evaluation evaluate_run(const Run& run, const data::Dataset& dataset, const EvaluateOptions& options,
                        const EvaluateProgress& progress = {}, const StopFlag* stop = nullptr);

}  // namespace lgode::eval
