// lgode evaluate: errors of trained models and of classical baselines.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "command.h"
#include "commands/arguments.h"
#include "commands/shard.h"
#include "engine.h"
#include "lgode/core/error.h"
#include "lgode/data/dataset.h"
#include "lgode/eval/run_info.h"
#include "lgode/use/parts.h"
#include "text/flags.h"
#include "text/inputs.h"
#include "text/option_flags.h"

namespace lgode::app {
namespace {

struct Arguments : EvaluateArguments {
  explicit Arguments(Flags app) : flags(app, declared) { use::declare_evaluation(declared, *this); }

  OptionSet declared;
  OptionFlags flags;
  std::string earlier_part;  // by the earlier name of its flag
};

// The path of the run's data set.
std::string data_path(const Arguments& arguments, const std::string& run, const eval::RunInfo& info) {
  if (!arguments.data.empty()) return arguments.data;
  const auto path = info.config.find("data");
  if (path == info.config.end() || !path->is_string() || *path == "")
    throw ConfigError(fmt::format("{}: its config names no data set; pass --data", run));
  if (!std::filesystem::exists(path->get<std::string>()))
    throw DataError(
        fmt::format("{}: absent; {} was trained on it, pass --data with its new path", path->get<std::string>(), run));
  return *path;
}

// Opens every data set and compares it with its run before the work starts.
DataOfRuns open_data(const Arguments& arguments) {
  DataOfRuns data;
  const std::string& table = arguments.new_table.table;
  if (!table.empty()) {
    data.paths = {table};
    data.sets.emplace(table, read_table_for(arguments.runs.front(), arguments.new_table, use::TableUse::kEvaluate,
                                            static_cast<int>(arguments.threads), "."));
    eval::check_fits(eval::load_run_info(arguments.runs.front()), data.sets.at(table),
                     {.allow_mismatch = arguments.allow_mismatch});
    return data;
  }
  refuse_table(arguments.data, "lgode evaluate", "lgode evaluate RUN --data");
  for (const std::string& run : arguments.runs) {
    refuse_table(run, "lgode evaluate", "lgode train", " --out RUN, lgode evaluate RUN");
    const eval::RunInfo info = eval::load_run_info(run);
    const std::string path = data_path(arguments, run, info);
    data.paths.push_back(path);
    if (!data.sets.contains(path)) data.sets.emplace(path, data::load_dataset(path));
    eval::check_fits(info, data.sets.at(path), {.allow_mismatch = arguments.allow_mismatch});
    use::check_split(data.sets.at(path), arguments.split, path);
  }
  return data;
}

void check_table(const Arguments& arguments) {
  const TableArguments& table = arguments.new_table;
  if (table.table.empty() && !table.edges.empty())
    throw ConfigError("--edges goes with --table, a new table; a data set has its own relations");
  if (table.table.empty() && table.skip_bad_rows) throw ConfigError("--skip-bad-rows goes with --table, a new table");
  if (table.table.empty()) return;
  if (std::filesystem::is_directory(table.table))
    throw ConfigError(fmt::format(
        "--table {}: is a folder; a new table is a CSV file. One small table over all runs is --summary", table.table));
  if (!arguments.data.empty()) throw ConfigError("--table, a new table, does not go with --data; choose one");
  if (arguments.runs.size() != 1)
    throw ConfigError("--table takes one run, whose training data says how the table is read");
  if (arguments.flags.given("part") || !arguments.earlier_part.empty())
    throw ConfigError("--part goes with --data; a new table has one part");
}

int evaluate(Arguments& arguments) {
  arguments.flags.read();
  if (!arguments.earlier_part.empty())
    arguments.declared.set_text("part", arguments.earlier_part, Source::kFlag, "--split");
  if (arguments.json && arguments.summary) throw ConfigError("--json does not go with --summary; choose one");
  check_table(arguments);
  if (!arguments.record.empty() &&
      (arguments.runs.size() != 1 || arguments.split != "test" || !std::filesystem::is_directory(arguments.runs[0])))
    throw ConfigError("--record takes one run folder and the test part");
  if (parse_shard(arguments.shard) && arguments.runs.size() != 1)
    throw ConfigError("--shard divides the evaluation of one run; several runs can be evaluated by one machine each");
  if (!arguments.record.empty()) check_writable(arguments.record, arguments.overwrite());
  return run_evaluation(arguments, open_data(arguments));
}

}  // namespace

Command add_evaluate(Flags root) {
  Flags app = root.add_command("evaluate", "measure a model's error and compare it with classical baselines");
  auto arguments = std::make_shared<Arguments>(app);
  OptionFlags& declared = arguments->flags;
  app.add_value("RUN", arguments->runs, "...", "run folders or checkpoints").required();
  app.add_value("--data", arguments->data, "FILE", "data set", "the one the run was trained on");
  add_table(app, arguments->new_table,
            "instead: a new table with the columns of the training data's table, also several files ('new/*.csv'); "
            "cut into windows where the training data was");
  declared.add("part");
  app.add_value("--split", arguments->earlier_part, "PART", "the earlier name of --part").group("");
  declared.add("within");
  declared.add("miss_distance");
  declared.add("collision_distance");
  app.add_switch("--json", arguments->json,
                 "as JSON: an object, or a list of them for several runs; errors not x 10^2");
  app.add_switch("--summary", arguments->summary, "one small table over all runs, with the paper's numbers");
  app.add_value("--record", arguments->record, "FILE",
                "also write the run, its errors and its learning curve as JSON: the form of experiments/results");
  app.add_switch("--force", arguments->force, "replace the recorded file if it exists");
  declared.add("allow_mismatch");
  app.add_value("--step", arguments->step, "X", "step of the solver, in model time", "the run's own")
      .between(1e-5, 1e3);
  declared.add("batch");
  app.add_value(
      "--shard", arguments->shard, "I/N",
      "only shard I of N of the systems; shards meet in the run folder, and the last one to finish prints the "
      "result of all");
  app.add_value("--threads", arguments->threads, "N", "threads; 0: all cores", "0").at_least(0);
  app.add_value("--device", arguments->device, "auto|cpu|cuda", "where to compute", "auto")
      .one_of({"auto", "cpu", "cuda"});
  app.footer(examples({"lgode evaluate runs/first", "lgode evaluate runs/first --data other.safetensors --json",
                       "lgode evaluate runs/first --table new.csv", "lgode evaluate runs/* --summary",
                       "lgode evaluate /shared/runs/first --shard 2/4"}));
  return {app, [arguments] { return evaluate(*arguments); }};
}

}  // namespace lgode::app
