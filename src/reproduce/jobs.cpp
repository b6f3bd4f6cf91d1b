// Child processes, each in its own process group, with output appended to the log.
#include "lgode/reproduce/jobs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <utility>

#include "lgode/core/clock.h"
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

struct Descriptor {
  explicit Descriptor(int file) : fd(file) {}
  ~Descriptor() { ::close(fd); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int fd;
};

std::string text_from(const fs::path& path, std::uintmax_t begin) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(begin));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

JobPool::~JobPool() {
  for (Running& r : running_) {
    r.child->send_group(SIGKILL);
    r.child->wait();
  }
}

void JobPool::launch(Running& r) {
  const Descriptor log(open_log(r.job.log));
  const std::string& program = r.job.commands[r.command][0];
  const std::vector<std::string> words = argument_words(r.job.commands[r.command]);
  const std::string line = fmt::format("$ {}\n", fmt::join(words, " "));
  // A full disk shows here first; the child's own writes would be lost silently.
  if (::write(log.fd, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    throw DataError(fmt::format("{}: cannot be written ({})", r.job.log.string(), std::strerror(errno)));
  try {
    r.child.emplace(ChildCommand{program, words, r.job.environment, log.fd, true, "cannot be started\n"});
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}: {}", r.job.name, error.what()));
  }
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
    const std::optional<ProcessEnd> end = r->child->poll();
    if (!end) {
      ++r;
      continue;
    }
    int code = end->code;
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
    const double seconds = seconds_since(r->begin);
    ended.push_back(
        {r->job.name, code, text_from(r->job.log, r->log_begin) + problem, seconds, stopped_ && (code != 0 || !last)});
    r = running_.erase(r);
  }
  return ended;
}

void JobPool::stop() {
  if (std::exchange(stopped_, true)) return;  // a second signal would end them without a checkpoint
  for (const Running& r : running_) r.child->send_group(SIGINT);
}

}  // namespace lgode::reproduce
