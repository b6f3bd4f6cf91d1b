// What a training is about to do, in lines: size, cost, skipped systems. No LibTorch here.
#pragma once

#include <string>
#include <vector>

#include "lgode/train/report.h"

namespace lgode::app {

// Lines after the first one, which names the run.
std::vector<std::string> start_lines(const train::StartReport& report);

// "0.8 GB"
std::string format_memory(double bytes);

// How far a stopped run came: "12 whole epochs and 3 steps (63 steps in total)".
std::string format_stop(const train::TrainResult& result);

}  // namespace lgode::app
