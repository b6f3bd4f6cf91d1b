// A limit on the memory of a process (ulimit -v, ulimit -d). OpenBLAS, which LibTorch uses, asks for its buffers again
// and again if it gets none, and libraries that start with too little abort: neither ends with a message.
#pragma once

#include <filesystem>

namespace lgode::app {

// The variable of the environment that makes lgode-engine start everything that needs memory, and end.
inline constexpr const char* kTrialStart = "LGODE_TRIAL_START";

// Whether this process has such a limit.
bool memory_is_limited();

// Where there is a limit: starts the engine once, for a trial. DataError where that does not succeed.
void check_memory_limit(const std::filesystem::path& engine);

}  // namespace lgode::app
