// The command line of lgode evaluate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lgode/core/file.h"
#include "lgode/use/options.h"

namespace lgode::app {

struct EvaluateArguments : use::EvaluateSettings {
  std::vector<std::string> runs;
  std::string data, device = "auto";
  std::int64_t threads = 0;
  std::optional<double> step;
  bool json = false, table = false;
  std::string record, shard;
  bool force = false;

  Overwrite overwrite() const { return force ? Overwrite::kAllow : Overwrite::kRefuse; }
};

}  // namespace lgode::app
