// The prepared roll-out of the assimilating model: steps, jumps and readings of a batch, on the host and on the model's
// device. Internal to the model.
//
// Shapes: B systems, N objects, M observations, T targets, D features, S samples, n rows (a row is an object of one
// sample), K steps of the longest system. M and T with padding.
#pragma once

#include <memory>

#include "lgode/model/assimilate/bridge.h"
#include "lgode/model/assimilate/cell.h"
#include "lgode/model/rollout.h"

namespace lgode::model {

struct AssimilatingRollout : Rollout {
  at::Tensor from;  // [n] (sample, object) of each row
  ode::StepPlan plan;
  ops::PairGraph pairs;
  ops::Events events;                // jumps: (sample, observation), then (sample, object) at the start of a forecast
  ops::LocatedReadings readings;     // sample-major: the targets, then LagReadings
  std::int64_t target_readings = 0;  // S*T
  at::Tensor before;                 // [S*M] index of the row of states before each jump, in [K+1, n]
  Bridge bridge;                     // interpolation
  at::Tensor values, mask;           // [M, D] of the observations
  at::Tensor first;                  // [M, 1] forecast: 1 where the observation is its object's first
  at::Tensor first_values;  // [M, D] forecast, gain=learned: 1 at the feature's first value since the object entered
  at::Tensor object;        // [S*M] forecast: (sample, object) of the observation
  at::Tensor at_start;      // [S*M, 1] forecast: 1 where the observation is made at its start
  at::Tensor offset;        // [T, D] base path minus idle path; undefined without a base path
  bool read_seen = false;
  ops::Precision precision = ops::Precision::kFloat32;
  std::shared_ptr<ops::SpareMemory> spare;
};

std::shared_ptr<AssimilatingRollout> plan_assimilation(const AssimilationCell& cell, const data::Batch& batch,
                                                       const RolloutOptions& options, at::ScalarType dtype,
                                                       ops::Upload& upload);

}  // namespace lgode::model
