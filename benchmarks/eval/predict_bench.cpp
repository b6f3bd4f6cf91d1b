// One system, 60 target times over one time unit, mean path: what a control loop would ask for.
#include <ATen/Parallel.h>

#include "workload.h"

namespace lgode::bench {
namespace {

void predict_one(benchmark::State& state) {
  at::NoGradGuard no_grad;
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  model::ModelOptions options;
  options.impl = implementation(state);
  const model::LgOde model = make_model(options);
  data::BatchMaker::Request request;
  for (int k = 0; k < 60; ++k) request.times.push_back(0.1 * k);
  for (auto _ : state) benchmark::DoNotOptimize(model.mean_path(model.tensors(springs().make_prediction({request}))));
  at::set_num_threads(threads);
}
BENCHMARK(predict_one)->ArgName(kReferenceArgument)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace lgode::bench
