// The handler of SIGBUS. It may only call what POSIX allows in a handler.
#include "text/lost_file.h"

#include <unistd.h>

#include <csignal>
#include <cstring>

#include "command.h"
#include "lgode/core/mapped_files.h"

namespace lgode::app {
namespace {

extern "C" void on_bus_error(int signal, siginfo_t* info, void* /*context*/) {
  // A fault has an address; a signal that somebody sent has none.
  const char* path = info->si_code > 0 ? mapped_files().path_at(info->si_addr) : nullptr;
  if (path == nullptr) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  // The advice of kChangedFileAdvice in the words of the command line.
  const char* parts[] = {"\nlgode: error: ", path,
                         ": was truncated while it was in use; put the file back as it was and start again (a training "
                         "continues with --resume), and write changed data to another file, or replace the file by "
                         "renaming, as lgode does\n"};
  for (const char* part : parts)
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  ::_exit(kFailed);
}

}  // namespace

void report_lost_files() {
  mapped_files();  // made now, not in the handler
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace lgode::app
