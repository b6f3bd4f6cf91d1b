// The command line of lgode evaluate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lgode/core/file.h"

namespace lgode::app {

struct EvaluateArguments {
  std::vector<std::string> runs;
  std::string data, device = "auto", split = "test";
  std::int64_t threads = 0, batch = 256;
  std::optional<double> step, within;
  bool json = false, table = false, allow_mismatch = false;
  std::string record, shard;
  bool force = false;

  Overwrite overwrite() const { return force ? Overwrite::kAllow : Overwrite::kRefuse; }
};

}  // namespace lgode::app
