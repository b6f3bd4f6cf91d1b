// Keeps the memory of one solve for the next one: fresh pages would have to be cleared by the operating system, which
// costs as much as filling them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <mutex>

namespace lgode::ops {

// Keeps at most one block, the largest one returned. Thread-safe.
class SpareMemory {
 public:
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  struct Block {
    std::unique_ptr<std::byte, Free> memory;
    std::int64_t bytes = 0;
  };

  // `most`: bytes that a solve should take at most. A solve that needs more recomputes more, with the same bits.
  explicit SpareMemory(std::int64_t most = std::numeric_limits<std::int64_t>::max()) : most_(most) {}
  std::int64_t most() const { return most_; }

  // A block of at least this size: the spare one or a new one, in huge pages if the system has them. Throws
  // std::bad_alloc.
  Block take(std::int64_t bytes);
  void give_back(Block block);

 private:
  std::int64_t most_;
  std::mutex mutex_;
  Block spare_;
};

}  // namespace lgode::ops
