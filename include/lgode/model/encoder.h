// From observations to the posterior of every object's initial state: temporal graph attention, then attention over
// each object's sequence, seen from the start time.
//
// Shapes: M observations, N objects, D features, d encoder width, u sequence width, L latent.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "lgode/model/batch_tensors.h"
#include "lgode/model/options.h"
#include "lgode/model/parameters.h"
#include "lgode/ops/dropout.h"

namespace lgode::model {

// Names the dropout masks of one training step.
struct DropoutKey {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
};

// A layer's masks each; empty: no dropout.
using Dropout = std::vector<ops::DropoutStreams>;

struct Encoding {
  at::Tensor h;      // [M, d] after the graph layers
  at::Tensor u;      // [N, u]
  at::Tensor mu;     // [N, L]
  at::Tensor sigma;  // [N, L]
};

class Encoder {
 public:
  Encoder(const ModelOptions& options, std::int64_t inputs);

  void declare(Parameters& parameters) const;
  // The masks of a training step for a batch of so many rows of observations, padding included.
  Dropout dropout(const data::Batch& batch, std::int64_t rows, const DropoutKey& key, at::Device device) const;
  // `dropout`: empty outside training.
  Encoding operator()(const Parameters& parameters, const BatchTensors& batch, const Dropout& dropout) const;

 private:
  at::Tensor graph_layers(const Parameters& p, const BatchTensors& batch, const Dropout& dropout) const;
  at::Tensor sequence(const Parameters& p, const BatchTensors& batch, const at::Tensor& h) const;

  ModelOptions options_;
  std::int64_t inputs_;
};

}  // namespace lgode::model
