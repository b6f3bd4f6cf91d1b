// Makes a base path of a fit, and gains of its noise.
#include "lgode/data/classical/base_path.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "lgode/data/classical/classical.h"

namespace lgode::data {

BasePath base_path(Classical kind, const std::vector<Feature>& features, const Normalisation& normalisation,
                   double time_scale, const ClassicalFit& fit) {
  BasePath out{kind, time_scale, {}};
  for (std::size_t f = 0; f < features.size(); ++f) {
    BaseFeature own{features[f].velocity_of, features[f].derived, normalisation.scale[f]};
    if (!fit.damping.empty()) own.damping = fit.damping[f];
    if (!fit.noise.empty()) own.noise = fit.noise[f];
    out.features.push_back(own);
  }
  return out;
}

void set_stationary_gains(BasePath& base, double gap, double most) {
  const std::size_t width = base.features.size();
  for (std::size_t f = 0; f < width; ++f) {
    const BaseFeature& position = base.features[f];
    if (position.velocity_of >= 0) continue;
    int own = -1;
    for (std::size_t v = 0; v < width; ++v)
      if (base.features[v].velocity_of == static_cast<int>(f)) own = static_cast<int>(v);
    const bool derived = own >= 0 && base.features[static_cast<std::size_t>(own)].derived;
    const StationaryGain found = stationary_gain(position.noise, gap, own >= 0 && !derived);
    double gain = found.position, of_velocity = found.velocity;
    if (own < 0) {
      // Level and noise: a random walk whose steps have the variance of the object's own.
      const double q = position.noise.speed * gap * gap, r = position.noise.position;
      const double ahead = q / 2 + std::sqrt(q * q / 4 + q * r);
      gain = ahead / (ahead + r);
    }
    if (derived) {
      const double r = 2 * position.noise.position / (gap * gap);
      of_velocity = found.velocity_variance / (found.velocity_variance + r);
    }
    constexpr double kLeast = 0.01;
    base.features[f].gain = std::clamp(gain, kLeast, most);
    if (own >= 0) base.features[static_cast<std::size_t>(own)].gain = std::clamp(of_velocity, kLeast, most);
  }
}

bool shows_state(const BasePath& base, double gap) {
  constexpr double kExact = 0.95;
  for (std::size_t f = 0; f < base.features.size(); ++f) {
    const BaseFeature& own = base.features[f];
    if (own.velocity_of >= 0) continue;
    const bool moves = std::any_of(base.features.begin(), base.features.end(), [&](const BaseFeature& v) {
      return v.velocity_of == static_cast<int>(f) && !v.derived;
    });
    if (!moves || stationary_gain(own.noise, gap, /*with_velocity=*/true).position < kExact) return false;
  }
  return true;
}

std::vector<float> predict_base(const BasePath& base, const Batch& batch) {
  std::vector<Feature> features(base.features.size());
  Normalisation normalisation;
  ClassicalFit fit;
  for (std::size_t f = 0; f < features.size(); ++f) {
    const BaseFeature& own = base.features[f];
    features[f].velocity_of = own.velocity_of, features[f].derived = own.derived;
    normalisation.scale.push_back(own.scale);
    fit.damping.push_back(own.damping), fit.noise.push_back(own.noise);
  }
  return predict_classical(base.kind, batch, features, normalisation, base.time_scale, fit);
}

}  // namespace lgode::data
