// A batch as tensors, for the encoder, the dynamics and the objective.
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

// Input that only one kind of encoder reads, in addition to the tensors common to all. Each kind derives its own.
struct EncoderInput {
  virtual ~EncoderInput() = default;
};

// Objects without observations, and the observed related objects whose representations they borrow. Padding borrows
// nothing.
struct Borrowing {
  at::Tensor objects;  // [K] int64; undefined where every object is observed
  at::Tensor offsets;  // [K+1] int64: range of `sources` per object
  at::Tensor sources;  // [P] int64

  bool any() const { return objects.defined(); }
};

// The observations that the posterior is computed from, if not all.
struct Recent {
  at::Tensor rows;     // [R] int64; undefined: all observations
  at::Tensor times;    // [R] float64
  at::Tensor offsets;  // [N+1] int64
};

struct BatchTensors {
  data::Batch batch;               // copy on the host
  at::Tensor inputs;               // [M, D], or [M, 2D] with the mask appended
  ops::TemporalGraph graph;        // on the CPU and on the model's device
  at::Tensor times;                // [M] float64 of the observations
  at::Tensor observation_offsets;  // [N+1] int64
  at::Tensor object_offsets;       // [B+1] int64
  // Of the targets; undefined in an upload for prediction.
  at::Tensor target_offsets;  // [N+1] int64
  at::Tensor target_values;   // [T, D]
  at::Tensor target_mask;     // [T, D]
  at::Tensor target_seen;     // [T, 1] 1 where the encoder sees this observation
  Borrowing borrowing;
  Recent recent;
  std::shared_ptr<const EncoderInput> encoder_input;  // null if the encoder needs no further input
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
