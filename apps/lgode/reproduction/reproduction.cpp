// Starts the child processes and follows their progress. What each cell needs is found out in reproduction_survey.cpp,
// tables are written in reproduction_tables.cpp.
#include "reproduction/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/file_lock.h"
#include "lgode/core/json_text.h"
#include "lgode/core/parallel.h"
#include "lgode/core/process.h"
#include "lgode/reproduce/paper_tables.h"
#include "lgode/use/format.h"
#include "lgode/use/text_table.h"
#include "text/flag_text.h"

namespace lgode::app {
namespace {

using use::format_duration;
using use::format_error;
using use::Table;
namespace fs = std::filesystem;
using namespace reproduce;
using namespace std::chrono_literals;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr auto kLook = 200ms;

// Shards on other machines may need the same data set: the first one makes it, the others wait. Where there are no
// locks, nobody waits.
FileLock wait_for_lock(const fs::path& path, const StopFlag* stop) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  FileLock lock(path);
  while (lock.is_open() && lock.try_lock(FileLock::Kind::kAlone) == FileLock::Outcome::kHeld && !stop->requested())
    std::this_thread::sleep_for(kLook);
  return lock;
}

}  // namespace

std::vector<std::string> Reproduction::data_command(const std::string& dataset) const {
  const std::string out = data_path(dataset).string();
  if (dataset != "motion") {
    const Recipes::Size systems = size(dataset);
    return {kThisProgram,
            "simulate",
            dataset,
            "--train",
            std::to_string(systems.train),
            "--test",
            std::to_string(systems.test),
            "--seed",
            "1",
            "--out",
            out};
  }
  std::vector<std::string> command = {kThisProgram, "import", "cmu"};
  for (const std::string& word : motion_words(motion_)) command.push_back(word);
  command.insert(command.end(), {"--out", out});
  return command;
}

void Reproduction::make_data(const StopFlag* stop, Progress& progress) {
  JobPool pool(1);
  for (const std::string_view name : kDatasets) {
    const std::string dataset(name);
    const auto wants = [&](const Work& w) {
      return w.cell.dataset == dataset && w.step != Step::kDone && w.step != Step::kSkip;
    };
    if (!std::any_of(work_.begin(), work_.end(), wants)) continue;
    if (stop->requested()) return;
    const fs::path log = options_.out / "data" / (dataset + ".log");
    const FileLock lock = wait_for_lock(options_.out / "data" / (dataset + ".lock"), stop);
    if (stop->requested()) return;
    const auto fail_all = [&](const std::string& reason) {
      for (Work& work : work_)
        if (wants(work)) fail(work, reason, log, progress);
    };
    if (fs::exists(data_path(dataset))) {
      if (dataset == "motion" && !options_.motion.empty())
        progress.line(fmt::format("{} exists; --motion is ignored", data_path(dataset).string()));
      if (const std::string fault = data_fault(dataset); !fault.empty()) fail_all(fault);
      continue;
    }
    try {
      pool.start({dataset, {data_command(dataset)}, {}, log});
    } catch (const DataError& error) {
      fail_all(fmt::format("its data set could not be made: {}", with_flags(error.what())));
      continue;
    }
    std::vector<JobEnd> ended;
    while (ended.empty()) {
      std::this_thread::sleep_for(50ms);
      if (stop->requested()) pool.stop();
      progress.live(fmt::format("making {}", data_path(dataset).string()));
      ended = pool.collect();
    }
    if (ended[0].stopped) return;
    if (ended[0].code == 0) {
      progress.line(fmt::format("{} is made", data_path(dataset).string()));
      continue;
    }
    fail_all("its data set could not be made: " + failure_reason(ended[0].output, ended[0].code));
  }
}

