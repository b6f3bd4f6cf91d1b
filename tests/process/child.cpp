// Starts child processes and collects their output.
#include "child.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

namespace lgode::process {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 120s;
constexpr unsigned kNobody = 65534;

int open_output(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) throw std::runtime_error("cannot open " + path.string());
  return fd;
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Runs in the child and calls only functions that are allowed between fork and exec. This program has no other threads,
// so that its own functions may run in a fork of it.
[[noreturn]] void become(Child::Main* main, std::vector<char*>& arguments, const char* folder, int out, int err,
                         bool as_nobody) {
  const bool ready = ::dup2(out, STDOUT_FILENO) >= 0 && ::dup2(err, STDERR_FILENO) >= 0 && ::chdir(folder) == 0 &&
                     (!as_nobody || (::setgid(kNobody) == 0 && ::setuid(kNobody) == 0));
  if (ready && main != nullptr) {
    const int code = main(static_cast<int>(arguments.size()) - 1, arguments.data());
    std::fflush(nullptr);
    ::_exit(code);
  }
  if (ready) ::execv(arguments[0], arguments.data());
  ::_exit(125);
}

}  // namespace

Child::Child(const std::vector<std::string>& command, const Settings& settings)
    : begin_(std::chrono::steady_clock::now()) {
  start(nullptr, command, settings);
}

Child::Child(Main* main, const std::vector<std::string>& command, const Settings& settings)
    : begin_(std::chrono::steady_clock::now()) {
  start(main, command, settings);
}

void Child::start(Main* main, const std::vector<std::string>& command, const Settings& settings) {
  static std::atomic<int> counter{0};
  const std::string name = "call-" + std::to_string(counter++);
  out_ = settings.folder.parent_path() / (name + ".out");
  err_ = settings.folder.parent_path() / (name + ".err");
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int out = open_output(out_);
  const int err = open_output(err_);
  std::fflush(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) become(main, arguments, settings.folder.c_str(), out, err, settings.as_nobody);
  ::close(out);
  ::close(err);
  if (pid_ < 0) throw std::runtime_error("fork failed");
}

Child::~Child() {
  if (!running()) return;
  send(SIGKILL);
  ::waitpid(pid_, &status_, 0);
}

bool Child::running() {
  if (!ended_) ended_ = ::waitpid(pid_, &status_, WNOHANG) != 0;
  return !ended_;
}

void Child::send(int signal) const { ::kill(pid_, signal); }

bool Child::catches(int signal) const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1U) != 0;
  return false;
}

double Child::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

Outcome Child::wait() {
  while (running()) {
    if (std::chrono::steady_clock::now() - begin_ > kPatience) send(SIGKILL);
    std::this_thread::sleep_for(2ms);
  }
  Outcome outcome;
  outcome.code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  outcome.out = content(out_);
  outcome.err = content(err_);
  outcome.seconds = seconds();
  return outcome;
}

}  // namespace lgode::process
