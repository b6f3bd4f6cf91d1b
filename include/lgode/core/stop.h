// A flag that asks long work to end early: the command's signal handler sets it, loops check it.
#pragma once

#include <atomic>

namespace lgode {

class StopFlag {
 public:
  void request() noexcept { stop_.store(true, std::memory_order_relaxed); }
  bool requested() const noexcept { return stop_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> stop_{false};
};

}  // namespace lgode
