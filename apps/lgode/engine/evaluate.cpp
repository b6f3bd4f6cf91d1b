// Runs the evaluations of lgode evaluate and prints or writes their results.
#include "lgode/eval/evaluate.h"

#include <fmt/format.h>

#include "command.h"
#include "commands/arguments.h"
#include "commands/shard.h"
#include "engine.h"
#include "engine/evaluation_report.h"
#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/json_text.h"
#include "lgode/use/evaluate.h"
#include "lgode/use/predict.h"
#include "text/flag_text.h"
#include "text/interrupt.h"
#include "text/progress.h"

namespace lgode::app {
namespace {

// The shards of an evaluation exchange their results in the run folder, under a name that differs where the numbers
// would.
ShardParts parts_of(const EvaluateArguments& arguments, const eval::Run& run, const data::Dataset& dataset,
                    const Shard& shard) {
  const std::filesystem::path path = arguments.runs.front();
  const std::string about =
      fmt::format("{} {} {} {} {} {} {} {} {}", dataset.fingerprint(), run.info.step, run.info.epoch, run.info.commit,
                  arguments.step.value_or(0), arguments.within.value_or(0), arguments.miss_distance.value_or(0),
                  arguments.collision_distance.value_or(0), eval::checkpoint_path(path).string());
  const std::string name = fmt::format("evaluation-{}-{:016x}.json", arguments.split, std::hash<std::string>()(about));
  return {(std::filesystem::is_directory(path) ? path : path.parent_path()) / name, shard};
}

// Writes what this shard found. Returns what the others found, if they are done.
std::optional<std::vector<nlohmann::json>> exchange(const ShardParts& parts, const nlohmann::json& own) {
  write_file(parts.own(), Overwrite::kAllow, json_text(own) + "\n");
  const auto all = parts.claim();
  if (!all) {
    fmt::print("{}: {}\n", parts.own().string(), parts.waiting_text());
    return {};
  }
  std::vector<nlohmann::json> others;
  for (const std::filesystem::path& part : *all)
    if (part != parts.own()) others.push_back(parse_json(read_text(part)));
  parts.remove();
  return others;
}

eval::Evaluation evaluate_split(const EvaluateArguments& arguments, const eval::Run& run, const data::Dataset& dataset,
                                const eval::EvaluateProgress& progress, const StopFlag* stop,
                                const BatchObserver& observe = {}) {
  eval::EvaluateOptions options = use::evaluate_options(arguments);
  options.observe = observe;
  if (const std::optional<Shard> shard = parse_shard(arguments.shard)) {
    options.shard = shard->number - 1, options.shards = shard->count;
    options.exchange = [parts = parts_of(arguments, run, dataset, *shard)](const nlohmann::json& own) {
      return exchange(parts, own);
    };
  }
  return use::evaluate_part(run, dataset, arguments.split, options, progress, stop);
}

EvaluatedRun evaluate_one(const EvaluateArguments& arguments, std::size_t i, const eval::Run& run,
                          const std::string& data_path, const data::Dataset& dataset,
                          const eval::EvaluateProgress& progress, const StopFlag* stop,
                          const BatchObserver& observe = {}) {
  EvaluatedRun result = use::evaluated_run(arguments.runs[i], run, data_path, dataset, arguments.split,
                                           evaluate_split(arguments, run, dataset, progress, stop, observe));
  result.new_table = !arguments.new_table.table.empty();
  if (!arguments.record.empty())
    result.train_systems =
        static_cast<std::int64_t>(data::split_parts(eval::batch_maker(run.info, dataset)).train.size());
  return result;
}

std::vector<EvaluatedRun> evaluate_all(const EvaluateArguments& arguments, const DataOfRuns& data) {
  const ops::Context context = ops::make_context(arguments.device, arguments.threads);
  // Open every run before the work starts, so that a bad one is reported at once.
  std::vector<eval::Run> runs;
  for (std::size_t i = 0; i < arguments.runs.size(); ++i) {
    runs.push_back(eval::load_run(arguments.runs[i], context, arguments.step));
    print_messages(use::messages_on(runs[i].info, data.sets.at(data.paths[i])));
  }
  const StopFlag* stop = stop_on_interrupt("stopping");
  std::vector<EvaluatedRun> results;
  {
    Progress progress;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const data::Dataset& dataset = data.sets.at(data.paths[i]);
      const auto report = [&](std::int64_t done, std::int64_t total) {
        progress.share("evaluating " + arguments.runs[i], done, total);
      };
      results.push_back(evaluate_one(arguments, i, runs[i], data.paths[i], dataset, report, stop));
    }
  }
  if (results.front().evaluation.partial) return {};
  for (std::size_t i = 0; i < runs.size(); ++i)
    print_messages(use::messages(runs[i], data.sets.at(data.paths[i]), arguments.split, results[i].evaluation),
                   arguments.runs[i]);
  return results;
}

}  // namespace

EvaluatedRun evaluate_for_report(const EvaluateArguments& arguments, const eval::Run& run, const std::string& data_path,
                                 const data::Dataset& dataset, const BatchObserver& observe,
                                 const eval::EvaluateProgress& progress, const StopFlag* stop) {
  EvaluatedRun result = evaluate_one(arguments, 0, run, data_path, dataset, progress, stop, observe);
  print_messages(use::calibration_messages(run, dataset, result.evaluation), result.run);
  return result;
}

int run_evaluation(const EvaluateArguments& arguments, const DataOfRuns& data) {
  const std::vector<EvaluatedRun> results = evaluate_all(arguments, data);
  if (results.empty()) return kOk;  // other shards are not done
  if (!arguments.record.empty())
    write_file(arguments.record, arguments.overwrite(),
               json_text(use::experiment_record(results[0], arguments.runs[0]), 1) + "\n");
  if (arguments.summary) {
    fmt::print("{}", evaluation_table(results));
    return kOk;
  }
  if (arguments.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const EvaluatedRun& run : results) list.push_back(use::evaluation_json(run));
    fmt::print("{}\n", json_text(list.size() == 1 ? list[0] : list, 2));
    return kOk;
  }
  for (std::size_t i = 0; i < results.size(); ++i) fmt::print("{}{}", i > 0 ? "\n" : "", evaluation_page(results[i]));
  return kOk;
}

}  // namespace lgode::app
