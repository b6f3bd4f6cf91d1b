// The task loop: threads take the next index from one counter until none is left or a task threw.
#include "lgode/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "lgode/core/threads.h"

namespace lgode {

int hardware_threads() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

void parallel_tasks(std::int64_t count, int threads, const std::function<void(std::int64_t)>& task) {
  const std::int64_t used = std::min<std::int64_t>(usable_threads(threads), count);
  if (used <= 1) {
    for (std::int64_t i = 0; i < count; ++i) task(i);
    return;
  }

  std::atomic<std::int64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::int64_t i = next++; i < count; i = next++) {
      try {
        task(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    helpers.reserve(static_cast<std::size_t>(used - 1));
    for (std::int64_t i = 1; i < used; ++i) helpers.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace lgode
