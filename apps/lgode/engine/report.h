// The page of a run, for lgode report and at the end of lgode train.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "commands/arguments.h"
#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"
#include "lgode/use/evaluation_record.h"

namespace lgode::app {

// [{row, mse}] of the paper: the errors of LG-ODE and of the run's own row, as mean squared errors. Empty where the
// paper's tables have no such cell.
nlohmann::ordered_json paper_json(const use::EvaluatedRun& run);

// Evaluates the run, predicts the systems to show and writes the page. Interrupted on a stop request.
use::EvaluatedRun write_report(const ReportArguments& arguments, const std::string& data_path,
                               const data::Dataset& dataset, const StopFlag* stop);
// The evaluation alone, on the part that a page would show.
use::EvaluatedRun evaluate_shown(const ReportArguments& arguments, const std::string& data_path,
                                 const data::Dataset& dataset, const StopFlag* stop);

}  // namespace lgode::app
