// The threads' loop: each takes the oldest task until there are none and the end has come.
#include "lgode/core/helpers.h"

#include <system_error>

namespace lgode {

Helpers::Helpers(int threads, const std::function<void()>& begin) {
  for (int i = 0; i < threads; ++i) {
    try {
      threads_.emplace_back([this, begin] { work(begin); });
    } catch (const std::system_error&) {  // a limit on threads
      if (threads_.empty()) throw;
      break;
    }
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ready_ == static_cast<int>(threads_.size()); });
}

Helpers::~Helpers() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  changed_.notify_all();
  threads_.clear();
}

void Helpers::add(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  changed_.notify_one();
}

void Helpers::work(const std::function<void()>& begin) {
  if (begin) begin();
  std::unique_lock lock(mutex_);
  ++ready_;
  changed_.notify_all();
  while (true) {
    changed_.wait(lock, [&] { return end_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    {
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
    lock.lock();
  }
}

}  // namespace lgode