Job Reproduction::job_of(const Work& work) const {
  const std::string run = run_path(work.cell).string();
  const std::string data = data_path(work.cell.dataset).string();
  const std::vector<std::string> machine = {
      "--device", options_.device, "--threads",
      std::to_string(std::max<std::int64_t>(1, hardware_threads() / options_.jobs))};
  // A launcher's variables are about this process: its children train alone.
  std::vector<std::string> train = {kThisProgram, "train", data, "--out", run, "--no-report", "--ranks", "off"};
  if (work.step == Step::kResume) {
    train.emplace_back("--resume");
  } else {
    if (work.step == Step::kAgain) train.emplace_back("--force");
    const std::vector<std::string> flags = setting_flags(work.settings);
    train.insert(train.end(), flags.begin(), flags.end());
  }
  train.insert(train.end(), machine.begin(), machine.end());
  std::vector<std::string> evaluate = {
      kThisProgram, "evaluate", run, "--data", data, "--record", record_path(work.cell).string(), "--force"};
  evaluate.insert(evaluate.end(), machine.begin(), machine.end());
  // The walls of its box are at 5; almost only test systems touch them.
  if (work.cell.dataset == "springs" && work.cell.task == "extrapolate")
    evaluate.insert(evaluate.end(), {"--within", "4.95"});
  // Waiting threads must not spin: they would take the cores from the other trainings.
  return {work.cell.name(), {train, evaluate}, {"OMP_WAIT_POLICY=passive"}, log_path(work.cell)};
}

void Reproduction::start(Work& work, JobPool& pool, Progress& progress) {
  // Remove the result of other settings first, so that an interruption cannot leave both.
  std::error_code ignored;
  if (work.step == Step::kAgain) fs::remove(record_path(work.cell), ignored);
  try {
    pool.start(job_of(work));
    work.progress.state = State::kRunning;
    work.begin = Clock::now();
  } catch (const DataError& error) {
    fail(work, with_flags(error.what()), log_path(work.cell), progress);
  }
}

void Reproduction::fail(Work& work, const std::string& reason, const fs::path& log, Progress& progress) {
  work.progress.state = State::kFailed;
  work.failed_before = reason;
  progress.line(fmt::format("{}: failed: {}; see {}", work.cell.name(), reason, log.string()));
  try {
    write_file(record_path(work.cell), Overwrite::kAllow,
               json_text(failed_record(work.cell, work.settings, reason, log), 1) + "\n");
  } catch (const DataError& error) {
    progress.line(fmt::format("lgode: error: {}", with_flags(error.what())));
  }
}

void Reproduction::finish(const JobEnd& end, Progress& progress) {
  Work& work = *std::find_if(work_.begin(), work_.end(), [&](const Work& w) { return w.cell.name() == end.name; });
  work.progress.seconds = end.seconds;
  if (end.stopped) {
    work.progress.state = State::kWaiting;
    return;
  }
  if (end.code != 0) {
    fail(work, failure_reason(end.output, end.code), log_path(work.cell), progress);
    return;
  }
  try {
    const Record record = read_record(record_path(work.cell));
    if (!(record.cell == work.cell)) throw DataError("the record of its run is of cell " + record.cell.name());
    work.progress.state = State::kDone;
    const auto paper = paper_error(work.cell.task, work.cell.dataset, work.cell.observed, work.cell.row);
    progress.line(fmt::format("{}: {} x 10^-2 on the test part{}, in {}; {}", work.cell.name(),
                              format_error(record.errors.mse),
                              paper ? fmt::format(" (in the paper {})", format_error(0.01 * *paper)) : "",
                              format_duration(end.seconds), count_text()));
  } catch (const DataError& error) {
    fail(work, with_flags(error.what()), log_path(work.cell), progress);
  }
}

