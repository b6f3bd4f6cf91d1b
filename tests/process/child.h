// Runs a program as a child process and returns its exit code and output. A command may also run in a fork of the test
// program, which has LibTorch loaded: that takes milliseconds, a new program half a second.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace lgode::process {

struct Outcome {
  int code = -1;  // exit code; 128 + signal if a signal ended it
  std::string out, err;
  double seconds = 0;
};

class Child {
 public:
  struct Settings {
    std::filesystem::path folder;  // working folder; output is written to files next to it
    bool as_nobody = false;        // drop the rights of root first
  };
  Child(const std::vector<std::string>& command, const Settings& settings);
  // The same for a function of this program, with the command's words as arguments.
  using Main = int(int count, char** words);
  Child(Main* main, const std::vector<std::string>& command, const Settings& settings);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool running();
  void send(int signal) const;
  // Whether it has installed a handler for this signal.
  bool catches(int signal) const;
  // Waits for the end; after two minutes the child is killed and the code is 137.
  Outcome wait();
  double seconds() const;  // since it was started

 private:
  void start(Main* main, const std::vector<std::string>& command, const Settings& settings);

  pid_t pid_ = -1;
  int status_ = 0;
  bool ended_ = false;
  std::filesystem::path out_, err_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace lgode::process
