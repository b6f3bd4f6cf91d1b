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
#endif
  return lgode::app::command_main(argc, argv);
}
