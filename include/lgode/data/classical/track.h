// The classical forecasts of one object, whose observations come one after the other: what predict_classical() gives
// for times after the last one, from numbers of fixed size instead of all observations.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lgode/data/classical/base_path.h"
#include "lgode/data/classical/kalman.h"

namespace lgode::data {

// The pairs of a base path, found once.
class TrackRule {
 public:
  explicit TrackRule(const BasePath& base);

  const BasePath& base() const { return base_; }
  // The method with the same forecasts as the base path's (ClassicalMethod::forecasts_as).
  Classical kind() const { return kind_; }
  std::size_t features() const { return base_.features.size(); }
  // The velocity that belongs to a position, or -1; the factor from normalised velocity to normalised positions per
  // model time.
  int velocity(std::size_t position) const { return velocity_[position]; }
  double factor(std::size_t velocity) const { return factor_[velocity]; }
  bool is_kalman() const { return kind_ == Classical::kKalman; }

 private:
  BasePath base_;
  Classical kind_;
  std::vector<int> velocity_;
  std::vector<double> factor_;
};

struct ClassicalTrack {
  struct Point {
    double time = 0, value = 0;
  };
  // The latest values of a feature; of a position with a velocity, also the velocities that it is extrapolated with:
  // the latest one up to it, and the first one after it.
  struct Motion {
    std::optional<Point> last, before_last, velocity, velocity_after;
  };
  std::vector<Motion> motion;       // [D]; empty where the rule is a Kalman filter's
  std::vector<KalmanTrack> kalman;  // [D] of positions; empty otherwise

  explicit ClassicalTrack(const TrackRule& rule);
  ClassicalTrack() = default;

  // A row [D], normalised, later than all before.
  void add(const TrackRule& rule, double time, const float* values, const float* mask);
  // Whether a forecast of the feature has anything to start from.
  bool knows(const TrackRule& rule, std::size_t feature) const;
  // A feature that is known and not derived, at a time not before the last row's.
  double at(const TrackRule& rule, std::size_t feature, double time) const;

 private:
  // The latest value, carried by a velocity that decays, and by the Kalman filter.
  double launched(const TrackRule& rule, std::size_t feature, double time, double damping) const;
  double filtered(const TrackRule& rule, std::size_t feature, double time) const;
};

}  // namespace lgode::data
