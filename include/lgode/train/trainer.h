// Trains a model in memory, from a config and a data set, step by step or all at once. Writes no files; see run.h.
//
//   Trainer trainer(config, dataset, context);
//   trainer.run();                                   // or: while (!trainer.done()) trainer.step(), ...
//   eval::predict(trainer.best(), dataset, options, sink);
//
// All random numbers follow from seed, epoch and step: a training that is stopped at any step and resumed ends with the
// same bits as an uninterrupted one.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "lgode/core/prefetch.h"
#include "lgode/core/stop.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/dataset.h"
#include "lgode/eval/run.h"
#include "lgode/ops/context.h"
#include "lgode/train/checkpoint.h"
#include "lgode/train/config.h"
#include "lgode/train/optimizer.h"
#include "lgode/train/prepare.h"
#include "lgode/train/report.h"
#include "lgode/train/step.h"
#include "lgode/train/step_input.h"
#include "lgode/train/validation.h"

namespace lgode::train {

class Trainer;

// Saves results of a training: Trainer::run() calls it whenever there is something to save, with Trainer::rest()
// locked.
class Keeper {
 public:
  virtual ~Keeper() = default;
  virtual void start(Trainer& /*trainer*/) {}                      // before the first step of this process
  virtual void initial(Trainer& /*trainer*/, double /*error*/) {}  // the weights before the first step were selected
  virtual void step(Trainer& /*trainer*/) {}                       // after a step that does not end its epoch
  virtual void epoch(Trainer& /*trainer*/, const EpochReport& /*report*/) {}
  virtual void stop(Trainer& /*trainer*/) {}  // the training was stopped before its end
  virtual void lost(Trainer& /*trainer*/) {}  // it ended because another rank is gone
};

class Trainer {
 public:
  // DataError if the data has nothing to train on. `model`: continue with this one; it must have the shape returned by
  // shape_for() and be on the context's device. Null: a new model, initialised with the config's seed. `previous`: the
  // weights come from this run; its scales, clock and shape are kept instead of the data's own, because they decide
  // what the weights mean. `ranks`, which must outlive it: the processes that train this model together, each with a
  // part of every step; null: this one trains alone. All of them make the same calls.
  Trainer(const RunConfig& config, const data::Dataset& dataset, const ops::Context& context,
          std::unique_ptr<model::Model> model = nullptr, const eval::RunInfo* previous = nullptr,
          Ranks* ranks = nullptr);

  // With all automatic values filled in: batch, window.
  const RunConfig& config() const { return prepared_.config; }
  model::Model& model() { return *model_; }
  const data::BatchMaker& maker() const { return prepared_.maker; }
  const ops::Context& context() const { return context_; }
  const Progress& progress() const { return at_; }
  StartReport start() const;
  // What the rest of the training will take; a second's work or less, for large systems a few seconds. The results of
  // the training do not depend on it.
  Cost estimate();

  // Before the first step: validates the weights and selects them, so that the best weights are never worse than the
  // first. Only for models that predict before they are trained (assimilate: a classical path); no effect for the
  // others, without a validation part, or if it is done already. Interrupted on a stop request.
  std::optional<double> select_initial(const StopFlag* stop = nullptr);
  // Seconds that earlier processes have trained this run, all and in the last epoch, for `minutes`. Call it before the
  // first step.
  void set_spent(double seconds, double last_epoch) { spent_ = seconds, last_epoch_ = last_epoch; }
  // The selected weights are lost: the next epoch's are selected in any case.
  void forget_best() { at_.selection = {}; }
  bool done() const { return at_.plateau.over || at_.plateau.out_of_time || all_epochs_done(); }
  // Performs the next step of the current epoch. DivergedError.
  StepReport step();
  // Whether all steps of the current epoch are done, so that finish_epoch() must be called next.
  bool epoch_is_over() const { return at_.step_in_epoch >= steps_.steps_per_epoch(); }
  // Validates, selects the best weights, and moves on to the next epoch. DataError if no step of the epoch had targets.
  // Interrupted on a stop request; then the epoch is not finished yet.
  EpochReport finish_epoch(const StopFlag* stop = nullptr);
  // Trains to the end, or until a stop is requested; before the first step, select_initial().
  TrainResult run(const TrainHooks& hooks = {}, Keeper* keeper = nullptr);
  TrainResult result() const;
  // Scores of the current weights on the validation part, in original units, too. Unset without such a part.
  std::optional<eval::Scores> validation_scores(const StopFlag* stop = nullptr);

