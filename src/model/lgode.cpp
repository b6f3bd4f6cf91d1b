#include "lgode/model/lgode.h"

#include "lgode/ops/segment.h"

namespace lgode::model {
namespace {

std::int64_t encoder_inputs(const ModelShape& shape) { return shape.features * (shape.append_mask ? 2 : 1); }

}  // namespace

LgOde::LgOde(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed, at::ScalarType dtype,
             at::Device device)
    : options_(options),
      shape_(shape),
      dtype_(dtype),
      device_(device),
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
  return !device_.is_cpu() && dtype_ == at::kFloat && dynamics_.is_fused_on(device_) &&
         ops::has_fused_attention_on(device_, options_.encoder_width, options_.impl);
}

BatchTensors LgOde::tensors(data::Batch batch, ops::Shapes shapes) const {
  return to_tensors(std::move(batch), {shape_.append_mask, shape_.window, options_.direction, dtype_, device_, shapes});
}

Dropout LgOde::dropout(const BatchTensors& batch, const DropoutKey& key) const {
  return encoder_.dropout(batch.batch, batch.inputs.size(0), key, device_);
}

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

at::Tensor LgOde::mean_path(const BatchTensors& batch, const Rollout& rollout) const {
  return roll_out(rollout, encode(batch).mu).select(0, 0);
}

at::Tensor latent_noise(const data::Batch& batch, std::int64_t samples, std::int64_t latent, std::uint64_t seed,
                        RandomUse use, std::uint64_t step, const at::TensorOptions& options) {
  const std::int64_t objects = batch.objects();
  at::Tensor noise = at::empty({samples * objects, latent}, at::TensorOptions(at::kDouble));
  double* out = noise.data_ptr<double>();
  for (std::int64_t b = 0; b < batch.systems(); ++b) {
    Random random(seed, use, {step, static_cast<std::uint64_t>(batch.system[b])});
    for (std::int64_t s = 0; s < samples; ++s)
      for (std::int64_t i = batch.object_offsets[b]; i < batch.object_offsets[b + 1]; ++i)
        for (std::int64_t k = 0; k < latent; ++k) out[(s * objects + i) * latent + k] = random.normal();
  }
  return noise.to(options);
}

}  // namespace lgode::model
