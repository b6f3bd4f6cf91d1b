// lgode benchmark: other people's benchmarks, from their files to tables beside published figures. This file reads the
// command line; benchmark/benchmark_run.cpp does the work.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "benchmark/benchmark_run.h"
#include "command.h"
#include "lgode/benchmark/paths.h"
#include "lgode/core/error.h"
#include "lgode/core/options.h"
#include "lgode/train/config.h"
#include "lgode/use/format.h"
#include "text/flags.h"
#include "text/interrupt.h"
#include "text/work_folder.h"

namespace lgode::app {
namespace {

constexpr double kMinutes = 10;

struct Arguments {
  std::string name, data, out = "results", method, options;
  std::optional<double> minutes;
  std::int64_t seeds = 3, futures = 20;
  bool dry_run = false, tables_only = false;
  BenchmarkOptions work;
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool has_flag(const std::vector<std::string>& words, const std::string& flag) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word == flag || word.starts_with(flag + "="); });
}

// What lgode train would refuse is refused before anything starts.
void check_options(const std::vector<std::string>& words) {
  for (const char* flag : {"--task", "--observed", "--seed", "--out", "--data", "--device", "--threads", "--futures"})
    if (has_flag(words, flag))
      throw ConfigError(fmt::format("--options: {} is set by the benchmark or by a flag of its own", flag));
}

int report(const Arguments& arguments, const BenchmarkRun::Outcome& outcome) {
  const std::string tables = (arguments.work.out / "tables.md").string();
  if (!arguments.work.quiet)
    fmt::print("{}: {} done, {} failed, {} left\n", tables, use::format_plural(outcome.done, "job"), outcome.failed,
               outcome.left);
  if (outcome.left > 0) {
    fmt::print("resume with: {}\n", this_command());
    return kInterrupted;
  }
  if (outcome.failed > 0) {
    fmt::print(stderr,
               "lgode: error: {} failed; {} lists the reasons; the same command tries again, with --force from the "
               "start\n",
               use::format_plural(outcome.failed, "job"), tables);
    return kFailed;
  }
  return kOk;
}

int run_benchmark(Arguments arguments) {
  const benchmark::Protocol& protocol = benchmark::find_protocol(arguments.name);
  BenchmarkOptions& work = arguments.work;
  work.out = std::filesystem::path(arguments.out) / protocol.name;
  if (arguments.tables_only) {
    const std::int64_t records = write_benchmark_tables(protocol, work.out);
    fmt::print("{}: from {}\n", (work.out / "tables.md").string(), use::format_plural(records, "record"));
    return kOk;
  }
  if (arguments.data.empty()) throw ConfigError(fmt::format("--data is needed: the folder of {}", protocol.source));
  work.data = arguments.data;
  work.options = words_of(arguments.options);
  check_options(work.options);
  const bool own_length = has_flag(work.options, "--minutes") || has_flag(work.options, "--epochs");
  if (arguments.minutes || !own_length) work.minutes = arguments.minutes.value_or(kMinutes);
  work.futures = arguments.futures > 1 ? arguments.futures : 0;
  const std::vector<benchmark::Job> jobs =
      benchmark::plan(protocol, benchmark::select_rows(arguments.method, arguments.seeds, "--method"));
  if (arguments.dry_run) {
    fmt::print("{}", BenchmarkRun(work, protocol, jobs).dry_run());
    return kOk;
  }
  BenchmarkRun run(work, protocol, jobs);
  const FileLock lock = lock_folder(work.out, "lock", true, "another lgode benchmark");
  return report(arguments, run.run(stop_on_interrupt("stopping; a second time ends it at once")));
}

std::vector<std::string> method_words() {
  std::vector<std::string> words;
  for (const ClassicalMethod& method : benchmark::classical_rows()) words.emplace_back(method.word);
  return words;
}

std::vector<std::string> benchmark_names() {
  std::vector<std::string> names;
  for (const benchmark::Protocol& protocol : benchmark::protocols()) names.push_back(protocol.name);
  return names;
}

}  // namespace

Command add_benchmark(Flags root) {
  auto arguments = std::make_shared<Arguments>();
  Arguments& a = *arguments;
  Flags app = root.add_command("benchmark", "other people's benchmarks: trainings, scores and published figures");
  app.add_value("NAME", a.name, " ", fmt::format("{}", fmt::join(benchmark_names(), ", "))).required();
  app.add_value("--data", a.data, "FOLDER",
                "files of the benchmark; a missing one is named, and where it is to be had");
  app.add_value("--out", a.out, "FOLDER", "a folder NAME in it gets data, runs, records, tables and a page", "results");
  app.add_value("--method", a.method, "NAME,...|all",
                fmt::format("classical rows alone, in seconds: {}", fmt::join(method_words(), ", ")),
                "every row, and the model");
  app.add_value("--seeds", a.seeds, "N", "trainings of each column, with seeds 1 to N", "3").between(1, 1000);
  app.add_value("--minutes", a.minutes, "X", "limit of each training", "10, or what --options say").between(1e-3, 1e5);
  app.add_value("--futures", a.futures, "K",
                "futures of each person, for best of K, where models have them; 1: the one path only", "20")
      .between(1, 1000);
  app.add_value("--options", a.options, "WORDS", "further options of lgode train, in quotes", "none");
  app.add_value("--device", a.work.device, "auto|cpu|cuda", "where to train", "auto").one_of({"auto", "cpu", "cuda"});
  app.add_value("--jobs", a.work.jobs, "N", "trainings at once; they share the threads", "1").at_least(1);
  app.add_switch("--force", a.work.force, "make again, from the start, what failed or was made with other settings");
  app.add_switch("--dry-run", a.dry_run, "list the jobs and what they cost, and exit");
  app.add_switch("--tables-only", a.tables_only, "make tables and page from the records; train nothing");
  app.add_switch("--quiet", a.work.quiet, "print errors only");
  app.footer(examples({"lgode benchmark eth-ucy --data pedestrians --method all",
                       "lgode benchmark eth-ucy --data pedestrians --dry-run",
                       "lgode benchmark eth-ucy --data pedestrians --seeds 3 --out results",
                       "lgode benchmark nba-rebound --data rebound --minutes 20 --device cuda --jobs 3",
                       "lgode benchmark trajimpute --data pedestrians --options \"--model assimilate\"",
                       "lgode benchmark eth-ucy --tables-only --out results"}) +
             "\n\nA job that is done is not made again; one that was interrupted continues from its checkpoint; one "
             "that failed\nis tried again. docs/benchmarks.md says what is measured and how.");
  return {app, [arguments] { return run_benchmark(*arguments); }};
}

}  // namespace lgode::app
