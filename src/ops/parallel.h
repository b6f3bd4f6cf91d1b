// at::parallel_for, with what ThreadSanitizer cannot see of it. A parallel loop begins after everything its caller did,
// and its caller goes on after everything the loop did; but the OpenMP runtime that keeps this order is not
// instrumented, so that the sanitizer would take every loop for a race with its caller. Two annotations say so: one for
// the way in, one for the way out. They order a thread of the loop and the caller, never two threads of the loop, so
// that a race between those is still found (tests/sanitize/).
#pragma once

#include <ATen/Parallel.h>

#include <cstdint>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace lgode::ops {

#ifdef __SANITIZE_THREAD__

// Their addresses stand for the two meetings; not variables of the caller's, which a thread would read too early.
inline char way_in, way_out;

template <class Body>
struct AnnotatedLoop {
  const Body& body;

  void operator()(std::int64_t first, std::int64_t last) const {
    __tsan_acquire(&way_in);
    run(first, last);
    __tsan_release(&way_out);
  }
  // A function of its own: nothing of the caller's may be read before the way in.
  __attribute__((noipa)) void run(std::int64_t first, std::int64_t last) const { body(first, last); }
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
  at::parallel_for(begin, end, grain, body);
}

#endif

}  // namespace lgode::ops
