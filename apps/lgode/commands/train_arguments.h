// The command line of lgode train.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/options.h"
#include "lgode/train/config.h"

namespace lgode::app {

struct TrainArguments {
  train::RunConfig config;
  OptionSet options;                                // bound to config
  std::vector<std::pair<std::string, Flag>> flags;  // option's key, flag
  std::vector<std::string> texts;                   // values of the flags, in their order
  std::string config_file, out;
  std::string ranks = "auto", backend = "auto";  // other processes that train the same model
  std::optional<std::int64_t> stop_after;        // steps in all
  bool force = false, resume = false, print_config = false, json = false, quiet = false, no_report = false;

  std::vector<std::pair<std::string, std::string>> given() const {
    std::vector<std::pair<std::string, std::string>> result;
    for (std::size_t i = 0; i < flags.size(); ++i)
      if (flags[i].second.given()) result.emplace_back(flags[i].first, texts[i]);
    return result;
  }
  // Whether a flag set the option; known once the options are resolved.
  bool was_given(const char* key) const { return options.find(key)->source == Source::kFlag; }
};

// With --resume and --epochs: the run's config with more epochs. ConfigError if it cannot be lengthened to that.
std::optional<train::RunConfig> longer_config(const TrainArguments& arguments);

}  // namespace lgode::app
