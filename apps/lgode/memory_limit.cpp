// The trial start. What LibTorch needs depends on its build, the processor and the number of cores, so it is tried, not
// computed. A start takes about a second of the processor; one that hangs is ended by a limit on that time, which does
// not depend on how busy the machine is.
#include "memory_limit.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>

#include "lgode/core/error.h"

namespace lgode::app {
namespace {

constexpr rlim_t kTrialSeconds = 4;  // of the processor

rlim_t soft_limit(decltype(RLIMIT_AS) of) {
  struct rlimit limit {};
  return ::getrlimit(of, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

// Becomes the engine, quietly. Only calls that a child after a fork may make.
[[noreturn]] void become_trial(const char* engine) {
  struct rlimit time {};
  ::getrlimit(RLIMIT_CPU, &time);
  time.rlim_cur = std::min(time.rlim_cur, kTrialSeconds);
  ::setrlimit(RLIMIT_CPU, &time);
  const struct rlimit no_core {};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
  ::execl(engine, "lgode-engine", static_cast<char*>(nullptr));
  ::_exit(1);
}

}  // namespace

bool memory_is_limited() { return soft_limit(RLIMIT_AS) != RLIM_INFINITY || soft_limit(RLIMIT_DATA) != RLIM_INFINITY; }

void check_memory_limit(const std::filesystem::path& engine) {
  if (!memory_is_limited()) return;
  const bool space = soft_limit(RLIMIT_AS) != RLIM_INFINITY;
  const std::string limit =
      fmt::format("{} MB (ulimit -{})", soft_limit(space ? RLIMIT_AS : RLIMIT_DATA) / 1'000'000, space ? "v" : "d");
  ::setenv(kTrialStart, "1", 1);
  const pid_t child = ::fork();
  if (child == 0) become_trial(engine.c_str());
  ::unsetenv(kTrialStart);
  int status = -1;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  throw DataError(
      fmt::format("too little memory: LibTorch and its threads do not start within this process's limit of {}; raise "
                  "it, for example with `ulimit -{} 4000000`, or lift it with `ulimit -{} unlimited`; fewer threads "
                  "need less: OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1",
                  limit, space ? "v" : "d", space ? "v" : "d"));
}

}  // namespace lgode::app
