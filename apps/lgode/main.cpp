// lgode and lgode-engine: see command_main.cpp.
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include "command.h"

int main(int argc, char** argv) {
#ifdef M_ARENA_MAX
  // Inputs are prepared on threads that come and go. If glibc made an arena for each that meets another one, the memory
  // of a long training would creep up, by a few percent in thousands of epochs.
  mallopt(M_ARENA_MAX, 2);
  // Large tensors get pages of their own, which go back to the system. Among them in the heap, small results that stay
  // would keep it from shrinking: an evaluation of 10,000 systems took 0.4 GiB instead of 0.1. glibc would raise this
  // threshold to 32 MiB by itself.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
  return lgode::app::command_main(argc, argv);
}
