// Child processes. Their output goes where this process's goes, or to a descriptor; nothing is read from them here.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace lgode {

// Names this program as the program of a command, even if its file has been replaced since the start.
inline constexpr const char* kThisProgram = "/proc/self/exe";

struct ChildCommand {
  std::string program;                        // a path; without a slash, a name that is searched in PATH
  std::vector<std::string> words;             // argv, with the program's name first
  std::vector<std::string> environment = {};  // "KEY=value", in addition to this process's
  int output = -1;                            // descriptor for standard output and error; -1: inherited
  // A child of its own has its own process group, so that Ctrl-C at the terminal does not reach it, reads an empty
  // input, has the default action for signals, and receives SIGTERM when this process ends. Otherwise it
  // shares terminal, input and signals.
  bool own = true;
  std::string complaint = {};  // written to standard error where the program cannot be started
  int errors = -1;             // descriptor for standard error alone; -1: as output
  // SIGXCPU ends it after this time of the processor, without a core file; 0: limits as this process has them.
  unsigned processor_seconds = 0;
};

struct ProcessEnd {
  int code = 0;    // exit code, or 128 + signal; kNotStarted where the program could not be started
  int signal = 0;  // 0: it exited
};
inline constexpr int kNotStarted = 127;

// A running or ended child. Destroying this object neither ends it nor waits for it.
class ChildProcess {
 public:
  // DataError if the system has no process for it. If the program cannot be started, the exit code is kNotStarted.
  explicit ChildProcess(const ChildCommand& command);

  pid_t id() const { return id_; }
  // Whether no call has observed its end yet.
  bool running() const { return !end_; }
  // How it ended; empty while it runs. The system may reuse the id only after this call has observed the end.
  const std::optional<ProcessEnd>& poll();
  const ProcessEnd& wait();
  // Sends a signal to the process or to all processes of its group; no effect once its end has been observed.
  void send(int signal) const;
  void send_group(int signal) const;

 private:
  void set_end(int status);

  pid_t id_ = -1;
  std::optional<ProcessEnd> end_;
};

}  // namespace lgode
