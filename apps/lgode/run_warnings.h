// What a user should know before trusting the numbers that follow.
#pragma once

#include "lgode/eval/run_info.h"

namespace lgode::app {

// On standard error, a line each.
void print_notes(const eval::RunInfo& info, const data::Dataset& dataset);

}  // namespace lgode::app
