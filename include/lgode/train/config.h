// A run's whole configuration and how it comes about: defaults, then the recipe, then the config file, then flags.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lgode/data/task.h"
#include "lgode/model/options.h"

namespace lgode {
class OptionSet;
}

namespace lgode::train {

enum class Recipe { kDefault, kPaper };
enum class Optimizer { kAdamW, kAdam };
enum class RateSchedule { kCosine, kConstant };
enum class Device { kAuto, kCpu, kCuda };

struct TrainOptions {
  std::string data;  // path of the data set
  Recipe recipe = Recipe::kDefault;
  std::int64_t epochs = 30;
  std::optional<std::int64_t> batch;  // auto: 256, 32 or less, by the number of systems
  double lr = 1e-3;
  Optimizer optimizer = Optimizer::kAdamW;
  double weight_decay = 1e-3;
  std::int64_t warmup = 100;                      // steps
  RateSchedule schedule = RateSchedule::kCosine;  // of the learning rate
  double clip = 10.0;                             // gradient norm; 0: off
  std::int64_t samples = 1;                       // S
  double kl_weight = 1.0;
  std::int64_t kl_warmup = 1000;         // steps until kl_weight is reached, linearly
  std::int64_t checkpoint_seconds = 60;  // a checkpoint at least this often, beside the one after each epoch
  std::int64_t threads = 0;              // 0: all cores
  Device device = Device::kAuto;
  bool capture_steps = true;  // on a GPU, where batches allow
};

struct RunConfig {
  data::TaskOptions task;
  model::ModelOptions model;
  TrainOptions train;
};

// Declares every option of a run, in the order of the help.
void declare(OptionSet& options, RunConfig& config);

// The whole config as JSON, as config.json has it.
nlohmann::json config_json(const RunConfig& config);

// Flags as (key, text) and the config file's content (null: none) into a config. Throws ConfigError.
// `options` must be bound to `config`.
void resolve(OptionSet& options, RunConfig& config, const std::vector<std::pair<std::string, std::string>>& flags,
             const nlohmann::json& file, const std::string& file_name);

}  // namespace lgode::train
