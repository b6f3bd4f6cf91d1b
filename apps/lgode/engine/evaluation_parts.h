// What the text, the JSON and the table of an evaluation have in common.
#pragma once

#include <optional>
#include <string>

#include "engine/evaluation_report.h"

namespace lgode::app {

// The row of a run in the paper's tables: "lg-ode", "lg-ode no-pe", "edge-gnn" and so on.
std::string row_name(const model::ModelOptions& options);
// The paper's error of LG-ODE x 10^-2; nothing if its tables have no such cell.
std::optional<double> paper_error(const EvaluatedRun& run);
// Three digits; "-" unless finite.
std::string ratio_text(double error, double model);
// Whether the share in 90 % is as promised: as far ahead as the calibration reaches, it is off by at most three
// standard errors, including the calibration's own sampling error, and two points.
bool promise_holds(const EvaluatedRun& run);

}  // namespace lgode::app
