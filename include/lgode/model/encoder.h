// The encoder: from observations to the posterior of every object's initial state (Eqs. 3 and 7). Graph layers compute
// one vector per observation, a summary of the sequence one vector per object. In latent-ode an ODE-RNN replaces both.
//
// Shapes: M observations, N objects, D features, d encoder width, u sequence width, L latent.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <variant>

#include "lgode/model/batch_tensors.h"
#include "lgode/model/graph_layers.h"
#include "lgode/model/ode_rnn.h"
#include "lgode/model/options.h"
#include "lgode/model/parameters.h"
#include "lgode/model/sequence_summary.h"
#include "lgode/model/shape.h"

namespace lgode::model {

struct Encoding {
  at::Tensor h;      // [M, d] after the graph layers; undefined in latent-ode
  at::Tensor u;      // [N, u]
  at::Tensor mu;     // [N, L]
  at::Tensor sigma;  // [N, L]
};

// mu + sigma noise, S times, sample-major. noise [S*N, L], undefined: mu itself. [S*N, L]
at::Tensor latent_samples(const Encoding& encoding, std::int64_t samples, const at::Tensor& noise);

// Columns of an observation: the features and, where values are missing, their mask.
inline std::int64_t encoder_inputs(const ModelShape& shape) { return shape.features * (shape.append_mask ? 2 : 1); }

class Encoder {
 public:
  Encoder(const ModelOptions& options, std::int64_t inputs);

  void declare(Parameters& parameters) const;
  // Adds this encoder's own input to a batch.
  void prepare(BatchTensors& batch, ops::Upload& upload) const;
  // Whether this encoder works with padded shapes.
  bool takes_padded(at::Device device) const;
  // The dropout masks of a training step.
  Dropout dropout(const BatchTensors& batch, const DropoutKey& key, ops::Upload& upload) const;
  // `dropout`: empty outside training.
  Encoding operator()(const Parameters& parameters, const BatchTensors& batch, const Dropout& dropout) const;
  // The graph layers; null in latent-ode.
  const GraphLayers* layers() const;
  // The posterior (without h) of objects with these observations, h [M, d]; times and offsets as in BatchTensors.
  Encoding posterior(const Parameters& parameters, const at::Tensor& h, const at::Tensor& times,
                     const at::Tensor& offsets) const;

 private:
  Encoding posterior(const Parameters& parameters, const at::Tensor& u) const;

  struct GraphEncoder {
    GraphLayers layers;
    SequenceSummary summary;
  };

  ModelOptions options_;
  std::variant<GraphEncoder, OdeRnn> parts_;
};

}  // namespace lgode::model
