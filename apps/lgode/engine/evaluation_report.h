// Evaluates runs for the commands, and formats the results: a page of text, and a table over several runs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lgode/eval/evaluate.h"
#include "lgode/use/evaluation_record.h"

namespace lgode::app {

using use::EvaluatedRun;

struct EvaluateArguments;

// Called with every batch and the model's paths.
using BatchObserver = std::function<void(const data::Batch& batch, const eval::PredictedPaths& predicted)>;
// The evaluation of lgode evaluate for one run, `arguments.runs.front()`, and the part that `arguments.split` names.
EvaluatedRun evaluate_for_report(const EvaluateArguments& arguments, const eval::Run& run, const std::string& data_path,
                                 const data::Dataset& dataset, const BatchObserver& observe,
                                 const eval::EvaluateProgress& progress, const StopFlag* stop);

std::string evaluation_page(const EvaluatedRun& run);
// Of it, the metrics over positions, or why there are none, and the ADE by part of the range; empty without positions.
std::string positions_section(const EvaluatedRun& run);
std::string position_horizon_section(const EvaluatedRun& run);
// The metrics over positions that any of the runs has, by name: a cell per run.
std::vector<std::pair<std::string, std::vector<std::string>>> position_rows(const std::vector<EvaluatedRun>& runs);
// Whether a table shows the method, or another one with the same forecasts.
bool is_shown(const EvaluatedRun& run, std::string_view name);
// Its last lines: whether the model is ahead of the classical methods, in colour on a terminal.
std::string verdict_text(const EvaluatedRun& run);
// The verdict's sentence alone, in colour on a terminal; empty where there is none.
std::string verdict_line(const EvaluatedRun& run);
// Errors in units, then normalised ones, one column per run; below it the verdicts.
std::string evaluation_table(const std::vector<EvaluatedRun>& runs);

// The row of a run in the paper's tables: "lg-ode", "lg-ode no-pe", "edge-gnn" and so on.
std::string row_name(const model::ModelOptions& options);
// The paper's error of LG-ODE x 10^-2, if its tables have such a cell.
std::optional<double> paper_error(const EvaluatedRun& run);
// Three digits; "-" unless finite.
std::string ratio_text(double error, double model);

}  // namespace lgode::app
