// Memory that one solve leaves for the next: clearing fresh pages would cost as much as filling them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace lgode::ops {

// Holds at most one block, the largest that was given back. Thread-safe.
class SpareMemory {
 public:
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  struct Block {
    std::unique_ptr<std::byte, Free> memory;
    std::int64_t bytes = 0;
  };

  // A block of at least so many bytes: the spare one, or a new one. In large pages where the system has them. Throws
  // std::bad_alloc.
  Block take(std::int64_t bytes);
  void give_back(Block block);

 private:
  std::mutex mutex_;
  Block spare_;
};

}  // namespace lgode::ops
