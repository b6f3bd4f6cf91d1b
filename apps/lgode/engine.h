// Functions that need LibTorch. The command is two programs made of the same parts: lgode reads and checks the command
// line without LibTorch, in milliseconds. Where more is needed it becomes lgode-engine, which reads the same command
// line again and computes. So these functions do the work in lgode-engine (engine/); in lgode they do not return
// (start_engine.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lgode/data/dataset.h"

namespace lgode::use {
struct CalibrationPart;
}

namespace lgode::app {

struct TrainArguments;
struct EvaluateArguments;
struct CalibrateArguments;
struct PredictArguments;
struct FollowArguments;
struct ReportArguments;
struct PlotArguments;
struct CompareArguments;

// The data sets that runs are evaluated on.
struct DataOfRuns {
  std::vector<std::string> paths;  // one per run
  std::map<std::string, data::Dataset> sets;
};

// Each gets arguments that were checked, and returns an ExitCode; errors are thrown.
// Opens the data set; `facts`: see data::load_dataset().
using DataLoader = std::function<data::Dataset(const std::optional<data::Dataset::Facts>& facts)>;
int run_training(const TrainArguments& arguments, const std::string& data_path, const DataLoader& load);
int run_evaluation(const EvaluateArguments& arguments, const DataOfRuns& data);
int run_calibration(const CalibrateArguments& arguments, const use::CalibrationPart& part,
                    const data::Dataset& dataset);
int run_prediction(const PredictArguments& arguments, const data::Dataset& dataset);
int run_following(const FollowArguments& arguments);
int run_report(const ReportArguments& arguments, const std::string& data_path, const data::Dataset& dataset);
int run_plot(const PlotArguments& arguments, std::int64_t system, const data::Dataset& dataset);
// Of a table that was filled; `description`: of the data set that it was imported as.
int run_filled_plot(const PlotArguments& arguments, const data::Description& description);
int run_comparison(const CompareArguments& arguments);

// Whether "auto", "cpu" or "cuda" means a GPU here. ConfigError if "cuda" is not available.
bool is_gpu(const std::string& device);

// Call it before reading a file of the command line: a file that can be read only once (a pipe) must be read by
// lgode-engine.
void before_reading(const std::string& path);

// Call it before work that need not be done twice, such as the import of a table.
void before_work();

// Call it first, with the words of the command line, which stay valid. Returns whether lgode has read them before, so
// that notes about them were printed. ConfigError if lgode-engine was started by the lgode of another build.
bool enter(char** words);

}  // namespace lgode::app
