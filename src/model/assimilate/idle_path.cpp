// The recurrence of idle states, and their distance from the base path.
#include "lgode/model/assimilate/idle_path.h"

#include <utility>

namespace lgode::model {

void IdleState::move(const IdleRule& rule, double dt) {
  for (const TiedPair& tie : rule.ties)
    y[static_cast<std::size_t>(tie.position)] += tie.factor * dt * y[static_cast<std::size_t>(tie.velocity)];
}

void IdleState::take(const IdleRule& rule, const float* values, const float* mask, double* residual) {
  for (std::size_t f = 0; f < y.size(); ++f) {
    const double gain = rule.forecast && seen[f] == 0 ? 1.0 : rule.gain[f];
    const double step = mask[f] * gain * (values[f] - y[f]);
    if (residual != nullptr) residual[f] = step;
    y[f] += step;
    if (mask[f] != 0.0F) seen[f] = 1;
  }
}

BaseRule::BaseRule(const ModelShape& shape, std::vector<double> gain)
    : track(*shape.base), idle{shape.ties, std::move(gain), shape.forecast} {}

void BaseState::offset(const BaseRule& rule, double time, const IdleState& moved, const std::vector<double>& mean,
                       double* to) const {
  for (std::size_t f = 0; f < rule.track.features(); ++f) {
    if (rule.base().features[f].derived)
      to[f] = 0;
    else
      to[f] = (track.knows(rule.track, f) ? track.at(rule.track, f, time) : mean[f]) - moved.y[f];
  }
}

}  // namespace lgode::model
