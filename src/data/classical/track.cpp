// Keeps what forecasts start from, and forecasts.
#include "lgode/data/classical/track.h"

#include <cmath>
#include <cstddef>

#include "damping.h"
#include "lgode/data/classical/velocities.h"

namespace lgode::data {

TrackRule::TrackRule(const BasePath& base)
    : base_(base),
      kind_(classical_method(base.kind).forecasts_as),
      velocity_(velocities_of(base.features)),
      factor_(base.features.size(), 1.0) {
  for (std::size_t v = 0; v < base.features.size(); ++v) {
    const BaseFeature& own = base.features[v];
    if (own.velocity_of < 0 || own.derived) continue;
    const auto position = static_cast<std::size_t>(own.velocity_of);
    factor_[v] = velocity_factor(own.scale, base.time_scale, base.features[position].scale);
  }
}

ClassicalTrack::ClassicalTrack(const TrackRule& rule) {
  if (rule.is_kalman())
    kalman.resize(rule.features());
  else
    motion.resize(rule.features());
}

void ClassicalTrack::add(const TrackRule& rule, double time, const float* values, const float* mask) {
  const auto seen = [&](std::size_t f) { return mask[f] != 0.0F && !rule.base().features[f].derived; };
  if (rule.is_kalman()) {
    for (std::size_t f = 0; f < rule.features(); ++f) {
      if (rule.base().features[f].velocity_of >= 0) continue;
      std::optional<double> x, v;
      if (seen(f)) x = values[f];
      if (const int own = rule.velocity(f); own >= 0 && seen(static_cast<std::size_t>(own)))
        v = values[own] * rule.factor(static_cast<std::size_t>(own));
      if (x || v) kalman[f].add(rule.base().features[f].noise, time, x, v);
    }
    return;
  }
  for (std::size_t f = 0; f < rule.features(); ++f)
    if (seen(f)) motion[f].before_last = motion[f].last, motion[f].last = {time, values[f]};
  for (std::size_t f = 0; f < rule.features(); ++f) {
    const int own = rule.velocity(f);
    if (own < 0) continue;
    Motion& m = motion[f];
    const std::optional<Point>& velocity = motion[static_cast<std::size_t>(own)].last;
    if (seen(f))
      m.velocity = velocity, m.velocity_after.reset();
    else if (seen(static_cast<std::size_t>(own)) && m.last && !m.velocity_after)
      m.velocity_after = velocity;
  }
}

bool ClassicalTrack::knows(const TrackRule& rule, std::size_t f) const {
  const BaseFeature& own = rule.base().features[f];
  if (!rule.is_kalman()) return motion[f].last.has_value();
  if (own.velocity_of < 0) return kalman[f].position_seen;
  // Of a velocity that is not its position's there is no process, and its path is zero.
  const auto position = static_cast<std::size_t>(own.velocity_of);
  return rule.velocity(position) != static_cast<int>(f) || rule.base().features[position].velocity_of >= 0 ||
         kalman[position].begun;
}

double ClassicalTrack::at(const TrackRule& rule, std::size_t f, double time) const {
  switch (rule.kind()) {
    case Classical::kHold:
      return motion[f].last->value;
    case Classical::kConstantVelocity:
      return launched(rule, f, time, 0.0);
    case Classical::kDampedVelocity:
      return launched(rule, f, time, rule.base().features[f].damping);
    case Classical::kKalman:
      return filtered(rule, f, time);
    case Classical::kLinear:
    case Classical::kHermite:  // ClassicalMethod::forecasts_as is another one
      break;
  }
  return 0.0;
}

double ClassicalTrack::filtered(const TrackRule& rule, std::size_t f, double time) const {
  const BaseFeature& own = rule.base().features[f];
  if (own.velocity_of < 0) return kalman[f].position_at(time);
  const auto position = static_cast<std::size_t>(own.velocity_of);
  return rule.velocity(position) == static_cast<int>(f) ? kalman[position].v / rule.factor(f) : 0.0;
}

double ClassicalTrack::launched(const TrackRule& rule, std::size_t f, double time, double damping) const {
  const Motion& m = motion[f];
  const double dt = time - m.last->time;
  if (rule.base().features[f].velocity_of >= 0) return dt > 0 ? m.last->value * std::exp(-damping * dt) : m.last->value;
  double slope = 0;
  if (m.velocity && m.velocity_after)
    slope = m.velocity->value + (m.last->time - m.velocity->time) / (m.velocity_after->time - m.velocity->time) *
                                    (m.velocity_after->value - m.velocity->value);
  else if (m.velocity || m.velocity_after)
    slope = m.velocity ? m.velocity->value : m.velocity_after->value;
  else if (m.before_last)
    return m.last->value +
           (m.last->value - m.before_last->value) / (m.last->time - m.before_last->time) * damped_time(damping, dt);
  const int velocity = rule.velocity(f);
  return m.last->value +
         (velocity >= 0 ? slope * rule.factor(static_cast<std::size_t>(velocity)) : 0.0) * damped_time(damping, dt);
}

}  // namespace lgode::data
