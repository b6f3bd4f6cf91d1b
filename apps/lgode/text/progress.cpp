// Progress on standard error: a live line on a terminal, a line every ten seconds elsewhere.
#include "text/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "lgode/core/clock.h"
#include "lgode/use/format.h"

namespace lgode::app {
namespace {

using namespace std::chrono_literals;

bool is_live_terminal() {
  if (::isatty(STDERR_FILENO) == 0) return false;
  const char* kind = std::getenv("TERM");
  return kind != nullptr && std::strcmp(kind, "dumb") != 0;
}

std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

}  // namespace

// Without a terminal the first live text waits ten seconds, too: short work prints nothing.
Progress::Progress(bool quiet)
    : quiet_(quiet),
      terminal_(is_live_terminal()),
      begin_(Clock::now()),
      last_(terminal_ ? Clock::time_point{} : begin_) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

void Progress::live(const std::string& text) {
  const Clock::time_point now = Clock::now();
  if (quiet_ || now - last_ < (terminal_ ? Clock::duration(100ms) : Clock::duration(10s))) return;
  last_ = now;
  if (!terminal_) {
    fmt::print(stderr, "{}\n", text);
    return;
  }
  // A line that wraps cannot be replaced.
  fmt::print(stderr, "\r{}\x1b[K", text.substr(0, terminal_columns() - 1));
  std::fflush(stderr);
  shown_ = true;
}

void Progress::line(const std::string& text) {
  if (quiet_) return;
  clear();
  if (!terminal_) last_ = Clock::now();
  fmt::print(stderr, "{}\n", text);
}

void Progress::share(const std::string& what, std::int64_t done, std::int64_t total, std::optional<double> work) {
  if (total <= 0) return;
  const double seconds = seconds_since(begin_);
  const double part = static_cast<double>(done) / static_cast<double>(total);
  left_.add(seconds, work.value_or(part));
  std::string left;
  if (seconds > 1 && left_.seconds()) left = fmt::format(", {} left", use::format_duration(*left_.seconds()));
  live(fmt::format("{}: {} of {} ({:.0f} %){}", what, use::format_count(done), use::format_count(total), 100 * part,
                   left));
}

}  // namespace lgode::app
