// The configuration of a run. Later sources win: defaults, recipe, config file, flags.
#pragma once

#include <cstdint>
#include <memory>
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

struct Progress;

enum class Recipe { kDefault, kPaper };
enum class Optimizer { kAdamW, kAdam };
enum class RateSchedule { kPlateau, kCosine, kConstant };
enum class Turn { kAuto, kNone, kRandom };
enum class Device { kAuto, kCpu, kCuda };

struct TrainOptions {
  std::string data;       // path of the data set
  std::string from;       // run whose weights the training starts with; empty: new ones
  std::string gaps_from;  // table whose gaps set task.gaps; see use/table_gaps.h
  Recipe recipe = Recipe::kDefault;
  std::optional<std::int64_t> epochs;    // the limit, with other schedules than plateau the length; see kDefaultEpochs
  std::optional<double> minutes;         // the limit of plateau; see kDefaultMinutes
  std::optional<std::int64_t> patience;  // steps; see Plateau::patience()
  std::optional<std::int64_t> batch;     // systems per step; auto: 256, 32 or less, depending on the number of systems
  double lr = 1e-3;
  Optimizer optimizer = Optimizer::kAdamW;
  double weight_decay = 1e-3;
  std::int64_t warmup = 100;                       // steps
  RateSchedule schedule = RateSchedule::kPlateau;  // of the learning rate
  std::string restarts;                            // of the learning rate: see restarts_of()
  double clip = 10.0;                              // gradient norm; 0: off
  std::int64_t samples = 1;                        // S
  Turn turn = Turn::kAuto;                         // of a step's systems (data/turn.h); auto: see settle_turn()
  double resize = 1.0;                             // largest factor of a step's systems (data/turn.h); 1: off
  double kl_weight = 1.0;
  std::int64_t kl_warmup = 1000;         // steps until kl_weight is reached, linearly
  std::int64_t checkpoint_seconds = 60;  // longest time between checkpoints, in addition to one per epoch
  std::int64_t threads = 0;              // 0: all cores
  Device device = Device::kAuto;
  bool capture_steps = true;  // on a GPU, if the batches allow it
};

// Of a training whose length nothing sets: with `schedule` plateau it ends by itself, at the latest after these
// minutes; otherwise it has these epochs.
inline constexpr std::int64_t kDefaultEpochs = 30;
inline constexpr double kDefaultMinutes = 60;

// From the start of epoch `epoch` (0-based) the learning rate restarts the schedule, from `rate`, without warm-up.
struct Restart {
  std::int64_t epoch = 0;
  double rate = 0;
};
// options.restarts, "30:0.0001,60:0.0001", by rising epochs. ConfigError if it is not such a list.
std::vector<Restart> restarts_of(const TrainOptions& options);

// A plain one has the library's defaults, and LG-ODE; default_config() is what `lgode train` starts from.
struct RunConfig {
  data::TaskOptions task;
  model::ModelOptions model;
  TrainOptions train;
  // Of resolve(), where nothing names a model: the config to take instead where the data set is a scene
  // (train/scenes.h).
  std::shared_ptr<const RunConfig> scenes = {};
};

inline constexpr model::ModelKind kDefaultModel = model::ModelKind::kAssimilate;  // of resolve()

// Declares every option of a run, in the order of the help text.
void declare(OptionSet& options, RunConfig& config);

// The whole config as JSON, as in config.json.
nlohmann::json config_json(const RunConfig& config);

// What a run is given when it is resumed.
struct Budget {
  std::optional<std::int64_t> epochs = {};  // in total
  std::optional<double> minutes = {};       // in total
  std::optional<double> rate = {};          // of the added epochs; not with `schedule` plateau
};

// A config with a larger budget, for a run that has come to `done`.
//   plateau: the limits given replace the run's; nothing else changes, so that the run becomes the one that had the
//     larger limit from its start. ConfigError if the run has ended by itself, or has done as many epochs already.
//   cosine: starts again with the first added epoch, from `rate` or the first one's; a constant one stays as it is
//     without `rate`. ConfigError unless the epochs are more than the config has; the same number is accepted as long
//     as some are left.
RunConfig lengthen(RunConfig config, const Progress& done, const Budget& budget);

// Sets `config` from flags, given as (key, text), and from the config file's content (null: none). Throws ConfigError.
// `options` must be bound to `config`. With `from`, model and task options that neither sets come from that run. If
// nothing names a model, it is LG-ODE if `recipe` is paper or `variant` is given, frames if an option that only it has
// is given, else kDefaultModel; then `config.scenes` has model frames, unless it lacks something that is asked for.
void resolve(OptionSet& options, RunConfig& config, const std::vector<std::pair<std::string, std::string>>& flags,
             const nlohmann::json& file, const std::string& file_name);

// The config of `lgode train` without options, or of this model without others.
RunConfig default_config(model::ModelKind model = kDefaultModel);

// Lets declared options name the defaults that this model has, in help texts and reports. Values stay as they are.
void name_defaults(OptionSet& options, model::ModelKind model = kDefaultModel);

}  // namespace lgode::train
