// Warns where a run is used on data that differs from its training data.
#pragma once

#include "lgode/eval/run_info.h"

namespace lgode::app {

// One line per warning, on standard error.
void print_notes(const eval::RunInfo& info, const data::Dataset& dataset);

}  // namespace lgode::app
