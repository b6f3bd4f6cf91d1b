// The engine's side of memory_limit.h.
#pragma once

namespace lgode::app {

// If this process is the trial start, ends it: with 0 if everything that needs memory could be started. Otherwise,
// where memory is limited, makes sure that LibTorch has its threads and OpenBLAS its buffers before data takes the
// rest: OpenBLAS would not end without them.
void start_within_limit();

}  // namespace lgode::app
