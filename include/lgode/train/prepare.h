// What a training takes from its data before the first step: parts, scales, shape of the model, and the description of
// the run. Reads all systems; the loop is in trainer.h.
#pragma once

#include "lgode/data/dataset.h"
#include "lgode/data/task.h"
#include "lgode/eval/run_info.h"
#include "lgode/ops/context.h"
#include "lgode/train/config.h"
#include "lgode/train/report.h"

namespace lgode::train {

class Ranks;

// Sizes of the model that depend on the data, without a base path. DataError if the model cannot be used with the data.
model::ModelShape shape_for(const data::Dataset& dataset, const RunConfig& config);

struct Preparation {
  data::Parts parts;
  LeftOut left_out;  // training systems in no part, by reason
  BaseChoice base;   // of model assimilate
  RunConfig config;  // with all automatic values filled in: batch, window
  data::BatchMaker maker;
  eval::RunInfo info;  // describes the weights before the first step
};

// `previous`: the weights come from this run; its scales, clock and shape are kept. `ranks`: rank 0 reads the data and
// sends its findings; null: this process trains alone. DataError if the data has nothing to train on.
Preparation prepare(const RunConfig& config, const data::Dataset& dataset, const ops::Context& context,
                    const eval::RunInfo* previous = nullptr, Ranks* ranks = nullptr);

}  // namespace lgode::train
