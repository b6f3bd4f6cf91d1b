// Checkpoints: writing, reading, and checking that they fit.
#include "lgode/eval/run.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "lgode/core/error.h"
#include "lgode/core/parallel.h"
#include "lgode/data/dataset.h"
#include "lgode/ops/device.h"

namespace lgode::eval {
namespace {

using nlohmann::json;

constexpr const char* kRunKey = "lgode.run";

json feature_json(const data::Feature& f) {
  return {{"name", f.name}, {"unit", f.unit}, {"scale_group", f.scale_group}, {"velocity_of", f.velocity_of}};
}

data::Feature feature_from(const json& j) {
  return {j.at("name"), j.at("unit"), j.at("scale_group"), j.at("velocity_of")};
}

// `path` itself, or the checkpoint in the folder `path`.
std::filesystem::path checkpoint_path(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw DataError(fmt::format("{}: no such run folder or checkpoint file", path.string()));
  if (!std::filesystem::is_directory(path, error)) return path;
  for (const char* name : {"best.safetensors", "checkpoint.safetensors"})
    if (std::filesystem::exists(path / name, error)) return path / name;
  throw DataError(
      fmt::format("{}: holds neither best.safetensors nor checkpoint.safetensors; is it a run folder, and "
                  "has its training got as far as a checkpoint?",
                  path.string()));
}

RunInfo info_of(const SafetensorsFile& file) {
  const std::string where = file.path().string();
  const auto kind = file.metadata().find(data::kKindKey);
  if (kind == file.metadata().end() || kind->second != kCheckpointKind)
    throw DataError(fmt::format("{}: is {}, expected a checkpoint of a training run", where,
                                kind == file.metadata().end() ? "no file of this program" : "a " + kind->second));
  const json parsed = json::parse(file.meta(kRunKey), nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) throw DataError(where + ": the run's description is not valid JSON; the file is damaged");
  return RunInfo::from_json(parsed, where);
}

}  // namespace

json RunInfo::to_json() const {
  json list = json::array();
  for (const data::Feature& f : features) list.push_back(feature_json(f));
  return {{"config", config},
          {"shape",
           {{"features", shape.features},
            {"relation_types", shape.relation_types},
            {"append_mask", shape.append_mask},
            {"window", shape.window},
            {"objects", shape.objects},
            {"cell", shape.cell}}},
          {"scale", normalisation.scale},
          {"features", list},
          {"relation_types", relation_types},
          {"time_scale", time_scale},
          {"conditioning_length", conditioning_length},
          {"data_name", data_name},
          {"data_fingerprint", data_fingerprint},
          {"epoch", epoch},
          {"step", step},
          {"validation", validation},
          {"commit", commit},
          {"version", version},
          {"machine", machine}};
}

RunInfo RunInfo::from_json(const json& j, const std::string& where) {
  RunInfo info;
  try {
    info.config = j.at("config");
    OptionSet options;
    data::declare(options, info.task);
    model::declare(options, info.model);
    options.set_all(info.config, Source::kFile, where, /*lenient=*/true);
    const json& shape = j.at("shape");
    info.shape = {shape.at("features"),
                  shape.at("relation_types"),
                  shape.at("append_mask"),
                  shape.at("window"),
                  shape.value("objects", std::int64_t{0}),
                  shape.value("cell", 0.0)};
    info.normalisation.scale = j.at("scale").get<std::vector<double>>();
    for (const json& f : j.at("features")) info.features.push_back(feature_from(f));
    info.relation_types = j.at("relation_types").get<std::vector<std::string>>();
    info.time_scale = j.at("time_scale");
    info.conditioning_length = j.at("conditioning_length");
    info.data_name = j.at("data_name");
    info.data_fingerprint = j.at("data_fingerprint");
    info.epoch = j.at("epoch");
    info.step = j.at("step");
    info.validation = j.at("validation");
    info.commit = j.at("commit");
    info.version = j.at("version");
    info.machine = j.at("machine");
  } catch (const json::exception& e) {
    throw DataError(fmt::format("{}: the run's description is incomplete or of the wrong types ({})", where, e.what()));
  }
  if (info.normalisation.scale.size() != info.features.size() ||
      info.shape.features != static_cast<std::int64_t>(info.features.size()))
    throw DataError(where + ": the run's description contradicts itself about the number of features");
  return info;
}

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
      const RunInfo info = info_of(file);
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
  content.metadata[kRunKey] = info.to_json().dump();
  write_safetensors(path, Overwrite::kAllow, content);
}

Run load_run(const std::filesystem::path& path, at::Device device, std::optional<double> step) {
  const SafetensorsFile file(checkpoint_path(path));
  Run run;
  run.path = file.path();
  run.info = info_of(file);
  if (step) run.info.model.step = *step;
  run.model = model::make_model(run.info.model, run.info.shape, run.info.task.seed, at::kFloat, device);
  load_weights(file, run.model->parameters());
  return run;
}

RunInfo load_run_info(const std::filesystem::path& path) { return info_of(SafetensorsFile(checkpoint_path(path))); }

void check_fits(const Run& run, const data::Dataset& dataset) {
  auto names = [](const std::vector<data::Feature>& features) {
    std::vector<std::string> out;
    out.reserve(features.size());
    for (const data::Feature& f : features) out.push_back(f.name);
    return out;
  };
  const std::vector<std::string> want = names(run.info.features), have = names(dataset.description().features);
  if (want != have)
    throw ConfigError(
        fmt::format("the model was trained on the features {}, the data has {}; use data with the same "
                    "features in the same order",
                    fmt::join(want, ", "), fmt::join(have, ", ")));
  if (dataset.description().relation_types != run.info.relation_types)
    throw ConfigError(
        fmt::format("the model was trained on the relation types {}, the data has {}; use data with the same "
                    "types in the same order",
                    fmt::join(run.info.relation_types, ", "), fmt::join(dataset.description().relation_types, ", ")));
  if (run.info.model.kind != model::ModelKind::kRnnNri) return;
  for (std::int64_t s = 0; s < dataset.systems(); ++s)
    if (dataset.objects_of(s) != run.info.shape.objects)
      throw ConfigError(
          fmt::format("the model is rnn-nri, which reads a system's objects side by side, and was trained on systems "
                      "of {} objects; "
                      "system {} has {}; use data with as many objects, or another --model",
                      run.info.shape.objects, dataset.system_id(s), dataset.objects_of(s)));
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
