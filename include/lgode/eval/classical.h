// The classical baselines of every result table. They see the same observations as the encoder, each object on its own.
#pragma once

#include <string_view>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/data/dataset.h"
#include "lgode/data/normalisation.h"

namespace lgode::eval {

enum class Classical {
  kLinear,            // the line between the neighbouring observations; outside them the nearest value
  kHermite,           // cubic Hermite from values and velocities; outside the observations as constant velocity
  kHold,              // the latest observation (before the first one: the first)
  kConstantVelocity,  // the latest observation extrapolated with its velocity (a feature, or the latest difference)
};
inline constexpr Classical kAllClassical[] = {Classical::kLinear, Classical::kHermite, Classical::kHold,
                                              Classical::kConstantVelocity};
std::string_view classical_name(Classical kind);  // "linear", "cubic_hermite", "hold", "constant_velocity"

// Predictions for all targets of a batch, [T, D] normalised. A missing value is replaced from earlier and later
// observations of the same object; an object without observations gets zeros. Without velocity, Hermite is linear.
std::vector<float> predict_classical(Classical kind, const data::Batch& batch,
                                     const std::vector<data::Feature>& features,
                                     const data::Normalisation& normalisation, double time_scale);

}  // namespace lgode::eval
