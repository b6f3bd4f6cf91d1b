// What the page of text and the table of an evaluation have in common.
#pragma once

#include <optional>
#include <string>

#include "engine/evaluation_report.h"

namespace lgode::app {

// The row of a run in the paper's tables: "lg-ode", "lg-ode no-pe", "edge-gnn" and so on.
std::string row_name(const model::ModelOptions& options);
// The paper's error of LG-ODE x 10^-2, if its tables have such a cell.
std::optional<double> paper_error(const EvaluatedRun& run);
// Three digits; "-" unless finite.
std::string ratio_text(double error, double model);

}  // namespace lgode::app
