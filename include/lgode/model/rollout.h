// The prepared roll-out of a batch: everything but weights and noise. Can be made ahead of the step, on another thread.
//
// Shapes: N objects, M observations, T targets, S samples.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>

#include "lgode/ops/context.h"
#include "lgode/ops/device.h"

namespace lgode::model {

struct RolloutOptions {
  std::int64_t samples = 1;                             // S
  ops::Shapes shapes = ops::Shapes::kExact;             // padded: targets as in BatchTensors
  ops::Precision precision = ops::Precision::kFloat32;  // of the solve's products
  std::shared_ptr<ops::SpareMemory> spare = {};         // of the solve on a CPU
  bool read_seen = false;                               // also read the path at the context's observations
  bool gradients = true;                                // whether the path will be differentiated
  bool beside = false;                                  // whether a GPU runs other solves at the same time
  bool futures = true;                                  // also the futures, of a model that has several
};

// Options for `samples` samples in a context.
inline RolloutOptions rollout_options(const ops::Context& context, std::int64_t samples) {
  return {.samples = samples, .precision = context.precision, .spare = context.spare, .gradients = context.gradients};
}

// Each kind of model derives its own.
struct Rollout {
  std::int64_t samples = 1;
  std::int64_t futures = 0;     // K that are computed beside the samples; 0: the mean path and samples only
  bool fixed_launches = false;  // GPU launches depend on Upload::shape() only, so that they can be captured

  std::int64_t paths() const { return samples + futures; }  // all of them

  virtual ~Rollout() = default;
};

}  // namespace lgode::model
