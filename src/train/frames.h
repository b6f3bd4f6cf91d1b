// What `model` frames takes from its data: units, time grid, radius, pairs, and the classical base path with the lowest
// validation error.
#pragma once

#include <string>
#include <vector>

#include "lgode/data/batch_maker.h"
#include "lgode/data/split.h"
#include "lgode/model/options.h"
#include "lgode/model/shape.h"

namespace lgode::train {

// DataError unless the data has two or three positions in one unit.
void check_for_frames(const data::Dataset& dataset);

// `typical_gap`: physical. `memory`: ModelShape::memory. `fit`: of the training part; made independent of direction, by
// means over the first two positions. `why`: what was chosen, in words, a line each.
model::FramesShape frames_shape(const data::BatchMaker& maker, const data::Parts& parts, double typical_gap,
                                double memory, const data::ClassicalFit& fit, const model::ModelOptions& model,
                                std::vector<std::string>* why = nullptr);

}  // namespace lgode::train
