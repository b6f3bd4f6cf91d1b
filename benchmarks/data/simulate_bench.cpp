// Simulating springs: systems of 6,000 steps.
#include "lgode/data/simulate.h"
#include "workload.h"

namespace lgode::bench {
namespace {

constexpr std::int64_t kSystems = 1000;

void simulate(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(data::simulate({.train = kSystems, .test = 0}));
  state.counters["systems/s"] = benchmark::Counter(kSystems, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(simulate)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace lgode::bench
