// The work of lgode benchmark in one folder: data/ (tables and data sets, made once), runs/ (one run folder per
// training, with its log), records/ (one JSON file per job), tables.md and index.html. Complete parts are kept.
// Classical rows are computed here; child processes of this program import, train and predict.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "benchmark/data_files.h"
#include "benchmark/scoring.h"
#include "lgode/benchmark/plan.h"
#include "lgode/benchmark/record.h"
#include "lgode/core/stop.h"
#include "lgode/reproduce/jobs.h"
#include "lgode/reproduce/record.h"
#include "text/progress.h"

namespace lgode::app {

struct BenchmarkOptions {
  std::filesystem::path data, out;
  std::vector<std::string> options;  // further words of lgode train
  std::optional<double> minutes;     // limit of each training; unset: `options` say it
  std::int64_t futures = 0;          // K of forecasts; 0: the one path only
  std::string device = "auto";
  std::int64_t jobs = 1;
  bool force = false;  // make again what failed or was made with other settings
  bool quiet = false;
};

class BenchmarkRun {
 public:
  // Examines the folders and writes nothing. DataError where a file of the benchmark is missing, ConfigError where the
  // folder holds trainings with other settings.
  BenchmarkRun(BenchmarkOptions options, const benchmark::Protocol& protocol, const std::vector<benchmark::Job>& jobs);

  // What would be done, one line per job, and what it costs.
  std::string dry_run() const;
  struct Outcome {
    std::int64_t done = 0, failed = 0, left = 0;
  };
  // Does the work. On a stop request it waits for the children, which save checkpoints.
  Outcome run(const StopFlag* stop);

 private:
  // kTrained: a run without a checkpoint to continue from, trained elsewhere.
  enum class Step { kDone, kNew, kResume, kTrained, kAgain };
  enum class State { kWaiting, kRunning, kDone, kFailed };
  struct Work {
    benchmark::Job job;
    Step step = Step::kNew;
    State state = State::kWaiting;
    std::string failed_before;
  };

  std::filesystem::path record_path(const benchmark::Job& job) const;
  std::filesystem::path run_path(const benchmark::Job& job) const;
  std::filesystem::path log_path(const benchmark::Job& job) const;
  std::filesystem::path forecast_path(const benchmark::Job& job) const;
  // The data set of a fold: all recordings, or what is shown of the test part.
  std::string data_name(const std::string& fold, benchmark::Task task, bool shown) const;
  std::filesystem::path data_path(const std::string& fold, benchmark::Task task, bool shown) const;
  nlohmann::json settings() const;
  bool trains() const;
  Work look_at(const benchmark::Job& job) const;

  const benchmark::Fold& fold_of(const benchmark::Job& job) const;
  const std::vector<benchmark::Track>& tracks(const std::string& fold);
  std::vector<Asked> asked(const benchmark::Job& job);
  const benchmark::Fitted& fitted(const std::string& fold);
  // Runs one command to its end; empty if it went well, else why it did not.
  std::string run_command(const std::vector<std::string>& command, const std::string& name, const StopFlag* stop,
                          Progress& progress);
  std::string make_set(const benchmark::Job& job, bool shown, const StopFlag* stop, Progress& progress);
  void classical(Work& work, const StopFlag* stop, Progress& progress);
  reproduce::Job commands_of(const Work& work) const;
  void train_all(const StopFlag* stop, Progress& progress);
  void prepare(Work& work, const StopFlag* stop, Progress& progress);
  void finish(Work& work, const reproduce::JobEnd& end, Progress& progress);
  void succeed(Work& work, benchmark::Record record, Progress& progress);
  void fail(Work& work, const std::string& reason, Progress& progress);
  std::string count_text() const;
  void show(Progress& progress);
  void write_report() const;

  BenchmarkOptions options_;
  const benchmark::Protocol& protocol_;
  std::vector<benchmark::Recording> recordings_;
  std::vector<Work> work_;
  bool tables_written_ = false;
  std::chrono::steady_clock::time_point shown_;
  std::map<std::string, std::vector<benchmark::Track>> tracks_;  // by fold
  std::map<std::string, benchmark::Fitted> fitted_;              // by fold
};

// Writes tables.md and index.html from the records in a folder. Returns the number of records. DataError if there are
// none.
std::int64_t write_benchmark_tables(const benchmark::Protocol& protocol, const std::filesystem::path& folder);

}  // namespace lgode::app
