// Time and memory of a training, estimated before its first step: a forward and a backward pass over a part of the
// first batch are timed and scaled up by the work, which grows with pairs of objects and observations.
#pragma once

#include <cstdint>

#include "lgode/data/batch.h"
#include "lgode/model/model.h"
#include "lgode/ops/context.h"
#include "lgode/train/report.h"
#include "lgode/train/step_input.h"

namespace lgode::train {

// Of one step, at most a few seconds' work; `epoch_seconds` and `seconds` are left 0. Changes no weights and no random
// numbers, only the gradient, which each step overwrites.
Cost estimate_step(model::Model& model, const StepMaker& steps, const ops::Context& context);

// The first `count` objects of a batch of one system, and what belongs to them alone.
data::Batch first_objects(const data::Batch& batch, std::int64_t count);

// Work of a step: each object's observations, once for itself and once per object that acts on it. `interaction`: which
// these are in the model.
double work_of(const data::Batch& batch, model::Interaction interaction);

}  // namespace lgode::train
