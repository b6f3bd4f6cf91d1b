// The SIMD instruction set of the fused operators on a CPU: query it, or limit it for tests and measurements.
#pragma once

#include <string>

namespace lgode::ops {

// "AVX3" (AVX-512), "AVX2", "SSE4" or "SCALAR"; "none" in a build without the fused operators.
const char* simd_name();

// Whether this processor can run the fused operators with these instructions: "avx512", "avx2", "sse4", or "scalar",
// which every processor can run. ConfigError for any other name.
bool has_simd(const std::string& name);

// Limits the fused operators to these instructions and older ones, for the whole process. Call it before the first of
// them runs. By default they use the best instructions of the processor. ConfigError for a name that is unknown or for
// which has_simd() is false. Has no effect in a build without the fused operators.
void hold_simd(const std::string& name);

}  // namespace lgode::ops
