// Assembles the encoder from its pieces and computes the posterior.
#include "lgode/model/encoder.h"

#include "lgode/model/decay.h"
#include "lgode/ops/segment.h"
#include "model/layers.h"

namespace lgode::model {
namespace {

// An object without observations gets the mean u of its observed sources.
at::Tensor borrow(const at::Tensor& u, const Borrowing& b) {
  if (!b.any()) return u;
  return u.index_add(0, b.objects, ops::segment_mean(ops::gather_rows(u, b.sources), b.offsets));
}

}  // namespace

at::Tensor latent_samples(const Encoding& encoding, std::int64_t samples, const at::Tensor& noise) {
  const at::Tensor mu = encoding.mu.repeat({samples, 1});
  return noise.defined() ? mu + encoding.sigma.repeat({samples, 1}) * noise : mu;
}

Encoder::Encoder(const ModelOptions& options, std::int64_t inputs)
    : options_(options),
      parts_(options.kind == ModelKind::kLatentOde
                 ? std::variant<GraphEncoder, OdeRnn>(OdeRnn(options, inputs))
                 : GraphEncoder{GraphLayers(options, inputs), SequenceSummary(options)}) {}

void Encoder::declare(Parameters& p) const {
  const std::int64_t u = options_.sequence_width;
  if (const auto* graph = std::get_if<GraphEncoder>(&parts_)) {
    graph->layers.declare(p);
    graph->summary.declare(p);
  } else {
    std::get<OdeRnn>(parts_).declare(p);
  }
  p.add_linear("encoder.posterior1", u, u);
  p.add_linear("encoder.posterior2", 2 * options_.latent, u);
}

void Encoder::prepare(BatchTensors& batch, ops::Upload& upload) const {
  if (const auto* rnn = std::get_if<OdeRnn>(&parts_)) batch.encoder_input = rnn->turns(batch.batch, upload);
  if (options_.kind == ModelKind::kWeightDecay) batch.encoder_input = decay_input(batch, upload);
}

// The ODE-RNN and the decaying messages use their own matrices, which are not padded.
bool Encoder::takes_padded(at::Device device) const {
  return options_.kind != ModelKind::kLatentOde && options_.kind != ModelKind::kWeightDecay &&
         ops::has_fused_attention_on(device, options_.encoder_width, options_.impl);
}

Dropout Encoder::dropout(const BatchTensors& batch, const DropoutKey& key, ops::Upload& upload) const {
  const auto* graph = std::get_if<GraphEncoder>(&parts_);
  return graph != nullptr ? graph->layers.dropout(batch, key, upload) : Dropout();
}

Encoding Encoder::operator()(const Parameters& p, const BatchTensors& batch, const Dropout& dropout) const {
  Encoding out;
  at::Tensor u;
  if (const auto* graph = std::get_if<GraphEncoder>(&parts_)) {
    // Eq. 3: h_i^t = f_update(o_i, neighbours), u_i = f_aggre(h_i)
    out.h = graph->layers(p, batch, dropout);
    const Recent& recent = batch.recent;
    u = recent.rows.defined() ? graph->summary(p, ops::gather_rows(out.h, recent.rows), recent.times, recent.offsets)
                              : graph->summary(p, out.h, batch.times, batch.observation_offsets);
  } else {
    u = std::get<OdeRnn>(parts_)(p, batch);
  }
  const at::Tensor h = out.h;
  out = posterior(p, borrow(u, batch.borrowing));
  out.h = h;
  return out;
}

const GraphLayers* Encoder::layers() const {
  const auto* graph = std::get_if<GraphEncoder>(&parts_);
  return graph != nullptr ? &graph->layers : nullptr;
}

Encoding Encoder::posterior(const Parameters& p, const at::Tensor& h, const at::Tensor& times,
                            const at::Tensor& offsets) const {
  return posterior(p, std::get<GraphEncoder>(parts_).summary(p, h, times, offsets));
}

Encoding Encoder::posterior(const Parameters& p, const at::Tensor& u) const {
  Encoding out;
  out.u = u;
  // Eq. 7: q(z_i^0 | o) = N(mu_i, sigma_i), (mu_i, sigma_i) = f(u_i)   [N, L] each
  const at::Tensor s = linear(p, "encoder.posterior2", at::relu(linear(p, "encoder.posterior1", out.u)));
  out.mu = s.slice(1, 0, options_.latent);
  out.sigma = at::softplus(s.slice(1, options_.latent));
  return out;
}

}  // namespace lgode::model
