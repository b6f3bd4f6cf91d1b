// What long work says while it goes, on standard error: on a terminal one line that is written over, elsewhere plain
// lines, few of them. Not thread-safe.
#pragma once

#include <chrono>
#include <string>

namespace lgode::app {

class Progress {
 public:
  explicit Progress(bool quiet = false);
  ~Progress();  // takes the live line away
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // The state of things, replaced by the next one. Off a terminal at most one in ten seconds is printed.
  void live(const std::string& text);
  // A line that stays.
  void line(const std::string& text);
  // "what: 1,200 of 5,000 (24 %), 12 s left".
  void share(const std::string& what, std::int64_t done, std::int64_t total);

 private:
  using Clock = std::chrono::steady_clock;

  void clear();

  bool quiet_ = false;
  bool terminal_ = false;
  bool shown_ = false;  // a live line stands on the terminal
  Clock::time_point begin_;
  Clock::time_point last_;  // when a live text was printed
};

}  // namespace lgode::app
