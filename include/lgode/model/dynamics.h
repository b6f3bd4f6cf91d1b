// The generative model: every object's latent state rolled forward, all objects of a system together.
//
// Rows: a system's objects are consecutive; with S latent samples a system stands S times, sample after sample, so that
// rows of system b, sample s, object i are first_row(b) + s * objects + i.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "lgode/data/batch.h"
#include "lgode/model/options.h"
#include "lgode/model/parameters.h"
#include "lgode/ops/graph_rk.h"
#include "lgode/ops/read.h"

namespace lgode::model {

// How the rows of a state belong to the objects of a batch.
struct RowLayout {
  std::int64_t samples = 1;
  std::vector<std::int64_t> row_offsets;  // [B*S+1] rows of each copy of each system
  std::vector<std::int64_t> object;       // [n] object of each row
  std::vector<std::int64_t> row_of;       // [S*N] row of (sample, object)
  std::vector<double> horizons;           // [B*S]

  static RowLayout make(const data::Batch& batch, std::int64_t samples);
  std::int64_t rows() const { return row_offsets.back(); }
};

// What rnn-nri steps over.
struct CellRollout;

// All that a roll-out of a batch needs and that does not depend on weights: made ahead, on another thread if one likes.
struct Rollout {
  RowLayout layout;
  at::Tensor from;                    // [n] (sample, object) of each row
  ops::PairGraph pairs;               // on the model's device
  std::optional<ode::StepPlan> plan;  // of the fixed-step solvers
  std::optional<ops::LocatedReadings> readings;
  std::vector<std::int64_t> rows;            // [S*T] of each reading, sample-major
  std::vector<double> times;                 // [S*T]
  bool fused_on_gpu = false;                 // all that the solve reads is in on_device()
  std::shared_ptr<const CellRollout> cells;  // of rnn-nri, which has the number of samples and this, and nothing else

  std::vector<at::Tensor> on_device() const;
  std::vector<std::int64_t> sizes() const;  // what shapes the solve beside the tensors' sizes
};

class Dynamics {
 public:
  Dynamics(const ModelOptions& options, std::int64_t relation_types);

  void declare(Parameters& parameters) const;
  ops::DynamicsWeights weights(const Parameters& parameters) const;
  // Tensors on the CPU.
  ops::PairGraph pairs(const data::Batch& batch, const RowLayout& layout, at::ScalarType dtype) const;
  // options: the model's dtype and device. Padded shapes: targets as in BatchTensors, and for training alone.
  Rollout prepare(const data::Batch& batch, std::int64_t samples, const at::TensorOptions& options,
                  ops::Shapes shapes) const;
  // Whether training on the device uses the fused solve, so that padded shapes are of use.
  bool is_fused_on(at::Device device) const;

  // z0 [n, L], rows in the roll-out's order -> the first L coordinates at every target, [S*T, L], sample-major. The
  // augmentation starts at zero.
  at::Tensor operator()(const Parameters& parameters, const Rollout& rollout, const at::Tensor& z0) const;

 private:
  ModelOptions options_;
  std::int64_t networks_;     // message networks: one a relation type, and one for unrelated pairs where all interact
  std::int64_t skipped_ = 0;  // those that ode=independent does without
};

}  // namespace lgode::model
