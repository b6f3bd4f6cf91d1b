// Prepares batches on one thread. `prepare_batch`: a training batch of 256 springs systems; draw, assemble, tensors,
// located readings. `prepare_many` and `prepare_many_assimilate`: 4,096 systems to predict, in pieces of 256;
// `assemble_many` is the part that needs no model. With a GPU, other threads do this while it works.
#include <ATen/Parallel.h>

#include <numeric>

#include "lgode/model/assimilate/model.h"
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

constexpr std::int64_t kSystems = 4096, kPiece = 256;

std::vector<data::BatchMaker::Request> piece() {
  std::vector<data::BatchMaker::Request> requests(kPiece);
  for (std::int64_t s = 0; s < kPiece; ++s) {
    requests[static_cast<std::size_t>(s)].system = s;
    for (int k = 0; k < 60; ++k) requests[static_cast<std::size_t>(s)].times.push_back(0.1 * k);
  }
  return requests;
}

void assemble_many(benchmark::State& state) {
  const std::vector<data::BatchMaker::Request> requests = piece();
  const data::BatchMaker& maker = springs();  // simulated before the clock runs
  for (auto _ : state)
    for (std::int64_t first = 0; first < kSystems; first += kPiece)
      benchmark::DoNotOptimize(maker.make_prediction(requests));
}

void run_prepare_many(benchmark::State& state, const model::Model& model) {
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const std::vector<data::BatchMaker::Request> requests = piece();
  for (auto _ : state)
    for (std::int64_t first = 0; first < kSystems; first += kPiece) {
      data::Batch raw = springs().make_prediction(requests);
      ops::Upload upload = ops::Upload::packed(at::kCPU, 0, ops::Purpose::kPrediction);
      benchmark::DoNotOptimize(model.prepare(raw, {}, upload));
      benchmark::DoNotOptimize(model.tensors(std::move(raw), ops::Shapes::kExact, upload));
    }
  at::set_num_threads(threads);
}
void prepare_many(benchmark::State& state) { run_prepare_many(state, make_model({})); }
void prepare_many_assimilate(benchmark::State& state) {
  run_prepare_many(state, model::Assimilate({}, make_model({}).shape(), 1));
}

BENCHMARK(assemble_many)->Repetitions(3)->ReportAggregatesOnly()->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(prepare_many)->Repetitions(3)->ReportAggregatesOnly()->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(prepare_many_assimilate)
    ->Repetitions(3)
    ->ReportAggregatesOnly()
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(prepare_batch)->Repetitions(5)->ReportAggregatesOnly()->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace lgode::bench
