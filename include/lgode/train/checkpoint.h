// The files of a training run: checkpoints to resume from, and metrics.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "lgode/eval/run.h"
#include "lgode/train/optimizer.h"
#include "lgode/train/progress.h"
#include "lgode/train/report.h"

namespace lgode::train {

// Weights beside the current ones, of a training with `schedule` plateau. Flat.
struct WeightsAside {
  at::Tensor average;
  at::Tensor best;  // undefined: none were selected yet
};

// Writes weights, optimiser state and progress. `info.epoch`, `info.step` and `info.validation` are set from the
// progress. `previous`: the name that the replaced file gets; empty: none.
void save_training(const std::filesystem::path& path, eval::RunInfo info, model::Parameters& parameters,
                   AdamState& adam, const Progress& progress, const WeightsAside& aside = {},
                   const std::filesystem::path& previous = {});
// Reads them back. `dataset`: the data set to continue training on. DataError if the checkpoint is damaged or was
// trained on other data. `aside`: null where the training has none.
Progress load_training(const std::filesystem::path& path, const data::Dataset& dataset, model::Parameters& parameters,
                       AdamState& adam, WeightsAside* aside = nullptr);

// metrics.jsonl: one line per epoch, and one of epoch 0 where the weights before the first step were validated. Lines
// are appended and synced. The last one may be incomplete in a run that was killed; resuming drops it.
class MetricsLog {
 public:
  // Continues an existing file. Drops the lines of epochs after `epoch`, which will be trained again, and incomplete
  // ones.
  MetricsLog(std::filesystem::path path, std::int64_t epoch);
  void append(const EpochReport& report);
  // Seconds of the epochs in the file, and of the last one.
  double seconds() const { return seconds_; }
  double last_epoch() const { return last_epoch_; }
  // The weights before the first step.
  void append_initial(double validation);

 private:
  std::filesystem::path path_;
  double seconds_ = 0, last_epoch_ = 0;
};

}  // namespace lgode::train
