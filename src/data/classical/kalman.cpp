// Filters forward, smooths backward, and reads the process between two observations.
#include "lgode/data/classical/kalman.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "lgode/core/evenly_spaced.h"
#include "lgode/data/classical/context_means.h"
#include "lgode/data/classical/velocities.h"

namespace lgode::data {
namespace {

constexpr double kAnywhere = 100;  // variance of a position before any observation; normalised positions are within 1
constexpr double kLeast = 1e-12, kMost = 1e6;  // of a fitted variance

// A position and its velocity: mean and covariance.
struct Moments {
  double x = 0, v = 0;
  double xx = kAnywhere, xv = 0, vv = 1;
};

struct Seen {
  double time = 0;
  std::optional<double> x, v;
};

// One position with its velocity of one object.
class Process {
 public:
  explicit Process(const WienerNoise& noise) : noise_(noise) {}

  Moments start() const { return {0, 0, kAnywhere, 0, noise_.speed}; }

  Moments after(const Moments& s, double dt) const {
    const double q = noise_.drive;
    Moments out;
    out.x = s.x + dt * s.v, out.v = s.v;
    out.xx = s.xx + 2 * dt * s.xv + dt * dt * s.vv + q * dt * dt * dt / 3;
    out.xv = s.xv + dt * s.vv + q * dt * dt / 2;
    out.vv = s.vv + q * dt;
    return out;
  }

  // Takes an observation in; adds to minus twice its log-likelihood.
  Moments with(Moments s, const Seen& seen, double* cost = nullptr) const {
    if (seen.x) {
      const double innovation = *seen.x - s.x, variance = s.xx + noise_.position;
      const double gx = s.xx / variance, gv = s.xv / variance;
      s = {s.x + gx * innovation, s.v + gv * innovation, s.xx - gx * s.xx, s.xv - gx * s.xv, s.vv - gv * s.xv};
      if (cost != nullptr) *cost += innovation * innovation / variance + std::log(variance);
    }
    if (seen.v) {
      const double innovation = *seen.v - s.v, variance = s.vv + noise_.velocity;
      const double gx = s.xv / variance, gv = s.vv / variance;
      s = {s.x + gx * innovation, s.v + gv * innovation, s.xx - gx * s.xv, s.xv - gx * s.vv, s.vv - gv * s.vv};
      if (cost != nullptr) *cost += innovation * innovation / variance + std::log(variance);
    }
    return s;
  }

  // `filtered` given what is known of the state `dt` later (Rauch, Tung and Striebel).
  Moments given(const Moments& filtered, double dt, const Moments& later) const {
    const Moments ahead = after(filtered, dt);
    const double det = ahead.xx * ahead.vv - ahead.xv * ahead.xv;
    if (!(det > 0)) return filtered;
    // Covariance of the two states, P F^T, times the inverse of the covariance ahead.
    const double a = filtered.xx + dt * filtered.xv, b = filtered.xv, c = filtered.xv + dt * filtered.vv,
                 d = filtered.vv;
    const double gxx = (a * ahead.vv - b * ahead.xv) / det, gxv = (b * ahead.xx - a * ahead.xv) / det;
    const double gvx = (c * ahead.vv - d * ahead.xv) / det, gvv = (d * ahead.xx - c * ahead.xv) / det;
    const double ex = later.x - ahead.x, ev = later.v - ahead.v;
    const double dxx = later.xx - ahead.xx, dxv = later.xv - ahead.xv, dvv = later.vv - ahead.vv;
    Moments out;
    out.x = filtered.x + gxx * ex + gxv * ev, out.v = filtered.v + gvx * ex + gvv * ev;
    out.xx = filtered.xx + gxx * (gxx * dxx + gxv * dxv) + gxv * (gxx * dxv + gxv * dvv);
    out.xv = filtered.xv + gxx * (gvx * dxx + gvv * dxv) + gxv * (gvx * dxv + gvv * dvv);
    out.vv = filtered.vv + gvx * (gvx * dxx + gvv * dxv) + gvv * (gvx * dxv + gvv * dvv);
    out.xx = std::max(out.xx, 0.0), out.vv = std::max(out.vv, 0.0);
    return out;
  }

  double cost(const std::vector<Seen>& seen) const {
    double total = 0;
    Moments s = start();
    for (std::size_t k = 0; k < seen.size(); ++k) {
      if (k > 0) s = after(s, seen[k].time - seen[k - 1].time);
      s = with(s, seen[k], &total);
    }
    return total;
  }

 private:
  const WienerNoise& noise_;
};

// The smoothed states of one position, at any time.
class Smoothed {
 public:
  Smoothed(const WienerNoise& noise, std::vector<Seen> seen) : process_(noise), seen_(std::move(seen)) {
    Moments s = process_.start();
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      if (k > 0) s = process_.after(s, seen_[k].time - seen_[k - 1].time);
      filtered_.push_back(s = process_.with(s, seen_[k]));
    }
    smoothed_ = filtered_;
    for (std::size_t k = seen_.size() - 1; k-- > 0;)
      smoothed_[k] = process_.given(filtered_[k], seen_[k + 1].time - seen_[k].time, smoothed_[k + 1]);
  }

