// Runs the training of lgode train and prints its progress and result.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command.h"
#include "commands/report_page.h"
#include "commands/train_arguments.h"
#include "engine.h"
#include "engine/evaluation_report.h"
#include "engine/report.h"
#include "engine/train_display.h"
#include "lgode/core/clock.h"
#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/json_text.h"
#include "lgode/core/threads.h"
#include "lgode/data/dataset.h"
#include "lgode/eval/run_info.h"
#include "lgode/ops/device.h"
#include "lgode/report/run_record.h"
#include "lgode/train/ranks.h"
#include "lgode/train/run.h"
#include "lgode/train/run_folder.h"
#include "lgode/use/format.h"
#include "lgode/use/table_gaps.h"
#include "text/flag_text.h"
#include "text/interrupt.h"
#include "text/start_text.h"

namespace lgode::app {
namespace {

// The weights of a run before its first step, in words.
std::string start_of(const std::string& folder) {
  const std::string from = train::load_config(folder).train.from;
  return from.empty() ? "the classical start" : "the weights of " + from;
}

// "30 epochs", "1 h 00 min"
std::string limit_text(const train::TrainOptions& options) {
  const std::string epochs = options.epochs ? use::format_plural(*options.epochs, "epoch") : "";
  const std::string time = options.minutes ? use::format_duration(60.0 * *options.minutes) : "";
  return epochs.empty() || time.empty() ? epochs + time : epochs + " or " + time;
}

// Whether the best epoch is among the last fifth.
bool still_improving(const train::TrainResult& result) {
  return result.best_validation && result.best_epoch > 0 && 5 * (result.epochs - result.best_epoch) <= result.epochs;
}

// How a training ended by itself. It cannot be resumed; where its last epochs were still the best, a new run continues
// from its weights.
void report_plateau(const train::TrainResult& result, const train::TrainOptions& options, const std::string& run) {
  if (!still_improving(result)) {
    fmt::print(
        "the validation error no longer fell, and the learning rate had been lowered before: more time would not "
        "help\n");
    return;
  }
  const std::int64_t steps_per_epoch = result.steps / std::max<std::int64_t>(1, result.epochs);
  const std::int64_t waited = train::progress_of(run).plateau.patience(steps_per_epoch, options.patience);
  const std::filesystem::path clean = std::filesystem::path(run).lexically_normal();
  const std::string longer = (clean.has_filename() ? clean : clean.parent_path()).string() + "-longer";
  constexpr std::int64_t kLonger = 4;  // the first rate has twice the patience of the last one
  fmt::print(
      "the validation error was still falling, but by less than 1 % in {}, and the learning rate had been lowered "
      "before; to continue with more patience: lgode train --config {} --from {} --patience {} --out {}\n",
      use::format_plural(waited, "step"), use::format_word((std::filesystem::path(run) / "config.json").string()),
      use::format_word(run), kLonger * waited, use::format_word(longer));
}

// Why a training with `schedule` plateau ended, and how to continue. `run`: its folder.
void report_end(const train::TrainResult& result, const train::TrainOptions& options, const std::string& run) {
  if (result.end == train::End::kPlateau) report_plateau(result, options, run);
  if (result.end != train::End::kEpochs && result.end != train::End::kMinutes) return;
  const std::string folder = use::format_word(run);
  const bool time = result.end == train::End::kMinutes;
  const bool improving = still_improving(result);
  const std::string limit = time ? fmt::format("--minutes {}", use::format_number(*options.minutes))
                                 : fmt::format("--epochs {}", *options.epochs);
  const std::string more = time ? fmt::format("--minutes {}", use::format_number(3 * *options.minutes))
                                : fmt::format("--epochs {}", 3 * *options.epochs);
  fmt::print(
      "{}: {}\n", improving ? "still improving" : "not at its end",
      fmt::format("the limit {} ended the training{}; continue it as if it had been longer: lgode train --resume "
                  "{} --out {}",
                  limit,
                  result.best_validation ? fmt::format(", and the best of {} is epoch {}",
                                                       use::format_plural(result.epochs, "epoch"), result.best_epoch)
                                         : "",
                  more, folder));
}

struct Finished {
  train::TrainResult result;
  bool has_test = false;  // the data set has test systems
};

// The evaluation command that this run's data allows.
std::string evaluate_command(const std::string& folder, const Finished& finished) {
  const char* split = finished.has_test ? "" : finished.result.best_validation ? " --part validation" : " --part train";
  return fmt::format("lgode evaluate {}{}", folder, split);
}

int report(const TrainArguments& arguments, const Finished& finished, double seconds) {
  const train::TrainResult& result = finished.result;
  const std::string folder = use::format_word(arguments.out);
  if (!result.finished) {
    if (arguments.quiet) return kInterrupted;
    fmt::print("stopped after {}; a checkpoint is written\n", format_stop(result));
    fmt::print("resume with: lgode train --resume --out {}\n", folder);
    return kInterrupted;
  }
  if (arguments.quiet) return kOk;
  fmt::print("done: {}, {}, in {}\n", use::format_plural(result.epochs, "epoch"),
             use::format_plural(result.steps, "step"), use::format_duration(seconds));
  if (result.best_validation && result.best_epoch == 0)
    fmt::print("best validation error: {} x 10^-2 (step 0): training did not improve on {}\n",
               use::format_error(*result.best_validation), start_of(arguments.out));
  else if (result.best_validation)
    fmt::print("best validation error: {} x 10^-2 (epoch {})\n", use::format_error(*result.best_validation),
               result.best_epoch);
  report_end(result, train::load_config(arguments.out).train, arguments.out);
  if (result.kl) fmt::print("KL divergence: {:.4g} per latent coordinate in the last epoch\n", *result.kl);
  fmt::print("weights: {}\n", (std::filesystem::path(arguments.out) / "best.safetensors").string());
  fmt::print("next: {}\n", evaluate_command(folder, finished));
  return kOk;
}

// The page to look at, and what the run comes to. Whatever happens to them, the training is done.
void write_train_report(const TrainArguments& arguments, const std::string& data_path, const data::Dataset& dataset) {
  if (arguments.no_report && arguments.quiet) return;
  try {
    ReportArguments report;
    report.run = arguments.out;
    const train::Device device = train::load_config(arguments.out).train.device;
    report.device = device == train::Device::kCuda ? "cuda" : device == train::Device::kCpu ? "cpu" : "auto";
    report.threads = arguments.config.train.threads;
    report.quiet = arguments.quiet;
    const StopFlag* stop = stop_on_interrupt("stopping; the run is complete, only its report is not");
    if (!arguments.no_report) report::check_page_writable(report_path(report.run, {}), Overwrite::kRefuse);
    const use::EvaluatedRun run = arguments.no_report ? evaluate_shown(report, data_path, dataset, stop)
                                                      : write_report(report, data_path, dataset, stop);
    if (!arguments.quiet) fmt::print("{} part:{}", run.split, verdict_text(run));
  } catch (const Interrupted&) {
    fmt::print(stderr, "note: no report was written; lgode report {} writes it\n", use::format_word(arguments.out));
  } catch (const std::exception& error) {
    fmt::print(stderr, "warning: no report was written: {}\n", with_flags(error.what()));
  }
}

// The page of a run that ended early: how far it came, without predictions, so that it is there at once.
void write_early_report(const TrainArguments& arguments, const std::string& note) {
  if (arguments.no_report) return;
  try {
    const report::RunRecord record = report::read_run(arguments.out, /*ended=*/true);
    const std::filesystem::path path = report_path(arguments.out, {});
    report::check_page_writable(path, Overwrite::kRefuse);
    const report::WrittenPage page =
        report::write_record_page(record, path, record.has_weights ? note : "There are no weights yet.");
    if (!arguments.quiet) print_page(page);
  } catch (const std::exception& error) {
    fmt::print(stderr, "warning: no report was written: {}\n", with_flags(error.what()));
  }
}

std::string stopped_note(const TrainArguments& arguments) {
  return fmt::format("The run was stopped, so nothing was evaluated or predicted yet; lgode report {} does that.",
                     use::format_word(arguments.out));
}

// Remembers in the run folder why a training failed.
void note_failure(const TrainArguments& arguments, const std::string& message) {
  const std::filesystem::path folder = arguments.out;
  if (!std::filesystem::exists(folder / "config.json")) return;
  try {
    write_file(folder / report::kFailureFile, Overwrite::kAllow, message + "\n");
  } catch (const std::exception&) {
    return;  // the disk may be why
  }
  write_early_report(arguments, fmt::format("The last checkpoint is kept; lgode report {} shows its predictions.",
                                            use::format_word(arguments.out)));
}

// What a larger budget means for the learning rate.
void announce_longer(const train::TrainOptions& before, const train::TrainOptions& after) {
  if (after.epochs == before.epochs && after.minutes == before.minutes) return;
  if (after.schedule == train::RateSchedule::kPlateau) {
    fmt::print(stderr, "training until {}: as if the run had had this limit from its start\n", limit_text(after));
    return;
  }
  const std::int64_t epochs = after.epochs.value_or(train::kDefaultEpochs);
  const std::vector<train::Restart> restarts = train::restarts_of(after);
  const bool again = after.restarts != before.restarts;
  fmt::print(
      stderr, "training {} epochs instead of {}: the learning rate {}\n", epochs,
      before.epochs.value_or(train::kDefaultEpochs),
      !again ? fmt::format("stays {}", use::format_number(restarts.empty() ? after.lr : restarts.back().rate))
      : after.schedule == train::RateSchedule::kConstant
          ? fmt::format("of the added epochs is {}", use::format_number(restarts.back().rate))
          : fmt::format("starts again at {} with epoch {}, without warm-up, and falls to zero over the added ones",
                        use::format_number(restarts.back().rate), restarts.back().epoch + 1));
}

train::TrainResult train_or_resume(const TrainArguments& arguments, const data::Dataset& dataset,
                                   const train::TrainHooks& hooks, train::Ranks* ranks) {
  const train::TrainOptions& options = arguments.config.train;
  const bool quiet = arguments.quiet || (ranks != nullptr && ranks->rank() > 0);
  // Of a config file, or of a run that began elsewhere; the command prints the note about --threads itself.
  if (!quiet && !arguments.was_given("threads")) {
    const std::int64_t asked = (arguments.resume ? train::load_config(arguments.out).train : options).threads;
    if (const std::string note = threads_note(asked); !note.empty()) fmt::print(stderr, "note: {}\n", with_flags(note));
  }
  if (!arguments.resume)
    return train::train(use::settle_gaps(arguments.config, dataset, hooks.stop), dataset, arguments.out,
                        arguments.force ? Overwrite::kAllow : Overwrite::kRefuse, train::make_context(options, ranks),
                        hooks, ranks);
  train::TrainOptions began = train::load_config(arguments.out).train;
  if (!quiet && arguments.was_given("threads") && began.threads != options.threads)
    fmt::print(stderr,
               "note: the run started with another number of threads; its last bits may differ from an "
               "uninterrupted run\n");
  if (arguments.was_given("threads")) began.threads = options.threads;
  if (arguments.was_given("device")) began.device = options.device;
  const std::optional<train::RunConfig> longer = longer_config(arguments);
  if (longer && !quiet) announce_longer(train::load_config(arguments.out).train, longer->train);
  return train::resume(arguments.out, dataset, train::make_context(began, ranks), hooks, longer, ranks);
}

std::unique_ptr<train::Ranks> join_ranks(const TrainArguments& arguments, const train::RankPlace& place) {
  train::JoinOptions options;
  options.backend = arguments.backend;
  if (const char* seconds = std::getenv("LGODE_JOIN_SECONDS"); seconds != nullptr && std::atof(seconds) > 0)
    options.seconds = std::atof(seconds);
  if (arguments.config.train.device != train::Device::kCpu && ops::gpu_count() > 0)
    options.gpu = [](int local_rank) {
      return ops::gpu_id(at::Device(at::kCUDA, static_cast<at::DeviceIndex>(local_rank % ops::gpu_count())));
    };
  expect_signals_twice();
  return train::join(place, options);
}

// Threads that wait for a lost rank may be left.
[[noreturn]] void end_process(int code) {
  std::fflush(nullptr);
  ::_exit(code);
}

// What a lost rank means for the run.
std::string lost_text(const TrainArguments& arguments, const std::string& why) {
  const std::filesystem::path checkpoint = std::filesystem::path(arguments.out) / "checkpoint.safetensors";
  std::error_code ignored;
  if (!std::filesystem::exists(checkpoint, ignored)) return why + "; the run ended before its first checkpoint";
  return fmt::format(
      "{}; the run ended, with a checkpoint after {}; resume with any number of processes: lgode train "
      "--resume --out {}",
      why, use::format_plural(eval::load_run_info(checkpoint).step, "step"), use::format_word(arguments.out));
}

// Only the lowest rank that is left prints it.
[[noreturn]] void end_lost(const TrainArguments& arguments, const train::Ranks& ranks, const std::string& why,
                           bool begun) {
  if (ranks.writes() && begun) fmt::print(stderr, "lgode: error: {}\n", with_flags(lost_text(arguments, why)));
  end_process(kFailed);
}

// A rank other than 0: computes, and prints nothing unless it fails.
int follow_rank_0(const TrainArguments& arguments, const DataLoader& load, train::Ranks& ranks) {
  bool begun = false;
  try {
    train::TrainHooks hooks;
    hooks.stop = stop_on_interrupt("stopping");
    hooks.on_begin = [&] { begun = true; };
    hooks.on_overdue = [](const std::optional<train::TrainResult>&) { end_process(kInterrupted); };
    hooks.on_lost = [&](const std::string& why) { end_lost(arguments, ranks, why, begun); };
    hooks.stop_after = arguments.stop_after;
    const nlohmann::json facts = parse_json(ranks.broadcast(std::string()));
    const data::Dataset dataset =
        load(data::Dataset::Facts{facts.at(0).get<bool>(), facts.at(1).get<bool>(), facts.at(2).get<std::int64_t>(),
                                  facts.at(3).get<std::string>(), facts.at(4).get<std::vector<std::uint8_t>>()});
    return train_or_resume(arguments, dataset, hooks, &ranks).finished ? kOk : kInterrupted;
  } catch (const train::RankLostError& error) {
    end_lost(arguments, ranks, error.what(), begun);
  } catch (const DivergedError&) {  // on all ranks; rank 0 prints it
    return kNoProgress;
  } catch (const Interrupted&) {
    return kInterrupted;
  } catch (const std::exception& error) {
    fmt::print(stderr, "lgode: error: {}: {}\n", ranks.name(ranks.rank()), with_flags(error.what()));
    ranks.fail(with_flags(error.what()));
    end_process(dynamic_cast<const ConfigError*>(&error) != nullptr ? kUsage : kFailed);
  }
}

// Sends the other ranks what reading the whole file finds out.
data::Dataset share_facts(const data::Dataset& dataset, train::Ranks& ranks) {
  const data::Dataset::Facts facts = dataset.facts();
  ranks.broadcast(json_text(
      nlohmann::json{facts.has_missing, facts.train_has_missing, facts.empty_rows, facts.fingerprint, facts.constant}));
  return dataset.with(facts);
}

// What is shown while the training runs. Both outlive the result.
train::TrainHooks shown_hooks(const TrainArguments& arguments, TrainDisplay& display) {
  train::TrainHooks hooks;
  if (!arguments.quiet) hooks.on_trial = [&](const train::Trial& t) { display.trial(t); };
  hooks.on_centre = [&](const train::CentreChoice& c) { display.centre(c); };
  hooks.on_place = [&](const train::PlaceChoice& c) { display.place(c); };
  if (!arguments.quiet) hooks.on_start = [&](const train::StartReport& r) { display.begin(r); };
  hooks.on_initial = [&](double error) { display.initial(error, start_of(arguments.out)); };
  hooks.on_step = [&](const train::StepReport& r) { display.step(r); };
  hooks.on_epoch = [&](const train::EpochReport& r) { display.epoch(r); };
  hooks.on_warning = [](const std::string& text) { fmt::print(stderr, "warning: {}\n", with_flags(text)); };
  return hooks;
}

// The training does not react to a stop request in time; its state is saved.
[[noreturn]] void end_now(const TrainArguments& arguments, const std::optional<train::TrainResult>& result,
                          Finished finished, double seconds) {
  int code = kInterrupted;
  if (result) {
    finished.result = *result;
    code = report(arguments, finished, seconds);
    write_early_report(arguments, stopped_note(arguments));
  } else {
    fmt::print(stderr, "lgode: interrupted, nothing was written\n");
  }
  std::fflush(nullptr);
  ::_exit(code);  // other threads are in the middle of their work
}

void announce(TrainDisplay& display, const TrainArguments& arguments, const std::string& path,
              const train::Ranks* ranks) {
  const std::string& from = arguments.config.train.from;
  display.announce(fmt::format("training on {}{}, run folder {}, errors are x 10^-2", path,
                               ranks == nullptr ? ""
                                                : fmt::format(" with {} process{}, gradients by {}", ranks->size(),
                                                              ranks->size() == 1 ? "" : "es", ranks->backend()),
                               arguments.out));
  if (!from.empty()) display.note(fmt::format("weights, scales and clock of {}", from));
}

// Trains, and keeps in the run folder why that failed. `begun`: the run folder is this training's own.
train::TrainResult train_noting_failures(const TrainArguments& arguments, const data::Dataset& dataset,
                                         const train::TrainHooks& hooks, train::Ranks* ranks, const bool& begun) {
  try {
    return train_or_resume(arguments, dataset, hooks, ranks);
  } catch (const train::RankLostError& error) {
    if (begun) note_failure(arguments, error.what());
    end_lost(arguments, *ranks, error.what(), begun);
  } catch (const DivergedError& error) {
    const bool kept = std::filesystem::exists(std::filesystem::path(arguments.out) / "checkpoint.safetensors");
    note_failure(arguments, error.what());
    throw DivergedError(fmt::format("{}; {}try a smaller --lr, or a larger --sigma if it is small", error.what(),
                                    kept ? "the last checkpoint is kept; " : ""));
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    if (begun) note_failure(arguments, error.what());
    if (ranks != nullptr) ranks->fail(with_flags(error.what()));
    throw;
  }
}

// Trains alone or as rank 0, and shows it.
train::TrainResult train_shown(const TrainArguments& arguments, const std::string& path, const data::Dataset& dataset,
                               train::Ranks* ranks,
                               const std::function<void(const std::optional<train::TrainResult>&)>& end_overdue) {
  TrainDisplay display(arguments.quiet);
  announce(display, arguments, path, ranks);
  bool begun = false;
  train::TrainHooks hooks = shown_hooks(arguments, display);
  hooks.stop = stop_on_interrupt(arguments.resume ? "stopping" : "stopping; nothing was written");
  hooks.on_begin = [&] {
    set_stop_message("stopping; a checkpoint will be written");
    begun = true;
    std::error_code ignored;
    std::filesystem::remove(std::filesystem::path(arguments.out) / report::kFailureFile, ignored);
  };
  hooks.on_overdue = end_overdue;
  hooks.stop_after = arguments.stop_after;
  hooks.on_lost = [&](const std::string& why) {
    note_failure(arguments, why);
    end_lost(arguments, *ranks, why, begun);
  };
  return train_noting_failures(arguments, dataset, hooks, ranks, begun);
}

}  // namespace

int run_training(const TrainArguments& arguments, const std::string& path, const DataLoader& load) {
  const auto begin = std::chrono::steady_clock::now();
  std::unique_ptr<train::Ranks> ranks;
  if (const std::optional<train::RankPlace> place = train::find_place(arguments.ranks))
    ranks = join_ranks(arguments, *place);
  if (ranks != nullptr && ranks->rank() > 0) return follow_rank_0(arguments, load, *ranks);
  data::Dataset dataset = load({});
  if (ranks != nullptr) dataset = share_facts(dataset, *ranks);
  Finished finished;
  finished.has_test = !dataset.systems_in(data::Part::kTest).empty();
  finished.result =
      train_shown(arguments, path, dataset, ranks.get(), [&](const std::optional<train::TrainResult>& result) {
        end_now(arguments, result, finished, seconds_since(begin));
      });
  const int code = report(arguments, finished, seconds_since(begin));
  if (finished.result.finished)
    write_train_report(arguments, path, dataset);
  else
    write_early_report(arguments, stopped_note(arguments));
  return code;
}

}  // namespace lgode::app
