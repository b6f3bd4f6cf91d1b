// The folder of a training run: what can be checked and read without weights. No LibTorch here.
#pragma once

#include <filesystem>

#include "lgode/core/file.h"
#include "lgode/train/config.h"

namespace lgode::train {

inline constexpr const char* kRunFiles[] = {"config.json", "metrics.jsonl", "checkpoint.safetensors",
                                            "best.safetensors", "calibration.json"};

// Checks that a run can start in `folder`. ExistsError if it holds a run already and overwriting is not allowed,
// DataError if it cannot be written to.
void check_new_run(const std::filesystem::path& folder, Overwrite overwrite);

// Epochs that the run's checkpoint has finished; 0 without a checkpoint.
std::int64_t epochs_done(const std::filesystem::path& folder);

// The resolved config of a run folder. DataError if there is none.
RunConfig load_config(const std::filesystem::path& folder);

}  // namespace lgode::train
