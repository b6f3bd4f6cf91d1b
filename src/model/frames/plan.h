// Everything that `model` frames reads of a batch, as tensors.
//
// Shapes: N objects, K steps, P pairs, T targets, D features, d position features, R scalar features, F inputs. The
// second dimension of size 2 holds the frame and its mirror image.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "lgode/model/rollout.h"
#include "lgode/model/shape.h"
#include "lgode/ops/segment.h"
#include "model/frames/geometry.h"

namespace lgode::model {

struct FramesRollout : Rollout {
  at::Tensor base;     // [T, D]
  at::Tensor history;  // [N, 2, F]
  // Of the estimated velocity and of the base path's, at the start
  at::Tensor velocity, base_velocity;  // [N, 2, d]
  ops::GatherIndex sources;            // [P] of N rows
  at::Tensor offsets;                  // [N+1] runs of pairs, by receiver
  at::Tensor pair_inputs;              // [P, 2, F]
  at::Tensor distance;               // [P, 1, 1] in pair lengths; 0 of a listed relation, which counts at any distance
  at::Tensor signs;                  // [2, C] of the state [e | velocity | acceleration | r | dr/dt], then 1/2
  std::vector<std::int64_t> active;  // objects that take part in a step: the first so many
  double step = 0;                   // in taus
  ops::GatherIndex readings;         // [T] of the states of all steps, one step after the other
  at::Tensor since;                  // [T, 1] since the begin of the step, in taus
  at::Tensor back_first, back_second;  // [T, d] the frame's axes where the target's object has one, else 0
  at::Tensor framed;                   // [T, 1] 1 where it has one
  at::Tensor to_features;              // [2 d + R, D] from [e | velocity | r] to normalised features
  // Neighbours that move
  at::Tensor places, velocities;  // [K, N, 1, d] of the base path, in the world's axes, at the begin of each step
  at::Tensor first, second;       // [N, 1, d] the axes of each object's frame, 0 without one
  at::Tensor framed_objects;      // [N, 1, 1] 1 with a frame
  at::Tensor mirror;              // [2, d] signs of a vector
  at::Tensor listed, types;       // [P, 1, 1] 0 where the pair is a listed relation, else 1; [P, 2, types] or undefined
  double pair_length = 1;         // in lengths
  at::Tensor seen;                // [M, D] observations, if they are read
};

std::shared_ptr<const FramesRollout> plan_frames(const ModelShape& shape, const ModelOptions& model,
                                                 const data::Batch& batch, const RolloutOptions& options,
                                                 at::ScalarType dtype, ops::Upload& upload);

}  // namespace lgode::model
