// From observations to the posterior of every object's initial state: graph layers over the observations, then one
// vector an object from its sequence, seen from the start time; in latent-ode an ODE-RNN does both.
//
// Shapes: M observations, N objects, D features, d encoder width, u sequence width, L latent.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "lgode/model/batch_tensors.h"
#include "lgode/model/graph_layers.h"
#include "lgode/model/ode_rnn.h"
#include "lgode/model/options.h"
#include "lgode/model/parameters.h"
#include "lgode/model/sequence_summary.h"

namespace lgode::model {

struct Encoding {
  at::Tensor h;      // [M, d] after the graph layers; undefined in latent-ode
  at::Tensor u;      // [N, u]
  at::Tensor mu;     // [N, L]
  at::Tensor sigma;  // [N, L]
};

class Encoder {
 public:
  Encoder(const ModelOptions& options, std::int64_t inputs);

  void declare(Parameters& parameters) const;
  // Adds to a batch what this encoder reads beside the observations and does not depend on weights.
  void stage(BatchTensors& batch) const;
  // Whether it works with padded shapes.
  bool takes_padded(at::Device device) const;
  // The masks of a training step.
  Dropout dropout(const BatchTensors& batch, const DropoutKey& key) const { return layers_.dropout(batch, key); }
  // `dropout`: empty outside training.
  Encoding operator()(const Parameters& parameters, const BatchTensors& batch, const Dropout& dropout) const;

 private:
  ModelOptions options_;
  GraphLayers layers_;
  SequenceSummary summary_;
  OdeRnn rnn_;
};

}  // namespace lgode::model
