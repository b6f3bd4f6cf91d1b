// The folder of a training run, as far as no weights are needed.
#pragma once

#include <filesystem>

#include "lgode/core/file.h"
#include "lgode/train/config.h"

namespace lgode::train {

inline constexpr const char* kRunFiles[] = {"config.json", "metrics.jsonl", "checkpoint.safetensors",
                                            "best.safetensors"};

// Whether a run can start in `folder`: DataError if it holds one already and overwriting was not allowed, or if it
// cannot be written to.
void check_new_run(const std::filesystem::path& folder, Overwrite overwrite);

// The resolved config of a run folder. DataError.
RunConfig load_config(const std::filesystem::path& folder);

}  // namespace lgode::train
