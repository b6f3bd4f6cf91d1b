// How malloc keeps freed memory.
#pragma once

namespace lgode {

// Lets the process keep memory that it frees, instead of giving it back to the system and taking it again: for work
// that allocates and frees the same megabytes thousands of times a second, on several threads. Each page that comes
// back costs a fault, and each that goes an interruption of all threads. Call it before such work; more than once is
// fine. Nothing happens with another malloc than glibc's.
void keep_freed_memory();

}  // namespace lgode
