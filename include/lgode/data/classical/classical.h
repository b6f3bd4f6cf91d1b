// The classical baselines of every result table. They see the same observations as the encoder, each object on its own.
// A velocity that is derived from the positions (Feature::derived) is neither used nor predicted.
#pragma once

#include <string_view>
#include <vector>

#include "lgode/core/methods.h"
#include "lgode/data/batch.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/classical/fit.h"
#include "lgode/data/dataset.h"
#include "lgode/data/normalisation.h"

namespace lgode::data {

using lgode::Classical;  // core/methods.h lists the methods, with their names

// What the methods take from the training part, fitted on these systems.
ClassicalFit fit_classical(const BatchMaker& maker, const std::vector<std::int64_t>& systems);

// All methods, in the order of tables, except those whose numbers the fit lacks.
std::vector<Classical> classical_kinds(const ClassicalFit& fit);
// The key in files.
std::string_view classical_name(Classical kind);

// Predictions for all targets of a batch, [T, D] normalised. A missing value is replaced from earlier and later
// observations of the same object; a feature of an object without context gets the mean of its context in the system,
// or 0. `spread`: the path's own standard deviations are written there, ones if it has none.
std::vector<float> predict_classical(Classical kind, const Batch& batch, const std::vector<Feature>& features,
                                     const Normalisation& normalisation, double time_scale,
                                     const ClassicalFit& fit = {}, std::vector<float>* spread = nullptr);

// The damping of each feature, per model time, that gives the smallest squared error on the targets of these systems
// (a sample of many), with contexts as in validation. From 0 to 50; 0 where there is nothing to fit. Empty for
// interpolation, where the damped velocity is not used, and without systems.
std::vector<double> fit_damping(const BatchMaker& maker, const std::vector<std::int64_t>& systems);

}  // namespace lgode::data
