// Runs a training and writes its config, checkpoints, best weights and metrics into a folder.
#include "lgode/train/run.h"

#include <fmt/format.h>
#include <sched.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/core/options.h"
#include "lgode/core/parallel.h"
#include "lgode/eval/calibrate.h"
#include "lgode/ops/device.h"
#include "lgode/train/centre.h"
#include "lgode/train/ranks.h"
#include "lgode/train/run_folder.h"
#include "lgode/train/run_lock.h"
#include "lgode/train/scenes.h"
#include "lgode/train/trainer.h"

namespace lgode::train {
namespace {

// Ranks first try to stop after the same step, and rank 0 saves before the others end.
constexpr double kRankPatience = 6, kOtherRankPatience = 8;

// The current weights (with `schedule` plateau their average) as the best ones.
void write_best(const std::filesystem::path& folder, Trainer& trainer) {
  eval::save_checkpoint(folder / kBestFile, trainer.info(), trainer.selectable());
}

void write_run(const std::filesystem::path& folder, const eval::Run& run) {
  eval::save_checkpoint(folder / kBestFile, run.info, run.model->parameters());
}

// Saves in this order: best weights, line of metrics, checkpoint. Whatever a checkpoint refers to is on the disk before
// it. What a killed run has written beyond its checkpoint is computed again, to the same bits. Only the rank that
// writes does so.
class FolderKeeper : public Keeper {
 public:
  // `sound`: the folder's checkpoint, if there is one, is in order, so that it may become the older generation.
  FolderKeeper(std::filesystem::path folder, std::int64_t seconds, bool sound, const Ranks* ranks)
      : folder_(std::move(folder)), seconds_(seconds), sound_(sound), ranks_(ranks) {}

  void start(Trainer& trainer) override {
    if (!leads()) return;
    const Progress& at = trainer.progress();
    metrics_.emplace(folder_ / "metrics.jsonl", at.step == 0 && !at.selection.best ? -1 : at.epoch);
    trainer.set_spent(metrics_->seconds(), metrics_->last_epoch());
    saved_ = Clock::now();
    // While GPUs wait for a lost rank, nothing can be saved: so there is a checkpoint from the beginning.
    if (ranks_ != nullptr && ranks_->on_device() && at.step == 0) save(trainer);
    if (trainer.config().train.epochs.value_or(1) > 0) return;
    save(trainer);  // nothing to train: the initial weights are the result
    save_best(trainer);
  }
  void initial(Trainer& trainer, double error) override {
    if (!leads()) return;
    save_best(trainer);
    metrics_->append_initial(error);
    save(trainer);
  }
  void step(Trainer& trainer) override {
    if (leads() && seconds_ > 0 && Clock::now() - saved_ > std::chrono::seconds(seconds_)) save(trainer);
  }
  void epoch(Trainer& trainer, const EpochReport& report) override {
    if (!leads()) return;
    if (report.best) save_best(trainer);
    metrics_->append(report);
    save(trainer);
  }
  void stop(Trainer& trainer) override {
    if (leads() || (ranks_->writes() && continues_checkpoint(trainer))) save(trainer);
  }
  void lost(Trainer& trainer) override { stop(trainer); }

 private:
  using Clock = std::chrono::steady_clock;

  bool leads() const { return ranks_ == nullptr || ranks_->rank() == 0; }
  // For a rank that takes the place of a lost rank 0: whether that one recorded every epoch that has ended. If not, its
  // last checkpoint counts, and the epoch is computed again.
  bool continues_checkpoint(Trainer& trainer) const {
    const std::filesystem::path path = find_checkpoint(folder_).path;
    return !path.empty() && eval::load_run_info(path).epoch == trainer.progress().epoch;
  }

  void save(Trainer& trainer) {
    trainer.save(folder_ / kCheckpointFile, std::exchange(sound_, true) ? folder_ / kPreviousFile : "");
    saved_ = Clock::now();
  }

  // The current weights.
  void save_best(Trainer& trainer) { write_best(folder_, trainer); }

