// Runs the evaluations of lgode evaluate and prints or writes their results.
#include "lgode/eval/evaluate.h"

#include <fmt/format.h>

#include "command.h"
#include "engine.h"
#include "engine/evaluation_report.h"
#include "evaluate_arguments.h"
#include "interrupt.h"
#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/json_text.h"
#include "lgode/data/compare_parts.h"
#include "lgode/use/format.h"
#include "progress.h"
#include "run_warnings.h"
#include "shard.h"

namespace lgode::app {
namespace {

data::BatchMaker maker_of(const eval::Run& run, const data::Dataset& dataset) {
  return {dataset, run.info.normalisation, run.info.task, {run.info.time_scale, run.info.conditioning_length}};
}

// Why the training or the validation part is empty.
std::string no_systems(const eval::Run& run, const data::Dataset& dataset, bool train) {
  if (dataset.systems_in(data::Part::kTrain).empty())
    return fmt::format("{}: the data set has no training systems, of which {} part would be; use --split test",
                       dataset.description().name, train ? "the training" : "a validation");
  if (train) return "no training system has something to show and something to predict under the run's task";
  if (run.info.task.protocol == data::Protocol::kPaper)
    return "protocol paper validates on the test part, which has no systems; use --split train";
  return fmt::format("there is no validation part: {}; use --split train",
                     run.info.task.validation > 0 ? "only one training system can be used, or all windows overlap"
                                                  : "the run was trained with --validation 0");
}

// Where the parts of a divided evaluation meet: in the run folder, under a name that differs where the numbers would.
ShardParts parts_of(const EvaluateArguments& arguments, const eval::Run& run, const data::Dataset& dataset,
                    const Shard& shard) {
  const std::filesystem::path path = arguments.runs.front();
  const std::string about =
      fmt::format("{} {} {} {} {} {} {}", dataset.fingerprint(), run.info.step, run.info.epoch, run.info.commit,
                  arguments.step.value_or(0), arguments.within.value_or(0), eval::checkpoint_path(path).string());
  const std::string name = fmt::format("evaluation-{}-{:016x}.json", arguments.split, std::hash<std::string>()(about));
  return {(std::filesystem::is_directory(path) ? path : path.parent_path()) / name, shard};
}

// Writes what this shard found; returns what the others did, if they are done.
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
  eval::EvaluateOptions options{.batch = arguments.batch,
                                .allow_mismatch = arguments.allow_mismatch,
                                .within = arguments.within,
                                .context = run.context};
  options.observe = observe;
  if (const std::optional<Shard> shard = parse_shard(arguments.shard)) {
    options.shard = shard->number - 1, options.shards = shard->count;
    options.exchange = [parts = parts_of(arguments, run, dataset, *shard)](const nlohmann::json& own) {
      return exchange(parts, own);
    };
  }
  if (arguments.split == "test") return eval::evaluate_run(run, dataset, options, progress, stop);
  const data::BatchMaker maker = maker_of(run, dataset);
  options.fit = eval::classical_fit_of(run.info, maker);
  const data::Parts parts = data::split_parts(maker);
  const bool train = arguments.split == "train";
  if ((train ? parts.train : parts.validation).empty()) throw DataError(no_systems(run, dataset, train));
  // protocol=paper validates on the test part.
  const data::View view =
      !train && run.info.task.protocol == data::Protocol::kPaper ? data::View::kTest : data::View::kValidate;
  return eval::evaluate(*run.model, maker, train ? parts.train : parts.validation, view, options, progress, stop);
}

// The test error over the span that validation covers: a forecast of the test part may go on for longer. NaN if there
// is none.
double comparable_error(const data::BatchMaker& maker, const eval::Scores& scores) {
  const double span = maker.target_span(data::View::kValidate) * maker.clock().time_scale;
  if (maker.target_span(data::View::kTest) * maker.clock().time_scale <= span * (1 + 1e-9)) return scores.mse;
  double sum = 0;
  std::int64_t count = 0;
  for (const eval::HorizonBin& bin : scores.horizon)
    if (bin.values > 0 && bin.end <= span * (1 + 1e-9)) {
      sum += bin.mse * static_cast<double>(bin.values);
      count += bin.values;
    }
  return sum / static_cast<double>(count);
}

// Warns where the test error is far above the validation error, and says what differs between the parts.
void warn_about_test(const eval::Run& run, const std::string& name, const data::Dataset& dataset,
                     const eval::Scores& scores) {
  constexpr double kFar = 2;
  if (!run.info.validation.is_number() || run.info.task.protocol == data::Protocol::kPaper) return;
  const data::BatchMaker maker = maker_of(run, dataset);
  const double validation = run.info.validation, test = comparable_error(maker, scores);
  if (!(test > kFar * validation)) return;
  fmt::print(
      stderr,
      "warning: {}: the test error {} x 10^-2{} is {:.3g} times the validation error {} x 10^-2 of the training\n",
      name, use::format_error(test), test == scores.mse ? "" : ", over as long a span as validation covers,",
      test / validation, use::format_error(validation));
  const std::vector<data::PartDifference> differences =
      data::compare_parts(dataset, run.info.task.centre == data::Centre::kSystem);
  for (const data::PartDifference& difference : differences) fmt::print(stderr, "  - {}\n", difference.what);
  if (!differences.empty()) return;
  fmt::print(
      stderr, "  {}\n",
      dataset.systems_in(data::Part::kTrain).empty()
          ? "the data has no training part to compare the test part with"
          : "ranges, speeds, numbers of objects and observations, gaps and missing values of both parts are alike; "
            "there may be too few training systems");
}

// How far the intervals reach, and on which grounds they may not hold on the test part.
void describe_calibration(const eval::Run& run, const std::string& name, const data::Dataset& dataset,
                          EvaluatedRun& result) {
  const eval::Calibrations& fitted = run.calibrations;
  result.reach = fitted.model.reach() * run.info.time_scale;
  result.calibrated_systems = fitted.model.systems();
  const bool forecast = run.info.task.task == data::Task::kExtrapolate;
  for (const data::PartDifference& difference :
       data::compare_parts(dataset, run.info.task.centre == data::Centre::kSystem, /*later=*/forecast))
    result.differences.push_back(difference.what);
  if (!fitted.fingerprint.empty() && dataset.has_fingerprint(fitted.fingerprint) &&
      (fitted.part == "test" || fitted.part == "all"))
    fmt::print(stderr,
               "warning: {}: its intervals were calibrated on systems that they are evaluated on; their coverage says "
               "nothing about others\n",
               name);
}

std::vector<EvaluatedRun> evaluate_all(const EvaluateArguments& arguments, const DataOfRuns& data) {
  const ops::Context context = ops::make_context(arguments.device, arguments.threads);
  // Open every run before the work starts, so that a bad one is reported at once.
  std::vector<eval::Run> runs;
  for (std::size_t i = 0; i < arguments.runs.size(); ++i) {
    runs.push_back(eval::load_run(arguments.runs[i], context, arguments.step));
    print_notes(runs[i].info, data.sets.at(data.paths[i]));
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
      results.push_back({arguments.runs[i], data.paths[i], dataset.description().name, arguments.split,
                         dataset.description().time_unit, ops::machine_name(context),
                         static_cast<std::int64_t>(
                             arguments.record.empty() ? 0 : data::split_parts(maker_of(runs[i], dataset)).train.size()),
                         runs[i].info, evaluate_split(arguments, runs[i], dataset, report, stop)});
      if (results.back().evaluation.intervals)
        describe_calibration(runs[i], arguments.runs[i], dataset, results.back());
    }
  }
  if (results.front().evaluation.partial) return {};
  for (std::size_t i = 0; i < runs.size() && arguments.split == "test"; ++i)
    warn_about_test(runs[i], arguments.runs[i], data.sets.at(data.paths[i]), results[i].evaluation.model);
  return results;
}

}  // namespace

