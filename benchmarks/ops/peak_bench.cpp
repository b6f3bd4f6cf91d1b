// The machine's peak: independent fused multiply-adds in registers on all threads, without memory access; with bf16 dot
// products where there are any. Uses the instructions that the fused operators may use (LGODE_SIMD).
#include <ATen/Parallel.h>
#include <immintrin.h>

#include <string_view>

#include "lgode/ops/graph_rk.h"
#include "lgode/ops/simd.h"
#include "workload.h"

namespace lgode::bench {
namespace {

constexpr std::int64_t kRounds = 2'000'000;
constexpr int kChains = 12;  // hides the latency of four cycles on two units

__attribute__((target("avx512f"))) float chain512() {
  __m512 acc[kChains];
  for (int i = 0; i < kChains; ++i) acc[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 a = _mm512_set1_ps(0.999F), b = _mm512_set1_ps(0.001F);
  for (std::int64_t r = 0; r < kRounds; ++r) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) acc[i] = _mm512_fmadd_ps(acc[i], a, b);
  }
  float sum = 0;
  for (int i = 0; i < kChains; ++i) sum += _mm512_cvtss_f32(acc[i]);
  return sum;
}

__attribute__((target("avx2,fma"))) float chain256() {
  __m256 acc[kChains];
  for (int i = 0; i < kChains; ++i) acc[i] = _mm256_set1_ps(static_cast<float>(i));
  const __m256 a = _mm256_set1_ps(0.999F), b = _mm256_set1_ps(0.001F);
  for (std::int64_t r = 0; r < kRounds; ++r) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) acc[i] = _mm256_fmadd_ps(acc[i], a, b);
  }
  float sum = 0;
  for (int i = 0; i < kChains; ++i) sum += _mm256_cvtss_f32(acc[i]);
  return sum;
}

__attribute__((target("avx512f,avx512bf16"))) float chain_bf16() {
  __m512 acc[kChains];
  for (int i = 0; i < kChains; ++i) acc[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512i ones = _mm512_set1_epi32(0x3f803f80);  // pairs of 1
  for (std::int64_t r = 0; r < kRounds; ++r) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i)
      acc[i] = _mm512_dpbf16_ps(acc[i], reinterpret_cast<__m512bh>(ones), reinterpret_cast<__m512bh>(ones));
  }
  float sum = 0;
  for (int i = 0; i < kChains; ++i) sum += _mm512_cvtss_f32(acc[i]);
  return sum;
}

void bf16_peak(benchmark::State& state) {
  const int threads = at::get_num_threads();
  for (auto _ : state)
    at::parallel_for(0, threads, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) benchmark::DoNotOptimize(chain_bf16());
    });
  state.counters["flops"] =
      benchmark::Counter(4.0 * 16 * kChains * kRounds * threads, benchmark::Counter::kIsIterationInvariantRate);
}

void float32_peak(benchmark::State& state) {
  const bool wide = __builtin_cpu_supports("avx512f") && std::string_view(ops::simd_name()) == "AVX3";
  if (!wide && !__builtin_cpu_supports("fma")) return state.SkipWithError("this machine has no fused multiply-add");
  const int threads = at::get_num_threads();
  for (auto _ : state)
    at::parallel_for(0, threads, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) benchmark::DoNotOptimize(wide ? chain512() : chain256());
    });
  const double lanes = wide ? 16 : 8;
  state.counters["flops"] =
      benchmark::Counter(2.0 * lanes * kChains * kRounds * threads, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(float32_peak)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

void register_bf16_peak() {
  if (!ops::has_bf16(at::kCPU)) return;
  benchmark::RegisterBenchmark("bf16_peak", bf16_peak)->Unit(benchmark::kMillisecond)->UseRealTime();
}

}  // namespace lgode::bench
