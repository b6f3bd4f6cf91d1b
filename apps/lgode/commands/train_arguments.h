// The command line of lgode train.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lgode/core/options.h"
#include "lgode/train/config.h"
#include "text/option_flags.h"

namespace lgode::app {

struct TrainArguments {
  explicit TrainArguments(Flags app) : flags(app, options) {}
  TrainArguments(const TrainArguments&) = delete;
  TrainArguments& operator=(const TrainArguments&) = delete;

  train::RunConfig config;
  OptionSet options;  // bound to config
  OptionFlags flags;  // of options
  std::string config_file, out;
  std::string ranks = "auto", backend = "auto";  // other processes that train the same model
  std::optional<std::int64_t> stop_after;        // total steps
  bool force = false, resume = false, print_config = false, json = false, quiet = false, no_report = false;

  // Whether a flag set the option; known once the options are resolved.
  bool was_given(const char* key) const { return options.find(key)->source == Source::kFlag; }
};

// With --resume and --epochs or --minutes: the run's config with that budget. ConfigError if it cannot have it.
std::optional<train::RunConfig> longer_config(const TrainArguments& arguments);

}  // namespace lgode::app
