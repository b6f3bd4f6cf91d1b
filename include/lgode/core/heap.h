// How malloc keeps freed memory.
#pragma once

namespace lgode {

// Lets the process keep memory that it frees, instead of returning it to the system: for work that allocates and frees
// the same megabytes thousands of times per second on several threads. There each page that is returned interrupts all
// threads, and each page that is requested again costs a page fault. Call it before such work, as often as needed. It
// has no effect unless malloc is glibc's.
void keep_freed_memory();

}  // namespace lgode
