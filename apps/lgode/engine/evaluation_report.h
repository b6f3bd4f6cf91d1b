// Formats evaluated runs: a page of text, JSON, a result record, and a table over several runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lgode/eval/evaluate.h"

namespace lgode::app {

struct EvaluateArguments;

struct EvaluatedRun {
  std::string run;        // as given
  std::string data;       // path
  std::string data_name;  // of the set that was evaluated
  std::string split;      // "test", "validation" or "train"
  std::string time_unit;  // may be empty
  std::string machine;    // that ran the evaluation
  std::int64_t train_systems = 0;
  eval::RunInfo info;
  eval::Evaluation evaluation;
  double reach = 0;  // of the calibration, physical time; 0: not calibrated
  std::int64_t calibrated_systems = 0;
  std::vector<std::string> differences = {};  // between the training and the test part
};

// Called with every batch and the model's mean path.
using BatchObserver = std::function<void(const data::Batch& batch, const float* predicted)>;
// The evaluation of lgode evaluate for one run, `arguments.runs.front()`, and the part that `arguments.split` names.
EvaluatedRun evaluate_for_report(const EvaluateArguments& arguments, const eval::Run& run, const std::string& data_path,
                                 const data::Dataset& dataset, const BatchObserver& observe,
                                 const eval::EvaluateProgress& progress, const StopFlag* stop);

std::string evaluation_page(const EvaluatedRun& run);
nlohmann::ordered_json evaluation_json(const EvaluatedRun& run);
// Names of the metrics with a column in the table of errors, for a page: a list of `key`, `name` and `unit`.
nlohmann::ordered_json metrics_json();
// The record of a result: data set, task, model, config, errors and learning curve. `folder`: of the run, with its
// metrics.jsonl.
nlohmann::ordered_json experiment_record(const EvaluatedRun& run, const std::filesystem::path& folder);
std::string evaluation_table(const std::vector<EvaluatedRun>& runs);

}  // namespace lgode::app
