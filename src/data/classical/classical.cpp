// The classical baselines: each feature of each object as a time series of its own, with its velocity where the data
// has one.
#include "lgode/data/classical/classical.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "damping.h"
#include "lgode/core/evenly_spaced.h"
#include "lgode/data/classical/context_means.h"
#include "lgode/data/classical/series.h"
#include "lgode/data/classical/velocities.h"

namespace lgode::data {
namespace {

Series series_of(const Batch& batch, std::int64_t object, std::int64_t feature) {
  Series s;
  for (std::int64_t m = batch.observation_offsets[object]; m < batch.observation_offsets[object + 1]; ++m)
    if (batch.observation_mask[m * batch.features + feature] != 0.0F)
      s.add(batch.observation_times[m], batch.observation_values[m * batch.features + feature]);
  return s;
}

// The features of one object, with positions and velocities matched.
class Predictor {
 public:
  Predictor(const Batch& batch, std::int64_t object, const std::vector<Feature>& features,
            const Normalisation& normalisation, double time_scale)
      : features_(features), factor_(features.size(), 1.0) {
    for (std::size_t f = 0; f < features.size(); ++f)
      motion_.push_back({series_of(batch, object, static_cast<std::int64_t>(f)), {}});
    for (std::size_t f = 0; f < features.size(); ++f) {
      if (features[f].velocity_of < 0 || features[f].derived) continue;
      const auto position = static_cast<std::size_t>(features[f].velocity_of);
      factor_[f] = velocity_factor(normalisation.scale[f], time_scale, normalisation.scale[position]);
      motion_[position].velocity = motion_[f].position;
      for (double& v : motion_[position].velocity.value) v *= factor_[f];
    }
  }

  bool knows(std::size_t f) const { return !motion_[f].position.empty() && !features_[f].derived; }

  double operator()(Classical kind, std::size_t f, double t, double damping) const {
    if (!knows(f)) return 0.0;
    const Motion& m = motion_[f];
    switch (kind) {
      case Classical::kLinear:
        return m.position.linear(t);
      case Classical::kHold:
        return m.position.hold(t);
      case Classical::kConstantVelocity:
        return launch(f, t).after(0.0);
      case Classical::kDampedVelocity:
        return launch(f, t).after(damping);
      case Classical::kHermite:
      case Classical::kKalman:  // not feature by feature
        break;
    }
    if (features_[f].velocity_of < 0) return m.position.inside(t) ? m.hermite(t, false) : m.constant_velocity(t);
    const Motion& of = motion_[static_cast<std::size_t>(features_[f].velocity_of)];
    return of.position.inside(t) ? of.hermite(t, true) / factor_[f] : m.position.linear(t);
  }

  // The latest observation before a time.
  struct Launch {
    double value = 0, velocity = 0, dt = 0;
    bool is_velocity = false;

    double after(double damping) const {
      if (is_velocity) return dt > 0 ? value * std::exp(-damping * dt) : value;
      return value + velocity * damped_time(damping, dt);
    }
  };
  Launch launch(std::size_t f, double t) const {
    const Motion& m = motion_[f];
    const double from = m.position.time[static_cast<std::size_t>(std::max<std::ptrdiff_t>(m.position.before(t), 0))];
    if (features_[f].velocity_of >= 0) return {m.position.hold(t), 0.0, t - from, true};
    return {m.position.hold(t), m.slope(from), t - from, false};
  }

 private:
  const std::vector<Feature>& features_;
  std::vector<Motion> motion_;
  std::vector<double> factor_;  // 1 for features other than velocities
};

// Fits the damping of one feature to forecasts whose results are known.
class DampingFit {
 public:
  void add(const Predictor::Launch& launch, double target) {
    // An object at rest says nothing about damping.
    if (launch.dt > 0 && (launch.is_velocity ? launch.value : launch.velocity) != 0.0) {
      launches_.push_back(launch);
      targets_.push_back(target);
    }
  }

  double best() const {
    constexpr double kFirst = 0.05, kMost = 50;
    constexpr int kPoints = 24, kRefinements = 15;
    if (launches_.empty()) return 0.0;
    std::vector<double> grid{0.0};
    for (int i = 0; i < kPoints; ++i)
      grid.push_back(kFirst * std::pow(kMost / kFirst, static_cast<double>(i) / (kPoints - 1)));
    std::vector<double> errors;
    for (const double c : grid) errors.push_back(error(c));
    const auto at = static_cast<std::size_t>(std::min_element(errors.begin(), errors.end()) - errors.begin());
    // Ternary search between the neighbours of the best point.
    double low = grid[at == 0 ? 0 : at - 1], high = grid[std::min(at + 1, grid.size() - 1)];
    for (int i = 0; i < kRefinements; ++i) {
      const double a = low + (high - low) / 3, b = high - (high - low) / 3;
      if (error(a) <= error(b))
        high = b;
      else
        low = a;
    }
    const double refined = 0.5 * (low + high);
    return error(refined) < errors[at] ? refined : grid[at];
  }

