// A batch as tensors: what the encoder, the dynamics and the objective read.
//
// Shapes: B systems, N objects, M observations, T targets, D features. Padded tensors (ops::Shapes) have zeros behind
// the last observation and the last target; those rows belong to no object.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/ops/temporal_attention.h"
#include "lgode/ops/upload.h"

namespace lgode::model {

// What an encoder needs of a batch beside the tensors that all of them read. Each kind of encoder derives its own.
struct EncoderInput {
  virtual ~EncoderInput() = default;
};

// Objects without observations, and the related objects with observations that they borrow from. Padding borrows
// nothing.
struct Borrowing {
  at::Tensor objects;  // [K] int64; undefined where every object is observed
  at::Tensor offsets;  // [K+1] int64: the sources of each
  at::Tensor sources;  // [P] int64

  bool any() const { return objects.defined(); }
};

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
  at::Tensor target_seen;          // [T, 1] 1 where the encoder saw this observation
  Borrowing borrowing;
  std::shared_ptr<const EncoderInput> encoder_input;  // null where the encoder needs nothing more
};

struct TensorOptions {
  bool append_mask = false;
  double window = 1.0;
  ops::Direction direction = ops::Direction::kBoth;
  at::ScalarType dtype = at::kFloat;
  ops::Shapes shapes = ops::Shapes::kExact;
};

BatchTensors to_tensors(data::Batch batch, const TensorOptions& options, ops::Upload& upload);

}  // namespace lgode::model