  std::filesystem::path folder_;
  std::int64_t seconds_;  // between checkpoints within an epoch; 0: no such checkpoints
  bool sound_;
  const Ranks* ranks_;
  std::optional<MetricsLog> metrics_;
  Clock::time_point saved_;
};

// Ends a training that does not answer a stop request in time: saves the state of the last whole step, and calls
// hooks.on_overdue, which ends the process. With ranks also a training whose GPU waits for a lost rank.
class Watcher {
 public:
  // `lock`: null on a rank that writes nothing.
  Watcher(const TrainHooks& hooks, RunLock* lock, Ranks* ranks)
      : hooks_(hooks), lock_(lock), ranks_(ranks), stop_(ranks != nullptr ? &ranks->stop() : hooks.stop) {
    if (ranks != nullptr) ranks->watch(hooks.stop);
    if (stop_ != nullptr && hooks.on_overdue) thread_ = std::jthread([this](const std::stop_token& t) { watch(t); });
  }

  // From now on there is something to save; until finished().
  void begun(Trainer& trainer, Keeper& keeper) {
    const std::scoped_lock lock(mutex_);
    trainer_ = &trainer, keeper_ = &keeper;
  }
  // Everything is saved. The trainer may still wait for batches that are made ahead.
  void finished(const TrainResult& result) {
    const std::scoped_lock lock(mutex_);
    trainer_ = nullptr, result_ = result;
  }

 private:
  void watch(const std::stop_token& over) {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex_);
    const auto pause = [&](std::chrono::duration<double> time) {
      wake_.wait_for(lock, over, time, [] { return false; });
      return !over.stop_requested();
    };
    while (!stop_->requested()) {
      if (!pause(20ms)) return;
      if (ranks_ == nullptr || !ranks_->on_device() || !hooks_.on_lost) continue;
      if (const std::optional<std::string> lost = ranks_->lost()) {
        if (!pause(2s)) return;
        hooks_.on_lost(*lost);
      }
    }
    const double patience = ranks_ == nullptr     ? hooks_.patience
                            : ranks_->rank() == 0 ? kRankPatience
                                                  : kOtherRankPatience;
    if (!pause(std::chrono::duration<double>(patience))) return;
    if (const std::optional<std::string> lost = ranks_ != nullptr ? ranks_->lost() : std::nullopt) {
      if (ranks_->on_device() && hooks_.on_lost) hooks_.on_lost(*lost);
      return;  // the training is about to report it
    }
    if (trainer_ != nullptr) {
      const std::scoped_lock rest(trainer_->rest());
      if (!trainer_->done()) keeper_->stop(*trainer_);
      if (ranks_ != nullptr) ranks_->end();
      hooks_.on_overdue(trainer_->result());
    } else {
      if (lock_ != nullptr) lock_->release();
      if (ranks_ != nullptr) ranks_->end();
      hooks_.on_overdue(result_);
    }
  }

  const TrainHooks& hooks_;
  RunLock* lock_;
  Ranks* ranks_;
  const StopFlag* stop_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  Trainer* trainer_ = nullptr;
  Keeper* keeper_ = nullptr;
  std::optional<TrainResult> result_;
  std::jthread thread_;  // last: it uses the others
};

// The model of config.train.from, with its weights. ConfigError names what differs from the config.
std::unique_ptr<model::Model> earlier_model(const RunConfig& config, const eval::RunInfo& info,
                                            const ops::Context& context) {
  auto model = model::make_model(config.model, info.shape, config.task.seed, at::kFloat, context.device);
  try {
    eval::load_weights(SafetensorsFile(eval::checkpoint_path(config.train.from)), model->parameters());
  } catch (const DataError& error) {
    const nlohmann::json now = config_json(config);
    model::ModelOptions unused;
    OptionSet options;
    model::declare(options, unused);
    std::string differing;
    for (const Option& option : options.options())
      if (info.config.contains(option.key) && info.config[option.key] != now[option.key])
        differing += fmt::format("; `{}` is {} there, {} here", option.key, json_text(info.config[option.key]),
                                 json_text(now[option.key]));
    throw ConfigError(fmt::format("`from`: the weights do not fit this run's model: {}{}", error.what(), differing));
  }
  return model;
}

// ConfigError unless the weights of that run mean something for this data set.
void check_from(const RunConfig& config, const data::Dataset& dataset, const eval::RunInfo& info) {
  try {
    eval::check_fits(info, dataset, {.can_allow = false});
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("`from` {}: {}", config.train.from, error.what()));
  }
  if (info.model.kind != config.model.kind || info.model.variant != config.model.variant)
    throw ConfigError(fmt::format("`from` {}: its `model` is {}, variant {}; this run's is {}, variant {}",
                                  config.train.from, model::model_name(info.model.kind),
                                  model::variant_name(info.model.variant), model::model_name(config.model.kind),
                                  model::variant_name(config.model.variant)));
  if ((info.task.centre == data::Centre::kSystem) != (config.task.centre == data::Centre::kSystem))
    throw ConfigError(fmt::format("`from` {}: its positions are {}; omit `centre`, so that this run's are, too",
                                  config.train.from,
                                  info.task.centre == data::Centre::kSystem ? "centred per system" : "not centred"));
  if (!info.shape.append_mask && shape_for(dataset, config).append_mask)
    throw ConfigError(
        fmt::format("`from` {}: its model was trained on observations without missing values and cannot take any; this "
                    "run's data lack some, or `hide_values` hides some",
                    config.train.from));
}

