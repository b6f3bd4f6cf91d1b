// fork() and exec(). Everything that needs memory is made before fork(): other threads may hold the allocator's lock.
#include "lgode/core/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "lgode/core/error.h"

namespace lgode {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

// This process's environment with some variables replaced.
std::vector<std::string> environment_with(const std::vector<std::string>& more) {
  std::vector<std::string> result = more;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view key = text.substr(0, text.find('=') + 1);
    bool replaced = false;
    for (const std::string& word : more)
      replaced = replaced || (!key.empty() && std::string_view(word).starts_with(key));  // empty: an entry without '='
    if (!replaced) result.emplace_back(text);
  }
  return result;
}

// The rest runs in the child, and uses only what is allowed between fork and exec.
bool limit_processor(rlim_t seconds) {
  struct rlimit time {};
  const struct rlimit no_core {};
  if (::getrlimit(RLIMIT_CPU, &time) != 0) return false;
  time.rlim_cur = std::min(time.rlim_cur, seconds);
  return ::setrlimit(RLIMIT_CPU, &time) == 0 && ::setrlimit(RLIMIT_CORE, &no_core) == 0;
}

[[noreturn]] void become(const ChildCommand& command, char* const* words, char* const* environment, int nothing,
                         pid_t parent) {
  bool ready = true;
  if (command.own) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
    if (::getppid() != parent) ::_exit(kNotStarted);  // the parent ended before it could be watched
    ready = ::dup2(nothing, STDIN_FILENO) >= 0;
  }
  if (ready && command.output >= 0)
    ready = ::dup2(command.output, STDOUT_FILENO) >= 0 && ::dup2(command.output, STDERR_FILENO) >= 0;
  if (ready && command.errors >= 0) ready = ::dup2(command.errors, STDERR_FILENO) >= 0;
  if (ready && command.processor_seconds > 0) ready = limit_processor(command.processor_seconds);
  if (ready) ::execvpe(command.program.c_str(), words, environment);
  if (::write(STDERR_FILENO, command.complaint.data(), command.complaint.size()) < 0) ::_exit(126);
  ::_exit(kNotStarted);
}

}  // namespace

ChildProcess::ChildProcess(const ChildCommand& command) {
  const std::vector<char*> words = pointers(command.words);
  const std::vector<std::string> variables = environment_with(command.environment);
  const std::vector<char*> environment = pointers(variables);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) {
    const pid_t parent = ::getpid();
    id_ = ::fork();
    if (id_ == 0) become(command, words.data(), environment.data(), nothing, parent);
  }
  const int problem = errno;
  if (nothing >= 0) ::close(nothing);
  if (id_ < 0) throw DataError(fmt::format("no process can be started ({})", std::strerror(problem)));
  if (command.own) ::setpgid(id_, id_);  // in both processes, because either may run first
}

const std::optional<ProcessEnd>& ChildProcess::poll() {
  int status = 0;
  if (!end_ && ::waitpid(id_, &status, WNOHANG) != 0) set_end(status);
  return end_;
}

const ProcessEnd& ChildProcess::wait() {
  int status = 0;
  while (!end_)
    if (::waitpid(id_, &status, 0) == id_ || errno != EINTR) set_end(status);
  return *end_;
}

// Where SIGCHLD is ignored, the system keeps no status: such an end counts as success.
void ChildProcess::set_end(int status) {
  if (WIFSIGNALED(status))
    end_ = {128 + WTERMSIG(status), WTERMSIG(status)};
  else
    end_ = {WEXITSTATUS(status), 0};
}

void ChildProcess::send(int signal) const {
  if (!end_) ::kill(id_, signal);
}

void ChildProcess::send_group(int signal) const {
  if (!end_) ::kill(-id_, signal);
}

}  // namespace lgode
