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
// progress.
void save_training(const std::filesystem::path& path, eval::RunInfo info, model::Parameters& parameters,
                   AdamState& adam, const Progress& progress);
// Reads them back. `dataset`: the data set to continue training on. DataError if the checkpoint is damaged or was
// trained on other data.
Progress load_training(const std::filesystem::path& path, const data::Dataset& dataset, model::Parameters& parameters,
                       AdamState& adam);

// metrics.jsonl: one line per epoch, and one of epoch 0 where the weights before the first step were validated. The
// file is short and rewritten as a whole, so that it is never incomplete.
class MetricsLog {
 public:
  // Continues an existing file. Drops the lines of epochs after `epoch`, which will be trained again.
  MetricsLog(std::filesystem::path path, std::int64_t epoch);
  void append(const EpochReport& report);
  // The weights before the first step.
  void append_initial(double validation);

 private:
  void add(const std::string& line);

  std::filesystem::path path_;
  std::string text_;
};

}  // namespace lgode::train
