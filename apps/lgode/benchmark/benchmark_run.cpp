// Makes data sets, classical rows and trainings, and scores what is predicted.
#include "benchmark/benchmark_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>
#include <utility>

#include "lgode/benchmark/tables.h"
#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/json_text.h"
#include "lgode/core/options.h"
#include "lgode/core/parallel.h"
#include "lgode/eval/run_info.h"
#include "lgode/use/format.h"
#include "lgode/use/text_table.h"
#include "lgode/version.h"
#include "text/flag_text.h"

namespace lgode::app {
namespace {

namespace fs = std::filesystem;
using namespace benchmark;
using namespace std::chrono_literals;
using nlohmann::json;
using reproduce::JobEnd;
using reproduce::JobPool;

constexpr auto kLook = 100ms;
constexpr double kObservedWhereHidden = 0.5;  // in training; the tests show 1 to 8 of 8 frames

const ClassicalMethod& method_of(const std::string& word) {
  return *std::find_if(classical_rows().begin(), classical_rows().end(),
                       [&](const ClassicalMethod& method) { return method.word == word; });
}

// What a run says about its training: the last line of its learning curve, and all seconds of it.
void add_curve(const fs::path& run, nlohmann::ordered_json& made) {
  double seconds = 0;
  std::istringstream lines(read_text(run / "metrics.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const json entry = parse_json(line);
    if (!entry.is_object() || !entry.contains("seconds")) continue;
    seconds += entry["seconds"].get<double>();
    made["epochs"] = entry.value("epoch", json());
    made["steps"] = entry.value("steps", json());
  }
  made["seconds"] = seconds;
}

std::string figures_text(const Record& record) {
  std::string text;
  for (const auto& [group, score] : record.scores) {
    text += text.empty() ? "" : ", ";
    if (score.values > 0)
      text += fmt::format("{} MAE {:.3f}", group, score.mae);
    else
      text += fmt::format("{} {:.3f}/{:.3f}", group, score.ade, score.fde);
    if (score.best) text += fmt::format(", best of {} {:.3f}/{:.3f}", score.futures, score.best->ade, score.best->fde);
  }
  return text;
}

}  // namespace

BenchmarkRun::BenchmarkRun(BenchmarkOptions options, const Protocol& protocol, const std::vector<benchmark::Job>& jobs)
    : options_(std::move(options)), protocol_(protocol) {
  recordings_ = find_recordings(protocol_, options_.data);
  for (const benchmark::Job& job : jobs) work_.push_back(look_at(job));
  const fs::path path = options_.out / "settings.json";
  if (!trains() || options_.force || !fs::exists(path)) return;
  const json there = read_json_file(path.string());
  if (there != settings())
    throw ConfigError(fmt::format(
        "{} holds trainings with other settings: {}, asked for are {}; choose another --out, or pass --force to train "
        "them again",
        options_.out.string(), json_text(there), json_text(settings())));
}

fs::path BenchmarkRun::record_path(const benchmark::Job& job) const {
  return options_.out / "records" / (job.name() + ".json");
}
fs::path BenchmarkRun::run_path(const benchmark::Job& job) const { return options_.out / "runs" / job.name(); }
fs::path BenchmarkRun::log_path(const benchmark::Job& job) const {
  return job.trains() ? run_path(job) / "log.txt" : options_.out / "data" / "log.txt";
}
fs::path BenchmarkRun::forecast_path(const benchmark::Job& job) const { return run_path(job) / "forecast.csv"; }

std::string BenchmarkRun::data_name(const std::string& fold, Task task, bool shown) const {
  return fold + (task == Task::kImpute ? "-impute" : "") + (shown ? "-shown" : "");
}
fs::path BenchmarkRun::data_path(const std::string& fold, Task task, bool shown) const {
  return options_.out / "data" / (data_name(fold, task, shown) + ".safetensors");
}

json BenchmarkRun::settings() const {
  return {{"options", fmt::format("{}", fmt::join(options_.options, " "))},
          {"minutes", options_.minutes ? json(*options_.minutes) : json(nullptr)},
          {"futures", options_.futures}};
}

bool BenchmarkRun::trains() const {
  return std::any_of(work_.begin(), work_.end(), [](const Work& w) { return w.job.trains(); });
}

BenchmarkRun::Work BenchmarkRun::look_at(const benchmark::Job& job) const {
  Work work;
  work.job = job;
  if (fs::exists(record_path(job))) {
    try {
      const Record record = read_record(record_path(job));
      work.failed_before = record.failed;
      // Classical rows take seconds, and settings do not concern them.
      const bool same = !job.trains() || (record.made.value("settings", json()) == settings());
      if (record.failed.empty() && record.job == job && (same || !options_.force))
        work.step = Step::kDone, work.state = State::kDone;
    } catch (const DataError& error) {
      work.failed_before = error.what();
    }
  }
  if (work.step == Step::kDone || !job.trains() || !fs::exists(run_path(job) / "config.json")) return work;
  const fs::path run = run_path(job);
  const bool trained = fs::exists(run / "best.safetensors") && !fs::exists(run / "checkpoint.safetensors");
  work.step = options_.force ? Step::kAgain : trained ? Step::kTrained : Step::kResume;
  return work;
}

std::string BenchmarkRun::dry_run() const {
  use::Table table({"job", "what"});
  std::vector<benchmark::Job> left;
  for (const Work& work : work_) {
    std::string what = work.job.trains() ? "train" : "compute";
    if (work.step == Step::kDone) what = "done";
    if (work.step == Step::kResume) what = "continue the training, and forecast";
    if (work.step == Step::kTrained) what = "forecast with the weights that are there";
    if (work.step == Step::kAgain) what = "train again";
    if (!work.failed_before.empty()) what += " (failed before)";
    table.add({work.job.name(), what});
    if (work.step != Step::kDone) left.push_back(work.job);
  }
  return table.left().text() + cost_text(left, options_.minutes, options_.jobs);
}

const Fold& BenchmarkRun::fold_of(const benchmark::Job& job) const {
  return *std::find_if(protocol_.folds.begin(), protocol_.folds.end(),
                       [&](const Fold& fold) { return fold.name == job.fold; });
}

const std::vector<Track>& BenchmarkRun::tracks(const std::string& fold) {
  const auto known = tracks_.find(fold);
  if (known != tracks_.end()) return known->second;
  std::vector<Track> tracks;
  for (const Recording& recording : recordings_) {
    if (!holds_out(fold_of({.fold = fold}), recording)) continue;
    const std::vector<Track> more = read_tracks(protocol_, recording);
    tracks.insert(tracks.end(), more.begin(), more.end());
  }
  if (tracks.empty())
    throw DataError(
        fmt::format("{}: no person of {} is there in {} frames in a row", options_.data.string(), fold, kFrames));
  return tracks_.emplace(fold, std::move(tracks)).first->second;
}

std::vector<Asked> BenchmarkRun::asked(const benchmark::Job& job) {
  return asked_of(protocol_, tracks(job.fold), data_name(job.fold, job.task, true));
}

const Fitted& BenchmarkRun::fitted(const std::string& fold) {
  const auto known = fitted_.find(fold);
  if (known != fitted_.end()) return known->second;
  return fitted_.emplace(fold, fit_on(data::load_dataset(data_path(fold, Task::kForecast, false)))).first->second;
}

std::string BenchmarkRun::run_command(const std::vector<std::string>& command, const std::string& name,
                                      const StopFlag* stop, Progress& progress) {
  JobPool pool(1);
  pool.start({name, {command}, {}, options_.out / "data" / "log.txt"});
  std::vector<JobEnd> ended;
  while (ended.empty()) {
    std::this_thread::sleep_for(50ms);
    if (stop->requested()) pool.stop();
    progress.live("making " + name);
    ended = pool.collect();
  }
  if (ended[0].stopped) throw Interrupted();
  return ended[0].code == 0 ? std::string() : reproduce::failure_reason(ended[0].output, ended[0].code);
}

// A data set of the job's fold, if it does not exist; why it could not be made.
std::string BenchmarkRun::make_set(const benchmark::Job& job, bool shown, const StopFlag* stop, Progress& progress) {
  const fs::path out = data_path(job.fold, job.task, shown), tables = options_.out / "data" / "tables";
  if (fs::exists(out)) return {};
  if (!shown && !std::exchange(tables_written_, true)) write_tables(recordings_, tables);
  std::vector<std::string> command;
  if (shown) {
    const fs::path table = fs::path(out).replace_extension(".txt");
    write_shown(asked(job), job.task == Task::kImpute ? kSeen : kFrames, table);
    command = import_shown(protocol_, job.task, table, out);
  } else {
    command = import_tables(protocol_, fold_of(job), job.task, tables, out);
  }
  const std::string reason = run_command(command, out.string(), stop, progress);
  return reason.empty() ? reason : "its data set could not be made: " + reason;
}

void BenchmarkRun::classical(Work& work, const StopFlag* stop, Progress& progress) {
  const std::vector<Asked> all = asked(work.job);
  Record record{protocol_.name, work.job, {}, {}};
  if (work.job.row == kLineRow) {
    record.scores = score_line(protocol_, all);
  } else {
    const ClassicalMethod& method = method_of(work.job.row);
    if (method.fitted) {
      if (const std::string reason = make_set(work.job, false, stop, progress); !reason.empty()) {
        fail(work, reason, progress);
        return;
      }
    }
    record.scores = score_classical(protocol_, all, method.kind, method.fitted ? fitted(work.job.fold) : Fitted{});
  }
  record.made = {{"commit", LGODE_COMMIT}, {"version", LGODE_VERSION}};
  succeed(work, std::move(record), progress);
}

reproduce::Job BenchmarkRun::commands_of(const Work& work) const {
  const benchmark::Job& job = work.job;
  const std::string run = run_path(job).string(), data = data_path(job.fold, job.task, false).string();
  const std::vector<std::string> machine = {
      "--device", options_.device, "--threads",
      std::to_string(std::max<std::int64_t>(1, hardware_threads() / options_.jobs))};
  // A launcher's variables are about this process: its children train alone.
  std::vector<std::string> train = {kThisProgram, "train", data, "--out", run, "--no-report", "--ranks", "off"};
  if (work.step == Step::kResume) {
    train.emplace_back("--resume");
  } else {
    if (work.step == Step::kAgain) train.emplace_back("--force");
    const bool forecast = job.task == Task::kForecast;
    train.insert(train.end(), {"--task", forecast ? "extrapolate" : "interpolate", "--observed",
                               protocol_.hides() ? fmt::format("{}", kObservedWhereHidden) : "1", "--seed",
                               std::to_string(job.seed)});
    if (options_.minutes) train.insert(train.end(), {"--minutes", fmt::format("{}", *options_.minutes)});
    if (forecast && options_.futures > 1) train.insert(train.end(), {"--futures", std::to_string(options_.futures)});
    train.insert(train.end(), options_.options.begin(), options_.options.end());
  }
  train.insert(train.end(), machine.begin(), machine.end());
  std::vector<std::string> forecast =
      predict(protocol_, job.task, run_path(job), data_path(job.fold, job.task, protocol_.hides()), forecast_path(job));
  if (job.task == Task::kForecast && options_.futures > 1)
    forecast.insert(forecast.end(), {"--futures", std::to_string(options_.futures)});
  forecast.insert(forecast.end(), machine.begin(), machine.end());
  std::vector<std::vector<std::string>> commands = {std::move(train), std::move(forecast)};
  if (work.step == Step::kTrained) commands.erase(commands.begin());
  // Waiting threads must not spin: they would take the cores from the other trainings.
  return {job.name(), std::move(commands), {"OMP_WAIT_POLICY=passive"}, log_path(job)};
}

void BenchmarkRun::prepare(Work& work, const StopFlag* stop, Progress& progress) {
  for (const bool shown : {false, true}) {
    if ((shown && !protocol_.hides()) || work.state == State::kFailed) continue;
    if (const std::string reason = make_set(work.job, shown, stop, progress); !reason.empty())
      fail(work, reason, progress);
  }
}

void BenchmarkRun::finish(Work& work, const JobEnd& end, Progress& progress) {
  if (end.stopped) {
    work.state = State::kWaiting;
    return;
  }
  if (end.code != 0) {
    fail(work, reproduce::failure_reason(end.output, end.code), progress);
    return;
  }
  try {
    const benchmark::Job& job = work.job;
    const std::vector<Asked> all = asked(job);
    std::vector<PredictionKey> keys;
    keys.reserve(all.size());
    for (const Asked& one : all) keys.push_back(one.key);
    const std::int64_t futures = job.task == Task::kForecast && options_.futures > 1 ? options_.futures : 0;
    Record record{protocol_.name, job, {}, {}};
    record.scores =
        score_predictions(protocol_, job.task, all,
                          read_predictions(forecast_path(job), keys, frame_times(protocol_, job.task), futures));
    const eval::RunInfo info = eval::load_run_info(run_path(job));
    record.made = {{"commit", info.commit},
                   {"version", info.version},
                   {"machine", info.machine},
                   {"settings", settings()},
                   {"config", info.config}};
    add_curve(run_path(job), record.made);
    std::error_code ignored;
    fs::remove(forecast_path(job), ignored);
    succeed(work, std::move(record), progress);
  } catch (const Error& error) {
    fail(work, with_flags(error.what()), progress);
  }
}

void BenchmarkRun::succeed(Work& work, Record record, Progress& progress) {
  write_record(record_path(work.job), record);
  work.state = State::kDone;
  progress.line(fmt::format("{}: {}; {}", work.job.name(), figures_text(record), count_text()));
}

void BenchmarkRun::fail(Work& work, const std::string& reason, Progress& progress) {
  work.state = State::kFailed;
  work.failed_before = reason;
  progress.line(fmt::format("{}: failed: {}; see {}", work.job.name(), reason, log_path(work.job).string()));
  Record record{protocol_.name, work.job, reason, {}};
  record.made = {{"log", log_path(work.job).string()}, {"settings", settings()}};
  write_record(record_path(work.job), record);
}

std::string BenchmarkRun::count_text() const {
  const auto count = [&](State state) {
    return std::count_if(work_.begin(), work_.end(), [&](const Work& w) { return w.state == state; });
  };
  std::string text = fmt::format("{} of {} done", count(State::kDone), work_.size());
  for (const auto& [state, name] : {std::pair{State::kFailed, "failed"}, std::pair{State::kRunning, "running"}})
    if (count(state) > 0) text += fmt::format(", {} {}", count(state), name);
  return text;
}

void BenchmarkRun::show(Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  // A log gets one line per minute.
  if (!progress.terminal() && now - shown_ < 60s) return;
  shown_ = now;
  progress.live(count_text());
}

void BenchmarkRun::train_all(const StopFlag* stop, Progress& progress) {
  JobPool pool(options_.jobs);
  auto next = work_.begin();
  const auto waits = [](const Work& w) { return w.job.trains() && w.state == State::kWaiting; };
  bool stopping = false;
  while (!pool.empty() || (!stopping && std::any_of(next, work_.end(), waits))) {
    if (!stopping && stop->requested()) {
      stopping = true;
      pool.stop();
      if (!pool.empty()) progress.line("waiting for the trainings to save their checkpoints");
    }
    for (; !stopping && !pool.full() && next != work_.end(); ++next) {
      if (!waits(*next)) continue;
      pool.start(commands_of(*next));
      next->state = State::kRunning;
    }
    const std::vector<JobEnd> ended = pool.collect();
    for (const JobEnd& end : ended)
      finish(*std::find_if(work_.begin(), work_.end(), [&](const Work& w) { return w.job.name() == end.name; }), end,
             progress);
    if (!ended.empty()) write_report();
    show(progress);
    if (ended.empty()) std::this_thread::sleep_for(kLook);
  }
}

BenchmarkRun::Outcome BenchmarkRun::run(const StopFlag* stop) {
  Progress progress(options_.quiet);
  shown_ = std::chrono::steady_clock::now();
  if (trains()) write_file(options_.out / "settings.json", Overwrite::kAllow, json_text(settings(), 1) + "\n");
  try {
    for (Work& work : work_) {
      if (stop->requested()) throw Interrupted();
      if (work.state != State::kWaiting) continue;
      if (!work.job.trains())
        classical(work, stop, progress);
      else
        prepare(work, stop, progress);
    }
    write_report();
    train_all(stop, progress);
  } catch (const Interrupted&) {
    // What is left is counted.
  }
  write_report();
  Outcome outcome;
  for (const Work& work : work_)
    ++(work.state == State::kDone ? outcome.done : work.state == State::kFailed ? outcome.failed : outcome.left);
  return outcome;
}

void BenchmarkRun::write_report() const {
  if (fs::exists(options_.out / "records")) write_benchmark_tables(protocol_, options_.out);
}

std::int64_t write_benchmark_tables(const Protocol& protocol, const fs::path& folder) {
  std::vector<std::string> notes;
  const std::vector<Record> records = read_records(folder / "records", notes);
  if (records.empty())
    throw DataError(fmt::format("{}: holds no result records of lgode benchmark", (folder / "records").string()));
  const Report report = make_report(protocol, records, notes);
  write_file(folder / "tables.md", Overwrite::kAllow, markdown(report));
  write_file(folder / "index.html", Overwrite::kAllow, page(report));
  return static_cast<std::int64_t>(records.size());
}

}  // namespace lgode::app
