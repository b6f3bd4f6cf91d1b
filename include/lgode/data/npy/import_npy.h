// Imports the data files of the paper's authors' program (github.com/ZijieH/LG-ODE, data/generate_dataset.py). Each
// part is four .npy files: loc, vel, edges and times, with names such as loc_train_springs5.npy.
//
// loc and vel are arrays of objects [S, N], each element [K, 2] (or [K, 3] in space), where K differs between objects;
// times is [S, N] of [K], whole numbers that count recorded steps; edges is [S, N, N], 1 where two objects are
// connected, 0 or -1 (charges of opposite sign) where not. The diagonal is ignored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "lgode/core/stop.h"
#include "lgode/data/dataset.h"
#include "lgode/data/simulate.h"

namespace lgode::data {

struct NpyImport {
  std::filesystem::path folder;
  std::string suffix = "_springs5";
  double step = 0.1;              // time from one recorded step to the next
  std::int64_t total_steps = 60;  // recorded steps of the first range, one unit of the model's time
  ChargedRelations relations = ChargedRelations::kSame;  // whether -1 counts as a type of relation
};

// Reads the training part, the test part or both, whichever exists. DataError names file, system, object and value.
// `progress(done, total)` counts systems; a stop request throws Interrupted.
Dataset import_npy(const NpyImport& options, const std::function<void(std::int64_t, std::int64_t)>& progress = {},
                   const StopFlag* stop = nullptr);

}  // namespace lgode::data
