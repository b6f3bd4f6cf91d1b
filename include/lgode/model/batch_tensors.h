// A batch as tensors: what the encoder, the dynamics and the objective read.
//
// Shapes: B systems, N objects, M observations, T targets, D features. Padded tensors (ops::Shapes) have zeros behind
// the last observation and the last target; those rows belong to no object.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/ops/temporal_attention.h"

namespace lgode::model {

struct BatchTensors {
  data::Batch batch;               // the host's copy
  at::Tensor inputs;               // [M, D], or [M, 2D] with the mask appended
  ops::TemporalGraph graph;        // on the CPU, and where the model is
  at::Tensor times;                // [M] float64 of the observations
  at::Tensor observation_offsets;  // [N+1] int64
  at::Tensor object_offsets;       // [B+1] int64
  at::Tensor target_offsets;       // [N+1] int64
  at::Tensor target_values;        // [T, D]
  at::Tensor target_mask;          // [T, D]

  // All that a step on a GPU reads there of the batch.
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
