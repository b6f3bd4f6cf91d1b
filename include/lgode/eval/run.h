// A trained model as it lies on disk, ready to use: weights with all that is needed to feed them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lgode/core/safetensors.h"
#include "lgode/eval/run_info.h"
#include "lgode/model/model.h"

namespace lgode::eval {

struct Run {
  std::filesystem::path path;  // of the checkpoint file
  RunInfo info;
  std::shared_ptr<model::Model> model;
};

// `path` is a run folder (its best.safetensors, or checkpoint.safetensors where there is no best one yet) or a
// checkpoint file. `step`: of the solver, instead of the one it was trained with. DataError names what is wrong.
Run load_run(const std::filesystem::path& path, at::Device device, std::optional<double> step = {});

// Writes weights (by name), description, and whatever else a checkpoint carries. Same content, same bytes.
struct CheckpointExtras {
  std::vector<std::pair<std::string, at::Tensor>> tensors;
  std::map<std::string, std::string> metadata;
};
void save_checkpoint(const std::filesystem::path& path, const RunInfo& info, model::Parameters& parameters,
                     const CheckpointExtras& extras = {});

// Copies the weights of a checkpoint into `parameters`; DataError on an absent one or another shape.
void load_weights(const SafetensorsFile& file, model::Parameters& parameters);

// A tensor of a file as a copy on the CPU. DataError if absent or of a type that the project does not write.
at::Tensor load_tensor(const SafetensorsFile& file, const std::string& name);

// "AMD EPYC, 2 threads" and the like: processor (and accelerator), for recorded results.
std::string machine_name(int threads, at::Device device = at::kCPU);

// Sets the number of threads of all parallel work (0: all cores) and returns it.
int use_threads(std::int64_t threads);

// The device for "auto", "cpu" or "cuda"; ConfigError where there is no usable GPU.
at::Device pick_device(const std::string& name);

}  // namespace lgode::eval
