#include "interrupt.h"

#include <unistd.h>

#include <csignal>
#include <cstring>

namespace lgode::app {
namespace {

StopFlag g_stop;
const char* g_message = "";

// Only what POSIX allows within a handler: the flag is a lock-free atomic, write() is on the list.
extern "C" void on_signal(int /*signal*/) {
  g_stop.request();
  const char* parts[] = {"\nlgode: ", g_message, "\n"};
  for (const char* part : parts) {
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) return;
  }
}

}  // namespace

const StopFlag* stop_on_interrupt(const char* message) {
  g_message = message;
  struct sigaction action {};
  action.sa_handler = on_signal;
  // The handler serves once: then the default action is back.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::sigaction(SIGHUP, &action, nullptr);  // the terminal was closed
  return &g_stop;
}

bool interrupted() { return g_stop.requested(); }

}  // namespace lgode::app
