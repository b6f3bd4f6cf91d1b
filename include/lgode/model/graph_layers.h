// The encoder's first half: each observation gets messages from the observations near it in time, of its own object
// and of related objects (Eq. 4).
//
//   h^0 = LayerNorm(ReLU(W_in o + b));   a layer: x = LayerNorm(h),  h_t <- h_t + ReLU(message_t), then dropout
//   message_t = sum over s of a_ts (W_v hat_s + b_v), one W_v, b_v for sources of the same object and one for others
// hat_s is chosen by Sender, the weights a_ts by Weighing:
//   attention   a = softmax of scores, Eq. 5 (ops/temporal_attention.h)
//   uniform     a = w / sum of w, w the relations' weights (1 unless the data says otherwise)
//   decay       a = w exp(-softplus(tau) |t_s - t_t|) / (number of sources), one learned tau per layer
//
// Shapes: M observations, D features, d encoder width. Gradients for all weights; CPU and CUDA.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

#include "lgode/model/batch_tensors.h"
#include "lgode/model/options.h"
#include "lgode/model/parameters.h"
#include "lgode/ops/dropout.h"

namespace lgode::model {

// Identifies the dropout masks of one training step.
struct DropoutKey {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
};

// One set of masks per layer; empty: no dropout.
using Dropout = std::vector<ops::DropoutStreams>;

class GraphLayers {
 public:
  GraphLayers(const ModelOptions& options, std::int64_t inputs);

  void declare(Parameters& parameters) const;
  Dropout dropout(const BatchTensors& batch, const DropoutKey& key, ops::Upload& upload) const;
  // [M, d]. `dropout`: empty outside training. Weighing::kDecay reads the batch's DecayInput.
  at::Tensor operator()(const Parameters& parameters, const BatchTensors& batch, const Dropout& dropout) const;

  // The weights of one layer's attention, where `weighing` is not decay.
  ops::AttentionWeights weights(const Parameters& p, std::int64_t layer) const { return weights(p, layer_name(layer)); }
  ops::AttentionOptions attention() const;
  std::int64_t count() const { return options_.layers; }
  static std::string layer_name(std::int64_t layer) { return "encoder.layer" + std::to_string(layer); }

 private:
  ops::AttentionWeights weights(const Parameters& p, const std::string& name) const;

  ModelOptions options_;
  EncoderPieces pieces_;
  std::int64_t inputs_;
};

}  // namespace lgode::model
