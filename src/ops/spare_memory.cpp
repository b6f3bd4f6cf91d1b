// Allocates blocks in huge pages and keeps the largest one returned.
#include "lgode/ops/spare_memory.h"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace lgode::ops {
namespace {

constexpr std::int64_t kPage = std::int64_t{2} << 20;

SpareMemory::Block allocate(std::int64_t bytes) {
  const std::int64_t rounded = (bytes + kPage - 1) / kPage * kPage;
  SpareMemory::Block block;
  block.memory.reset(
      static_cast<std::byte*>(std::aligned_alloc(static_cast<std::size_t>(kPage), static_cast<std::size_t>(rounded))));
  block.bytes = rounded;
  if (!block.memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  madvise(block.memory.get(), static_cast<std::size_t>(rounded), MADV_HUGEPAGE);
#endif
  return block;
}

}  // namespace

SpareMemory::Block SpareMemory::take(std::int64_t bytes) {
  {
    const std::scoped_lock lock(mutex_);
    Block spare = std::exchange(spare_, {});
    if (spare.bytes >= bytes) return spare;
  }  // too small: freed here, before the larger one is allocated
  return allocate(bytes);
}

void SpareMemory::give_back(Block block) {
  const std::scoped_lock lock(mutex_);
  if (block.bytes > spare_.bytes) std::swap(spare_, block);
}

}  // namespace lgode::ops
