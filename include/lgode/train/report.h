// Reports of a training: at its start, after steps and epochs, at its end. No LibTorch here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "lgode/core/stop.h"
#include "lgode/data/task.h"

namespace lgode::train {

struct StartReport {
  std::int64_t train_systems = 0, validation_systems = 0;
  std::int64_t batch = 0, steps_per_epoch = 0, steps = 0;  // steps in total
  std::int64_t done = 0;                                   // steps done before the run was resumed
};

struct StepReport {
  std::int64_t epoch = 0, epochs = 0;           // 1-based
  std::int64_t step = 0, steps = 0;             // within the epoch, 1-based
  double loss = 0, reconstruction = 0, kl = 0;  // running means of the epoch; reconstruction: log-likelihood
  double mse = 0;                               // error of the sampled paths, running mean
  double seconds_left = 0;
};

struct EpochReport {
  std::int64_t epoch = 0, epochs = 0, steps = 0;  // steps in total
  double loss = 0, reconstruction = 0, kl = 0, mse = 0, lr = 0;
  std::optional<double> validation;  // error on the validation part
  bool best = false;
  double seconds = 0;  // of this epoch
  double step_ms = 0;  // median
  double seconds_left = 0;
};

// How positions are given to the model (train/centre.h).
struct CentreChoice {
  data::Centre centre = data::Centre::kNone;
  // Where two short trainings were compared: their steps, and their root mean square errors on the validation part,
  // over all features in units of the world's scale.
  std::int64_t steps = 0;
  std::optional<double> none = {}, system = {};
};

struct TrainHooks {
  std::function<void(const CentreChoice&)> on_centre = {};  // where `centre` auto was settled, before on_start
  std::function<void(const StartReport&)> on_start = {};    // once, before the first step
  std::function<void(const StepReport&)> on_step = {};      // after every step
  std::function<void(const EpochReport&)> on_epoch = {};
  const StopFlag* stop = nullptr;
  std::optional<std::int64_t> stop_after = {};  // stop after this many steps in total, as if requested
};

struct TrainResult {
  bool finished = false;  // false: stopped on request, checkpoint written
  std::int64_t epochs = 0, steps = 0;
  std::optional<double> best_validation;
  std::int64_t best_epoch = 0;
};

}  // namespace lgode::train
