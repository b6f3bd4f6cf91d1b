// A batch as tensors: what the encoder, the dynamics and the objective read.
//
// Shapes: B systems, N objects, M observations, T targets, D features. Padded tensors (ops::Shapes) have zeros behind
// the last observation and the last target; those rows belong to no object.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/ops/temporal_attention.h"

namespace lgode::model {

// Some systems with their observations side by side, padded to the longest of them: b systems, K observations.
struct SystemGroup {
  at::Tensor rows;       // [b, K] int64 observation, 0 in the padding
  at::Tensor present;    // [b, K] bool
  at::Tensor place;      // [b, K] int64 object within its system
  at::Tensor slots;      // [m] int64 where the group's observations lie in [b*K]
  at::Tensor relations;  // [b, n, n] weight of the source (last) for the target, 0 where they are not related
};

// Every object's series, one observation a turn: K turns to observations and one more to the start time.
struct SeriesTurns {
  at::Tensor gaps;                  // [K+1, N] float64, signed time to go
  at::Tensor rows;                  // [K, N] int64 observation; -1 where the series is over
  std::vector<std::int64_t> steps;  // [K+1] the most steps of the ODE that an object needs
};

struct BatchTensors {
  data::Batch batch;                 // the host's copy
  at::Tensor inputs;                 // [M, D], or [M, 2D] with the mask appended
  ops::TemporalGraph graph;          // on the CPU, and where the model is
  at::Tensor times;                  // [M] float64 of the observations
  at::Tensor observation_offsets;    // [N+1] int64
  at::Tensor object_offsets;         // [B+1] int64
  at::Tensor target_offsets;         // [N+1] int64
  at::Tensor target_values;          // [T, D]
  at::Tensor target_mask;            // [T, D]
  std::vector<SystemGroup> groups;   // weight-decay: all systems, in their order
  std::optional<SeriesTurns> turns;  // latent-ode

  // All that a step on a GPU reads there of the batch, but for groups and turns.
  std::vector<at::Tensor> on_device() const;
};

struct TensorOptions {
  bool append_mask = false;
  double window = 1.0;
  ops::Direction direction = ops::Direction::kBoth;
  at::ScalarType dtype = at::kFloat;
  at::Device device = at::kCPU;
  ops::Shapes shapes = ops::Shapes::kExact;
};

BatchTensors to_tensors(data::Batch batch, const TensorOptions& options);

}  // namespace lgode::model
