// Settles what depends on the data: `turn` auto, and `centre` auto, between coordinates of the world and those relative
// to each system's mean position.
#pragma once

#include "lgode/data/dataset.h"
#include "lgode/ops/context.h"
#include "lgode/train/config.h"
#include "lgode/train/report.h"

namespace lgode::train {

class Ranks;

// `turn` auto is random for the assimilating model if `centre` is not none and data::turned_pairs() accepts the
// features; positions are then relative (centre system). Otherwise it is none.
RunConfig settle_turn(RunConfig config, const data::Dataset& dataset);

// `centre` other than auto is the choice. auto: a tenth of the training, 10 to 300 steps, is done with each kind of
// coordinates, and the one with the lower validation error is chosen. A run of fewer than 100 steps, or one without a
// validation part, decides by data: relative coordinates if the systems' mean positions are, in the root mean square,
// farther from zero than positions are from their system's mean. With auto, hooks.on_start and then hooks.on_trial are
// called. Interrupted on hooks.stop.
CentreChoice choose_centre(const RunConfig& config, const data::Dataset& dataset, const ops::Context& context,
                           const TrainHooks& hooks = {}, Ranks* ranks = nullptr);

}  // namespace lgode::train
