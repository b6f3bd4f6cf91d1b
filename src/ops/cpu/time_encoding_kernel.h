// Time encodings in float32 on the CPU: raw pointers, no LibTorch, SIMD chosen at run time.
#pragma once

#include <cstdint>

namespace lgode::ops::cpu {

// out_2i = sin(t rate_i), out_2i+1 = cos(t rate_i) for each of `count` times. rate: [(width + 1) / 2], out: [count,
// width]. Angles are formed and brought into [-pi, pi] in float64; an entry is then within 4e-7 of the exact one, as
// long as an angle is known to that: below 1e9.
void encode_times(const double* times, std::int64_t count, const double* rate, std::int64_t width, float* out);

}  // namespace lgode::ops::cpu
