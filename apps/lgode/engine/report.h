// The page of a run, for lgode report and at the end of lgode train.
#pragma once

#include <string>

#include "commands/arguments.h"
#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"
#include "lgode/use/evaluation_record.h"

namespace lgode::app {

// Evaluates the run, predicts the systems to show, writes the page and prints where it is. Interrupted on a stop
// request.
use::EvaluatedRun write_report(const ReportArguments& arguments, const std::string& data_path,
                               const data::Dataset& dataset, const StopFlag* stop);
// The evaluation alone.
use::EvaluatedRun evaluate_shown(const ReportArguments& arguments, const std::string& data_path,
                                 const data::Dataset& dataset, const StopFlag* stop);

}  // namespace lgode::app
