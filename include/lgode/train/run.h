// A training run in a folder.
//
// The folder: config.json (resolved), metrics.jsonl (one line per epoch), checkpoint.safetensors (weights, optimiser,
// where it stands), best.safetensors (the weights selected on the validation error). A resumed run ends with the same
// bytes as one never interrupted.
#pragma once

#include <filesystem>

#include "lgode/core/file.h"
#include "lgode/data/dataset.h"
#include "lgode/ops/context.h"
#include "lgode/train/config.h"
#include "lgode/train/report.h"

namespace lgode::train {

// The device and the threads that the options ask for. ConfigError where there is no usable GPU.
ops::Context make_context(const TrainOptions& options);

// Starts a run in `folder`. ExistsError if it holds a run already and overwriting was not allowed (then all its files
// are replaced).
TrainResult train(const RunConfig& config, const data::Dataset& dataset, const std::filesystem::path& folder,
                  Overwrite overwrite, const ops::Context& context, const TrainHooks& hooks);

// Goes on from the folder's last checkpoint, with the folder's own config (load_config()); only what it runs on may
// differ.
TrainResult resume(const std::filesystem::path& folder, const data::Dataset& dataset, const ops::Context& context,
                   const TrainHooks& hooks);

}  // namespace lgode::train
