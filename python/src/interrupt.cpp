// A handler of SIGINT that is there only while work is under way. It touches nothing but lock-free flags.
#include "interrupt.h"

#include <array>
#include <atomic>
#include <csignal>
#include <mutex>

namespace lgode::python {
namespace {

constexpr int kMost = 64;  // calls at one time; further ones are not interrupted
std::array<std::atomic<StopFlag*>, kMost> flags;
struct sigaction before;
int active = 0;
std::mutex mutex;

void handle(int signal, siginfo_t* info, void* context) {
  for (std::atomic<StopFlag*>& flag : flags)
    if (StopFlag* stop = flag.load()) stop->request();
  if ((before.sa_flags & SA_SIGINFO) != 0)
    before.sa_sigaction(signal, info, context);
  else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    before.sa_handler(signal);
}

}  // namespace

Interruptible::Interruptible() {
  const std::scoped_lock lock(mutex);
  for (int i = 0; i < kMost && slot_ < 0; ++i)
    if (flags[static_cast<std::size_t>(i)].load() == nullptr) slot_ = i;
  if (slot_ < 0) return;
  flags[static_cast<std::size_t>(slot_)] = &flag_;
  if (active++ > 0) return;
  struct sigaction now {};
  now.sa_sigaction = handle;
  now.sa_flags = SA_SIGINFO;
  sigemptyset(&now.sa_mask);
  sigaction(SIGINT, nullptr, &before);
  // A process that ignores the signal (one in the background, say) continues to do so.
  if (before.sa_handler != SIG_IGN) sigaction(SIGINT, &now, nullptr);
}

Interruptible::~Interruptible() {
  if (slot_ < 0) return;
  const std::scoped_lock lock(mutex);
  flags[static_cast<std::size_t>(slot_)] = nullptr;
  if (--active > 0) return;
  struct sigaction now {};
  sigaction(SIGINT, nullptr, &now);
  // Unless somebody else put another one there in the meantime.
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == handle) sigaction(SIGINT, &before, nullptr);
}

void raise_interrupted() {
  if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw pybind11::error_already_set();
}

}  // namespace lgode::python
