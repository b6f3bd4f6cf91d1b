// One system, 60 target times over one time unit, mean path, one thread: what a control loop would ask for.
#include <ATen/Parallel.h>

#include "workload.h"

namespace lgode::bench {
namespace {

at::Tensor predict(const model::LgOde& model) {
  data::BatchMaker::Request request;
  for (int k = 0; k < 60; ++k) request.times.push_back(0.1 * k);
  return model.mean_path(model.tensors(springs().make_prediction({request})));
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

// At the paper's step, 1/60 of the range.
void predict_one(benchmark::State& state) { run_predict(state, 1.0 / 60.0); }
// A step four times as long, targets in between by dense output: the default.
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

}  // namespace
}  // namespace lgode::bench
