// How lgode-engine recognises the lgode that started it: both must be of the same build, because they read the same
// command line.
#pragma once

#include "lgode/version.h"

namespace lgode::app {

inline constexpr const char* kStarter = "LGODE_STARTED_BY";  // environment variable
inline constexpr const char* kThisBuild = LGODE_VERSION " (" LGODE_COMMIT ")";

}  // namespace lgode::app
