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

template <class Body>
void parallel_for(std::int64_t begin, std::int64_t end, std::int64_t grain, const Body& body) {
#ifdef __SANITIZE_THREAD__
  char way_in = 0, way_out = 0;  // their addresses stand for the two meetings
  __tsan_release(&way_in);
  at::parallel_for(begin, end, grain, [&](std::int64_t first, std::int64_t last) {
    __tsan_acquire(&way_in);
    body(first, last);
    __tsan_release(&way_out);
  });
  __tsan_acquire(&way_out);
#else
  at::parallel_for(begin, end, grain, body);
#endif
}

}  // namespace lgode::ops
