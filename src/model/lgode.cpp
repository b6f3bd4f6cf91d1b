// Combines encoder, dynamics and decoder: the generative process of Eq. 8.
#include "lgode/model/lgode.h"

#include <utility>

#include "lgode/ops/segment.h"

namespace lgode::model {

LgOde::LgOde(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed, at::ScalarType dtype,
             at::Device device)
    : Model(options, shape, dtype, device),
      encoder_(options, encoder_inputs(shape)),
      dynamics_(options, shape.relation_types),
      decoder_(options, shape.features),
      futures_(options) {
  encoder_.declare(parameters_);
  dynamics_.declare(parameters_);
  decoder_.declare(parameters_);
  futures_.declare(parameters_);
  parameters_.finish(dtype_, device_, seed);
}

std::unique_ptr<Model> LgOde::fresh() const {
  return std::make_unique<LgOde>(options_, shape_, /*seed=*/1, dtype_, device_);
}

bool LgOde::takes_padded(ops::Precision precision) const {
  return !device_.is_cpu() && dtype_ == at::kFloat && dynamics_.is_fused_on(device_, precision, /*gradients=*/true) &&
         encoder_.takes_padded(device_);
}

BatchTensors LgOde::tensors(data::Batch batch, ops::Shapes shapes, ops::Upload& upload) const {
  BatchTensors out = Model::tensors(std::move(batch), shapes, upload);
  encoder_.prepare(out, upload);
  return out;
}

Dropout LgOde::dropout(const BatchTensors& batch, const DropoutKey& key, ops::Upload& upload) const {
  return encoder_.dropout(batch, key, upload);
}

Encoding LgOde::encode(const BatchTensors& batch, const Dropout& dropout) const {
  return encoder_(parameters_, batch, dropout);
}

std::shared_ptr<const Rollout> LgOde::prepare(const data::Batch& batch, const RolloutOptions& options,
                                              ops::Upload& upload) const {
  RolloutOptions all = options;
  all.samples += futures_.count(options);
  const auto out = std::make_shared<OdeRollout>(dynamics_.prepare(batch, all, dtype_, upload));
  out->samples = options.samples, out->futures = futures_.count(options);
  return out;
}

Paths LgOde::roll_out(const Rollout& rollout, const at::Tensor& z0) const {
  const auto* ode = dynamic_cast<const OdeRollout*>(&rollout);
  TORCH_CHECK_VALUE(ode != nullptr, "lg-ode: the roll-out was prepared by a model of another kind");
  const at::Tensor z = dynamics_(parameters_, *ode, ops::gather_rows(z0, ode->from));
  // Eq. 8: o_i^t ~ p(o_i^t | z_i^t); the decoder gives its mean.
  const at::Tensor y = decoder_(parameters_, z).view({ode->paths(), ode->targets + ode->seen, shape_.features});
  const at::Tensor drawn = y.slice(0, 0, ode->samples);
  Paths out;
  out.values = drawn.slice(1, 0, ode->targets);
  if (ode->seen > 0) out.seen = drawn.slice(1, ode->targets);
  if (ode->futures > 0) out.futures = y.slice(0, ode->samples).slice(1, 0, ode->targets);
  return out;
}

Paths LgOde::paths(const BatchTensors& batch, const Rollout& rollout, const at::Tensor& noise,
                   const Dropout& dropout) const {
  const Encoding encoding = encode(batch, dropout);
  // Eq. 8: z_i^0 ~ q(z_i^0 | o), z0 = mu + sigma eps   [S*N, L]
  Paths out = roll_out(rollout, futures_.starts(parameters_, encoding, rollout, noise));
  out.mu = encoding.mu, out.sigma = encoding.sigma;
  if (rollout.futures > 0) out.scores = futures_.scores(parameters_, encoding, batch.object_offsets);
  return out;
}

}  // namespace lgode::model
