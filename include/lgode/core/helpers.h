// Threads that wait for tasks. Starting a thread costs little by itself, but libraries prepare themselves for each new
// one: LibTorch replaces its pool of threads, which costs more than a batch does.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace lgode {

class Helpers {
 public:
  // `begin` is called on each thread before its first task; the constructor returns when all have called it. If a
  // limit on threads forbids some of them, there are fewer; throws if none can be started.
  explicit Helpers(int threads, const std::function<void()>& begin = {});
  // Waits for all tasks.
  ~Helpers();
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  // Tasks begin in the order of these calls. A task must not wait for a task added later.
  template <class Task>
  auto run(Task task) {
    using Result = std::invoke_result_t<Task>;
    const auto packed = std::make_shared<std::packaged_task<Result()>>(std::move(task));
    std::future<Result> result = packed->get_future();
    add([packed] { (*packed)(); });
    return result;
  }

 private:
  void add(std::function<void()> task);
  void work(const std::function<void()>& begin);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  int ready_ = 0;
  bool end_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace lgode
