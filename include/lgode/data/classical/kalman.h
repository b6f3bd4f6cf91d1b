// The Kalman smoother among the classical baselines: every feature of every object is an integrated Wiener process (a
// velocity that does a random walk), seen with noise (Rauch, Tung and Striebel 1965). No LibTorch here.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/dataset.h"
#include "lgode/data/normalisation.h"

namespace lgode::data {

// Variances of one feature, in its normalised unit and model time. A velocity of another feature is part of its process
// and has an unused entry.
struct WienerNoise {
  double drive = 1;        // of the velocity's random walk, per unit of time
  double position = 1e-6;  // of an observation
  double velocity = 1e-6;  // of an observation of the velocity, where the data has it
  double speed = 1;        // of the velocity before any observation

  bool operator==(const WienerNoise&) const = default;
};

struct KalmanPath {
  std::vector<float> mean;    // [T, D] normalised, like the baselines'
  std::vector<float> spread;  // [T, D] standard deviation of an observation there
};
// `noise` [D]; empty: the defaults.
KalmanPath kalman_smoother(const Batch& batch, const std::vector<Feature>& features, const Normalisation& normalisation,
                           double time_scale, const std::vector<WienerNoise>& noise);

// The filtered process of one position: mean and covariance of position and velocity after the latest observation.
struct KalmanTrack {
  bool begun = false, position_seen = false;
  double time = 0;  // of the latest observation
  double x = 0, v = 0, xx = 0, xv = 0, vv = 0;

  // An observation with at least one of the two, later than all before; the velocity per unit of time.
  void add(const WienerNoise& noise, double at, std::optional<double> position, std::optional<double> velocity);
  double position_at(double at) const { return x + (at - time) * v; }
};

// Gains of position and velocity after many observations, `gap` apart, of the position and, if `with_velocity`, the
// velocity, each relative to its own observation alone.
struct StationaryGain {
  double position = 1, velocity = 1;
  double velocity_variance = 0;  // before an observation
};
StationaryGain stationary_gain(const WienerNoise& noise, double gap, bool with_velocity);

// The smoothed process of one position over a series of its own, such as a whole recording.
class KalmanSeries {
 public:
  struct Observation {
    double time = 0;
    std::optional<double> position, velocity;  // in one unit, and per unit of time
  };
  // `seen`: ascending, not empty.
  KalmanSeries(const WienerNoise& noise, const std::vector<Observation>& seen);
  ~KalmanSeries();
  KalmanSeries(KalmanSeries&& other) noexcept;

  struct Value {
    double position = 0, velocity = 0;
    double position_spread = 0, velocity_spread = 0;  // standard deviations of an observation there
  };
  Value at(double time) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

// The variances of highest likelihood for the contexts of these systems (a sample of many) in validation. Empty
// without systems.
std::vector<WienerNoise> fit_wiener(const BatchMaker& maker, const std::vector<std::int64_t>& systems);

}  // namespace lgode::data
