// The encoder's graph layers (Eq. 4): parameters, dropout masks, and how each variant is expressed by the attention
// operator.
#include "lgode/model/graph_layers.h"

#include <cmath>
#include <utility>

#include "lgode/core/random.h"
#include "lgode/model/decay.h"
#include "model/layers.h"

namespace lgode::model {
namespace {

bool learns_time(Sender sender) { return sender == Sender::kLearned || sender == Sender::kGap; }
bool encodes_time(Sender sender) { return sender == Sender::kLearned || sender == Sender::kEncoded; }

}  // namespace

GraphLayers::GraphLayers(const ModelOptions& options, std::int64_t inputs)
    : options_(options), pieces_(encoder_pieces(options)), inputs_(inputs) {}

void GraphLayers::declare(Parameters& p) const {
  const std::int64_t d = options_.encoder_width;
  const double bound = 1.0 / std::sqrt(static_cast<double>(d));
  // Two sets: sources of the same object, and of others.
  auto add_pair = [&](const std::string& name) {
    p.add(name + ".weight", {2, d, d}, bound);
    p.add(name + ".bias", {2, d}, bound);
  };
  p.add_linear("encoder.input", d, inputs_);
  p.add("encoder.input_norm.weight", {d}, 0, 1);
  p.add("encoder.input_norm.bias", {d}, 0, 0);
  for (std::int64_t l = 0; l < options_.layers; ++l) {
    const std::string name = layer_name(l);
    p.add(name + ".norm.weight", {d}, 0, 1);
    p.add(name + ".norm.bias", {d}, 0, 0);
    if (learns_time(pieces_.sender)) p.add_linear(name + ".time", d, d + 1);
    if (pieces_.weighing == Weighing::kAttention) {
      p.add_linear(name + ".query", d, d);
      add_pair(name + ".key");
    }
    if (pieces_.weighing == Weighing::kDecay) p.add(name + ".decay", {1}, 0, 1);
    add_pair(name + ".value");
  }
}

// The operator computes Eq. 5 with hat_s = ReLU(W_t [x_s | D] + b_t) + TE(D). The other senders are exact special
// cases. With W_t = [I | 0] and b_t larger than every |x|, the ReLU returns x + b_t. At frequency 0 the encoding is the
// constant (0, 1, 0, 1, ...). The surplus constants in hat are subtracted in the biases of keys and values. Zero
// queries leave the weights of the relations as the only weighting.
ops::AttentionWeights GraphLayers::weights(const Parameters& p, const std::string& name) const {
  ops::AttentionWeights w;
  w.w_v = p[name + ".value.weight"], w.b_v = p[name + ".value.bias"];
  const at::TensorOptions constant = w.w_v.options().requires_grad(false);
  const std::int64_t d = options_.encoder_width;
  if (pieces_.weighing == Weighing::kAttention) {
    w.w_q = p[name + ".query.weight"], w.b_q = p[name + ".query.bias"];
    w.w_k = p[name + ".key.weight"], w.b_k = p[name + ".key.bias"];
  } else {
    w.w_q = at::zeros({d, d}, constant), w.b_q = at::zeros({d}, constant);
    w.w_k = at::zeros({2, d, d}, constant), w.b_k = at::zeros({2, d}, constant);
  }
  at::Tensor surplus;  // [d] of hat
  if (learns_time(pieces_.sender)) {
    w.w_t = p[name + ".time.weight"], w.b_t = p[name + ".time.bias"];
  } else {
    // The entries of a LayerNorm before weight and bias are at most sqrt(d).
    const at::Tensor above = p[name + ".norm.weight"].detach().abs().max() * std::sqrt(static_cast<double>(d)) +
                             p[name + ".norm.bias"].detach().abs().max() + 1.0;
    w.w_t = at::eye(d, d + 1, constant), w.b_t = above.expand({d}).contiguous();
    surplus = w.b_t;
  }
  if (!encodes_time(pieces_.sender)) {
    const at::Tensor cosines = at::arange(d, constant).remainder(2);
    surplus = surplus.defined() ? surplus + cosines : cosines;
  }
  if (surplus.defined()) {
    w.b_v = w.b_v - at::matmul(w.w_v, surplus);
    if (pieces_.weighing == Weighing::kAttention) w.b_k = w.b_k - at::matmul(w.w_k, surplus);
  }
  return w;
}

// One stream per system, so that a mask does not depend on the batch, and one for the padding.
Dropout GraphLayers::dropout(const BatchTensors& tensors, const DropoutKey& key, ops::Upload& upload) const {
  Dropout masks;
  if (options_.dropout <= 0) return masks;
  const data::Batch& batch = tensors.batch;
  const std::int64_t rows = tensors.inputs.size(0);
  for (std::int64_t layer = 0; layer < options_.layers; ++layer) {
    std::vector<Random> streams;
    std::vector<std::int64_t> begin{0};
    auto add = [&](std::int64_t system, std::int64_t end) {
      streams.emplace_back(key.seed, RandomUse::kDropout,
                           std::initializer_list<std::uint64_t>{key.step, static_cast<std::uint64_t>(layer),
                                                                static_cast<std::uint64_t>(system)});
      begin.push_back(end * options_.encoder_width);
    };
    for (std::int64_t s = 0; s < batch.systems(); ++s)
      add(batch.system[s], batch.observation_offsets[batch.object_offsets[s + 1]]);
    if (!upload.device().is_cpu()) add(-1, rows);
    masks.push_back(ops::dropout_streams(std::move(streams), std::move(begin), upload));
  }
  return masks;
}

ops::AttentionOptions GraphLayers::attention() const {
  return {options_.heads, encodes_time(pieces_.sender) ? options_.time_frequency : 0.0};
}

at::Tensor GraphLayers::operator()(const Parameters& p, const BatchTensors& batch, const Dropout& dropout) const {
  // h^0 = LayerNorm(ReLU(W_in o + b))   [M, d]
  at::Tensor h = layer_norm(p, "encoder.input_norm", at::relu(linear(p, "encoder.input", batch.inputs)));
  std::vector<DecayGroup> decay;
  if (pieces_.weighing == Weighing::kDecay && options_.layers > 0) decay = decay_groups(batch, h.options());
  for (std::int64_t l = 0; l < options_.layers; ++l) {
    const std::string name = layer_name(l);
    // Eq. 4: h_t <- h_t + ReLU(sum over s of attention * message), then dropout
    if (pieces_.weighing == Weighing::kDecay) {
      const at::Tensor x = layer_norm(p, name + ".norm", h);
      h = h + at::relu(decayed_mean(x, p[name + ".value.weight"], p[name + ".value.bias"], p[name + ".decay"], decay));
    } else {
      h = ops::attention_layer(h, p[name + ".norm.weight"], p[name + ".norm.bias"], weights(p, name), batch.graph,
                               attention(), options_.impl);
    }
    if (!dropout.empty()) h = h * ops::dropout_mask(dropout[l], options_.dropout).view(h.sizes()).to(h.options());
  }
  return h;
}

}  // namespace lgode::model