EvaluatedRun evaluate_for_report(const EvaluateArguments& arguments, const eval::Run& run, const std::string& data_path,
                                 const data::Dataset& dataset, const BatchObserver& observe,
                                 const eval::EvaluateProgress& progress, const StopFlag* stop) {
  const std::string& name = arguments.runs.front();
  EvaluatedRun result{name,
                      data_path,
                      dataset.description().name,
                      arguments.split,
                      dataset.description().time_unit,
                      ops::machine_name(run.context),
                      0,
                      run.info,
                      evaluate_split(arguments, run, dataset, progress, stop, observe)};
  if (result.evaluation.intervals) describe_calibration(run, name, dataset, result);
  return result;
}

int run_evaluation(const EvaluateArguments& arguments, const DataOfRuns& data) {
  const std::vector<EvaluatedRun> results = evaluate_all(arguments, data);
  if (results.empty()) return kOk;  // other shards are not done
  if (!arguments.record.empty())
    write_file(arguments.record, arguments.overwrite(),
               json_text(experiment_record(results[0], arguments.runs[0]), 1) + "\n");
  if (arguments.table) {
    fmt::print("{}", evaluation_table(results));
    return kOk;
  }
  if (arguments.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const EvaluatedRun& run : results) list.push_back(evaluation_json(run));
    fmt::print("{}\n", json_text(list.size() == 1 ? list[0] : list, 2));
    return kOk;
  }
  for (std::size_t i = 0; i < results.size(); ++i) fmt::print("{}{}", i > 0 ? "\n" : "", evaluation_page(results[i]));
  return kOk;
}

}  // namespace lgode::app
