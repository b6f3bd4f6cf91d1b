// Pages of runs with what only weights and data show: errors, predicted systems, runs side by side.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"
#include "lgode/eval/run.h"
#include "lgode/report/run_page.h"
#include "lgode/use/evaluation_record.h"
#include "lgode/use/message.h"

namespace lgode::use {

// How far the work is; `total` 0: unknown.
using PageProgress = std::function<void(const std::string& what, std::int64_t done, std::int64_t total)>;

struct RunPageOptions {
  std::int64_t systems = 12;            // to show: the best, the median, the worst and others between
  std::int64_t most_bytes = 5'000'000;  // of the page; less is shown to keep it
  bool allow_mismatch = false;
  PageProgress progress = {};
  std::function<void(const Messages& messages)> on_messages = {};
};

// A page and the evaluation that it shows.
struct RunPage {
  report::WrittenPage page;
  EvaluatedRun evaluated;
};

// The evaluation that a page of the run shows, as `lgode evaluate` makes it. `name`: of the run, as the user names it;
// `data_path`: of the data set. Interrupted on a stop request.
EvaluatedRun evaluate_shown(const std::string& name, const eval::Run& run, const std::string& data_path,
                            const data::Dataset& dataset, const RunPageOptions& options, const StopFlag* stop);

// Evaluates the run as `lgode evaluate` does, predicts the systems to show and writes the page. Interrupted on
// a stop request.
RunPage write_run_page(const std::filesystem::path& path, const std::string& name, const eval::Run& run,
                       const std::string& data_path, const data::Dataset& dataset, const RunPageOptions& options,
                       const StopFlag* stop);

struct ComparisonOptions {
  std::string data;  // for all runs; empty: the one each was trained on
  bool allow_mismatch = false;
  PageProgress progress = {};
  std::function<void(const Messages& messages)> on_messages = {};  // among them: why a run was not evaluated
};

// A page with several runs side by side, each with its evaluation where it has weights and its data is there.
// ConfigError for fewer than two.
report::WrittenPage write_comparison(const std::filesystem::path& path, const std::vector<std::string>& runs,
                                     const ops::Context& context, const ComparisonOptions& options,
                                     const StopFlag* stop);

}  // namespace lgode::use
