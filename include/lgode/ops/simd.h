// Which SIMD instructions the fused operators use on a CPU.
#pragma once

#include <string>

namespace lgode::ops {

// "AVX3" (AVX-512), "AVX2", "SSE4" or "SCALAR"; "none" in a build without the fused operators.
const char* simd_name();

// Whether the fused operators can be held to these instructions here: "avx512", "avx2", "sse4", or "scalar", which
// every processor has. ConfigError for any other name.
bool has_simd(const std::string& name);

// Holds the fused operators to these instructions and lesser ones, for the whole process; to be called before the first
// of them runs. For tests and measurements: left alone, they use the best there is. ConfigError for a name that is
// unknown or that has_simd() denies. A build without the fused operators has nothing to hold.
void hold_simd(const std::string& name);

}  // namespace lgode::ops
