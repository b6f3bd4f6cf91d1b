// Simulating the paper's springs: 20,000 systems of 6,000 steps and 5,000 of 12,000.
#include "lgode/data/simulate.h"
#include "workload.h"

namespace lgode::bench {
namespace {

void simulate(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(data::simulate({}));
  state.counters["systems/s"] = benchmark::Counter(25000, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(simulate)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace lgode::bench
