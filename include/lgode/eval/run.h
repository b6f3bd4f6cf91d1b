// A trained model, ready to use: weights and everything needed to make their batches. In memory, or from a checkpoint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lgode/core/safetensors.h"
#include "lgode/eval/calibration.h"
#include "lgode/eval/run_info.h"
#include "lgode/model/model.h"
#include "lgode/ops/context.h"

namespace lgode::eval {

class KeptRunner;  // path_runner.h
std::shared_ptr<KeptRunner> make_kept_runner();

struct Run {
  std::filesystem::path path;  // of the checkpoint file; empty if in memory only
  RunInfo info;
  std::shared_ptr<model::Model> model;
  ops::Context context;            // device and threads of its computations
  Calibrations calibrations = {};  // empty: its intervals are not calibrated
  // Reused from one prediction to the next; copies of a run share it.
  std::shared_ptr<KeptRunner> runner = make_kept_runner();
};

// `path` is a checkpoint file or a run folder (its best.safetensors, or checkpoint.safetensors if there is no best one
// yet), with the calibrations next to it if they are of these weights. `step`: step size of the solver, instead of the
// training's. DataError names the problem.
Run load_run(const std::filesystem::path& path, const ops::Context& context, std::optional<double> step = {},
             bool calibrated = true);

// Further content of a checkpoint, in addition to weights and description.
struct CheckpointExtras {
  std::vector<std::pair<std::string, at::Tensor>> tensors;
  std::map<std::string, std::string> metadata;
  std::filesystem::path previous = {};  // the name that the replaced file gets; empty: none
};
// Same content, same bytes.
void save_checkpoint(const std::filesystem::path& path, const RunInfo& info, const model::Parameters& parameters,
                     const CheckpointExtras& extras = {});

// Writes the calibrations next to the checkpoint of a run.
void save_calibrations(const std::filesystem::path& checkpoint, const Calibrations& calibrations);

// Copies the weights of a checkpoint into `parameters`. DataError if one is absent or has another shape.
void load_weights(const SafetensorsFile& file, model::Parameters& parameters);

// A copy of a file's tensor on the CPU. DataError if it is absent or has a type that the project does not write.
at::Tensor load_tensor(const SafetensorsFile& file, const std::string& name);

}  // namespace lgode::eval
