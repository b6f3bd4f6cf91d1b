// Runs programs as child processes, several at a time. A job is a few commands, run one after the other, with their
// output in a log. Nothing is read from the terminal, and Ctrl-C there reaches the children only through stop().
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lgode/core/process.h"

namespace lgode::reproduce {

struct Job {
  std::string name;
  std::vector<std::vector<std::string>> commands;  // program by path or kThisProgram, and its arguments
  std::vector<std::string> environment;            // "KEY=value", in addition to this process's
  std::filesystem::path log;                       // appended to; its folder is made
};

struct JobEnd {
  std::string name;
  int code = 0;        // of the last command that ran: exit code, or 128 + signal
  std::string output;  // what this job wrote to its log
  double seconds = 0;
  bool stopped = false;  // stop() came before its end, and it did not end well
};

class JobPool {
 public:
  explicit JobPool(std::int64_t limit) : limit_(limit) {}
  // Kills what still runs. Children that lose their parent otherwise are asked to end (SIGTERM).
  ~JobPool();
  JobPool(const JobPool&) = delete;
  JobPool& operator=(const JobPool&) = delete;

  bool full() const { return static_cast<std::int64_t>(running_.size()) >= limit_; }
  bool empty() const { return running_.empty(); }
  std::int64_t limit() const { return limit_; }

  // DataError where the log cannot be written or no process can be started. Call it only while not full.
  void start(Job job);
  // Jobs that ended since the last call. A command that ends with 0 is followed by the next one, unless stopped.
  std::vector<JobEnd> collect();
  // Asks all running jobs to end (SIGINT); starts no more commands.
  void stop();

 private:
  struct Running {
    Job job;
    std::size_t command = 0;
    std::optional<ChildProcess> child;  // of the current command
    std::uintmax_t log_begin = 0;
    std::chrono::steady_clock::time_point begin;
  };
  static void launch(Running& running);

  std::int64_t limit_;
  bool stopped_ = false;
  std::vector<Running> running_;
};

}  // namespace lgode::reproduce
