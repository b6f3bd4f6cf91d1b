// Values made ready ahead on other threads, in order: a GPU is faster than one thread can feed it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <utility>

namespace lgode::train {

// Values make(first), make(first + 1), ... up to `end`, at most `ahead` of them in the making or waiting.
template <class T>
class Prefetch {
 public:
  Prefetch(std::function<T(std::int64_t)> make, std::int64_t first, std::int64_t end, std::int64_t ahead)
      : make_(std::move(make)), next_(first), end_(end), ahead_(ahead) {}

  // The next value. Throws what make() threw. Does not start others: see fill().
  T take() {
    if (waiting_.empty()) fill();
    T value = waiting_.front().get();
    waiting_.pop_front();
    return value;
  }
  // Starts as many as may be ahead.
  void fill() {
    for (; next_ < end_ && static_cast<std::int64_t>(waiting_.size()) < ahead_; ++next_)
      waiting_.push_back(std::async(std::launch::async, make_, next_));
  }
  // Waits until nothing is in the making.
  void settle() {
    for (const std::future<T>& value : waiting_) value.wait();
  }

 private:
  std::function<T(std::int64_t)> make_;
  std::int64_t next_, end_, ahead_;
  std::deque<std::future<T>> waiting_;
};

}  // namespace lgode::train
