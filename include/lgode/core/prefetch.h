// Prepares values ahead on other threads, in order: one thread cannot prepare batches as fast as a GPU uses them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <stdexcept>
#include <utility>

#include "lgode/core/helpers.h"

namespace lgode {

// Values make(first), make(first + 1), ... up to `end` (excluded); at most `ahead` of them are in progress or waiting.
template <class T>
class Prefetch {
 public:
  // `helpers` must live longer.
  Prefetch(Helpers& helpers, std::function<T(std::int64_t)> make, std::int64_t first, std::int64_t end,
           std::int64_t ahead)
      : helpers_(helpers), make_(std::move(make)), next_(first), end_(end), ahead_(ahead) {}
  ~Prefetch() { settle(); }
  Prefetch(const Prefetch&) = delete;
  Prefetch& operator=(const Prefetch&) = delete;

  // Returns the next value, or rethrows the exception of make(). Starts new ones only if none is waiting: see fill().
  T take() {
    if (waiting_.empty()) fill();
    if (waiting_.empty()) throw std::out_of_range("prefetch: there are no more values");
    std::future<T> value = std::move(waiting_.front());
    waiting_.pop_front();
    return value.get();
  }
  // Starts values until `ahead` of them are in progress or waiting.
  void fill() {
    for (; next_ < end_ && static_cast<std::int64_t>(waiting_.size()) < ahead_; ++next_)
      waiting_.push_back(helpers_.run([this, i = next_] { return make_(i); }));
  }
  // Waits until no value is in progress.
  void settle() {
    for (const std::future<T>& value : waiting_) value.wait();
  }

 private:
  Helpers& helpers_;
  std::function<T(std::int64_t)> make_;
  std::int64_t next_, end_, ahead_;
  std::deque<std::future<T>> waiting_;
};

}  // namespace lgode
