#include "lgode/model/lgode.h"

#include "lgode/ops/segment.h"

namespace lgode::model {
namespace {

std::int64_t encoder_inputs(const ModelShape& shape) { return shape.features * (shape.append_mask ? 2 : 1); }

}  // namespace

LgOde::LgOde(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed, at::ScalarType dtype,
             at::Device device)
    : Model(options, shape, dtype, device),
      encoder_(options, encoder_inputs(shape)),
      dynamics_(options, shape.relation_types) {
  encoder_.declare(parameters_);
  dynamics_.declare(parameters_);
  if (options_.decoder == DecoderKind::kMlp) {
    parameters_.add_linear("decoder.layer1", options_.hidden, options_.latent);
    parameters_.add_linear("decoder.layer2", shape_.features, options_.hidden);
  } else {
    parameters_.add_linear("decoder", shape_.features, options_.latent);
  }
  parameters_.finish(dtype_, device_, seed);
}

bool LgOde::takes_padded() const {
  return !device_.is_cpu() && dtype_ == at::kFloat && dynamics_.is_fused_on(device_) && encoder_.takes_padded(device_);
}

BatchTensors LgOde::tensors(data::Batch batch, ops::Shapes shapes) const {
  BatchTensors out = Model::tensors(std::move(batch), shapes);
  encoder_.stage(out);
  return out;
}

Dropout LgOde::dropout(const BatchTensors& batch, const DropoutKey& key) const { return encoder_.dropout(batch, key); }

Encoding LgOde::encode(const BatchTensors& batch, const Dropout& dropout) const {
  return encoder_(parameters_, batch, dropout);
}

at::Tensor LgOde::decode(const at::Tensor& z) const {
  if (options_.decoder == DecoderKind::kLinear)
    return at::linear(z, parameters_["decoder.weight"], parameters_["decoder.bias"]);
  const at::Tensor hidden =
      at::relu(at::linear(z, parameters_["decoder.layer1.weight"], parameters_["decoder.layer1.bias"]));
  return at::linear(hidden, parameters_["decoder.layer2.weight"], parameters_["decoder.layer2.bias"]);
}

Rollout LgOde::prepare(const data::Batch& batch, std::int64_t samples, ops::Shapes shapes) const {
  return dynamics_.prepare(batch, samples, at::TensorOptions(dtype_).device(device_), shapes);
}

at::Tensor LgOde::roll_out(const Rollout& rollout, const at::Tensor& z0) const {
  const std::int64_t samples = rollout.layout.samples;
  const at::Tensor z = dynamics_(parameters_, rollout, ops::gather_rows(z0, rollout.from));
  return decode(z).view({samples, static_cast<std::int64_t>(rollout.rows.size()) / samples, shape_.features});
}

Paths LgOde::paths(const BatchTensors& batch, const Rollout& rollout, const at::Tensor& noise,
                   const Dropout& dropout) const {
  const Encoding encoding = encode(batch, dropout);
  const std::int64_t samples = rollout.layout.samples;
  // z0 = mu + sigma eps   [S*N, L]
  at::Tensor z0 = encoding.mu.repeat({samples, 1});
  if (noise.defined()) z0 = z0 + encoding.sigma.repeat({samples, 1}) * noise;
  return {roll_out(rollout, z0), encoding.mu, encoding.sigma};
}

}  // namespace lgode::model
