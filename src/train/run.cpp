// Runs a training and writes its config, checkpoints, best weights and metrics into a folder.
#include "lgode/train/run.h"

#include <chrono>
#include <optional>
#include <utility>

#include "lgode/core/json_text.h"
#include "lgode/train/centre.h"
#include "lgode/train/run_folder.h"
#include "lgode/train/trainer.h"

namespace lgode::train {
namespace {

class FolderKeeper : public Keeper {
 public:
  FolderKeeper(std::filesystem::path folder, std::int64_t seconds) : folder_(std::move(folder)), seconds_(seconds) {}

  void start(Trainer& trainer) override {
    metrics_.emplace(folder_ / "metrics.jsonl", trainer.progress().epoch);
    saved_ = Clock::now();
    if (trainer.start().steps > 0) return;
    save(trainer);  // nothing to train: the initial weights are the result
    save_best(trainer);
  }
  void step(Trainer& trainer) override {
    if (seconds_ > 0 && Clock::now() - saved_ > std::chrono::seconds(seconds_)) save(trainer);
  }
  void epoch(Trainer& trainer, const EpochReport& report) override {
    if (report.best) save_best(trainer);
    metrics_->append(report);
    save(trainer);
  }
  void stop(Trainer& trainer) override { save(trainer); }

 private:
  using Clock = std::chrono::steady_clock;

  void save(Trainer& trainer) {
    trainer.save(folder_ / "checkpoint.safetensors");
    saved_ = Clock::now();
  }

  // The current weights.
  void save_best(Trainer& trainer) {
    eval::save_checkpoint(folder_ / "best.safetensors", trainer.info(), trainer.model().parameters());
  }

  std::filesystem::path folder_;
  std::int64_t seconds_;  // between checkpoints within an epoch; 0: no such checkpoints
  std::optional<MetricsLog> metrics_;
  Clock::time_point saved_;
};

}  // namespace

ops::Context make_context(const TrainOptions& options) {
  const char* device = options.device == Device::kCuda ? "cuda" : options.device == Device::kCpu ? "cpu" : "auto";
  return ops::make_context(device, options.threads);
}

TrainResult train(const RunConfig& config, const data::Dataset& dataset, const std::filesystem::path& folder,
                  Overwrite overwrite, const ops::Context& context, const TrainHooks& hooks) {
  check_new_run(folder, overwrite);
  const CentreChoice centre = choose_centre(config, dataset, context, hooks.stop);
  if (hooks.on_centre && config.task.centre == data::Centre::kAuto) hooks.on_centre(centre);
  RunConfig settled = config;
  settled.task.centre = centre.centre;
  Trainer trainer(settled, dataset, context);
  for (const char* name : kRunFiles) std::filesystem::remove(folder / name);
  nlohmann::json written = config_json(trainer.config());
  if (centre.none && centre.system)
    written["_centre_trial"] = {{"steps", centre.steps}, {"none", *centre.none}, {"system", *centre.system}};
  write_file(folder / "config.json", Overwrite::kAllow, json_text(written, 2) + "\n");
  FolderKeeper keeper(folder, config.train.checkpoint_seconds);
  return trainer.run(hooks, &keeper);
}

TrainResult resume(const std::filesystem::path& folder, const data::Dataset& dataset, const ops::Context& context,
                   const TrainHooks& hooks) {
  const RunConfig config = load_config(folder);
  Trainer trainer(config, dataset, context);
  if (std::filesystem::exists(folder / "checkpoint.safetensors")) trainer.load(folder / "checkpoint.safetensors");
  FolderKeeper keeper(folder, config.train.checkpoint_seconds);
  return trainer.run(hooks, &keeper);
}

}  // namespace lgode::train