 private:
  double error(double damping) const {
    constexpr std::size_t kSample = 20'000;
    double sum = 0;
    for (std::size_t i = 0; i < launches_.size(); i += launches_.size() / kSample + 1) {
      const double difference = launches_[i].after(damping) - targets_[i];
      sum += difference * difference;
    }
    return sum;
  }

  std::vector<Predictor::Launch> launches_;
  std::vector<double> targets_;
};

// As many evenly spaced systems as have about `objects` objects, at most `most`.
std::vector<std::int64_t> sample_of(const Dataset& dataset, const std::vector<std::int64_t>& systems, std::int64_t most,
                                    std::int64_t objects) {
  std::int64_t all = 0;
  for (const std::int64_t s : systems) all += dataset.objects_of(s);
  const auto count = static_cast<std::int64_t>(systems.size());
  const std::int64_t wanted = std::clamp<std::int64_t>(objects * count / std::max<std::int64_t>(all, 1), 1, most);
  return evenly_spaced(systems, static_cast<std::size_t>(wanted));
}

}  // namespace

bool is_fitted(Classical kind, const ClassicalFit& fit) {
  if (kind == Classical::kDampedVelocity) return !fit.damping.empty();
  if (kind == Classical::kKalman) return !fit.noise.empty();
  return true;
}

ClassicalFit fit_classical(const BatchMaker& maker, const std::vector<std::int64_t>& systems) {
  return {fit_damping(maker, systems), fit_wiener(maker, systems)};
}

std::vector<Classical> classical_kinds(const ClassicalFit& fit) {
  std::vector<Classical> kinds;
  for (const ClassicalMethod& method : kClassicalMethods)
    if (is_fitted(method.kind, fit)) kinds.push_back(method.kind);
  return kinds;
}

std::string_view classical_name(Classical kind) { return classical_method(kind).key; }

std::vector<float> predict_classical(Classical kind, const Batch& batch, const std::vector<Feature>& features,
                                     const Normalisation& normalisation, double time_scale, const ClassicalFit& fit,
                                     std::vector<float>* spread) {
  if (kind == Classical::kKalman) {
    KalmanPath path = kalman_smoother(batch, features, normalisation, time_scale, fit.noise);
    if (spread != nullptr) *spread = std::move(path.spread);
    return std::move(path.mean);
  }
  if (spread != nullptr) spread->assign(static_cast<std::size_t>(batch.targets() * batch.features), 1.0F);
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(batch.targets() * batch.features));
  for (std::int64_t b = 0; b < batch.systems(); ++b) {
    const std::vector<double> means = context_means(batch, b);
    for (std::int64_t i = batch.object_offsets[b]; i < batch.object_offsets[b + 1]; ++i) {
      const Predictor predictor(batch, i, features, normalisation, time_scale);
      for (std::int64_t t = batch.target_offsets[i]; t < batch.target_offsets[i + 1]; ++t)
        for (std::size_t f = 0; f < features.size(); ++f) {
          const double c = fit.damping.empty() ? 0.0 : fit.damping[f];
          const bool known = predictor.knows(f) || features[f].derived;
          out.push_back(static_cast<float>(known ? predictor(kind, f, batch.target_times[t], c) : means[f]));
        }
    }
  }
  return out;
}

std::vector<double> fit_damping(const BatchMaker& maker, const std::vector<std::int64_t>& systems) {
  constexpr std::int64_t kSystems = 500, kObjects = 10'000, kTargets = 100;  // targets: of one object
  if (maker.task().task != Task::kExtrapolate || systems.empty()) return {};
  const std::vector<Feature>& features = maker.dataset().description().features;
  std::vector<DampingFit> fits(features.size());
  for (const std::int64_t s : sample_of(maker.dataset(), systems, kSystems, kObjects)) {
    const Batch batch = maker.make({s}, View::kValidate);
    for (std::int64_t i = 0; i < batch.objects(); ++i) {
      const Predictor predictor(batch, i, features, maker.normalisation(), maker.clock().time_scale);
      const std::int64_t first = batch.target_offsets[i], last = batch.target_offsets[i + 1];
      for (std::int64_t t = first; t < last; t += (last - first) / kTargets + 1)
        for (std::size_t f = 0; f < features.size(); ++f) {
          const std::size_t at = static_cast<std::size_t>(t) * features.size() + f;
          if (batch.target_mask[at] != 0.0F && predictor.knows(f))
            fits[f].add(predictor.launch(f, batch.target_times[static_cast<std::size_t>(t)]), batch.target_values[at]);
        }
    }
  }
  std::vector<double> damping;
  for (const DampingFit& fit : fits) damping.push_back(fit.best());
  return damping;
}

}  // namespace lgode::data
