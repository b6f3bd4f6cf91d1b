// Evaluates the runs of lgode compare and writes the page.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "command.h"
#include "commands/arguments.h"
#include "commands/report_page.h"
#include "engine.h"
#include "engine/evaluation_report.h"
#include "engine/report.h"
#include "lgode/core/error.h"
#include "lgode/report/run_record.h"
#include "lgode/use/parts.h"
#include "text/interrupt.h"
#include "text/progress.h"

namespace lgode::app {
namespace {

using nlohmann::ordered_json;

// The evaluation of a run, or why there is none.
struct Result {
  ordered_json evaluation, paper;
  std::string note;
};

class Comparison {
 public:
  Comparison(const CompareArguments& arguments, const StopFlag* stop)
      : arguments_(arguments), context_(ops::make_context(arguments.device, arguments.threads)), stop_(stop) {}

  Result evaluate(const std::string& path, const report::RunRecord& record, Progress& progress) {
    if (!record.has_weights) return {{}, {}, "no weights yet"};
    const std::string data = arguments_.data.empty() ? record.config.value("data", std::string()) : arguments_.data;
    if (arguments_.data.empty() && !std::filesystem::exists(data))
      return {{}, {}, fmt::format("its data set {} is absent", data)};
    try {
      if (!sets_.contains(data)) sets_.emplace(data, data::load_dataset(data));
      const data::Dataset& dataset = sets_.at(data);
      const eval::Run run = eval::load_run(path, context_);
      eval::check_fits(run.info, dataset, {.allow_mismatch = arguments_.allow_mismatch});
      EvaluateArguments evaluate;
      evaluate.runs = {path};
      evaluate.allow_mismatch = arguments_.allow_mismatch;
      evaluate.split = use::shown_split(run.info, dataset);
      const EvaluatedRun result = evaluate_for_report(
          evaluate, run, data, dataset, {},
          [&](std::int64_t done, std::int64_t total) { progress.share("evaluating " + path, done, total); }, stop_);
      return {use::evaluation_json(result), paper_json(result), {}};
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      return {{}, {}, error.what()};
    }
  }

 private:
  const CompareArguments& arguments_;
  ops::Context context_;
  const StopFlag* stop_;
  std::map<std::string, data::Dataset> sets_;
};

}  // namespace

int run_comparison(const CompareArguments& arguments) {
  Comparison comparison(arguments, stop_on_interrupt("stopping; nothing will be written"));
  ordered_json runs = ordered_json::array();
  {
    Progress progress;
    for (const std::string& path : arguments.runs) {
      const report::RunRecord record = report::read_run(path);
      ordered_json run = record_json(record);
      Result result = comparison.evaluate(path, record, progress);
      run["path"] = path;
      run["evaluation"] = std::move(result.evaluation);
      run["paper"] = std::move(result.paper);
      run["note"] = result.note;
      if (!result.note.empty()) progress.line(fmt::format("warning: {}: not evaluated: {}", path, result.note));
      runs.push_back(std::move(run));
    }
  }
  write_page(arguments.out, fmt::format("{} runs of lgode", runs.size()),
             {{"kind", "compare"}, {"metrics", use::metrics_json()}, {"runs", runs}},
             /*quiet=*/false);
  if (arguments.open) open_in_browser(arguments.out);
  return kOk;
}

}  // namespace lgode::app
