// Writes and reads checkpoints with their weights.
#include "lgode/eval/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/json_text.h"

namespace lgode::eval {

at::Tensor load_tensor(const SafetensorsFile& file, const std::string& name) {
  const TensorView& view = file.at(name);
  at::ScalarType type = at::kFloat;
  switch (view.dtype) {
    case DType::kF32:
      type = at::kFloat;
      break;
    case DType::kF64:
      type = at::kDouble;
      break;
    case DType::kI64:
      type = at::kLong;
      break;
    case DType::kI32:
      type = at::kInt;
      break;
    case DType::kU8:
      type = at::kByte;
      break;
    default:
      throw DataError(fmt::format("{}: tensor {} has a type that is not supported", file.path().string(), name));
  }
  at::Tensor out = at::empty(view.shape, at::TensorOptions(type));
  if (!view.bytes.empty()) std::memcpy(out.data_ptr(), view.bytes.data(), view.bytes.size());
  return out;
}

void load_weights(const SafetensorsFile& file, model::Parameters& parameters) {
  at::NoGradGuard no_grad;
  for (const model::Parameters::Entry& e : parameters.entries()) {
    if (!file.has(e.name)) {
      const RunInfo info = read_run_info(file);
      throw DataError(fmt::format(
          "{}: has no weights '{}', which the model of this version needs; it was written by lgode {} ({}): train "
          "it again, or use that version",
          file.path().string(), e.name, info.version, info.commit));
    }
    const at::Tensor value = load_tensor(file, e.name);
    if (value.sizes() != e.tensor.sizes())
      throw DataError(fmt::format("{}: tensor {} has shape [{}], the run's config asks for [{}]", file.path().string(),
                                  e.name, fmt::join(value.sizes(), ", "), fmt::join(e.tensor.sizes(), ", ")));
    e.tensor.detach().copy_(value);
  }
}

void save_checkpoint(const std::filesystem::path& path, const RunInfo& info, const model::Parameters& parameters,
                     const CheckpointExtras& extras) {
  std::vector<std::pair<std::string, at::Tensor>> tensors;
  for (const model::Parameters::Entry& e : parameters.entries()) tensors.emplace_back(e.name, e.tensor.detach());
  tensors.insert(tensors.end(), extras.tensors.begin(), extras.tensors.end());
  SafetensorsContent content;
  for (auto& [name, tensor] : tensors) {
    tensor = tensor.to(at::kCPU).contiguous();
    const DType dtype = tensor.scalar_type() == at::kDouble ? DType::kF64 : DType::kF32;
    content.tensors.emplace_back(name, TensorView{dtype,
                                                  tensor.sizes().vec(),
                                                  {static_cast<const std::byte*>(tensor.data_ptr()),
                                                   static_cast<std::size_t>(tensor.nbytes())}});
  }
  content.metadata = extras.metadata;
  content.metadata[data::kKindKey] = kCheckpointKind;
  content.metadata["lgode.version"] = "1";
  content.metadata[kRunKey] = json_text(info.to_json());
  write_safetensors(path, Overwrite::kAllow, content, extras.previous);
}

void save_calibrations(const std::filesystem::path& checkpoint, const Calibrations& calibrations) {
  write_file(checkpoint.parent_path() / kCalibrationFile, Overwrite::kAllow,
             json_text(calibrations.to_json(), 1) + "\n");
}

Run load_run(const std::filesystem::path& path, const ops::Context& context, std::optional<double> step,
             bool calibrated) {
  const SafetensorsFile file(checkpoint_path(path));
  Run run;
  run.path = file.path();
  run.info = read_run_info(file);
  if (step) run.info.model.step = *step;
  run.model = model::make_model(run.info.model, run.info.shape, run.info.task.seed, at::kFloat, context.device);
  run.context = context.without_gradients();
  load_weights(file, run.model->parameters());
  const std::filesystem::path file_of_widths = run.path.parent_path() / kCalibrationFile;
  if (calibrated && std::filesystem::exists(file_of_widths)) {
    Calibrations found = Calibrations::from_json(parse_json(read_text(file_of_widths)), file_of_widths.string());
    if (found.epoch == run.info.epoch && found.step == run.info.step) run.calibrations = std::move(found);
    if (run.calibrations.model.features().size() != run.info.features.size()) run.calibrations = {};
  }
  return run;
}

}  // namespace lgode::eval
