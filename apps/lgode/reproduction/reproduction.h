// The work of lgode reproduce in one folder: data/ (data sets, made once), runs/ (one run folder per cell, with its
// log), records/ (one JSON file per cell), tables.md and tables.json. Complete parts are kept; child processes of this
// program make the rest.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/reproduce/estimate.h"
#include "lgode/reproduce/jobs.h"
#include "lgode/reproduce/plan.h"
#include "lgode/reproduce/record.h"
#include "text/progress.h"

namespace lgode::app {

struct ReproduceOptions {
  std::filesystem::path out;
  std::string scale = "small";
  std::optional<std::int64_t> epochs;   // instead of the recipe's
  std::optional<std::int64_t> systems;  // simulated training systems instead of the recipe's; a quarter as many to test
  std::string motion;                   // folder of the recorded motion; empty: its cells are skipped
  std::string device = "cpu";           // cpu or cuda
  std::int64_t jobs = 1;
  bool force = false;  // train again, from the start, what was made with other settings or failed
  bool quiet = false;
};

class Reproduction {
 public:
  // Examines the folder and writes nothing. ConfigError where the folder holds results of another scale or cells of
  // other settings, DataError where something in it cannot be read.
  Reproduction(ReproduceOptions options, reproduce::Recipes recipes, std::vector<reproduce::Cell> cells);

  // What would be done, one line per cell.
  std::string dry_run() const;
  // Does the work. On a stop request it waits for the children, which save checkpoints.
  struct Outcome {
    std::int64_t done = 0, failed = 0, skipped = 0, left = 0;
  };
  Outcome run(const StopFlag* stop);

 private:
  enum class Step { kDone, kTrain, kResume, kAgain, kSkip };
  struct Work {
    reproduce::Cell cell;
    nlohmann::json settings;
    Step step = Step::kTrain;
    std::string failed_before;
    std::string refused;  // why its run cannot be resumed; empty if it can
    reproduce::CellProgress progress;
    std::chrono::steady_clock::time_point begin;  // of the running job
  };

  std::filesystem::path record_path(const reproduce::Cell& cell) const;
  std::filesystem::path run_path(const reproduce::Cell& cell) const;
  std::filesystem::path log_path(const reproduce::Cell& cell) const;
  std::filesystem::path data_path(const std::string& dataset) const;
  nlohmann::json own_settings() const;
  void check_folder() const;
  void find_motion();
  Work look_at(const reproduce::Cell& cell) const;
  std::string look_at_record(Work& work) const;
  reproduce::Recipes::Size size(const std::string& dataset) const;

  std::vector<std::string> data_command(const std::string& dataset) const;
  std::string data_fault(const std::string& dataset) const;
  void make_data(const StopFlag* stop, Progress& progress);
  reproduce::Job job_of(const Work& work) const;
  void start(Work& work, reproduce::JobPool& pool, Progress& progress);
  void finish(const reproduce::JobEnd& end, Progress& progress);
  void fail(Work& work, const std::string& reason, const std::filesystem::path& log, Progress& progress);
  void look_at_epochs(std::chrono::steady_clock::time_point now);
  void show(Progress& progress);
  std::string count_text() const;
  std::string state_text() const;
  void write_tables() const;
  Outcome outcome() const;

  ReproduceOptions options_;
  reproduce::Recipes recipes_;
  std::vector<Work> work_;
  std::map<std::string, std::string> skipped_;  // data set -> why
  std::filesystem::path motion_;                // folder with all files of the paper's set
  std::chrono::steady_clock::time_point shown_, looked_;
};

// The whole config of a training with these settings. ConfigError, naming `where`, for what `lgode train` would refuse.
nlohmann::json resolved_config(const nlohmann::json& settings, const std::string& where);

// Epochs in the learning curve of a run; 0 where there is none yet.
std::int64_t epochs_logged(const std::filesystem::path& run);

// What the results of a folder share (its settings.json) as text: "small", "small with 20 simulated training systems".
std::string scale_text(const nlohmann::json& settings);

// Writes FOLDER/tables.json and FOLDER/tables.md from the records in FOLDER/records or, where there is no such folder,
// in FOLDER itself. Returns the number of records. DataError if there are none.
std::int64_t rebuild_tables(const std::filesystem::path& folder);

// The paper's motion data are walks of subject 35 of the CMU database, docs/motion.md.

// The first file that is missing in a folder; empty if none is.
std::string missing_motion_file(const std::filesystem::path& folder);

// Skeleton and trials as arguments of `lgode import cmu`.
std::vector<std::string> motion_words(const std::filesystem::path& folder);

}  // namespace lgode::app
