// A trained model as it lies on disk, ready to use: weights with all that is needed to feed them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lgode/core/file.h"
#include "lgode/core/safetensors.h"
#include "lgode/data/normalisation.h"
#include "lgode/data/task.h"
#include "lgode/model/model.h"

namespace lgode::eval {

inline constexpr const char* kCheckpointKind = "checkpoint";

// Everything about a model but its weights; JSON in the metadata of a checkpoint.
struct RunInfo {
  nlohmann::json config;  // the run's whole resolved config
  data::TaskOptions task;
  model::ModelOptions model;
  model::ModelShape shape;
  data::Normalisation normalisation;
  std::vector<data::Feature> features;  // of the training data: what the model reads and tells
  std::vector<std::string> relation_types;
  double time_scale = 1.0;  // of the training data
  double conditioning_length = 1.0;
  std::string data_name;
  std::string data_fingerprint;  // of the training data
  std::int64_t epoch = 0;        // epochs finished
  std::int64_t step = 0;         // optimiser steps taken
  nlohmann::json validation;     // error of the selected weights, null where there is none
  std::string commit, version, machine;

  nlohmann::json to_json() const;
  // DataError (opening with `where`) if the text is not such a description.
  static RunInfo from_json(const nlohmann::json& json, const std::string& where);
};

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

// Description only; no weights are read.
RunInfo load_run_info(const std::filesystem::path& path);

// ConfigError unless the data set has the features (names, in order) and relation types that the model was trained on.
void check_fits(const Run& run, const data::Dataset& dataset);

// "AMD EPYC, 2 threads" and the like: processor (and accelerator), for recorded results.
std::string machine_name(int threads, at::Device device = at::kCPU);

// Sets the number of threads of all parallel work (0: all cores) and returns it.
int use_threads(std::int64_t threads);

// The device for "auto", "cpu" or "cuda"; ConfigError where there is no usable GPU.
at::Device pick_device(const std::string& name);

}  // namespace lgode::eval