  // The best weights on the validation part since this object was created or loaded, in a new model; the current
  // weights if none were selected yet.
  eval::Run best();
  // Whether best() has selected weights, also after load(): with `schedule` plateau they are in the checkpoint.
  bool has_best() const { return best_weights_.defined(); }
  // Description of the current weights; with selectable() what eval::save_checkpoint() takes.
  eval::RunInfo info() const;
  // The weights that are validated: with `schedule` plateau an average over steps, otherwise the current ones.
  model::Parameters& selectable() { return averaged_ != nullptr ? averaged_->parameters() : model_->parameters(); }
  // Locked while weights, optimiser and progress change. Another thread that holds it may call save() and result():
  // they belong to the last whole step.
  std::mutex& rest() { return rest_; }
  // Saves and loads everything that is needed to resume. `previous`: the name that a replaced file gets; empty: none.
  // Call load() before the first step.
  void save(const std::filesystem::path& path, const std::filesystem::path& previous = {});
  void load(const std::filesystem::path& path);

 private:
  using Clock = std::chrono::steady_clock;

  // What is measured at the end of an epoch.
  struct Checked {
    std::optional<Validation::Result> validation;
    double training = 0;  // the error of some training systems
    double spent = 0;     // seconds; with ranks of rank 0
  };

  bool plateau() const { return prepared_.config.train.schedule == RateSchedule::kPlateau; }
  bool all_epochs_done() const { return prepared_.config.train.epochs && at_.epoch >= *prepared_.config.train.epochs; }
  // The score that selects, if it is not the error itself.
  std::optional<double> score_of(const Validation::Result& result) const;
  std::optional<Validation::Result> initial_error(const StopFlag* stop);
  void keep_initial(const Validation::Result& result);
  void keep_best();
  void leave_base();
  Checked validate(const StopFlag* stop);
  EpochReport close_epoch(const Checked& checked);
  // Lowers the learning rate or ends the training, if it is time. Whether the rate was lowered.
  bool move_on(const Checked& checked, double epoch_seconds);
  void lower_rate();
  void add_to_average();
  void tell_time(double& left, double& least) const;
  double median_step_ms() const;
  void collect();
  TrainResult run_to_the_end(const TrainHooks& hooks, Keeper& keep, const std::function<bool()>& asked_to_stop);
  void agree();
  void agree_on_progress();
  void agree_on_time();

  // In the order of their making: each of the next ten is made from the members before it, and may refer to them.
  Ranks* ranks_;
  ops::Context context_;  // for steps: with gradients
  const Preparation prepared_;
  std::unique_ptr<model::Model> model_;
  std::unique_ptr<model::Model> averaged_;  // with `schedule` plateau
  AdamState adam_;
  StepMaker steps_;
  std::unique_ptr<Step> step_;
  Validation validation_, training_;  // the latter: some training systems

  std::optional<Prefetch<StepInput>> inputs_;
  std::mutex rest_;
  Progress at_;
  std::optional<double> kl_;  // of the last epoch
  at::Tensor best_weights_;   // flat; undefined if none yet
  eval::RunInfo best_info_;
  bool in_queue_ = false;                   // run() holds the device's queue
  bool stop_agreed_ = false;                // with ranks: one was asked to stop, and all agreed
  std::optional<std::int64_t> first_step_;  // of this process
  double spent_ = 0, last_epoch_ = 0;       // seconds of whole epochs, of all processes one after the other
  Clock::time_point started_, epoch_started_;
  std::vector<Clock::time_point> step_ends_;  // start of the epoch, then the ends of its steps
};

}  // namespace lgode::train
