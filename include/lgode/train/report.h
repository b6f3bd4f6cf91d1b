// Reports of a training: at its start, after steps and epochs, at its end. No LibTorch here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/methods.h"
#include "lgode/core/stop.h"
#include "lgode/data/task.h"

namespace lgode::train {

inline constexpr std::int64_t kNoEnd = std::int64_t{1} << 53;  // steps of a training without a limit of epochs

// Training systems that are in no part, by reason.
struct LeftOut {
  std::int64_t without_targets = 0;      // nothing to predict
  std::int64_t unseen = 0;               // no context
  std::int64_t between = 0;              // windows between training and validation windows
  std::string outliers = {};             // observations that are not believed, in words (data/outliers.h); on rank 0
  std::vector<std::string> chosen = {};  // frames: base path, frame and neighbours, and why, in words; on rank 0
};

// What a training will take, estimated from a trial with a part of a batch.
struct Cost {
  std::int64_t objects = 0, observations = 0, relations = 0;  // in the context of a typical batch
  std::int64_t parameters = 0;
  double step_seconds = 0, epoch_seconds = 0, seconds = 0;  // per step, per epoch with validation, for all that is left
  double least_seconds = 0;  // until the earliest end; the same as `seconds` where the length is fixed
  double memory = 0;         // bytes of the process; 0: unknown (on a GPU)
  double machine = 0;        // bytes that the process can have; 0: unknown
};

// The base path of model assimilate (`base`).
struct BaseChoice {
  std::optional<Classical> kind = {};                     // none: what the state makes without training
  std::vector<std::pair<Classical, double>> errors = {};  // mean squared errors that decided; on rank 0
  bool validated = false;                                 // they are of the validation part, else of training systems
  // Whether the first step starts without the path, which is a detour where observations show the whole state. The
  // weights before it have it, and are what is kept where training does not do better.
  bool left = false;
};

struct StartReport {
  std::int64_t train_systems = 0, validation_systems = 0;
  std::int64_t batch = 0, steps_per_epoch = 0, steps = 0;  // steps in total; kNoEnd without a limit
  bool open = false;                   // it ends by itself (`schedule` plateau), with `steps` and `minutes` as limits
  std::optional<double> minutes = {};  // of the whole run
  std::int64_t done = 0;               // steps done before the run was resumed
  LeftOut left_out = {};
  bool none_held_out = false;     // systems were to be held out, but none could be: the last epoch counts as the best
  std::optional<Cost> cost = {};  // in run(), unless nothing is left to train
  double hidden_values = 0;       // share of the context's values that training masks, as `hide_values` auto chose
  bool will_lack_values = false;  // the data lacks values outside the training part, which the model cannot take
  std::optional<BaseChoice> base = {};  // of model assimilate
  bool turned = false;                  // each step rotates and mirrors its systems (`turn` random)
};

struct StepReport {
  std::int64_t epoch = 0;                       // 1-based
  std::optional<std::int64_t> epochs = {};      // in total, or at most; none: no limit
  std::int64_t step = 0, steps = 0;             // within the epoch, 1-based
  double loss = 0, reconstruction = 0, kl = 0;  // running means of the epoch; reconstruction: log-likelihood
  double mse = 0;                               // error of the sampled paths, running mean
  double seconds_left = 0;                      // until the end or, where the training ends by itself, until its limit
  double least_seconds_left = 0;                // until the earliest end; the same where the length is fixed
};

struct EpochReport {
  std::int64_t epoch = 0, steps = 0;        // steps in total
  std::optional<std::int64_t> epochs = {};  // as in StepReport
  double loss = 0, reconstruction = 0, kl = 0, lr = 0;
  // Errors of the same weights, the mean path, the same choice of context and targets, and the same scale: of some
  // training systems, at most as many as validate, and of the validation part.
  double mse = 0;
  std::optional<double> validation = {};
  bool best = false;
  bool lowered = false;  // the learning rate, from the next step on
  double seconds = 0;    // of this epoch
  double step_ms = 0;    // median
  double seconds_left = 0, least_seconds_left = 0;
};

// Why a training is over.
enum class End {
  kNotYet,   // stopped on request
  kFixed,    // all of its epochs are done
  kPlateau,  // its validation error no longer fell
  kEpochs,   // at its limits
  kMinutes,
};

// How positions are given to the model (train/centre.h).
struct CentreChoice {
  data::Centre centre = data::Centre::kNone;
  bool too_few_steps = false;  // to compare short trainings
  // If two short trainings were compared: their steps, and their root mean square errors on the validation part,
  // over all features in units of the world's scale.
  std::int64_t steps = 0;
  std::optional<double> none = {}, system = {};
};

// Whether absolute position and heading are inputs of model frames (train/place.h).
struct PlaceChoice {
  bool on = false;
  bool too_few_steps = false;  // to compare short trainings
  std::int64_t steps = 0;      // as in CentreChoice
  std::optional<double> without = {}, with = {};
};

// A comparison by two short trainings, which settles `centre` auto or `place` auto.
struct Trial {
  enum class Kind { kCentre, kPlace };
  Kind kind = Kind::kCentre;
  std::int64_t steps = 0;  // of each of the two
  std::int64_t done = 0;   // steps of both; 0: it begins
  double seconds = 0;      // estimate for both
};

struct TrainResult;

struct TrainHooks {
  std::function<void(const StartReport&)> on_start = {};    // once, before the first step
  std::function<void(const Trial&)> on_trial = {};          // before a comparison and after each of its steps
  std::function<void(const CentreChoice&)> on_centre = {};  // where `centre` auto was settled, after on_start
  std::function<void(const PlaceChoice&)> on_place = {};    // where `place` auto was, after on_start
  std::function<void()> on_begin = {};                      // from now on a stop request leaves a checkpoint
  std::function<void(double)> on_initial = {};              // validation error before the first step (Trainer::run)
  std::function<void(const StepReport&)> on_step = {};      // after every step
  std::function<void(const EpochReport&)> on_epoch = {};
  std::function<void(const std::string&)> on_warning = {};  // a damaged file that resume() could do without
  const StopFlag* stop = nullptr;
  // A stop was requested, but the training is still busy (with a long step, say) after `patience` seconds. The state of
  // the last whole step is saved in the run's folder; unset: no step was begun, and nothing was written. Called on
  // another thread; must end the process. Only used by train() and resume().
  std::function<void(const std::optional<TrainResult>&)> on_overdue = {};
  double patience = 1.2;  // longer with ranks, which first try to stop together
  // With ranks: one is lost while the others wait on their GPUs for it, unable to continue or save. `why` names it. The
  // last checkpoint stays. Called on another thread; must end the process.
  std::function<void(const std::string& why)> on_lost = {};
  std::optional<std::int64_t> stop_after = {};  // stop after this many steps in total, as if requested
};

struct TrainResult {
  bool finished = false;               // false: stopped on request, checkpoint written
  std::int64_t epochs = 0, steps = 0;  // whole epochs; steps in total
  std::int64_t steps_in_epoch = 0;     // since the last whole epoch
  End end = End::kNotYet;
  std::optional<double> best_validation = {};
  std::int64_t best_epoch = 0;    // 0 with a best_validation: no epoch is better than the weights before the first step
  std::optional<double> kl = {};  // of the last whole epoch in this process; none in a model without latent variables
};

}  // namespace lgode::train
