// A batch on a regular time grid, for a model that steps over it: the node of each observation, the last seen node of
// each system, and the position of each target between nodes.
//
// Node j of a system is at time (k0 + j) step since the system's origin, whatever else is in the batch; k0 is at or
// before its first observation and target. An observation goes to the nearest node; if two of an object meet, the later
// one wins. Nodes are seen up to the node of its last observation; later nodes are ahead.
//
// Shapes: B systems of n objects, D features, J nodes of the longest seen range, F of the longest one ahead, T targets.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "lgode/data/batch.h"
#include "lgode/ops/upload.h"

namespace lgode::model {

struct GridPlan {
  std::int64_t systems = 0, objects = 0, features = 0;
  std::int64_t seen = 0, ahead = 0;  // J, F
  at::Tensor values, mask;           // [J, B, n*D] observed values; 1 where observed
  at::Tensor since;                  // [J, B, n*D] model time since the feature's last observation; 0 at the first node
  at::Tensor last;                   // [B] int64 last seen node
  // The nodes around each reading, that is the targets and, if asked for, the observations, as rows of [B*J*n] seen
  // nodes and then [B*F*n] nodes ahead, objects innermost.
  at::Tensor low, high;  // [T] or [T+M] int64
  at::Tensor share;      // [T, 1] or [T+M, 1] weight of `high`
};

// `step`: grid step in model time. read_seen: with readings at the M observations. ConfigError if systems differ in
// their number of objects or have too many nodes.
GridPlan plan_grid(const data::Batch& batch, std::int64_t objects, double step, at::ScalarType dtype,
                   ops::Upload& upload, bool read_seen = false);

}  // namespace lgode::model
