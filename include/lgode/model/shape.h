// The sizes of a model that come from its data. No LibTorch here.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "lgode/data/classical/base_path.h"
#include "lgode/model/frames/shape.h"

namespace lgode::model {

// Columns of the features of a position and its velocity: dx/dt = factor v in normalised units and model time, with
// `remainder` plus what the model learns.
struct TiedPair {
  std::int64_t position = 0, velocity = 0;
  double factor = 1.0;
  bool remainder = false;
  // The velocity is the mean over this time before it (model time), as differences of positions are; 0:
  // instantaneous.
  double lag = 0.0;

  bool operator==(const TiedPair&) const = default;
};

// Saved with the model.
struct ModelShape {
  std::int64_t features = 0;
  std::int64_t relation_types = 1;
  bool append_mask = false;         // the training data has missing values
  double window = 1.0;              // of the temporal graph, model time
  std::int64_t objects = 0;         // rnn-nri: of every system
  double grid_step = 0.0;           // rnn-nri: model time
  bool forecast = false;            // assimilate, frames: the task is extrapolation
  std::vector<TiedPair> ties = {};  // assimilate
  // Forecasts of assimilate and frames: an object that is unseen for longer leaves, and observations that are older at
  // the start do not count in the posterior; model time
  double memory = std::numeric_limits<double>::infinity();
  // assimilate: the classical path that the network adds to; none: the one that the state makes before training
  std::optional<data::BasePath> base = {};
  std::optional<FramesShape> frames = {};  // frames

  bool operator==(const ModelShape&) const = default;
};

}  // namespace lgode::model
