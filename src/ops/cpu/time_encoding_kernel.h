// Time encodings (Eq. 5) in float32 on the CPU: raw pointers, no LibTorch, SIMD chosen at run time.
#pragma once

#include <cstdint>

namespace lgode::ops::cpu {

// out_2i = sin(t rate_i), out_2i+1 = cos(t rate_i) for each of `count` times. rate: [(width + 1) / 2], out: [count,
// width]. Angles are computed and reduced to [-pi, pi] in float64. An entry is within 4e-7 of the exact value for
// angles below 1e9; above, float64 angles are less accurate than that.
void encode_times(const double* times, std::int64_t count, const double* rate, std::int64_t width, float* out);

}  // namespace lgode::ops::cpu
