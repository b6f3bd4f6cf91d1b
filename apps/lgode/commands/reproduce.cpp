// lgode reproduce: makes the paper's tables cell by cell and compares them with the paper's numbers. This file reads
// the command line; reproduction.cpp does the work.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "command.h"
#include "commands/shard.h"
#include "engine.h"
#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/file_lock.h"
#include "lgode/reproduce/paper_tables.h"
#include "lgode/reproduce/plan.h"
#include "lgode/use/format.h"
#include "reproduction/reproduction.h"
#include "text/flags.h"
#include "text/interrupt.h"
#include "text/work_folder.h"

namespace lgode::app {
namespace {

using use::format_plural;

constexpr std::int64_t kGpuJobs = 6;  // concurrent trainings that keep a large GPU busy

struct Arguments {
  std::string table = "all", rows = "lg-ode", datasets = "all", observed = "all", protocols = "clean";
  std::string recipes, out, device = "auto", shard;
  std::optional<std::int64_t> seeds, jobs;
  bool dry_run = false, tables_only = false;
  ReproduceOptions options;
};

template <class List>
std::vector<std::string> names(const List& list) {
  std::vector<std::string> result;
  result.reserve(list.size());
  for (const auto& item : list) result.push_back(fmt::format("{}", item));
  return result;
}

std::vector<std::string> row_names() {
  std::vector<std::string> result;
  result.reserve(reproduce::kRows.size());
  for (const reproduce::PaperRow& row : reproduce::kRows) result.emplace_back(row.name);
  return result;
}

reproduce::Selection select(const Arguments& a) {
  reproduce::Selection selection;
  for (const std::string& table : reproduce::choose("--table", a.table, names(reproduce::kTables)))
    selection.tasks.emplace_back(reproduce::kTasks[table == reproduce::kTables[0] ? 0 : 1]);
  selection.rows = reproduce::choose("--rows", a.rows, row_names());
  selection.datasets = reproduce::choose("--datasets", a.datasets, names(reproduce::kDatasets));
  selection.protocols = reproduce::choose("--protocols", a.protocols, {"clean", "paper"});
  for (const std::string& share : reproduce::choose("--observed", a.observed, names(reproduce::kObserved)))
    selection.observed.push_back(std::stoi(share));
  selection.seeds = a.seeds.value_or(a.options.scale == "small" ? 1 : 3);
  return selection;
}

// Options of the recipes that `lgode train` would refuse are refused before anything starts.
void check_recipes(const reproduce::Recipes& recipes, const std::string& scale,
                   const std::vector<reproduce::Cell>& cells, const std::string& where) {
  for (const reproduce::Cell& cell : cells) resolved_config(recipes.settings(scale, cell), where);
}

int rebuild(const Arguments& arguments) {
  const std::int64_t records = rebuild_tables(arguments.out);
  fmt::print("{}: from {}\n", (std::filesystem::path(arguments.out) / "tables.md").string(),
             format_plural(records, "record"));
  return kOk;
}

int report(const Arguments& arguments, const Reproduction::Outcome& outcome) {
  const std::string tables = (std::filesystem::path(arguments.out) / "tables.md").string();
  if (!arguments.options.quiet)
    fmt::print("{}: {} done, {} failed, {} skipped, {} left\n", tables, format_plural(outcome.done, "cell"),
               outcome.failed, outcome.skipped, outcome.left);
  if (outcome.left > 0) {
    fmt::print("resume with: {}\n", this_command());
    return kInterrupted;
  }
  if (outcome.failed > 0) {
    fmt::print(
        stderr,
        "lgode: error: {} failed; {} lists the reasons; the same command tries again, with --force from the start\n",
        format_plural(outcome.failed, "cell"), tables);
    return kFailed;
  }
  return kOk;
}

int run_reproduce(Arguments arguments) {
  if (arguments.tables_only) return rebuild(arguments);
  ReproduceOptions& options = arguments.options;
  options.out = arguments.out;
  const std::optional<Shard> shard = parse_shard(arguments.shard);
  std::vector<reproduce::Cell> cells = reproduce::plan(select(arguments));
  if (shard) cells = reproduce::shard_of(cells, shard->number, shard->count);
  if (!arguments.dry_run) before_reading(arguments.recipes);
  const std::string where = arguments.recipes.empty() ? "the built-in recipes" : arguments.recipes;
  const reproduce::Recipes recipes = arguments.recipes.empty()
                                         ? reproduce::Recipes::builtin()
                                         : reproduce::Recipes::parse(read_text(arguments.recipes), arguments.recipes);
  check_recipes(recipes, options.scale, cells, where);
  // A list of what would be done needs no device.
  const bool gpu = arguments.dry_run ? arguments.device == "cuda" : is_gpu(arguments.device);
  options.device = gpu ? "cuda" : "cpu";
  options.jobs = arguments.jobs.value_or(gpu ? kGpuJobs : 1);
  if (arguments.dry_run) {
    fmt::print("{}", Reproduction(options, recipes, cells).dry_run());
    return kOk;
  }
  const FileLock lock = lock_folder(options.out, "lock", !shard, "another lgode reproduce");
  std::optional<FileLock> own;
  if (shard)
    own = lock_folder(options.out, fmt::format("lock-{}-of-{}", shard->number, shard->count), true, "the same shard");
  Reproduction reproduction(options, recipes, cells);
  return report(arguments, reproduction.run(stop_on_interrupt("stopping; a second time ends it at once")));
}

void add_choices(Flags app, Arguments& a) {
  app.add_value("--table", a.table, "interpolation|extrapolation|all", "which of the two tables", "all");
  app.add_value("--rows", a.rows, "NAME,...|all", fmt::format("rows: {}", fmt::join(row_names(), ", ")), "lg-ode");
  app.add_value("--datasets", a.datasets, "NAME,...|all", "data sets: springs, charged, motion", "all");
  app.add_value("--observed", a.observed, "N,...|all", "observed shares in per cent: 40, 60, 80", "all");
  app.add_value("--protocols", a.protocols, "clean,paper|all",
                "clean: select on held-out training systems; paper: as the paper did, in a separate training", "clean");
  app.add_value("--scale", a.options.scale, "small|paper",
                "small: 4,000 systems and short trainings; paper: 20,000 systems, 60 epochs", "small")
      .one_of({"small", "paper"});
  app.add_value("--seeds", a.seeds, "N", "trainings of each cell, with seeds 1 to N",
                "1 at small scale, 3 at paper scale")
      .between(1, 1000);
}

}  // namespace

Command add_reproduce(Flags root) {
  auto arguments = std::make_shared<Arguments>();
  Arguments& a = *arguments;
  Flags app =
      root.add_command("reproduce", "make the paper's tables: data, trainings, and results compared with the paper's");
  app.add_value("--out", a.out, "FOLDER", "data, runs, records and tables; what exists is not made again").required();
  add_choices(app, a);
  app.add_value("--epochs", a.options.epochs, "N", "epochs of every training", "the recipe's").at_least(1);
  app.add_value("--systems", a.options.systems, "N", "simulated training systems, a quarter as many to test",
                "the recipe's")
      .at_least(4);
  app.add_value("--recipes", a.recipes, "FILE", "settings as in experiments/recipes.json", "built in");
  app.add_value("--motion", a.options.motion, "FOLDER", "recorded motion: 35.asf and its trials, see docs/motion.md",
                "none, and motion is skipped");
  app.add_value("--device", a.device, "auto|cpu|cuda", "where to train", "auto").one_of({"auto", "cpu", "cuda"});
  app.add_value("--jobs", a.jobs, "N", "trainings at once; they share the threads", "1 on a CPU, 6 on a GPU")
      .at_least(1);
  app.add_value(
      "--shard", a.shard, "I/N",
      "only every Nth cell, from cell I: several machines that share --out do one shard each; the tables have "
      "what is there");
  app.add_switch("--force", a.options.force,
                 "train cells again, from the start, that failed or were made with other settings");
  app.add_switch("--dry-run", a.dry_run, "list the cells and what would be done, and exit");
  app.add_switch("--tables-only", a.tables_only, "make the tables from the records in --out; train nothing");
  app.add_switch("--quiet", a.options.quiet, "print errors only");
  app.footer(
      examples({"lgode reproduce --out results --dry-run", "lgode reproduce --out results",
                "lgode reproduce --scale paper --rows all --observed 60 --seeds 1 --device cuda --out results/paper",
                "lgode reproduce --shard 2/4 --out /shared/results",
                "lgode reproduce --tables-only --out experiments/results"}) +
      "\n\nA cell that is done is not made again; one that was interrupted continues from its checkpoint; one that "
      "failed\n"
      "is tried again. Ctrl-C stops the trainings, which save their checkpoints; the same command continues. A failed\n"
      "cell does not stop the others; the exit code is then 1.");
  return {app, [arguments] { return run_reproduce(*arguments); }};
}

}  // namespace lgode::app
