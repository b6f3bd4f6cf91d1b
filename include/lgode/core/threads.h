// How many threads a computation takes: at most one per core. More would wait for each other: the threads of a parallel
// loop meet at its end, and a thread without a core keeps all of them waiting.
#pragma once

#include <cstdint>
#include <string>

namespace lgode {

// For `asked` threads (0: all cores): between 1 and the number of cores that this process may use.
int usable_threads(std::int64_t asked);

// What to tell a user who asked for more; empty: they are used.
std::string threads_note(std::int64_t asked);

}  // namespace lgode
