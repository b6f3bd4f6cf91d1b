// A run that was evaluated: its numbers with the data, the run and the machine they belong to, as JSON and as the
// record of an experiment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lgode/eval/evaluate.h"
#include "lgode/use/verdict.h"

namespace lgode::use {

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
  bool new_table = false;                     // `data` is a table that was read for the run
  Limits limits = {};                         // limits_of()

  Subject subject() const { return {.run = run, .data = data, .table = new_table, .limits = limits}; }
};

// The evaluation of a run on a part (evaluate_part()), with its reliability(). `name`, `data_path`: as the user names
// them. `train_systems` stays 0, and `new_table` false.
EvaluatedRun evaluated_run(const std::string& name, const eval::Run& run, const std::string& data_path,
                           const data::Dataset& dataset, const std::string& split, eval::Evaluation evaluation);

// Whether the share in 90 % is as promised: as far ahead as the calibration reaches, it is off by at most three
// standard errors, including the calibration's own sampling error, and two points.
bool promise_holds(const EvaluatedRun& run);

nlohmann::ordered_json evaluation_json(const EvaluatedRun& run);
// Names of the metrics with a column in the table of errors, for a page: a list of `key`, `name` and `unit`.
nlohmann::ordered_json metrics_json();
// The record of a result: data set, task, model, config, errors and learning curve. `folder`: of the run, with its
// metrics.jsonl.
nlohmann::ordered_json experiment_record(const EvaluatedRun& run, const std::filesystem::path& folder);

}  // namespace lgode::use
