#include "lgode/model/encoder.h"

#include <cmath>
#include <string>
#include <utility>

#include "lgode/core/random.h"
#include "lgode/ops/layer_norm.h"
#include "lgode/ops/segment.h"
#include "lgode/ops/sequence_attention.h"

namespace lgode::model {
namespace {

std::string layer_name(std::int64_t layer) { return "encoder.layer" + std::to_string(layer); }

at::Tensor linear(const Parameters& p, const std::string& name, const at::Tensor& x) {
  return at::linear(x, p[name + ".weight"], p[name + ".bias"]);
}

at::Tensor layer_norm(const Parameters& p, const std::string& name, const at::Tensor& x) {
  return ops::layer_norm(x, p[name + ".weight"], p[name + ".bias"]);
}

ops::AttentionWeights attention_weights(const Parameters& p, const std::string& name) {
  return {p[name + ".time.weight"], p[name + ".time.bias"], p[name + ".query.weight"], p[name + ".query.bias"],
          p[name + ".key.weight"],  p[name + ".key.bias"],  p[name + ".value.weight"], p[name + ".value.bias"]};
}

}  // namespace

Encoder::Encoder(const ModelOptions& options, std::int64_t inputs) : options_(options), inputs_(inputs) {}

void Encoder::declare(Parameters& p) const {
  const std::int64_t d = options_.encoder_width, u = options_.sequence_width;
  const double bound = 1.0 / std::sqrt(static_cast<double>(d));
  p.add_linear("encoder.input", d, inputs_);
  p.add("encoder.input_norm.weight", {d}, 0, 1);
  p.add("encoder.input_norm.bias", {d}, 0, 0);
  for (std::int64_t l = 0; l < options_.layers; ++l) {
    const std::string name = layer_name(l);
    p.add(name + ".norm.weight", {d}, 0, 1);
    p.add(name + ".norm.bias", {d}, 0, 0);
    p.add_linear(name + ".time", d, d + 1);
    p.add_linear(name + ".query", d, d);
    // Two sets: sources of the same object, and of others.
    for (const char* part : {".key", ".value"}) {
      p.add(name + part + ".weight", {2, d, d}, bound);
      p.add(name + part + ".bias", {2, d}, bound);
    }
  }
  p.add_linear("encoder.sequence.time", u, d + 1);
  p.add_linear("encoder.sequence.global", u, u, /*bias=*/false);
  p.add_linear("encoder.posterior1", u, u);
  p.add_linear("encoder.posterior2", 2 * options_.latent, u);
}

// A stream a system, so that a mask does not depend on the batch; one for the padding.
Dropout Encoder::dropout(const data::Batch& batch, std::int64_t rows, const DropoutKey& key, at::Device device) const {
  Dropout masks;
  if (options_.dropout <= 0) return masks;
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
    if (rows > batch.observations() || !device.is_cpu()) add(-1, rows);
    masks.push_back(ops::dropout_streams(std::move(streams), std::move(begin), device));
  }
  return masks;
}

at::Tensor Encoder::graph_layers(const Parameters& p, const BatchTensors& batch, const Dropout& dropout) const {
  // h^0 = LayerNorm(ReLU(W_in o + b))   [M, d]
  at::Tensor h = layer_norm(p, "encoder.input_norm", at::relu(linear(p, "encoder.input", batch.inputs)));
  const ops::AttentionOptions attention{options_.heads, options_.time_frequency};
  for (std::int64_t l = 0; l < options_.layers; ++l) {
    const std::string name = layer_name(l);
    const at::Tensor x = layer_norm(p, name + ".norm", h);
    // Eq. (propagation): h_t <- h_t + ReLU(sum alpha message), then dropout
    h = h + at::relu(ops::temporal_attention(x, attention_weights(p, name), batch.graph, attention, options_.impl));
    if (!dropout.empty()) h = h * ops::dropout_mask(dropout[l], options_.dropout).view(h.sizes()).to(h.options());
  }
  return h;
}

at::Tensor Encoder::sequence(const Parameters& p, const BatchTensors& batch, const at::Tensor& h) const {
  const at::Tensor& offsets = batch.observation_offsets;
  const at::Tensor u = ops::sequence_attention(
      h, {p["encoder.sequence.time.weight"], p["encoder.sequence.time.bias"], p["encoder.sequence.global.weight"]},
      batch.times, offsets, options_.time_frequency, options_.impl);

  // An object without observations takes the mean of its sources' u; sources without observations do not count.
  const data::Batch& b = batch.batch;
  std::vector<std::int64_t> blind, run{0}, sources;
  auto seen = [&](std::int64_t i) { return b.observation_offsets[i + 1] > b.observation_offsets[i]; };
  const std::int64_t* source_offsets = batch.graph.source_offsets.data_ptr<std::int64_t>();
  const std::int64_t* source = batch.graph.sources.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < b.objects(); ++i) {
    if (seen(i)) continue;
    blind.push_back(i);
    for (std::int64_t e = source_offsets[i]; e < source_offsets[i + 1]; ++e)
      if (seen(source[e])) sources.push_back(source[e]);
    run.push_back(static_cast<std::int64_t>(sources.size()));
  }
  if (blind.empty()) return u;
  const at::TensorOptions index = offsets.options();
  const at::Tensor borrowed =
      ops::segment_mean(ops::gather_rows(u, at::tensor(sources, index)), at::tensor(run, index));
  return u.index_add(0, at::tensor(blind, index), borrowed);
}

Encoding Encoder::operator()(const Parameters& p, const BatchTensors& batch, const Dropout& dropout) const {
  Encoding out;
  out.h = graph_layers(p, batch, dropout);
  out.u = sequence(p, batch, out.h);
  const at::Tensor s = linear(p, "encoder.posterior2", at::relu(linear(p, "encoder.posterior1", out.u)));
  out.mu = s.slice(1, 0, options_.latent);
  out.sigma = at::softplus(s.slice(1, options_.latent));
  return out;
}

}  // namespace lgode::model
