#include "lgode/model/encoder.h"

#include <vector>

#include "lgode/model/decay.h"
#include "lgode/ops/segment.h"
#include "model/layers.h"

namespace lgode::model {
namespace {

// An object without observations takes the mean of its sources' u; sources without observations do not count.
at::Tensor lend_to_blind(const at::Tensor& u, const BatchTensors& batch) {
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
  const at::TensorOptions index = batch.observation_offsets.options();
  const at::Tensor borrowed =
      ops::segment_mean(ops::gather_rows(u, at::tensor(sources, index)), at::tensor(run, index));
  return u.index_add(0, at::tensor(blind, index), borrowed);
}

}  // namespace

Encoder::Encoder(const ModelOptions& options, std::int64_t inputs)
    : options_(options), layers_(options, inputs), summary_(options), rnn_(options, inputs) {}

void Encoder::declare(Parameters& p) const {
  const std::int64_t u = options_.sequence_width;
  if (options_.kind == ModelKind::kLatentOde) {
    rnn_.declare(p);
    p.skip_to(static_cast<std::uint64_t>(4 + 10 * options_.layers + 3));  // as many as graph layers and summary have
  } else {
    layers_.declare(p);
    summary_.declare(p);
  }
  p.add_linear("encoder.posterior1", u, u);
  p.add_linear("encoder.posterior2", 2 * options_.latent, u);
}

void Encoder::stage(BatchTensors& batch) const {
  if (options_.kind == ModelKind::kLatentOde) batch.turns = rnn_.turns(batch);
  if (options_.kind == ModelKind::kWeightDecay) batch.groups = system_groups(batch);
}

// The ODE-RNN and the decaying messages work on matrices of their own shapes.
bool Encoder::takes_padded(at::Device device) const {
  return options_.kind != ModelKind::kLatentOde && options_.kind != ModelKind::kWeightDecay &&
         ops::has_fused_attention_on(device, options_.encoder_width, options_.impl);
}

Encoding Encoder::operator()(const Parameters& p, const BatchTensors& batch, const Dropout& dropout) const {
  Encoding out;
  at::Tensor u;
  if (options_.kind == ModelKind::kLatentOde) {
    u = rnn_(p, batch);
  } else {
    out.h = layers_(p, batch, dropout);
    u = summary_(p, batch, out.h);
  }
  out.u = lend_to_blind(u, batch);
  const at::Tensor s = linear(p, "encoder.posterior2", at::relu(linear(p, "encoder.posterior1", out.u)));
  out.mu = s.slice(1, 0, options_.latent);
  out.sigma = at::softplus(s.slice(1, options_.latent));
  return out;
}

}  // namespace lgode::model
