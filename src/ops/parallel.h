// at::parallel_for with annotations for ThreadSanitizer. A parallel loop starts after everything its caller did before,
// and the caller continues after everything the loop did. The OpenMP runtime that ensures this order is not
// instrumented, so the sanitizer would report every loop as a race with its caller. Two annotations declare the order:
// one at the start of a thread's share, one at its end. They order threads of the loop against the caller, never
// against each other, so that a race between two of them is still found (tests/sanitize/).
//
// Loops compute without denormals (ops/denormals.h).
#pragma once

#include <ATen/Parallel.h>

#include <cstdint>

#include "ops/denormals.h"

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace lgode::ops {

#ifdef __SANITIZE_THREAD__

// Their addresses identify the two synchronisation points. They must be globals: a thread would read a variable of the
// caller before the first annotation.
inline char way_in, way_out;

template <class Body>
struct AnnotatedLoop {
  const Body& body;

  void operator()(std::int64_t first, std::int64_t last) const {
    __tsan_acquire(&way_in);
    run(first, last);
    __tsan_release(&way_out);
  }
  // Not inlined: the body must not read the caller's variables before __tsan_acquire.
  __attribute__((noipa)) void run(std::int64_t first, std::int64_t last) const {
    const FlushDenormals flush;
    body(first, last);
  }
};

template <class Body>
void parallel_for(std::int64_t begin, std::int64_t end, std::int64_t grain, const Body& body) {
  const AnnotatedLoop<Body> loop{body};
  __tsan_release(&way_in);
  at::parallel_for(begin, end, grain, loop);
  __tsan_acquire(&way_out);
}

#else

template <class Body>
void parallel_for(std::int64_t begin, std::int64_t end, std::int64_t grain, const Body& body) {
  at::parallel_for(begin, end, grain, [&](std::int64_t first, std::int64_t last) {
    const FlushDenormals flush;
    body(first, last);
  });
}

#endif

}  // namespace lgode::ops
