// Keeps the memory of one solve for the next one: fresh pages would have to be cleared by the operating system, which
// costs as much as filling them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace lgode::ops {

// Keeps at most one block, the largest that was given back. Thread-safe.
class SpareMemory {
 public:
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  struct Block {
    std::unique_ptr<std::byte, Free> memory;
    std::int64_t bytes = 0;
  };

  // A block of at least this size: the spare one or a new one, in huge pages if the system has them. Throws
  // std::bad_alloc.
  Block take(std::int64_t bytes);
  void give_back(Block block);

 private:
  std::mutex mutex_;
  Block spare_;
};

}  // namespace lgode::ops
