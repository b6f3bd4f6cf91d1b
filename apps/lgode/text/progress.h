// Progress of long work on standard error: one line that is updated on a terminal, few plain lines elsewhere. Not
// thread-safe.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "text/time_left.h"

namespace lgode::app {

class Progress {
 public:
  explicit Progress(bool quiet = false);
  ~Progress();  // clears the live line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // The current state, replaced by the next one. Without a terminal it is printed only after ten silent seconds.
  void live(const std::string& text);
  // A line that stays.
  void line(const std::string& text);
  // Whether live texts replace each other; elsewhere each is a new line.
  bool terminal() const { return terminal_; }
  // "what: 1,200 of 5,000 (24 %), 12 s left". To be called when `done` have been done, not one by one for those that
  // are done together. `work`: the share of the work, where that is not the share of what is counted.
  void share(const std::string& what, std::int64_t done, std::int64_t total, std::optional<double> work = {});

 private:
  using Clock = std::chrono::steady_clock;

  void clear();

  bool quiet_ = false;
  bool terminal_ = false;
  bool shown_ = false;  // the terminal shows a live line
  Clock::time_point begin_;
  Clock::time_point last_;  // when something was printed
  TimeLeft left_;
};

}  // namespace lgode::app
