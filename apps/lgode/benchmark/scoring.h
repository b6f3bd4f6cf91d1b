// Scores of a job: of a classical method, computed here, or of the predictions that a run wrote.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "benchmark/data_files.h"
#include "lgode/benchmark/paths.h"
#include "lgode/benchmark/score.h"

namespace lgode::app {

using Scores = std::map<std::string, benchmark::Score>;  // by group

// A classical forecast. `fitted`: for methods that take numbers from the training part.
Scores score_classical(const benchmark::Protocol& protocol, const std::vector<Asked>& asked, Classical method,
                       const benchmark::Fitted& fitted);
// The straight line at hidden frames.
Scores score_line(const benchmark::Protocol& protocol, const std::vector<Asked>& asked);
// Predictions in the order of `asked`.
Scores score_predictions(const benchmark::Protocol& protocol, benchmark::Task task, const std::vector<Asked>& asked,
                         const benchmark::Predictions& predictions);

}  // namespace lgode::app
