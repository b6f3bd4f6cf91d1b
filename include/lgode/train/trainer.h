// A training in memory: from a config and a data set to weights, step by step or whole. No files; run.h writes them.
//
//   Trainer trainer(config, dataset, context);
//   trainer.run();                                   // or: while (!trainer.done()) trainer.step(), ...
//   eval::predict(trainer.best(), dataset, options, sink);
//
// All random numbers are named by seed, epoch and step: a training that is stopped anywhere and goes on from its
// progress ends with the same bits as one that was never stopped.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"
#include "lgode/data/task.h"
#include "lgode/eval/run.h"
#include "lgode/ops/context.h"
#include "lgode/train/checkpoint.h"
#include "lgode/train/config.h"
#include "lgode/train/optimizer.h"
#include "lgode/train/prefetch.h"
#include "lgode/train/report.h"
#include "lgode/train/step.h"
#include "lgode/train/step_input.h"
#include "lgode/train/validation.h"

namespace lgode::train {

// Sizes of the model that the data decides. DataError where a model cannot work with the data.
model::ModelShape shape_for(const data::Dataset& dataset, const RunConfig& config);

class Trainer;

// Who keeps what a training makes: asked at the points where something is worth keeping.
class Keeper {
 public:
  virtual ~Keeper() = default;
  virtual void start(Trainer& /*trainer*/) {}  // before the first step of this process
  virtual void step(Trainer& /*trainer*/) {}   // after a step that does not end its epoch
  virtual void epoch(Trainer& /*trainer*/, const EpochReport& /*report*/) {}
  virtual void stop(Trainer& /*trainer*/) {}  // the training ends before its time
};

class Trainer {
 public:
  // DataError where the data has nothing to train on. `model`: to go on with; it must have the shape that shape_for()
  // says and be on the context's device. Null: a new one, with the initial weights of the config's seed.
  Trainer(const RunConfig& config, const data::Dataset& dataset, const ops::Context& context,
          std::unique_ptr<model::Model> model = nullptr);
  ~Trainer();

  // With everything that was left to be found out: batch, window.
  const RunConfig& config() const { return config_; }
  model::Model& model() { return *model_; }
  const Progress& progress() const { return at_; }
  StartReport start() const;

  bool done() const { return at_.epoch >= config_.train.epochs; }
  // Takes the next step of the current epoch. DivergedError; DataError where a whole epoch had no targets.
  StepReport step();
  // Whether all steps of the current epoch were taken, so that finish_epoch() is due.
  bool epoch_is_over() const { return at_.step_in_epoch >= steps_.steps_per_epoch(); }
  // Validates, selects, and goes on to the next epoch. Throws Interrupted; then the epoch is still to be finished.
  EpochReport finish_epoch(const StopFlag* stop = nullptr);
  // All that is left, or until a stop is asked for.
  TrainResult run(const TrainHooks& hooks = {}, Keeper* keeper = nullptr);
  TrainResult result() const;

  // The weights that were selected on the validation part since this object was made, in a model of their own; where
  // none were, the current ones.
  eval::Run best();
  // What describes the current weights.
  eval::RunInfo info() const;
  // Everything that a training needs to go on, to and from a file; load() before the first step.
  void save(const std::filesystem::path& path);
  void load(const std::filesystem::path& path);
  // best() as a file that eval::load_run() reads.
  void save_best(const std::filesystem::path& path);

 private:
  using Clock = std::chrono::steady_clock;

  TrainResult run_in_queue(const TrainHooks& hooks, Keeper* keeper);
  double seconds_left() const;
  double median_step_ms() const;
  void collect();

  RunConfig config_;
  ops::Context context_;  // of steps: with gradients
  data::BatchMaker maker_;
  data::Parts parts_;
  std::unique_ptr<model::Model> model_;
  AdamState adam_;
  StepMaker steps_;
  std::unique_ptr<Step> step_;
  Validation validation_;
  eval::RunInfo info_;
  std::optional<Prefetch<StepInput>> inputs_;
  Progress at_;
  at::Tensor best_weights_;  // flat; undefined: none yet
  eval::RunInfo best_info_;
  bool in_queue_ = false;        // run() has the device's queue
  std::int64_t first_step_ = 0;  // of this process
  Clock::time_point started_, epoch_started_;
  std::vector<Clock::time_point> step_ends_;  // of the epoch, and its start
};

}  // namespace lgode::train
