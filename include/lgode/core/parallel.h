// A loop over independent tasks on a number of threads, for work without LibTorch.
#pragma once

#include <cstdint>
#include <functional>

namespace lgode {

// Calls task(i) for i in [0, count), on `threads` threads (0: all cores). Tasks are handed out dynamically, so their
// results must not depend on the thread. The first exception is rethrown here after all threads ended.
void parallel_tasks(std::int64_t count, int threads, const std::function<void(std::int64_t)>& task);

int hardware_threads();

}  // namespace lgode