// A trainer for the config. Where that starts from another run, it has that run's weights, scales and clock; a run that
// was begun has them in its `checkpoint` (empty: none).
std::unique_ptr<Trainer> make_trainer(const RunConfig& config, const data::Dataset& dataset,
                                      const ops::Context& context, const std::filesystem::path& checkpoint,
                                      Ranks* ranks) {
  if (config.train.from.empty()) return std::make_unique<Trainer>(config, dataset, context, nullptr, nullptr, ranks);
  const eval::RunInfo info =
      eval::load_run_info(checkpoint.empty() ? std::filesystem::path(config.train.from) : checkpoint);
  if (!checkpoint.empty()) return std::make_unique<Trainer>(config, dataset, context, nullptr, &info, ranks);
  if (ranks == nullptr || ranks->rank() == 0) check_from(config, dataset, info);
  return std::make_unique<Trainer>(config, dataset, context, earlier_model(config, info, context), &info, ranks);
}

// Fits the intervals of the best weights on the validation part. A stop request leaves the run without them.
void calibrate(const std::filesystem::path& folder, const Trainer& trainer, const TrainHooks& hooks) {
  try {
    eval::Run best = eval::load_run(folder, trainer.context());
    const eval::Calibrations calibrations = eval::calibrate(best, trainer.maker(), hooks.stop);
    if (!calibrations.empty()) eval::save_calibrations(best.path, calibrations);
  } catch (const Interrupted&) {
  }
}

// Checks the best weights that a resumed run's progress refers to. If they are damaged or absent, they are written
// again from the checkpoint if it has them, or chosen again from the remaining epochs. All ranks check, one
// writes.
void check_best(const std::filesystem::path& folder, Trainer& trainer, const TrainHooks& hooks, bool writes) {
  const Progress& at = trainer.progress();
  if (!at.selection.best && at.selection.epoch == 0) return;
  try {
    eval::load_run_info(folder / kBestFile);
  } catch (const DataError& error) {
    const bool current = trainer.has_best() || (at.selection.epoch == at.epoch && at.step_in_epoch == 0);
    if (!current && trainer.done()) throw;
    if (hooks.on_warning)
      hooks.on_warning(fmt::format(
          "{}; {}", error.what(),
          current ? "it is written again from the checkpoint"
                  : fmt::format("the best weights so far, from epoch {}, are lost: the best of the remaining epochs "
                                "is kept",
                                at.selection.epoch)));
    if (!current)
      trainer.forget_best();
    else if (writes && trainer.has_best())
      write_run(folder, trainer.best());
    else if (writes)
      write_best(folder, trainer);
  }
}

TrainResult run_in(const std::filesystem::path& folder, Trainer& trainer, Watcher& watcher, const TrainHooks& hooks,
                   Ranks* ranks, bool sound = true) {
  FolderKeeper keeper(folder, trainer.config().train.checkpoint_seconds, sound, ranks);
  watcher.begun(trainer, keeper);
  const TrainResult result = trainer.run(hooks, &keeper);
  watcher.finished(result);
  if (ranks != nullptr) ranks->leave();
  const bool writes = ranks == nullptr || ranks->rank() == 0;
  if (result.finished && writes) calibrate(folder, trainer, hooks);
  if (writes) remove_leftovers(folder);  // of a process that was killed, but had not ended when this one began
  return result;
}

const char* name_of(ops::Precision precision) {
  return precision == ops::Precision::kBf16 ? "bf16" : precision == ops::Precision::kTf32 ? "tf32" : "float32";
}

