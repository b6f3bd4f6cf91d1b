// The command line of lgode calibrate.
#pragma once

#include <cstdint>
#include <string>

#include "lgode/use/options.h"

namespace lgode::app {

struct CalibrateArguments : use::CalibrateSettings {
  std::string run, data, device = "auto";
  std::int64_t threads = 0;
};

}  // namespace lgode::app
