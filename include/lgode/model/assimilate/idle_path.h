// The features of one object under the assimilating model before training: its field is zero, so that only ties move
// the state between observations, and gains are the first ones. In double precision, on the host. With it, what the
// model learned can be added to another path (base path in docs/assimilation.md).
//
//   between observations   y_x <- y_x + k y_v dt for each tie
//   at an observation      y <- (1 - g) y + g x where it has a value; in a forecast g = 1 at a feature's first value
//                          since the object entered
#pragma once

#include <cstdint>
#include <vector>

#include "lgode/data/classical/track.h"
#include "lgode/model/shape.h"

namespace lgode::model {

// What moves idle states.
struct IdleRule {
  std::vector<TiedPair> ties;
  std::vector<double> gain;  // [D]
  bool forecast = false;
};

struct IdleState {
  std::vector<double> y;           // [D]
  std::vector<std::uint8_t> seen;  // [D] whether the feature was observed since the object entered

  // Before the first observation.
  explicit IdleState(std::size_t features = 0) : y(features, 0.0), seen(features, 0) {}

  void move(const IdleRule& rule, double dt);
  // A row [D]; its residual g (x - y) is written to `residual` [D] unless that is null.
  void take(const IdleRule& rule, const float* values, const float* mask, double* residual = nullptr);
};

// What the base path of a model with ModelShape::base is computed with.
struct BaseRule {
  data::TrackRule track;
  IdleRule idle;

  // `gain` [D] before training.
  BaseRule(const ModelShape& shape, std::vector<double> gain);

  const data::BasePath& base() const { return track.base(); }
};

// Of an object of a forecast: where its base path and its idle path are after the rows since it entered.
struct BaseState {
  data::ClassicalTrack track;
  IdleState idle;

  BaseState() = default;
  explicit BaseState(const BaseRule& rule) : track(rule.track), idle(rule.track.features()) {}

  void take(const BaseRule& rule, double time, const float* values, const float* mask) {
    track.add(rule.track, time, values, mask);
    idle.take(rule.idle, values, mask);
  }
  // Base path minus idle path, [D]: at `time`, with the idle state moved to it. A feature that the base path does not
  // know has `mean` [D] as its path; derived velocities get 0.
  void offset(const BaseRule& rule, double time, const IdleState& moved, const std::vector<double>& mean,
              double* to) const;
};

}  // namespace lgode::model
