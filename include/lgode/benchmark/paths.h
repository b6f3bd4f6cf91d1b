// The classical rows: forecasts and imputations of a track from its shown frames alone. No LibTorch.
#pragma once

#include <array>
#include <memory>

#include "lgode/benchmark/masks.h"
#include "lgode/benchmark/tracks.h"
#include "lgode/core/methods.h"
#include "lgode/data/classical/fit.h"
#include "lgode/data/dataset.h"

namespace lgode::data {
class TrackRule;
}

namespace lgode::benchmark {

using Path = std::array<Point, kAhead>;  // of the frames to forecast
using Past = std::array<Point, kSeen>;   // of the seen frames

// What damped velocity and the Kalman filter take from the training part; the others need nothing.
struct Fitted {
  std::array<double, 2> scale = {1, 1};  // of x and y
  double time_scale = 1;                 // seconds
  data::ClassicalFit fit = {};           // of x and y
};
// From the training part of a data set with features x and y, as `lgode train` fits them.
Fitted fit_on(const data::Dataset& dataset);

// The methods that have a row of their own, in the order of the tables: hold, constant velocity, damped, Kalman.
const std::vector<ClassicalMethod>& classical_rows();

// The forecasts that `lgode evaluate` prints beside a model: a position without a known velocity has that of the last
// two shown positions, and stands still after a single one.
class ClassicalForecast {
 public:
  ClassicalForecast(Classical kind, double step_seconds, const Fitted& fitted = {});
  ~ClassicalForecast();
  ClassicalForecast(ClassicalForecast&& other) noexcept;

  // At least one frame must be shown.
  Path operator()(const Track& track, const Hidden& hidden = {}) const;

 private:
  std::unique_ptr<const data::TrackRule> rule_;
  double step_;
};

// The straight line between shown frames; before the first and after the last one constant velocity of the two nearest
// shown frames, or the one shown position.
Past line(const Track& track, const Hidden& hidden);

}  // namespace lgode::benchmark
