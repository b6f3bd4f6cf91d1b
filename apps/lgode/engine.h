// What needs LibTorch. The command is two programs made of the same parts: lgode reads and checks the command line
// without LibTorch and is done in milliseconds where that is all; where it is not, it becomes lgode-engine, which reads
// the same words again and computes. So these functions do the work in lgode-engine (engine/), and in lgode they do not
// come back (start_engine.cpp).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::app {

struct TrainArguments;
struct EvaluateArguments;
struct PredictArguments;

// The data sets that runs are evaluated on.
struct DataOfRuns {
  std::vector<std::string> paths;  // one for each run
  std::map<std::string, data::Dataset> sets;
};

// Each gets arguments that were checked, and returns an ExitCode; errors are thrown.
int run_training(const TrainArguments& arguments, const std::string& data_path, const data::Dataset& dataset);
int run_evaluation(const EvaluateArguments& arguments, const DataOfRuns& data);
int run_prediction(const PredictArguments& arguments, const data::Dataset& dataset);

// Whether "auto", "cpu" or "cuda" means a GPU here. ConfigError where there is none to use.
bool is_gpu(const std::string& device);

// To be called before a file that the command line names is read: where it can be read only once (a pipe), the program
// that computes is the one to read it.
void before_reading(const std::string& path);

// To be called first, with the words of the command line, which stay valid. ConfigError where lgode-engine was started
// by the lgode of another build.
void enter(char** words);

}  // namespace lgode::app
