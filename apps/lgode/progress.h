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

  // The state of things, replaced by the next one. Off a terminal it is printed after ten silent seconds only.
  void live(const std::string& text);
  // A line that stays.
  void line(const std::string& text);
  // Whether live texts are written over; elsewhere lines add up.
  bool terminal() const { return terminal_; }
  // "what: 1,200 of 5,000 (24 %), 12 s left".
  void share(const std::string& what, std::int64_t done, std::int64_t total);

 private:
  using Clock = std::chrono::steady_clock;

  void clear();

  bool quiet_ = false;
  bool terminal_ = false;
  bool shown_ = false;  // a live line stands on the terminal
  Clock::time_point begin_;
  Clock::time_point last_;  // when something was printed
};

}  // namespace lgode::app
