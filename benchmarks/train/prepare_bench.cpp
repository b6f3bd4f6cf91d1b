// Prepares a training batch of 256 springs systems on one thread: draw, assemble, tensors, located readings. When
// training on a GPU, other threads do this while a step runs.
#include <ATen/Parallel.h>

#include <numeric>

#include "lgode/model/lgode.h"
#include "workload.h"

namespace lgode::bench {
namespace {

void prepare_batch(benchmark::State& state) {
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const model::LgOde model = make_model({});
  std::vector<std::int64_t> systems(256);
  std::iota(systems.begin(), systems.end(), 0);
  std::int64_t epoch = 0;
  for (auto _ : state) {
    data::Batch raw = springs().make(systems, data::View::kTrain, ++epoch);
    benchmark::DoNotOptimize(model.prepare(raw));
    benchmark::DoNotOptimize(model::latent_noise(raw, 1, 16, 1, RandomUse::kLatent, 0, at::kFloat));
    benchmark::DoNotOptimize(model.tensors(std::move(raw)));
  }
  at::set_num_threads(threads);
}

BENCHMARK(prepare_batch)->Repetitions(5)->ReportAggregatesOnly()->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace lgode::bench
