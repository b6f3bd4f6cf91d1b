// Memory that starts at a cache line: loads and stores of whole vectors then do not cross one.
#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstdint>

namespace lgode::ops::cpu {

template <typename T>
class Aligned {
 public:
  Aligned() = default;
  explicit Aligned(std::int64_t count) { assign_zeros(count); }

  // Room for `count` values, undefined unless they were there before.
  void reserve(std::int64_t count) {
    if (count <= room_) return;
    memory_ = hwy::AllocateAligned<T>(static_cast<std::size_t>(count));
    room_ = count;
  }
  void assign_zeros(std::int64_t count) {
    reserve(count);
    std::fill_n(memory_.get(), count, T{});
  }
  T* data() const { return memory_.get(); }

 private:
  hwy::AlignedFreeUniquePtr<T[]> memory_;
  std::int64_t room_ = 0;
};

}  // namespace lgode::ops::cpu