  Moments at(double t) const {
    const auto next =
        std::upper_bound(seen_.begin(), seen_.end(), t, [](double x, const Seen& s) { return x < s.time; });
    const auto k = static_cast<std::size_t>(next - seen_.begin());
    // Before the first one the process runs backward, with the opposite velocity.
    if (k == 0) {
      Moments back = smoothed_.front();
      back.v = -back.v, back.xv = -back.xv;
      back = process_.after(back, seen_.front().time - t);
      back.v = -back.v, back.xv = -back.xv;
      return back;
    }
    const double since = t - seen_[k - 1].time;
    if (since == 0) return smoothed_[k - 1];
    const Moments ahead = process_.after(filtered_[k - 1], since);
    return k == seen_.size() ? ahead : process_.given(ahead, seen_[k].time - t, smoothed_[k]);
  }

 private:
  Process process_;
  std::vector<Seen> seen_;
  std::vector<Moments> filtered_, smoothed_;
};

// The place of each position's velocity among the features, or -1; velocities that belong to a position are not
// positions.
struct Pair {
  std::size_t position;
  int velocity;
  double factor;  // from a normalised velocity to normalised positions per model time
};
std::vector<Pair> pairs_of(const std::vector<Feature>& features, const Normalisation& normalisation,
                           double time_scale) {
  const std::vector<int> velocities = velocities_of(features);
  std::vector<Pair> pairs;
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (features[f].derived || features[f].velocity_of >= 0) continue;
    Pair pair{f, velocities[f], 1.0};
    if (pair.velocity >= 0)
      pair.factor = velocity_factor(normalisation.scale[static_cast<std::size_t>(pair.velocity)], time_scale,
                                    normalisation.scale[f]);
    pairs.push_back(pair);
  }
  return pairs;
}

// The context of one position of one object.
std::vector<Seen> seen_of(const Batch& batch, std::int64_t object, const Pair& pair) {
  std::vector<Seen> out;
  for (std::int64_t m = batch.observation_offsets[object]; m < batch.observation_offsets[object + 1]; ++m) {
    const auto row = static_cast<std::size_t>(m * batch.features);
    Seen seen;
    seen.time = batch.observation_times[static_cast<std::size_t>(m)];
    if (batch.observation_mask[row + pair.position] != 0.0F) seen.x = batch.observation_values[row + pair.position];
    if (pair.velocity >= 0) {
      const std::size_t at = row + static_cast<std::size_t>(pair.velocity);
      if (batch.observation_mask[at] != 0.0F) seen.v = batch.observation_values[at] * pair.factor;
    }
    if (seen.x || seen.v) out.push_back(seen);
  }
  return out;
}

bool any_position(const std::vector<Seen>& seen) {
  return std::any_of(seen.begin(), seen.end(), [](const Seen& s) { return s.x.has_value(); });
}

// The variances of one position, by a search along one logarithm after the other.
WienerNoise fit(const std::vector<std::vector<Seen>>& all, bool velocity) {
  WienerNoise noise;
  double squares = 0, count = 0;
  for (const std::vector<Seen>& seen : all)
    for (std::size_t k = 0; k < seen.size(); ++k) {
      if (seen[k].v) squares += *seen[k].v * *seen[k].v, count += 1;
      if (!velocity && k > 0 && seen[k].x && seen[k - 1].x && seen[k].time > seen[k - 1].time) {
        const double v = (*seen[k].x - *seen[k - 1].x) / (seen[k].time - seen[k - 1].time);
        squares += v * v, count += 1;
      }
    }
  if (count > 0) noise.speed = std::clamp(squares / count, kLeast, kMost);
  noise.drive = noise.speed;
  const auto cost = [&](const WienerNoise& n) {
    double total = 0;
    for (const std::vector<Seen>& seen : all) total += Process(n).cost(seen);
    return total;
  };
  double best = cost(noise);
  constexpr double kWidest = 3, kFinest = 0.2;  // factors e^3 to e^0.2
  for (double width = kWidest; width > kFinest;) {
    bool better = false;
    for (double WienerNoise::*part : {&WienerNoise::drive, &WienerNoise::position, &WienerNoise::velocity}) {
      if (part == &WienerNoise::velocity && !velocity) continue;
      for (const double factor : {std::exp(width), std::exp(-width)}) {
        WienerNoise tried = noise;
        tried.*part = std::clamp(noise.*part * factor, kLeast, kMost);
        const double found = cost(tried);
        if (found < best) best = found, noise = tried, better = true;
      }
    }
    if (!better) width /= 2;
  }
  return noise;
}

}  // namespace

void KalmanTrack::add(const WienerNoise& noise, double at, std::optional<double> position,
                      std::optional<double> velocity) {
  const Process process(noise);
  Moments s = begun ? process.after({x, v, xx, xv, vv}, at - time) : process.start();
  s = process.with(s, {at, position, velocity});
  begun = true, position_seen = position_seen || position.has_value(), time = at;
  x = s.x, v = s.v, xx = s.xx, xv = s.xv, vv = s.vv;
}

