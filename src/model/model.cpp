// Functions common to all models: preparing a single batch, creating a model, drawing noise.
#include "lgode/model/model.h"

#include "lgode/model/assimilate/model.h"
#include "lgode/model/frames/model.h"
#include "lgode/model/lgode.h"
#include "lgode/model/rnn_nri.h"

namespace lgode::model {

Model::Model(const ModelOptions& options, const ModelShape& shape, at::ScalarType dtype, at::Device device)
    : options_(options), shape_(shape), dtype_(dtype), device_(device) {}

BatchTensors Model::tensors(data::Batch batch, ops::Shapes shapes, ops::Upload& upload) const {
  return to_tensors(std::move(batch), {shape_.append_mask, shape_.window, options_.direction, dtype_, shapes}, upload);
}

BatchTensors Model::tensors(data::Batch batch) const {
  ops::Upload upload(device_);
  return tensors(std::move(batch), ops::Shapes::kExact, upload);
}

std::shared_ptr<const Rollout> Model::prepare(const data::Batch& batch, const RolloutOptions& options) const {
  ops::Upload upload(device_);
  return prepare(batch, options, upload);
}

Dropout Model::dropout(const BatchTensors& batch, const DropoutKey& key) const {
  ops::Upload upload(device_);
  return dropout(batch, key, upload);
}

std::unique_ptr<Model> make_model(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed,
                                  at::ScalarType dtype, at::Device device) {
  if (options.kind == ModelKind::kRnnNri) return std::make_unique<RnnNri>(options, shape, seed, dtype, device);
  if (options.kind == ModelKind::kAssimilate) return std::make_unique<Assimilate>(options, shape, seed, dtype, device);
  if (options.kind == ModelKind::kFrames) return std::make_unique<Frames>(options, shape, seed, dtype, device);
  return std::make_unique<LgOde>(options, shape, seed, dtype, device);
}

at::Tensor latent_noise(const data::Batch& batch, std::int64_t samples, std::int64_t latent, std::uint64_t seed,
                        RandomUse use, std::uint64_t step, at::ScalarType dtype) {
  const std::int64_t objects = batch.objects();
  at::Tensor noise = at::empty({samples * objects, latent}, at::TensorOptions(at::kDouble));
  double* out = noise.data_ptr<double>();
  for (std::int64_t b = 0; b < batch.systems(); ++b) {
    Random random(seed, use, {step, static_cast<std::uint64_t>(batch.system[b])});
    for (std::int64_t s = 0; s < samples; ++s)
      for (std::int64_t i = batch.object_offsets[b]; i < batch.object_offsets[b + 1]; ++i)
        for (std::int64_t k = 0; k < latent; ++k) out[(s * objects + i) * latent + k] = random.normal();
  }
  return noise.to(dtype);
}

}  // namespace lgode::model
