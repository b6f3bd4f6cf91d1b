// Prediction of the mean path at 60 target times over one time unit, from observations in host memory to predictions in
// host memory. One system on one thread, as in a control loop; 4,096 systems on all threads; both on a GPU if present,
// there also with the default model (`_assimilate`).
#include <ATen/Parallel.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "lgode/eval/path_runner.h"
#include "lgode/model/assimilate/model.h"
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

// Through the pipeline of eval::predict(), in batches as large as its own. Returns the sum of the paths' last values.
double predict_on_gpu(eval::PathRunner& runner, std::int64_t systems) {
  constexpr std::int64_t kObjects = 5;
  std::vector<std::int64_t> begin{0};
  while (begin.back() < systems) {
    const auto i = static_cast<std::int64_t>(begin.size()) - 1;
    begin.push_back(std::min(systems, begin.back() + runner.rows_of_batch(i, systems * kObjects) / kObjects));
  }
  std::vector<at::Tensor> paths;
  eval::PathRunner::Work work;
  work.count = static_cast<std::int64_t>(begin.size()) - 1;
  work.make = [&](std::int64_t i) {
    std::vector<data::BatchMaker::Request> requests;
    for (std::int64_t s = begin[i]; s < begin[i + 1]; ++s) {
      data::BatchMaker::Request& request = requests.emplace_back();
      request.system = s % 256;
      request.times.reserve(60);
      for (int k = 0; k < 60; ++k) request.times.push_back(0.1 * k);
    }
    return springs().make_prediction(requests);
  };
  work.take = [&](std::int64_t, const eval::PathResult& result) { paths.push_back(result.values()); };
  runner.run(work, {});
  double sum = 0;
  for (const at::Tensor& path : paths) sum += path.data_ptr<float>()[path.numel() - 1];
  return sum;
}

void run_predict_on_gpu(benchmark::State& state, std::int64_t systems, bool assimilate) {
  constexpr int kWarmUp = 4;  // until the work is captured
  const at::Device device(at::kCUDA, 0);
  const model::ModelShape shape = make_model({}).shape();
  std::shared_ptr<const model::Model> model;
  if (assimilate)
    model = std::make_shared<model::Assimilate>(model::ModelOptions{}, shape, 1, at::kFloat, device);
  else
    model = std::make_shared<model::LgOde>(model::ModelOptions{}, shape, 1, at::kFloat, device);
  eval::PathRunner runner(model, ops::make_context("cuda", 0));
  for (int i = 0; i < kWarmUp; ++i) benchmark::DoNotOptimize(predict_on_gpu(runner, systems));
  for (auto _ : state) benchmark::DoNotOptimize(predict_on_gpu(runner, systems));
  state.counters["systems_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations() * systems), benchmark::Counter::kIsRate);
  state.counters["captures"] = static_cast<double>(runner.captures());
  state.counters["first_input_ms"] = runner.times().first_input;
  state.counters["last_input_ms"] = runner.times().last_input;
  state.counters["end_ms"] = runner.times().end;
}

void add_gpu(const char* name, std::int64_t systems, bool assimilate) {
  benchmark::RegisterBenchmark(name, [=](benchmark::State& state) { run_predict_on_gpu(state, systems, assimilate); })
      ->Repetitions(5)
      ->ReportAggregatesOnly()
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
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
  add_gpu("predict_many_gpu", 4096, false);
  add_gpu("predict_one_gpu", 1, false);
  add_gpu("predict_many_assimilate_gpu", 4096, true);
  add_gpu("predict_one_assimilate_gpu", 1, true);
}

}  // namespace lgode::bench