StationaryGain stationary_gain(const WienerNoise& noise, double gap, bool with_velocity) {
  constexpr int kMostObservations = 1000;
  constexpr double kSettled = 1e-9;
  const Process process(noise);
  Seen seen{0, 0.0, {}};
  if (with_velocity) seen.v = 0.0;
  Moments s = process.with(process.start(), seen);
  StationaryGain out;
  for (int k = 0; k < kMostObservations; ++k) {
    const Moments ahead = process.after(s, gap);
    const StationaryGain before = out;
    out = {ahead.xx / (ahead.xx + noise.position), ahead.vv / (ahead.vv + noise.velocity), ahead.vv};
    if (std::abs(out.position - before.position) + std::abs(out.velocity - before.velocity) < kSettled) break;
    s = process.with(ahead, seen);
  }
  return out;
}

struct KalmanSeries::State {
  State(const WienerNoise& of, std::vector<Seen> seen) : noise(of), path(noise, std::move(seen)) {}

  WienerNoise noise;
  Smoothed path;
};

KalmanSeries::KalmanSeries(const WienerNoise& noise, const std::vector<Observation>& seen) {
  std::vector<Seen> own;
  for (const Observation& o : seen) own.push_back({o.time, o.position, o.velocity});
  state_ = std::make_unique<const State>(noise, std::move(own));
}

KalmanSeries::~KalmanSeries() = default;
KalmanSeries::KalmanSeries(KalmanSeries&& other) noexcept = default;

KalmanSeries::Value KalmanSeries::at(double time) const {
  const auto state = state_->path.at(time);
  return {state.x, state.v, std::sqrt(state.xx + state_->noise.position), std::sqrt(state.vv + state_->noise.velocity)};
}

KalmanPath kalman_smoother(const Batch& batch, const std::vector<Feature>& features, const Normalisation& normalisation,
                           double time_scale, const std::vector<WienerNoise>& noise) {
  const std::size_t width = features.size();
  const std::vector<Pair> pairs = pairs_of(features, normalisation, time_scale);
  KalmanPath out;
  out.mean.assign(static_cast<std::size_t>(batch.targets()) * width, 0.0F);
  out.spread.assign(out.mean.size(), 1.0F);
  for (std::int64_t b = 0; b < batch.systems(); ++b) {
    const std::vector<double> means = context_means(batch, b);
    for (std::int64_t i = batch.object_offsets[b]; i < batch.object_offsets[b + 1]; ++i) {
      const auto begin = static_cast<std::size_t>(batch.target_offsets[i]),
                 end = static_cast<std::size_t>(batch.target_offsets[i + 1]);
      if (begin == end) continue;
      for (const Pair& pair : pairs) {
        const WienerNoise own = noise.empty() ? WienerNoise() : noise[pair.position];
        const std::vector<Seen> seen = seen_of(batch, i, pair);
        const bool known = any_position(seen);
        std::optional<Smoothed> path;
        if (!seen.empty()) path.emplace(own, seen);
        for (std::size_t t = begin; t < end; ++t) {
          const Moments state = path ? path->at(batch.target_times[t]) : Moments();
          const std::size_t x = t * width + pair.position;
          out.mean[x] = static_cast<float>(known ? state.x : means[pair.position]);
          out.spread[x] = static_cast<float>(std::sqrt(state.xx + own.position));
          if (pair.velocity < 0) continue;
          const auto f = static_cast<std::size_t>(pair.velocity);
          out.mean[t * width + f] = static_cast<float>(path ? state.v / pair.factor : means[f]);
          out.spread[t * width + f] = static_cast<float>(std::sqrt(state.vv + own.velocity) / pair.factor);
        }
      }
    }
  }
  return out;
}

std::vector<WienerNoise> fit_wiener(const BatchMaker& maker, const std::vector<std::int64_t>& systems) {
  constexpr std::size_t kObservations = 20'000, kMostSystems = 200;
  if (systems.empty()) return {};
  const std::vector<Feature>& features = maker.dataset().description().features;
  const std::vector<Pair> pairs = pairs_of(features, maker.normalisation(), maker.clock().time_scale);
  std::vector<std::vector<std::vector<Seen>>> all(pairs.size());
  std::size_t observations = 0;
  for (const std::int64_t system : evenly_spaced(systems, kMostSystems)) {
    if (observations >= kObservations) break;
    const Batch batch = maker.make({system}, View::kValidate);
    observations += static_cast<std::size_t>(batch.observations());
    for (std::int64_t object = 0; object < batch.objects(); ++object)
      for (std::size_t p = 0; p < pairs.size(); ++p)
        if (std::vector<Seen> seen = seen_of(batch, object, pairs[p]); seen.size() > 1)
          all[p].push_back(std::move(seen));
  }
  std::vector<WienerNoise> noise(features.size());
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (!all[p].empty()) noise[pairs[p].position] = fit(all[p], pairs[p].velocity >= 0);
  return noise;
}

}  // namespace lgode::data
