// The machine's peak: independent fused multiply-adds in registers on all threads, without memory access; with bf16 dot
// products where there are any. Uses the instructions that the fused operators may use (LGODE_SIMD). On a GPU, what
// large products and copies of LibTorch reach.
#include <ATen/Parallel.h>
#include <immintrin.h>

#include <string_view>

#include "lgode/ops/device.h"
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

// A large product of LibTorch's: what a GPU's tensor cores reach in practice.
void bf16_peak_gpu(benchmark::State& state) {
  constexpr std::int64_t kSize = 8192, kProducts = 20;
  const at::Device gpu(at::kCUDA, 0);
  const at::Tensor a = at::ones({kSize, kSize}, at::TensorOptions(at::kBFloat16).device(gpu));
  at::Tensor c = at::mm(a, a);
  ops::DeviceMark(gpu).wait();
  for (auto _ : state) {
    for (std::int64_t i = 0; i < kProducts; ++i) at::mm_out(c, a, a);
    ops::DeviceMark(gpu).wait();
  }
  state.counters["flops"] =
      benchmark::Counter(2.0 * kSize * kSize * kSize * kProducts, benchmark::Counter::kIsIterationInvariantRate);
}

// Copies from one place of a GPU's memory to another, counted twice: read and written.
void memory_peak_gpu(benchmark::State& state) {
  constexpr std::int64_t kBytes = std::int64_t{1} << 31, kCopies = 10;
  const at::Device gpu(at::kCUDA, 0);
  const at::Tensor from = at::zeros({kBytes}, at::TensorOptions(at::kByte).device(gpu)), to = at::empty_like(from);
  ops::DeviceMark(gpu).wait();
  for (auto _ : state) {
    for (std::int64_t i = 0; i < kCopies; ++i) to.copy_(from);
    ops::DeviceMark(gpu).wait();
  }
  state.counters["bytes_per_second"] =
      benchmark::Counter(2.0 * kBytes * kCopies, benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace

void register_peaks() {
  const auto add = [](const char* name, void (*run)(benchmark::State&)) {
    benchmark::RegisterBenchmark(name, run)->Unit(benchmark::kMillisecond)->UseRealTime();
  };
  if (ops::has_bf16(at::kCPU)) add("bf16_peak", bf16_peak);
  if (ops::gpu_count() == 0) return;
  add("bf16_peak_gpu", bf16_peak_gpu);
  add("memory_peak_gpu", memory_peak_gpu);
}

}  // namespace lgode::bench
