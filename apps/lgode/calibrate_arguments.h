// The command line of lgode calibrate.
#pragma once

#include <cstdint>
#include <string>

namespace lgode::app {

struct CalibrateArguments {
  std::string run, data, part, device = "auto";
  std::int64_t threads = 0;
  bool allow_mismatch = false;
};

}  // namespace lgode::app
