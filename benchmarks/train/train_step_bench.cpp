// Whole training steps: batch tensors, forward, backward, update.
#include <torch/csrc/autograd/autograd.h>

#include "training.h"
#include "workload.h"

namespace lgode::bench {
namespace {

// Measured after a warm-up step. A reference step takes so long that one is enough.
void three_steps(benchmark::internal::Benchmark* b) {
  b->ArgName(kReferenceArgument)->Arg(0)->Iterations(3)->Unit(benchmark::kMillisecond)->UseRealTime();
}
void one_reference_step(benchmark::internal::Benchmark* b) {
  b->ArgName(kReferenceArgument)->Arg(1)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
}

// The paper's setting: 256 systems, 60 steps over the range, three samples.
void train_step(benchmark::State& state) {
  model::ModelOptions options;
  options.step = 1.0 / 60.0;
  options.impl = implementation(state);
  TrainingStep step(options, springs_batch(256), 3);
  step.run();  // warm-up: the first step also allocates memory
  for (auto _ : state) step.run();
}
BENCHMARK(train_step)->Apply(three_steps);
BENCHMARK(train_step)->Apply(one_reference_step);

// The default settings with the same batch: step size 1/15, one sample.
void train_step_default(benchmark::State& state) {
  model::ModelOptions options;
  options.impl = implementation(state);
  TrainingStep step(options, springs_batch(256), 1);
  step.run();  // warm-up: the first step also allocates memory
  for (auto _ : state) step.run();
}
BENCHMARK(train_step_default)->Apply(three_steps);
BENCHMARK(train_step_default)->Apply(one_reference_step);

// The assimilating model with the same batch: a node at every observation, RK4 steps of at most 1/15 between them, one
// sample; and LG-ODE with as many steps.
void train_step_assimilate(benchmark::State& state) {
  model::ModelOptions options;
  options.kind = model::ModelKind::kAssimilate;
  TrainingStep step(options, springs_batch(256), 1);
  step.run();
  for (auto _ : state) step.run();
}
void train_step_as_many_steps(benchmark::State& state) {
  model::ModelOptions options;
  options.step = 1.0 / 60.0;
  TrainingStep step(options, springs_batch(256), 1);
  step.run();
  for (auto _ : state) step.run();
}
BENCHMARK(train_step_assimilate)->Apply(three_steps);
BENCHMARK(train_step_as_many_steps)->Apply(three_steps);

// One system of 50 objects, each with 50 observations at times of its own: 2,500 nodes.
void train_step_own_times(benchmark::State& state) {
  model::ModelOptions options;
  options.kind = model::ModelKind::kAssimilate;
  TrainingStep step(options, own_times_batch(50, 50), 1);
  step.run();
  for (auto _ : state) step.run();
}
BENCHMARK(train_step_own_times)->Apply(three_steps);

}  // namespace
}  // namespace lgode::bench
