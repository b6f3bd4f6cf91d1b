// LGODE_CLONES("avx2", "default") before a function: compiled once for each of these instruction sets, the best one
// chosen when the program is loaded. Not under ThreadSanitizer: the choice would run before the sanitizer does.
#pragma once

#ifdef __SANITIZE_THREAD__
#define LGODE_CLONES(...)
#else
#define LGODE_CLONES(...) __attribute__((target_clones(__VA_ARGS__)))
#endif
