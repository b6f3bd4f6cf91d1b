// Raises glibc's thresholds, also where the command has set others for a CPU (apps/lgode/main.cpp).
#include "lgode/core/heap.h"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace lgode {

void keep_freed_memory() {
#ifdef M_TRIM_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 32 << 20);   // larger blocks get their own mapping; the largest value that glibc allows
  mallopt(M_TRIM_THRESHOLD, 256 << 20);  // free at the end of a heap before it shrinks
#endif
}

}  // namespace lgode
