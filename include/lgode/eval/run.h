// A trained model, ready to use: weights with all that is needed to feed them. In memory, or from a checkpoint.
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
#include "lgode/ops/context.h"

namespace lgode::eval {

struct Run {
  std::filesystem::path path;  // of the checkpoint file; empty: never written
  RunInfo info;
  std::shared_ptr<model::Model> model;
  ops::Context context;  // where the model is, and what computations with it use
};

// `path` is a run folder (its best.safetensors, or checkpoint.safetensors where there is no best one yet) or a
// checkpoint file. `step`: of the solver, instead of the one it was trained with. DataError names what is wrong.
Run load_run(const std::filesystem::path& path, const ops::Context& context, std::optional<double> step = {});

// Writes weights (by name), description, and whatever else a checkpoint carries. Same content, same bytes.
struct CheckpointExtras {
  std::vector<std::pair<std::string, at::Tensor>> tensors;
  std::map<std::string, std::string> metadata;
};
void save_checkpoint(const std::filesystem::path& path, const RunInfo& info, const model::Parameters& parameters,
                     const CheckpointExtras& extras = {});

// Copies the weights of a checkpoint into `parameters`; DataError on an absent one or another shape.
void load_weights(const SafetensorsFile& file, model::Parameters& parameters);

// A tensor of a file as a copy on the CPU. DataError if absent or of a type that the project does not write.
at::Tensor load_tensor(const SafetensorsFile& file, const std::string& name);

}  // namespace lgode::eval
