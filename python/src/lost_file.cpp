// The handler. It may only call what POSIX allows in a handler; mmap(), which it also calls, is a bare system call.
#include "lost_file.h"

#include <unistd.h>

#include <csignal>
#include <cstring>

#include "lgode/core/mapped_files.h"

namespace lgode::python {
namespace {

struct sigaction before;
bool installed = false;

void pass_on(int signal, siginfo_t* info, void* context) {
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  } else {
    ::signal(signal, SIG_DFL);
    if (info->si_code <= 0) ::raise(signal);  // a fault comes again by itself
  }
}

void handle(int signal, siginfo_t* info, void* context) {
  // A fault has an address; a signal that somebody sent has none.
  const char* path = info->si_code > 0 ? mapped_files().path_at(info->si_addr) : nullptr;
  if (path == nullptr || !mapped_files().replace_lost(info->si_addr)) return pass_on(signal, info, context);
  const char* parts[] = {"lgode: ", path, ": was truncated while it was in use; what it lost is read as zeros\n"};
  for (const char* part : parts)
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
}

void install(bool any) {
  struct sigaction now {};
  if (any && !installed) {
    now.sa_sigaction = handle;
    now.sa_flags = SA_SIGINFO;
    sigemptyset(&now.sa_mask);
    installed = ::sigaction(SIGBUS, &now, &before) == 0;
  } else if (!any && installed) {
    ::sigaction(SIGBUS, nullptr, &now);
    // Where somebody else put another one there, which may call this one, it stays.
    if ((now.sa_flags & SA_SIGINFO) == 0 || now.sa_sigaction != handle) return;
    installed = ::sigaction(SIGBUS, &before, nullptr) != 0;
  }
}

}  // namespace

void survive_lost_files() { mapped_files().observe(install); }

}  // namespace lgode::python
