// The folder of a training run: what can be checked and read without weights. No LibTorch here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "lgode/core/file.h"
#include "lgode/train/config.h"
#include "lgode/train/progress.h"

namespace lgode::train {

// Two generations of checkpoints: if the newer one is damaged, the older one is used.
inline constexpr const char* kCheckpointFile = "checkpoint.safetensors";
inline constexpr const char* kPreviousFile = "checkpoint.previous.safetensors";
inline constexpr const char* kBestFile = "best.safetensors";
inline constexpr const char* kRunFiles[] = {"config.json", "metrics.jsonl", kCheckpointFile,
                                            kPreviousFile, kBestFile,       "calibration.json"};

// Checks that a run can start in `folder`. ExistsError if it holds a run already and overwriting is not allowed,
// DataError if it cannot be written to.
void check_new_run(const std::filesystem::path& folder, Overwrite overwrite);

struct UsableCheckpoint {
  std::filesystem::path path;  // empty: the run has none yet
  std::string warning;         // why it is not the newer one; empty: it is
};
// The newest checkpoint of a run whose checksum, description and progress are in order. DataError names the faults if
// there are checkpoints, but none is.
UsableCheckpoint find_checkpoint(const std::filesystem::path& folder);

// How far the run's checkpoint has come; nowhere without a checkpoint.
Progress progress_of(const std::filesystem::path& folder);

// The resolved config of a run folder. DataError if there is none.
RunConfig load_config(const std::filesystem::path& folder);

}  // namespace lgode::train
