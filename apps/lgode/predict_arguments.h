// The command line of lgode predict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lgode/core/file.h"
#include "lgode/eval/prediction.h"
#include "lgode/use/options.h"

namespace lgode::app {

struct PredictArguments {
  std::string run, data, out, times, times_file, systems, start, table;
  std::string part = "all", device = "auto";
  std::int64_t threads = 0;
  std::optional<double> step;
  bool force = false, fill = false;
  std::string shard;  // "2/4": only a part of the systems
  eval::PredictOptions options;
  use::FillSettings filling;

  Overwrite overwrite() const { return force ? Overwrite::kAllow : Overwrite::kRefuse; }
};

}  // namespace lgode::app
