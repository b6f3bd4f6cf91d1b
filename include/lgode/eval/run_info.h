// The description of a model in its checkpoint. Can be read, printed and checked without LibTorch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "lgode/core/safetensors.h"
#include "lgode/data/batch_maker.h"
#include "lgode/data/classical/fit.h"
#include "lgode/data/dataset.h"
#include "lgode/data/normalisation.h"
#include "lgode/data/scene.h"
#include "lgode/data/task.h"
#include "lgode/model/options.h"
#include "lgode/model/shape.h"

namespace lgode::eval {

inline constexpr const char* kCheckpointKind = "checkpoint";

// Everything about a model except its weights; stored as JSON in the metadata of a checkpoint.
struct RunInfo {
  nlohmann::json config;  // the run's whole resolved config
  data::TaskOptions task;
  model::ModelOptions model;
  model::ModelShape shape;
  data::Normalisation normalisation;
  std::vector<data::Feature> features;  // of the training data: inputs and outputs of the model
  std::vector<std::string> relation_types;
  data::Description table;  // of the training data, without the names of systems and objects; no features: unknown
  double time_scale = 1.0;  // of the training data
  double conditioning_length = 1.0;
  std::string time_unit;         // of the training data; may be empty
  double typical_gap = 0;        // median time between an object's observations in the training data; 0: unknown
  data::ClassicalFit classical;  // of the classical methods, fitted on the training part; may be empty
  std::string data_name;
  std::string data_fingerprint;  // of the training data
  std::int64_t epoch = 0;        // epochs finished
  std::int64_t step = 0;         // optimiser steps done
  nlohmann::json validation;     // error of the selected weights, null if there is none
  std::string commit, version, machine;

  nlohmann::json to_json() const;
  // DataError (starting with `where`) if the JSON is not such a description.
  static RunInfo from_json(const nlohmann::json& json, const std::string& where);
};

// What a run is, for the first keys of every JSON about it: task, observed, model, variant, protocol and seed.
nlohmann::ordered_json run_head_json(const RunInfo& info);

// Names of the optimiser's tensors in a checkpoint begin with this.
inline constexpr const char* kOptimizerPrefix = "optimizer.";
inline constexpr const char* kRunKey = "lgode.run";  // of the metadata: a RunInfo

// `path` itself, or the checkpoint in the run folder `path`: best.safetensors, or checkpoint.safetensors if there is no
// best one yet. DataError if there is none.
std::filesystem::path checkpoint_path(const std::filesystem::path& path);

// The description in an open checkpoint, or in the checkpoint of a run folder. DataError names the problem.
RunInfo read_run_info(const SafetensorsFile& file);
RunInfo load_run_info(const std::filesystem::path& path);

struct FitOptions {
  bool allow_mismatch = false;  // of units and time spans
  bool allow_missing = false;   // values that the model cannot do without
  bool can_allow = true;        // messages advise to set `allow_mismatch`; false: the caller has no such option
};

// ConfigError unless the data set has the features (names, in order; the same ones derived) and relation types that the
// model was trained on. Unless allowed, also if it lacks values and the model cannot take missing values,
// if declared units differ, or if the time between observations or the length of the first range differ by more than
// ten times.
void check_fits(const RunInfo& info, const data::Dataset& dataset, const FitOptions& options = {});

// The same of scenes, whose sources need not be in a data set: ConfigError unless `about` has the run's features and
// relation types, if a context lacks values that the model cannot do without, or if a model with a fixed number of
// objects was trained on another one.
void check_fits(const RunInfo& info, const data::Description& about, std::span<const data::Scene> scenes);

// Makes the batches of a run: its task, units and clock, on this data set.
// `task`: instead of the run's own.
data::BatchMaker batch_maker(const RunInfo& info, const data::Dataset& dataset);
data::BatchMaker batch_maker(const RunInfo& info, const data::Dataset& dataset, const data::TaskOptions& task);

// How validation selects context and targets: protocol=paper validates on the test part.
data::View validation_view(const data::TaskOptions& task);

// How far ahead training looked, in physical time.
double trained_reach(const RunInfo& info);

// Whether the model can take observations that lack some of their values.
bool takes_missing(const RunInfo& info);

// Doubts about using the model on this data, one sentence each: features whose largest value (of centred
// positions, the largest distance from the system's mean) is more than 20 times or less than 1/20 of its largest
// in the training data; and observations that the run's gate does not believe. `outliers`: kUse takes them as they are,
// so that nothing is said of them and their values count.
std::vector<std::string> notes_on(const RunInfo& info, const data::Dataset& dataset,
                                  data::Outliers outliers = data::Outliers::kFlag);

}  // namespace lgode::eval
