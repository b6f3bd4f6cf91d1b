// Child processes through fork and exec, each in its own process group, with output appended to the log.
#include "lgode/reproduce/jobs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <utility>

#include "lgode/core/error.h"

namespace lgode::reproduce {
namespace {

namespace fs = std::filesystem;

// The argument vector of the program, its name first.
std::vector<std::string> argument_words(std::vector<std::string> command) {
  if (command[0] == kThisProgram) command[0] = "lgode";
  return command;
}

int open_log(const fs::path& path) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) throw DataError(fmt::format("{}: cannot be written ({})", path.string(), std::strerror(errno)));
  return fd;
}

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
    for (const std::string& word : more) replaced = replaced || std::string_view(word).starts_with(key);
    if (!replaced) result.emplace_back(text);
  }
  return result;
}

// Runs in the child; uses only what is allowed between fork and exec.
[[noreturn]] void become(const char* program, const std::vector<char*>& command, const std::vector<char*>& environment,
                         int log, int nothing, pid_t parent) {
  ::setpgid(0, 0);  // the terminal's Ctrl-C is for the parent
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  const bool ready = ::getppid() == parent && ::dup2(nothing, STDIN_FILENO) >= 0 && ::dup2(log, STDOUT_FILENO) >= 0 &&
                     ::dup2(log, STDERR_FILENO) >= 0;
  if (ready) ::execve(program, command.data(), environment.data());
  constexpr char kMessage[] = "cannot be started\n";
  if (::write(log, kMessage, sizeof(kMessage) - 1) < 0) ::_exit(126);
  ::_exit(127);
}

std::string text_from(const fs::path& path, std::uintmax_t begin) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(begin));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

JobPool::~JobPool() {
  for (const Running& r : running_) {
    ::kill(-r.pid, SIGKILL);
    ::waitpid(r.pid, nullptr, 0);
  }
}

void JobPool::launch(Running& r) {
  const int log = open_log(r.job.log);
  const std::string& program = r.job.commands[r.command][0];
  const std::vector<std::string> words = argument_words(r.job.commands[r.command]);
  const std::string line = fmt::format("$ {}\n", fmt::join(words, " "));
  // A full disk shows here first; the child's own writes would be lost silently.
  const bool written = ::write(log, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const int problem = errno;
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  pid_t pid = -1;
  if (written && nothing >= 0) {
    const std::vector<char*> command = pointers(words);
    const std::vector<std::string> variables = environment_with(r.job.environment);
    const std::vector<char*> environment = pointers(variables);
    const pid_t self = ::getpid();
    pid = ::fork();
    if (pid == 0) become(program.c_str(), command, environment, log, nothing, self);
  }
  const int fork_problem = errno;
  ::close(log);
  if (nothing >= 0) ::close(nothing);
  if (!written) throw DataError(fmt::format("{}: cannot be written ({})", r.job.log.string(), std::strerror(problem)));
  if (pid < 0)
    throw DataError(fmt::format("{}: no process can be started ({})", r.job.name, std::strerror(fork_problem)));
  ::setpgid(pid, pid);  // in both processes, because either may run first
  r.pid = pid;
}

void JobPool::start(Job job) {
  Running r;
  r.job = std::move(job);
  std::error_code absent;
  const std::uintmax_t size = fs::file_size(r.job.log, absent);
  r.log_begin = absent ? 0 : size;
  r.begin = std::chrono::steady_clock::now();
  launch(r);
  running_.push_back(std::move(r));
}

std::vector<JobEnd> JobPool::collect() {
  std::vector<JobEnd> ended;
  for (auto r = running_.begin(); r != running_.end();) {
    int status = 0;
    if (::waitpid(r->pid, &status, WNOHANG) != r->pid) {
      ++r;
      continue;
    }
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    const bool last = r->command + 1 == r->job.commands.size();
    std::string problem;
    if (code == 0 && !last && !stopped_) {
      ++r->command;
      try {
        launch(*r);
        ++r;
        continue;
      } catch (const DataError& error) {
        problem = std::string("lgode: error: ") + error.what() + "\n";
        code = 1;
      }
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - r->begin).count();
    ended.push_back(
        {r->job.name, code, text_from(r->job.log, r->log_begin) + problem, seconds, stopped_ && (code != 0 || !last)});
    r = running_.erase(r);
  }
  return ended;
}

void JobPool::stop() {
  if (std::exchange(stopped_, true)) return;  // a second signal would end them without a checkpoint
  for (const Running& r : running_) ::kill(-r.pid, SIGINT);
}

}  // namespace lgode::reproduce
