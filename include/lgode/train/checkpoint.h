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

// Writes weights, optimiser state and progress. `info.epoch`, `info.step` and `info.validation` are set from the
// progress. `previous`: the name that the replaced file gets; empty: none.
void save_training(const std::filesystem::path& path, eval::RunInfo info, model::Parameters& parameters,
                   AdamState& adam, const Progress& progress, const std::filesystem::path& previous = {});
// Reads them back. `dataset`: the data set to continue training on. DataError if the checkpoint is damaged or was
// trained on other data.
Progress load_training(const std::filesystem::path& path, const data::Dataset& dataset, model::Parameters& parameters,
                       AdamState& adam);

// metrics.jsonl: one line per epoch, and one of epoch 0 where the weights before the first step were validated. Lines
// are appended and synced. The last one may be incomplete in a run that was killed; resuming drops it.
class MetricsLog {
 public:
  // Continues an existing file. Drops the lines of epochs after `epoch`, which will be trained again, and incomplete
  // ones.
  MetricsLog(std::filesystem::path path, std::int64_t epoch);
  void append(const EpochReport& report);
  // The weights before the first step.
  void append_initial(double validation);

 private:
  std::filesystem::path path_;
};

}  // namespace lgode::train
