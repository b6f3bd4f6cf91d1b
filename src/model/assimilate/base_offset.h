// What a model with a base path adds to its own path at the targets of a batch: base path minus idle path, so that
// before training its path is the base path. On the host. Internal to the model.
#pragma once

#include <vector>

#include "lgode/data/batch.h"
#include "lgode/model/assimilate/bridge.h"
#include "lgode/model/assimilate/idle_path.h"
#include "lgode/model/assimilate/timeline.h"

namespace lgode::model {

// Where the observations and targets of a batch are in the solves of its systems.
struct Placed {
  const data::Batch& batch;
  const std::vector<Timeline>& lines;        // [B]
  const std::vector<double>& seen_node;      // [M] time of the jump, since the solve's begin
  const std::vector<double>& target_node;    // [T or more] time of the reading, since the solve's begin
  const std::vector<double>& bridged_times;  // [T] as in write_bridge()
  const LagReadings& lag_readings;
};

// [T, D]. memory: ModelShape::memory.
std::vector<double> base_offset(const BaseRule& rule, const Placed& at, double memory);

}  // namespace lgode::model
