// The trial start. What LibTorch needs depends on its build, the processor and the number of cores, so it is tried, not
// computed. A start takes about a second of the processor; one that hangs is ended by a limit on that time, which does
// not depend on how busy the machine is.
#include "memory_limit.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string>

#include "lgode/core/error.h"
#include "lgode/core/process.h"

namespace lgode::app {
namespace {

constexpr unsigned kTrialSeconds = 4;  // of the processor

rlim_t soft_limit(decltype(RLIMIT_AS) of) {
  struct rlimit limit {};
  return ::getrlimit(of, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

// Whether the engine starts, quietly.
bool starts(const std::filesystem::path& engine) {
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  bool good = false;
  try {
    ChildProcess trial({.program = engine.string(),
                        .words = {"lgode-engine"},
                        .environment = {fmt::format("{}=1", kTrialStart)},
                        .output = nothing,
                        .processor_seconds = kTrialSeconds});
    good = trial.wait().code == 0;
  } catch (const DataError&) {  // not even a process
  }
  ::close(nothing);
  return good;
}

}  // namespace

bool memory_is_limited() { return soft_limit(RLIMIT_AS) != RLIM_INFINITY || soft_limit(RLIMIT_DATA) != RLIM_INFINITY; }

void check_memory_limit(const std::filesystem::path& engine) {
  if (!memory_is_limited()) return;
  const bool space = soft_limit(RLIMIT_AS) != RLIM_INFINITY;
  const std::string limit =
      fmt::format("{} MB (ulimit -{})", soft_limit(space ? RLIMIT_AS : RLIMIT_DATA) / 1'000'000, space ? "v" : "d");
  if (starts(engine)) return;
  throw DataError(
      fmt::format("too little memory: LibTorch and its threads do not start within this process's limit of {}; raise "
                  "it, for example with `ulimit -{} 4000000`, or lift it with `ulimit -{} unlimited`; fewer threads "
                  "need less: OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1",
                  limit, space ? "v" : "d", space ? "v" : "d"));
}

}  // namespace lgode::app