std::string Reproduction::count_text() const {
  std::vector<CellProgress> cells;
  for (const Work& work : work_)
    if (work.step != Step::kSkip) cells.push_back(work.progress);
  const auto count = [&](State state) {
    return std::count_if(cells.begin(), cells.end(), [&](const CellProgress& c) { return c.state == state; });
  };
  // The most important first: a narrow terminal cuts the line.
  std::string text = fmt::format("{} of {} done", count(State::kDone), cells.size());
  for (const auto& [state, name] : {std::pair{State::kFailed, "failed"}, std::pair{State::kRunning, "running"},
                                    std::pair{State::kWaiting, "waiting"}})
    if (count(state) > 0) text += fmt::format(", {} {}", count(state), name);
  if (const auto seconds = seconds_left(cells, options_.jobs); seconds && *seconds > 0)
    text += fmt::format(", {} left", format_duration(*seconds));
  return text;
}

std::string Reproduction::state_text() const {
  std::string running;
  for (const Work& work : work_) {
    const CellProgress& p = work.progress;
    if (work.step == Step::kSkip || p.state != State::kRunning) continue;
    const Cell& cell = work.cell;
    running +=
        fmt::format("{}{}-{}-{} {} ", running.empty() ? ": " : ", ", cell.dataset, cell.observed, cell.task, cell.row);
    running += p.finished < p.epochs ? fmt::format("{}/{}", p.finished + 1, p.epochs) : "evaluation";
  }
  return count_text() + running;
}

// How far the running cells are.
void Reproduction::look_at_epochs(Clock::time_point now) {
  for (Work& work : work_) {
    if (work.progress.state != State::kRunning) continue;
    CellProgress& p = work.progress;
    const double seconds = std::chrono::duration<double>(now - work.begin).count();
    if (const std::int64_t finished = epochs_logged(run_path(work.cell)); finished != p.finished)
      p.finished = finished, p.seconds = seconds;
    p.since = seconds - p.seconds;
  }
}

void Reproduction::show(Progress& progress) {
  const Clock::time_point now = Clock::now();
  if (now - looked_ < 500ms) return;
  looked_ = now;
  look_at_epochs(now);
  // A log gets one line per minute.
  if (!progress.terminal() && now - shown_ < 60s) return;
  shown_ = now;
  progress.live(state_text());
}

Reproduction::Outcome Reproduction::outcome() const {
  Outcome result;
  for (const Work& work : work_) {
    if (work.step == Step::kSkip)
      ++result.skipped;
    else if (work.progress.state == State::kDone)
      ++result.done;
    else if (work.progress.state == State::kFailed)
      ++result.failed;
    else
      ++result.left;
  }
  return result;
}

Reproduction::Outcome Reproduction::run(const StopFlag* stop) {
  write_file(options_.out / "settings.json", Overwrite::kAllow, json_text(own_settings(), 1) + "\n");
  Progress progress(options_.quiet);
  shown_ = looked_ = Clock::now();
  for (const auto& [dataset, why] : skipped_) progress.line(fmt::format("skipped: {}: {}", dataset, why));
  make_data(stop, progress);
  std::vector<Work*> waiting;
  for (Work& work : work_) {
    if (work.step == Step::kSkip || work.progress.state != State::kWaiting) continue;
    if (work.refused.empty())
      waiting.push_back(&work);
    else
      fail(work, work.refused, log_path(work.cell), progress);
  }
  progress.line(state_text());
  write_tables();

  JobPool pool(options_.jobs);
  auto next = waiting.begin();
  bool stopping = false;
  const auto may_start = [&] { return !stopping && next != waiting.end(); };
  while (may_start() || !pool.empty()) {
    if (!stopping && stop->requested()) {
      stopping = true;
      pool.stop();
      if (!pool.empty()) progress.line("waiting for the trainings to save their checkpoints");
    }
    for (; may_start() && !pool.full(); ++next) start(**next, pool, progress);
    const std::vector<JobEnd> ended = pool.collect();
    for (const JobEnd& end : ended) finish(end, progress);
    if (!ended.empty()) {
      try {
        write_tables();
      } catch (const DataError&) {
        // For example a full disk. The trainings may still succeed; the tables are tried again at the end.
      }
    }
    show(progress);
    if (ended.empty()) std::this_thread::sleep_for(kLook);
  }
  write_tables();
  return outcome();
}

}  // namespace lgode::app
