// The command line of lgode predict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lgode/core/file.h"
#include "lgode/eval/prediction.h"

namespace lgode::app {

struct PredictArguments {
  std::string run, data, out, times, times_file, systems, start, table, quantiles;
  std::string part = "all", context, device = "auto", fill_with = "auto";
  std::int64_t threads = 0;
  std::optional<double> step;
  std::optional<std::int64_t> samples;
  bool force = false, fill = false, all_times = false;
  std::string shard;  // "2/4": only a part of the systems
  eval::PredictOptions options;

  Overwrite overwrite() const { return force ? Overwrite::kAllow : Overwrite::kRefuse; }
};

}  // namespace lgode::app
