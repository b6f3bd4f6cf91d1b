// What a training run writes: checkpoints from which it goes on, and metrics.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "lgode/eval/run.h"
#include "lgode/train/optimizer.h"
#include "lgode/train/report.h"
#include "lgode/train/step.h"
#include "lgode/train/validation.h"

namespace lgode::train {

// Where a run stands; all of it is in the checkpoint.
struct Progress {
  std::int64_t epoch = 0;          // finished epochs
  std::int64_t step_in_epoch = 0;  // finished steps of the current one
  std::int64_t step = 0;           // finished steps in all
  StepSums sums;                   // of the current epoch
  Selection selection;

  nlohmann::json to_json() const;
  static Progress from_json(const nlohmann::json& json);
};

// Weights, the optimiser's state and the progress. `info.epoch`, `info.step` and `info.validation` are set from the
// progress.
void save_training(const std::filesystem::path& path, eval::RunInfo info, model::Parameters& parameters,
                   AdamState& adam, const Progress& progress);
// The same back. `dataset`: that the training goes on with. DataError where the checkpoint is damaged or was trained on
// other data.
Progress load_training(const std::filesystem::path& path, const data::Dataset& dataset, model::Parameters& parameters,
                       AdamState& adam);

// metrics.jsonl: one line per epoch. The file is rewritten whole each time: short, and never torn.
class MetricsLog {
 public:
  // Goes on with a file that is there. Lines of epochs after `epoch` belong to work that will be done again.
  MetricsLog(std::filesystem::path path, std::int64_t epoch);
  void append(const EpochReport& report);

 private:
  std::filesystem::path path_;
  std::string text_;
};

}  // namespace lgode::train
