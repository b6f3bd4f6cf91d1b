// A model's error on a part of a data set, with the classical baselines on the same targets.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/eval/metrics.h"
#include "lgode/eval/run.h"

namespace lgode::eval {

// A batch with all that its mean path needs beside the weights.
struct PreparedBatch {
  model::BatchTensors tensors;
  std::shared_ptr<const model::Rollout> rollout;
};

struct EvaluateOptions {
  std::int64_t batch = 256;
  bool classical = true;
  ops::Context context = {};  // on the model's device; gradients are never computed
  // For those who evaluate the same part again and again: filled by the first evaluation, used by the later ones.
  std::vector<PreparedBatch>* kept = nullptr;
};

struct Evaluation {
  Scores model;
  std::vector<std::pair<std::string, Scores>> classical;  // by name

  nlohmann::json to_json(const std::vector<data::Feature>& features) const;
};

using EvaluateProgress = std::function<void(std::int64_t done, std::int64_t total)>;

// Mean path (z0 = mu). DataError if none of the systems has a target. A stop request throws Interrupted.
Evaluation evaluate(const model::Model& model, const data::BatchMaker& maker, const std::vector<std::int64_t>& systems,
                    data::View view, const EvaluateOptions& options, const EvaluateProgress& progress = {},
                    const StopFlag* stop = nullptr);

// The test part of `dataset` under the run's own task, normalisation and context (that of the options is not used).
Evaluation evaluate_run(const Run& run, const data::Dataset& dataset, const EvaluateOptions& options,
                        const EvaluateProgress& progress = {}, const StopFlag* stop = nullptr);

}  // namespace lgode::eval
