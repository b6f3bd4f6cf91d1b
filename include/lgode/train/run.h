// A training run in a folder.
//
// The folder: config.json (resolved), metrics.jsonl (one line per epoch, see checkpoint.h), checkpoint.safetensors
// (weights, optimiser state, progress), checkpoint.previous.safetensors (the one before it), best.safetensors (the
// weights selected by validation error). A resumed run ends with the same bytes as an uninterrupted one, wherever it
// was stopped or killed; docs/reliability.md says how this is tested.
#pragma once

#include <filesystem>
#include <optional>

#include "lgode/core/file.h"
#include "lgode/data/dataset.h"
#include "lgode/ops/context.h"
#include "lgode/train/config.h"
#include "lgode/train/report.h"

namespace lgode::train {

class Ranks;

// The device and the number of threads that the options select. ConfigError if a GPU is requested and none is usable.
// With ranks: the GPU of this rank, and its part of the cores unless the launcher gave it cores of its own.
ops::Context make_context(const TrainOptions& options, const Ranks* ranks = nullptr);

// Starts a run in `folder`. ExistsError if it holds a run already; with Overwrite::kAllow its files are replaced.
// DataError if another process trains in the folder. With config.train.from, ConfigError if that run's model does not
// fit the config or the data. `ranks`: the processes that train together; one of them writes. RankLostError if one is
// lost; the state of the last whole step is saved.
TrainResult train(const RunConfig& config, const data::Dataset& dataset, const std::filesystem::path& folder,
                  Overwrite overwrite, const ops::Context& context, const TrainHooks& hooks, Ranks* ranks = nullptr);

// Continues from the folder's last checkpoint that is in order (find_checkpoint(); hooks.on_warning hears of others)
// with the folder's own config (load_config()). Only the context (device, threads) may differ. `longer`: the config
// that lengthen() made of the folder's own; it replaces config.json.
TrainResult resume(const std::filesystem::path& folder, const data::Dataset& dataset, const ops::Context& context,
                   const TrainHooks& hooks, const std::optional<RunConfig>& longer = {}, Ranks* ranks = nullptr);

}  // namespace lgode::train
