// What a training chooses for scenes: the model of scenes where nothing names a model, and `place` auto.
#pragma once

#include "lgode/data/dataset.h"
#include "lgode/ops/context.h"
#include "lgode/train/config.h"
#include "lgode/train/report.h"

namespace lgode::train {

class Ranks;

// Whether objects move freely in a plane or in space: two or three positions in one unit, no other features than their
// velocities, and relations by rule or none. Positions without velocities have a unit, or are named x, y (z).
bool is_scene(const data::Dataset& dataset);

// The config for this data: `config.scenes`, if it is set and the data is a scene.
RunConfig settle_model(RunConfig config, const data::Dataset& dataset);

// `place` other than auto is the choice. auto: on, if it makes the validation error of a short training at least 1 %
// lower (see `centre` auto in train/centre.h). With auto, hooks.on_start and then hooks.on_trial are called.
// Interrupted on hooks.stop.
PlaceChoice choose_place(const RunConfig& config, const data::Dataset& dataset, const ops::Context& context,
                         const TrainHooks& hooks = {}, Ranks* ranks = nullptr);

}  // namespace lgode::train
