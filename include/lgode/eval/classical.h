// The classical baselines of every result table. They see the same observations as the encoder, each object on its own.
// A velocity that is derived from the positions (Feature::derived) is neither used nor predicted.
#pragma once

#include <string_view>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/dataset.h"
#include "lgode/data/normalisation.h"
#include "lgode/eval/kalman.h"

namespace lgode::eval {

enum class Classical {
  kLinear,  // the line between the neighbouring observations; outside them the nearest value
  // Cubic Hermite from values and velocities; outside the observations as constant velocity. Where the data has no
  // velocity, the derivative of the parabola through three neighbouring observations, at the ends the difference of
  // two.
  kHermite,
  kHold,              // the latest observation (before the first one: the first)
  kConstantVelocity,  // the latest observation extrapolated with its velocity (a feature, or the latest difference)
  // The same with a velocity v that decays: x(t) = x + v (1 - exp(-c dt)) / c. A feature that is a velocity itself:
  // v exp(-c dt). Before the observation, constant velocity. For forecasts only: between observations it has no use.
  kDampedVelocity,
  kKalman,  // a Kalman smoother (kalman.h)
};
inline constexpr Classical kAllClassical[] = {Classical::kLinear,         Classical::kHermite,
                                              Classical::kHold,           Classical::kConstantVelocity,
                                              Classical::kDampedVelocity, Classical::kKalman};

// What the baselines take from the training part.
struct ClassicalFit {
  std::vector<double> damping = {};     // [D] of the damped velocity, per model time; empty: 0
  std::vector<WienerNoise> noise = {};  // [D] of the Kalman smoother; empty: its defaults
};
// Both, fitted on these systems.
ClassicalFit fit_classical(const data::BatchMaker& maker, const std::vector<std::int64_t>& systems);

// All of them; without a damping, without the damped velocity; without the noise, without the Kalman smoother.
std::vector<Classical> classical_kinds(const ClassicalFit& fit);
// "linear", "cubic_hermite", "hold", "constant_velocity", "damped_velocity", "kalman"
std::string_view classical_name(Classical kind);

// Predictions for all targets of a batch, [T, D] normalised. A missing value is replaced from earlier and later
// observations of the same object; a feature never seen of an object gets the mean of what is seen of it in the system
// (nothing: 0). `spread`: the path's own standard deviations are written there, ones if it has none.
std::vector<float> predict_classical(Classical kind, const data::Batch& batch,
                                     const std::vector<data::Feature>& features,
                                     const data::Normalisation& normalisation, double time_scale,
                                     const ClassicalFit& fit = {}, std::vector<float>* spread = nullptr);

// The damping of each feature, per model time, that gives the smallest squared error on the targets of these systems
// (of many, of a sample), seen as in validation. From 0 to 50; 0 where there is nothing to fit. Empty for
// interpolation, where the damped velocity is not used, and without systems.
std::vector<double> fit_damping(const data::BatchMaker& maker, const std::vector<std::int64_t>& systems);

}  // namespace lgode::eval
