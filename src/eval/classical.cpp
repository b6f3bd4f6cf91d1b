// The classical baselines: each feature of each object as a time series of its own, with its velocity where the data
// has one.
#include "lgode/eval/classical.h"

#include <algorithm>
#include <cstddef>

namespace lgode::eval {
namespace {

// The present values of one feature of one object, ascending in time.
struct Series {
  std::vector<double> time, value;
  bool empty() const { return time.empty(); }

  // Index of the last entry not later than t, or -1.
  std::ptrdiff_t before(double t) const { return std::upper_bound(time.begin(), time.end(), t) - time.begin() - 1; }
  double hold(double t) const { return value[static_cast<std::size_t>(std::max<std::ptrdiff_t>(before(t), 0))]; }
  double linear(double t) const {
    const std::ptrdiff_t k = before(t);
    if (k < 0) return value.front();
    if (k + 1 >= static_cast<std::ptrdiff_t>(time.size())) return value.back();
    const double share = (t - time[k]) / (time[k + 1] - time[k]);
    return value[k] + share * (value[k + 1] - value[k]);
  }
};

Series series_of(const data::Batch& batch, std::int64_t object, std::int64_t feature) {
  Series s;
  for (std::int64_t m = batch.observation_offsets[object]; m < batch.observation_offsets[object + 1]; ++m) {
    if (batch.observation_mask[m * batch.features + feature] == 0.0F) continue;
    s.time.push_back(batch.observation_times[m]);
    s.value.push_back(batch.observation_values[m * batch.features + feature]);
  }
  return s;
}

// A feature with its velocity in its own normalised units per model time.
struct Motion {
  Series position, velocity;

  double slope(double t) const {
    if (!velocity.empty()) return velocity.linear(t);
    const std::size_t n = position.time.size();
    if (n < 2) return 0.0;
    const auto k =
        static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(position.before(t), 1, static_cast<std::ptrdiff_t>(n) - 1));
    return (position.value[k] - position.value[k - 1]) / (position.time[k] - position.time[k - 1]);
  }
  double constant_velocity(double t) const {
    const auto k = static_cast<std::size_t>(std::max<std::ptrdiff_t>(position.before(t), 0));
    return position.value[k] + slope(position.time[k]) * (t - position.time[k]);
  }
  // Cubic through the two neighbouring observations with their slopes, or its derivative.
  double hermite(double t, bool derivative) const {
    const std::ptrdiff_t k = position.before(t);
    if (k < 0 || k + 1 >= static_cast<std::ptrdiff_t>(position.time.size()))
      return derivative ? velocity.linear(t) : constant_velocity(t);
    const double h = position.time[k + 1] - position.time[k], x = (t - position.time[k]) / h;
    const double y0 = position.value[k], y1 = position.value[k + 1];
    const double s0 = h * slope(position.time[k]), s1 = h * slope(position.time[k + 1]);
    if (derivative)
      return ((6 * x * x - 6 * x) * (y0 - y1) + (3 * x * x - 4 * x + 1) * s0 + (3 * x * x - 2 * x) * s1) / h;
    return (2 * x * x * x - 3 * x * x + 1) * y0 + (x * x * x - 2 * x * x + x) * s0 + (3 * x * x - 2 * x * x * x) * y1 +
           (x * x * x - x * x) * s1;
  }
};

// The features of one object, with positions and velocities matched.
class Predictor {
 public:
  Predictor(const data::Batch& batch, std::int64_t object, const std::vector<data::Feature>& features,
            const data::Normalisation& normalisation, double time_scale)
      : features_(features) {
    const auto count = static_cast<std::int64_t>(features.size());
    for (std::int64_t f = 0; f < count; ++f) motion_.push_back({series_of(batch, object, f), {}});
    for (std::int64_t f = 0; f < count; ++f) {
      const int position = features[f].velocity_of;
      if (position < 0) continue;
      // Normalised velocity -> normalised position per model time.
      factor_.push_back({f, normalisation.scale[f] * time_scale / normalisation.scale[position]});
      motion_[position].velocity = motion_[f].position;
      for (double& v : motion_[position].velocity.value) v *= factor_.back().second;
    }
  }

  double operator()(Classical kind, std::size_t f, double t) const {
    const Motion& m = motion_[f];
    if (m.position.empty()) return 0.0;
    switch (kind) {
      case Classical::kLinear:
        return m.position.linear(t);
      case Classical::kHold:
        return m.position.hold(t);
      case Classical::kConstantVelocity:
        return features_[f].velocity_of >= 0 ? m.position.hold(t) : m.constant_velocity(t);
      case Classical::kHermite:
        break;
    }
    if (!m.velocity.empty()) return m.hermite(t, false);
    if (features_[f].velocity_of < 0) return m.position.linear(t);
    const Motion& of = motion_[features_[f].velocity_of];
    if (of.position.empty()) return m.position.linear(t);
    return of.hermite(t, true) / factor(f);
  }

 private:
  double factor(std::size_t f) const {
    for (const auto& [feature, value] : factor_)
      if (feature == static_cast<std::int64_t>(f)) return value;
    return 1.0;
  }

  const std::vector<data::Feature>& features_;
  std::vector<Motion> motion_;
  std::vector<std::pair<std::int64_t, double>> factor_;
};

}  // namespace

std::string_view classical_name(Classical kind) {
  switch (kind) {
    case Classical::kLinear:
      return "linear";
    case Classical::kHermite:
      return "cubic_hermite";
    case Classical::kHold:
      return "hold";
    case Classical::kConstantVelocity:
      return "constant_velocity";
  }
  return "";
}

std::vector<float> predict_classical(Classical kind, const data::Batch& batch,
                                     const std::vector<data::Feature>& features,
                                     const data::Normalisation& normalisation, double time_scale) {
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(batch.targets() * batch.features));
  for (std::int64_t i = 0; i < batch.objects(); ++i) {
    const Predictor predictor(batch, i, features, normalisation, time_scale);
    for (std::int64_t t = batch.target_offsets[i]; t < batch.target_offsets[i + 1]; ++t)
      for (std::size_t f = 0; f < features.size(); ++f)
        out.push_back(static_cast<float>(predictor(kind, f, batch.target_times[t])));
  }
  return out;
}

}  // namespace lgode::eval
