// Checkpoints with their weights: writing and reading.
#include "lgode/eval/run.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/core/parallel.h"
#include "lgode/ops/device.h"

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
          "{}: has no weights '{}', which this version's model needs; it was written by lgode {} ({}): train it again, "
          "or use that version",
          file.path().string(), e.name, info.version, info.commit));
    }
    const at::Tensor value = load_tensor(file, e.name);
    if (value.sizes() != e.tensor.sizes())
      throw DataError(fmt::format("{}: tensor {} has shape [{}], the run's config asks for [{}]", file.path().string(),
                                  e.name, fmt::join(value.sizes(), ", "), fmt::join(e.tensor.sizes(), ", ")));
    e.tensor.detach().copy_(value);
  }
}

void save_checkpoint(const std::filesystem::path& path, const RunInfo& info, model::Parameters& parameters,
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
  write_safetensors(path, Overwrite::kAllow, content);
}

Run load_run(const std::filesystem::path& path, at::Device device, std::optional<double> step) {
  const SafetensorsFile file(checkpoint_path(path));
  Run run;
  run.path = file.path();
  run.info = read_run_info(file);
  if (step) run.info.model.step = *step;
  run.model = model::make_model(run.info.model, run.info.shape, run.info.task.seed, at::kFloat, device);
  load_weights(file, run.model->parameters());
  return run;
}

std::string machine_name(int threads, at::Device device) {
  std::ifstream info("/proc/cpuinfo");
  std::string line, name = "unknown processor";
  while (std::getline(info, line))
    if (line.starts_with("model name")) {
      name = line.substr(line.find(':') + 2);
      break;
    }
  const std::string gpu = device.is_cuda() ? ops::gpu_name(device) + " beside " : "";
  return fmt::format("{}{}, {} thread{}", gpu, name, threads, threads == 1 ? "" : "s");
}

int use_threads(std::int64_t threads) {
  const int count = threads > 0 ? static_cast<int>(threads) : hardware_threads();
  at::set_num_threads(count);
  return count;
}

at::Device pick_device(const std::string& name) {
  const bool cuda = ops::gpu_count() > 0;
  if (name == "cuda" && !cuda)
    throw ConfigError(
        at::hasCUDA() ? "--device cuda: no GPU is visible; see nvidia-smi and CUDA_VISIBLE_DEVICES, or use --device "
                        "cpu"
                      : "--device cuda: this build has no CUDA; build with a LibTorch that has it (cmake --preset "
                        "cuda), or use --device cpu");
  return name == "cuda" || (name == "auto" && cuda) ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
}

}  // namespace lgode::eval
