// A solve of the graph ODE over one time unit at the default step, forward and backward.
#include <torch/csrc/autograd/autograd.h>

#include "workload.h"

namespace lgode::bench {
namespace {

constexpr std::int64_t kSystems = 64;

// Floating-point operations of one evaluation for one system of n objects, all pairs, two message networks (node-wise
// form).
double field_flops(double n, double z, double h) {
  const double pairs = n * (n - 1);
  return 2 * (n * z * 4 * h + pairs * h * h + n * (z + h) * h + n * h * h + n * h * z);
}

void ode_solve(benchmark::State& state) {
  model::ModelOptions options;
  options.impl = implementation(state);
  model::LgOde model = make_model(options);
  const data::Batch batch = springs_batch(kSystems);
  const model::Dynamics dynamics(options, 1);
  const model::RowLayout layout = model::RowLayout::make(batch, 1);
  const ops::DynamicsWeights weights = dynamics.weights(model.parameters());
  const ops::PairGraph pairs = dynamics.pairs(batch, layout, at::kFloat);
  const ode::StepPlan plan = ode::fixed_plan(layout.row_offsets, std::vector<double>(kSystems, 1.0), options.step);
  const at::Tensor z0 = at::rand({layout.rows(), options.latent + options.augment}).requires_grad_(true);
  for (auto _ : state) {
    const ode::Trajectory path =
        ops::graph_rk(z0, weights, pairs, plan, ode::tableau(options.solver), ode::Gradient::kRecompute, options.impl);
    torch::autograd::backward({path.states.sum()}, {});
  }
  // Forward, stages computed again, and twice as much for the gradients.
  const double evaluations = 4.0 * (4.0 * static_cast<double>(plan.max_steps()) + 1.0);
  state.counters["flops"] = benchmark::Counter(evaluations * kSystems * field_flops(5, 80, 128),
                                               benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(ode_solve)->ArgName(kReferenceArgument)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace lgode::bench
