// Prediction of the mean path at 60 target times over one time unit, from observations in host memory to predictions in
// host memory. One system on one thread, as in a control loop; 4,096 systems on all threads; both on a GPU if present.
#include <ATen/Parallel.h>

#include "lgode/ops/device.h"
#include "workload.h"

namespace lgode::bench {
namespace {

at::Tensor predict(const model::LgOde& model, std::int64_t systems = 1) {
  data::BatchMaker::Request request;
  for (int k = 0; k < 60; ++k) request.times.push_back(0.1 * k);
  std::vector<data::BatchMaker::Request> requests;
  for (std::int64_t s = 0; s < systems; ++s) {
    request.system = s % 256;
    requests.push_back(request);
  }
  return model.mean_path(model.tensors(springs().make_prediction(requests))).to(at::kCPU);
}

void run_predict(benchmark::State& state, double step) {
  at::NoGradGuard no_grad;
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  model::ModelOptions options;
  options.step = step;
  options.impl = implementation(state);
  const model::LgOde model = make_model(options);
  for (auto _ : state) benchmark::DoNotOptimize(predict(model));
  at::set_num_threads(threads);
}

// The paper's step size, 1/60 of the range.
void predict_one(benchmark::State& state) { run_predict(state, 1.0 / 60.0); }
// The default: steps four times as long, with dense output for the targets in between.
void predict_one_dense(benchmark::State& state) { run_predict(state, 1.0 / 15.0); }

BENCHMARK(predict_one)
    ->ArgName(kReferenceArgument)
    ->Arg(0)
    ->Arg(1)
    ->Repetitions(5)
    ->ReportAggregatesOnly()
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(predict_one_dense)
    ->ArgName(kReferenceArgument)
    ->Arg(0)
    ->Arg(1)
    ->Repetitions(5)
    ->ReportAggregatesOnly()
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void run_predict_many(benchmark::State& state, std::int64_t systems, at::Device device) {
  at::NoGradGuard no_grad;
  const model::LgOde model = make_model({}, device);
  benchmark::DoNotOptimize(predict(model, systems));
  for (auto _ : state) benchmark::DoNotOptimize(predict(model, systems));
  state.counters["systems_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations() * systems), benchmark::Counter::kIsRate);
}

void add(const char* name, std::int64_t systems, at::Device device) {
  benchmark::RegisterBenchmark(name, [=](benchmark::State& state) { run_predict_many(state, systems, device); })
      ->Repetitions(5)
      ->ReportAggregatesOnly()
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

}  // namespace

void register_predictions() {
  add("predict_many", 4096, at::kCPU);
  if (ops::gpu_count() == 0) return;
  add("predict_many_gpu", 4096, at::Device(at::kCUDA, 0));
  add("predict_one_gpu", 1, at::Device(at::kCUDA, 0));
}

}  // namespace lgode::bench
