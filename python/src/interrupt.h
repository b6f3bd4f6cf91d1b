// Ctrl-C while C++ works: the signal sets the stop flags of all calls that are under way, and Python gets it, too.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/mapped_files.h"
#include "lgode/core/stop.h"

namespace lgode::python {

// While it lives, SIGINT also requests this flag to stop. The handler that was there before is called as ever.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  StopFlag& flag() { return flag_; }
  const StopFlag* stop() const { return &flag_; }

 private:
  StopFlag flag_;
  int slot_ = -1;
};

// Raises what Python's own handler of the signal raises; KeyboardInterrupt where it raises nothing. Needs the GIL.
[[noreturn]] void raise_interrupted();

// Runs `work(stop)` without the GIL. Interrupted becomes KeyboardInterrupt.
template <class Work>
auto without_gil(Work&& work) {
  Interruptible interruptible;
  try {
    const pybind11::gil_scoped_release release;
    // Where zeros were read in place of lost pages (lost_file.h), neither result nor error mean anything.
    const auto check = [losses = mapped_files().losses()] {
      if (mapped_files().losses() != losses) mapped_files().check_lost();
    };
    try {
      auto result = work(interruptible);
      check();
      return result;
    } catch (const Error&) {
      check();
      throw;
    }
  } catch (const Interrupted&) {
    raise_interrupted();
  }
}

}  // namespace lgode::python
