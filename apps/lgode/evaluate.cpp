// lgode evaluate: errors of trained models beside those of baselines that need no learning.
#include "lgode/eval/evaluate.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "evaluation_report.h"
#include "flags.h"
#include "interrupt.h"
#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "notes.h"
#include "progress.h"

namespace lgode::app {
namespace {

struct Arguments {
  std::vector<std::string> runs;
  std::string data, device = "auto", split = "test";
  std::int64_t threads = 0;
  std::optional<double> step;
  eval::EvaluateOptions options;
  bool json = false, table = false;
  std::string record;
  bool force = false;

  Overwrite overwrite() const { return force ? Overwrite::kAllow : Overwrite::kRefuse; }
};

// Where the run's data set lies.
std::string data_path(const Arguments& arguments, const std::string& run, const eval::RunInfo& info) {
  if (!arguments.data.empty()) return arguments.data;
  const auto path = info.config.find("data");
  if (path == info.config.end() || !path->is_string() || *path == "")
    throw ConfigError(fmt::format("{}: its config names no data set; pass --data", run));
  if (!std::filesystem::exists(path->get<std::string>()))
    throw DataError(fmt::format("{}: absent; {} was trained on it, pass --data where it lies elsewhere now",
                                path->get<std::string>(), run));
  return *path;
}

eval::Evaluation evaluate_split(const Arguments& arguments, const eval::Run& run, const data::Dataset& dataset,
                                const eval::EvaluateProgress& progress, const StopFlag* stop) {
  if (arguments.split == "test") return eval::evaluate_run(run, dataset, arguments.options, progress, stop);
  const data::BatchMaker maker(dataset, run.info.normalisation, run.info.task,
                               {run.info.time_scale, run.info.conditioning_length});
  const data::Parts parts = data::split_parts(dataset, run.info.task);
  const bool train = arguments.split == "train";
  // protocol=paper validates on the test part.
  const data::View view =
      !train && run.info.task.protocol == data::Protocol::kPaper ? data::View::kTest : data::View::kValidate;
  return eval::evaluate(*run.model, maker, train ? parts.train : parts.validation, view, arguments.options, progress,
                        stop);
}

std::vector<EvaluatedRun> evaluate_all(const Arguments& arguments) {
  const int threads = eval::use_threads(arguments.threads);
  const at::Device device = eval::pick_device(arguments.device);
  // Every run and data set is opened before the work starts.
  std::vector<eval::Run> runs;
  std::vector<std::string> paths;
  std::map<std::string, data::Dataset> datasets;
  for (const std::string& name : arguments.runs) {
    runs.push_back(eval::load_run(name, device, arguments.step));
    paths.push_back(data_path(arguments, name, runs.back().info));
    if (!datasets.contains(paths.back())) datasets.emplace(paths.back(), data::load_dataset(paths.back()));
    eval::check_fits(runs.back(), datasets.at(paths.back()));
    print_notes(runs.back(), datasets.at(paths.back()));
    if (arguments.split == "test" && datasets.at(paths.back()).systems_in(data::Part::kTest).empty())
      throw DataError(
          fmt::format("{}: the data set has no test systems; use --split validation or --split train, or "
                      "--data with test systems",
                      paths.back()));
  }
  const StopFlag* stop = stop_on_interrupt("stopping");
  std::vector<EvaluatedRun> results;
  Progress progress;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const data::Dataset& dataset = datasets.at(paths[i]);
    const auto report = [&](std::int64_t done, std::int64_t total) {
      progress.share("evaluating " + arguments.runs[i], done, total);
    };
    results.push_back({arguments.runs[i], paths[i], dataset.description().name, arguments.split,
                       dataset.description().time_unit, eval::machine_name(threads, device),
                       static_cast<std::int64_t>(data::split_parts(dataset, runs[i].info.task).train.size()),
                       runs[i].info, evaluate_split(arguments, runs[i], dataset, report, stop)});
  }
  return results;
}

int evaluate(const Arguments& arguments) {
  if (arguments.json && arguments.table) throw ConfigError("--json does not go with --table; choose one");
  if (!arguments.record.empty() &&
      (arguments.runs.size() != 1 || arguments.split != "test" || !std::filesystem::is_directory(arguments.runs[0])))
    throw ConfigError("--record takes one run folder and the test part");
  if (!arguments.record.empty()) check_writable(arguments.record, arguments.overwrite());
  const std::vector<EvaluatedRun> results = evaluate_all(arguments);
  if (!arguments.record.empty())
    write_file(arguments.record, arguments.overwrite(),
               experiment_record(results[0], arguments.runs[0]).dump(1) + "\n");
  if (arguments.table) {
    fmt::print("{}", evaluation_table(results));
    return kOk;
  }
  if (arguments.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const EvaluatedRun& run : results) list.push_back(evaluation_json(run));
    fmt::print("{}\n", (list.size() == 1 ? list[0] : list).dump(2));
    return kOk;
  }
  for (std::size_t i = 0; i < results.size(); ++i) fmt::print("{}{}", i > 0 ? "\n" : "", evaluation_page(results[i]));
  return kOk;
}

}  // namespace

Command add_evaluate(CLI::App& root) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* app = root.add_subcommand("evaluate", "measure a model's error, beside baselines that need no learning");
  add_value(*app, "RUN", arguments->runs, "...", "run folders or checkpoints")->required();
  add_value(*app, "--data", arguments->data, "FILE", "data set", "the one the run was trained on");
  add_value(*app, "--split", arguments->split, "test|validation|train", "which systems", "test")
      ->check(CLI::IsMember({"test", "validation", "train"}));
  app->add_flag("--json", arguments->json, "as JSON: an object, or a list of them for several runs; errors not x 10^2");
  app->add_flag("--table", arguments->table, "one small table over all runs, with the paper's numbers");
  add_value(*app, "--record", arguments->record, "FILE",
            "also write the run, its errors and its learning curve as JSON: the form of experiments/results");
  app->add_flag("--force", arguments->force, "replace the recorded file if it exists");
  add_value(*app, "--step", arguments->step, "X", "step of the solver, in model time", "the run's own")
      ->check(CLI::Range(1e-5, 1e3));
  add_value(*app, "--batch", arguments->options.batch, "N", "systems at a time", "256")->check(at_least(1));
  add_value(*app, "--threads", arguments->threads, "N", "threads; 0: all cores", "0")->check(at_least(0));
  add_value(*app, "--device", arguments->device, "auto|cpu|cuda", "where to compute", "auto")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  app->footer(examples({"lgode evaluate runs/first", "lgode evaluate runs/first --data other.safetensors --json",
                        "lgode evaluate runs/* --table"}));
  return {app, [arguments] { return evaluate(*arguments); }};
}

}  // namespace lgode::app
