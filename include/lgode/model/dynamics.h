// The latent dynamics (Eqs. 8 and 10): integrates the states of all objects of a system together.
//
// Rows: a system's objects are consecutive. With S latent samples each system is repeated S times, one copy after the
// other: system b, sample s, object i has row first_row(b) + s * objects + i.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/model/options.h"
#include "lgode/model/parameters.h"
#include "lgode/model/rollout.h"
#include "lgode/ops/graph_rk.h"
#include "lgode/ops/read.h"

namespace lgode::model {

// Mapping between the rows of a state and the objects of a batch.
struct RowLayout {
  std::vector<std::int64_t> row_offsets;  // [B*S+1] rows of each copy of each system
  std::vector<std::int64_t> object;       // [n] object of each row
  std::vector<std::int64_t> row_of;       // [S*N] row of (sample, object)

  static RowLayout make(const data::Batch& batch, std::int64_t samples);
  std::int64_t rows() const { return row_offsets.back(); }
  // [n] (sample, object) of each row: the inverse of row_of.
  std::vector<std::int64_t> from() const;
};

// One direction of time: a solve from the start, and the readings on that side of it.
struct TimeDirection {
  ode::StepPlan plan;                            // steps, if the solver has fixed steps; else only the rows
  ops::PairGraph pairs;                          // on the model's device
  std::vector<std::int64_t> rows;                // of each reading
  std::vector<double> times;                     // of each reading, distance from the start, >= 0
  std::optional<ops::LocatedReadings> readings;  // fixed-step solvers only
  std::vector<double> horizons;                  // [B*S]
};

// Readings are sample-major: for each sample the T targets, then, with read_seen, the M observations of the context.
struct OdeRollout : Rollout {
  RowLayout layout;
  at::Tensor from;                     // [n] (sample, object) of each row
  TimeDirection ahead;                 // readings at or after the start
  std::optional<TimeDirection> back;   // readings before the start, if any
  at::Tensor order;                    // [readings] int64 index into (ahead, back) concatenated; undefined if all
                                       // readings are ahead
  std::int64_t targets = 0, seen = 0;  // readings per sample, padding included
  ops::Precision precision = ops::Precision::kFloat32;
  std::shared_ptr<ops::SpareMemory> spare;
};

class Dynamics {
 public:
  Dynamics(const ModelOptions& options, std::int64_t relation_types);

  // start_at_zero: with a last layer of zeros, so that nothing changes before training.
  void declare(Parameters& parameters, bool start_at_zero = false) const;
  ops::DynamicsWeights weights(const Parameters& parameters) const;
  // The interacting pairs of Eq. 10, or of Eq. 2 with interaction=neighbours. Tensors on the CPU.
  ops::PairGraph pairs(const data::Batch& batch, const RowLayout& layout, at::ScalarType dtype) const;
  OdeRollout prepare(const data::Batch& batch, const RolloutOptions& options, at::ScalarType dtype,
                     ops::Upload& upload) const;
  // Whether the fused solve runs there; only then padded shapes help. gradients: whether it is differentiated.
  bool is_fused_on(at::Device device, ops::Precision precision, bool gradients, std::int64_t precise = 0) const;
  ops::SolveKind kind(ops::Precision precision, bool gradients, bool beside = false) const;

  // z0 [n, L] in the roll-out's row order -> the first L coordinates at every reading, [S*(T+M), L]. The augmented
  // coordinates start at zero.
  at::Tensor operator()(const Parameters& parameters, const OdeRollout& rollout, const at::Tensor& z0) const;

 private:
  void plan(TimeDirection& direction, const data::Batch& batch, const OdeRollout& rollout, at::ScalarType dtype,
            const RolloutOptions& options, ops::Upload& upload) const;
  at::Tensor solve(const TimeDirection& direction, const ops::DynamicsWeights& weights, const OdeRollout& rollout,
                   const at::Tensor& start) const;

  ModelOptions options_;
  std::int64_t networks_;  // message networks: one per relation type, and one for unrelated pairs if all interact
};

}  // namespace lgode::model
