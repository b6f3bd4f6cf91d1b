// The signal handler: a state machine on atomics, so that stopping and writing the result exclude each other.
#include "text/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>

#include "lgode/core/error.h"

namespace lgode::app {
namespace {

// Work is stopped or its result is written, whichever is requested first.
enum class State { kIdle, kWorking, kStopped, kWriting };
static_assert(std::atomic<State>::is_always_lock_free);

StopFlag g_stop;
std::atomic<State> g_state{State::kIdle};
std::atomic<const char*> g_message{""};
std::atomic<bool> g_twice{false};
std::atomic<std::int64_t> g_first{0};  // time of the first signal, in seconds
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

constexpr std::int64_t kOneRequest = 2;  // seconds

std::int64_t now() {
  struct timespec time {};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

// Only what POSIX allows within a handler: the flag is a lock-free atomic, write() and clock_gettime() are on the list.
extern "C" void on_signal(int signal) {
  if (g_twice) {
    std::int64_t none = 0;
    if (!g_first.compare_exchange_strong(none, now())) {
      if (now() - g_first <= kOneRequest) return;
      ::signal(signal, SIG_DFL);
      ::raise(signal);
      return;
    }
  }
  State was = State::kWorking;
  const bool stops = g_state.compare_exchange_strong(was, State::kStopped);
  if (stops) g_stop.request();
  const char* message = stops ? g_message.load() : "too late to stop; the result is there, or will be in a moment";
  const char* parts[] = {"\nlgode: ", message, "\n"};
  for (const char* part : parts) {
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) return;
  }
}

}  // namespace

const StopFlag* stop_on_interrupt(const char* message) {
  g_message = message;
  g_state = State::kWorking;
  struct sigaction action {};
  action.sa_handler = on_signal;
  // The handler runs once; then the default action is restored.
  action.sa_flags = static_cast<int>(g_twice ? SA_RESTART : (SA_RESETHAND | SA_RESTART));
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  // SIGHUP: the terminal was closed. Ignored under nohup.
  struct sigaction before {};
  if (::sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) ::sigaction(SIGHUP, &action, nullptr);
  return &g_stop;
}

void expect_signals_twice() { g_twice = true; }

void set_stop_message(const char* message) { g_message = message; }

void stop_no_more() {
  State was = State::kWorking;
  if (!g_state.compare_exchange_strong(was, State::kWriting) && was == State::kStopped) throw Interrupted();
}

}  // namespace lgode::app