void write_config(const std::filesystem::path& folder, const Trainer& trainer, const CentreChoice& centre = {},
                  const PlaceChoice& place = {}) {
  nlohmann::json written = config_json(trainer.config());
  written["_precision"] = name_of(trainer.context().precision);  // what `auto` is here
  if (centre.none && centre.system)
    written["_centre_trial"] = {{"steps", centre.steps}, {"none", *centre.none}, {"system", *centre.system}};
  if (place.without && place.with)
    written["_place_trial"] = {{"steps", place.steps}, {"off", *place.without}, {"on", *place.with}};
  write_file(folder / "config.json", Overwrite::kAllow, json_text(written, 2) + "\n");
}

}  // namespace

ops::Context make_context(const TrainOptions& options, const Ranks* ranks) {
  const char* device = options.device == Device::kCuda ? "cuda" : options.device == Device::kCpu ? "cpu" : "auto";
  ops::Context context = ops::make_context(device, options.threads);
  if (ranks == nullptr) return context;
  if (context.device.is_cuda())
    context.device = at::Device(at::kCUDA, static_cast<at::DeviceIndex>(ranks->local_rank() % ops::gpu_count()));
  cpu_set_t cores;
  const int allowed = ::sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : hardware_threads();
  if (options.threads == 0)
    context.threads = allowed < hardware_threads() ? allowed : std::max(1, hardware_threads() / ranks->local_size());
  return context;
}

TrainResult train(const RunConfig& config, const data::Dataset& dataset, const std::filesystem::path& folder,
                  Overwrite overwrite, const ops::Context& context, const TrainHooks& hooks, Ranks* ranks) {
  const bool writes = ranks == nullptr || ranks->rank() == 0;
  std::optional<RunLock> lock;
  if (writes) {
    check_new_run(folder, overwrite);
    lock.emplace(folder);
  }
  Watcher watcher(hooks, lock ? &*lock : nullptr, ranks);
  TrainHooks rest = hooks;
  RunConfig settled = settle_turn(settle_model(config, dataset), dataset);
  const CentreChoice centre = choose_centre(settled, dataset, context, hooks, ranks);
  if (settled.task.centre == data::Centre::kAuto) {
    rest.on_start = {};  // choose_centre called it
    if (hooks.on_centre) hooks.on_centre(centre);
  }
  settled.task.centre = centre.centre;
  const PlaceChoice place = choose_place(settled, dataset, context, rest, ranks);
  if (settled.model.kind == model::ModelKind::kFrames && settled.model.place == model::Place::kAuto) {
    rest.on_start = {};  // choose_place called it
    if (hooks.on_place) hooks.on_place(place);
    settled.model.place = place.on ? model::Place::kOn : model::Place::kOff;
    if (place.on) settled.train.resize = 1;
  }
  const std::unique_ptr<Trainer> trainer = make_trainer(settled, dataset, context, {}, ranks);
  if (hooks.on_begin) hooks.on_begin();
  if (writes) {
    remove_leftovers(folder);
    for (const char* name : kRunFiles) std::filesystem::remove(folder / name);
    write_config(folder, *trainer, centre, place);
    lock->keep();
  }
  return run_in(folder, *trainer, watcher, rest, ranks);
}

TrainResult resume(const std::filesystem::path& folder, const data::Dataset& dataset, const ops::Context& context,
                   const TrainHooks& hooks, const std::optional<RunConfig>& longer, Ranks* ranks) {
  const RunConfig config = longer ? *longer : load_config(folder);
  const bool writes = ranks == nullptr || ranks->rank() == 0;
  std::optional<RunLock> lock;
  if (writes) {
    lock.emplace(folder);
    lock->keep();
    remove_leftovers(folder);
  }
  Watcher watcher(hooks, lock ? &*lock : nullptr, ranks);
  const UsableCheckpoint checkpoint = find_checkpoint(folder);
  if (!checkpoint.warning.empty() && hooks.on_warning) hooks.on_warning(checkpoint.warning);
  const std::unique_ptr<Trainer> trainer = make_trainer(config, dataset, context, checkpoint.path, ranks);
  if (!checkpoint.path.empty()) trainer->load(checkpoint.path);
  if (hooks.on_begin) hooks.on_begin();
  if (longer && writes) write_config(folder, *trainer);
  if (!checkpoint.path.empty()) check_best(folder, *trainer, hooks, writes);
  // The best weights so far name the new limit, too, as if the run had had it from the start.
  if (longer && writes && trainer->has_best()) write_run(folder, trainer->best());
  return run_in(folder, *trainer, watcher, hooks, ranks, /*sound=*/checkpoint.warning.empty());
}

}  // namespace lgode::train
