// The number of cores is what the system grants this process (its affinity), not what the machine has.
#include "lgode/core/threads.h"

#include <fmt/format.h>

#include <algorithm>

#include "lgode/core/parallel.h"

namespace lgode {

int usable_threads(std::int64_t asked) {
  const int cores = hardware_threads();
  return asked > 0 ? static_cast<int>(std::min<std::int64_t>(asked, cores)) : cores;
}

std::string threads_note(std::int64_t asked) {
  const int used = usable_threads(asked);
  if (asked <= used) return {};
  return fmt::format(
      "`threads` {}: this process may use {} core{}, so {} thread{} compute{}; more would only wait for "
      "each other",
      asked, used, used == 1 ? "" : "s", used, used == 1 ? "" : "s", used == 1 ? "s" : "");
}

}  // namespace lgode
