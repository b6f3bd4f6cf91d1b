// main() of the test programs that use LibTorch. They run with the best kernels of this machine or with those that the
// environment selects (tests/CMakeLists.txt), and report them: in their output, and in the file that LGODE_KERNELS_LOG
// names. If the processor cannot run the selected kernels, the program exits with 77: skipped. Variables:
//   OPENBLAS_CORETYPE, ATEN_CPU_CAPABILITY   kernels of OpenBLAS and of LibTorch
//   LGODE_SIMD                               kernels of the fused operators
//   OMP_NUM_THREADS                          number of threads
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#if LGODE_WITH_OPS
#include "lgode/ops/simd.h"
#endif

namespace {

constexpr int kSkipped = 77;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string openblas_core() {
  using Name = char*();
  const auto name = reinterpret_cast<Name*>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  return name != nullptr ? name() : "other";
}

// For example "AVX2", from LibTorch's description of its configuration.
std::string libtorch_capability() {
  const std::string text = at::show_config(), key = "CPU capability usage: ";
  const std::size_t begin = text.find(key);
  return begin == std::string::npos ? "unknown"
                                    : text.substr(begin + key.size(), text.find('\n', begin) - begin - key.size());
}

// The missing instruction set that the selected kernels need; empty if none is missing.
std::string missing() {
#if defined(__x86_64__)
  const std::string core = variable("OPENBLAS_CORETYPE"), capability = variable("ATEN_CPU_CAPABILITY");
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (!avx2 && (core == "Haswell" || core == "Zen" || capability == "avx2")) return "AVX2";
  if (!__builtin_cpu_supports("avx512f") && (core == "SkylakeX" || capability == "avx512")) return "AVX-512";
#endif
#if LGODE_WITH_OPS
  const std::string simd = variable("LGODE_SIMD");
  if (!simd.empty() && !lgode::ops::has_simd(simd)) return simd;
#endif
  return {};
}

}  // namespace

int main(int argc, char** argv) try {
  ::testing::InitGoogleTest(&argc, argv);
  if (const std::string lack = missing(); !lack.empty()) {
    fmt::print("skipped: this processor has no {}\n", lack);
    return kSkipped;
  }
  if (const std::string threads = variable("OMP_NUM_THREADS"); !threads.empty())
    at::set_num_threads(std::max(1, std::atoi(threads.c_str())));
  std::string fused = "not linked";
#if LGODE_WITH_OPS
  if (const std::string simd = variable("LGODE_SIMD"); !simd.empty()) lgode::ops::hold_simd(simd);
  fused = lgode::ops::simd_name();
#endif
  const std::string kernels = fmt::format("OpenBLAS {}, LibTorch {}, fused operators {}, threads {}", openblas_core(),
                                          libtorch_capability(), fused, at::get_num_threads());
  fmt::print("kernels: {}\n", kernels);
  if (const std::string log = variable("LGODE_KERNELS_LOG"); !log.empty() && !::testing::GTEST_FLAG(list_tests))
    std::ofstream(log) << kernels << "\n";
  return RUN_ALL_TESTS();
} catch (const std::exception& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return 2;
}
