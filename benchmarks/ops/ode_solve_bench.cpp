// A solve of the graph ODE over one time unit with the default step size, forward and backward.
#include <torch/csrc/autograd/autograd.h>

#include "workload.h"

namespace lgode::bench {
namespace {

constexpr std::int64_t kSystems = 64;

// Floating-point operations of one evaluation's products for one system of n objects, all pairs, two message networks
// (node-wise form); element-wise work and padding are not counted.
struct FieldFlops {
  FieldFlops(double n, double z, double h)
      : first_message(2 * n * z * 4 * h),
        second_message(2 * n * (n - 1) * h * h),
        first_hidden(2 * n * (z + h) * h),
        second_hidden(2 * n * h * h),
        last(2 * n * h * z) {}
  double first_message, second_message, first_hidden, second_hidden, last;
  double all() const { return first_message + second_message + first_hidden + second_hidden + last; }
};

// Operations of the fused solve for one system over `steps` steps of a rule with four stages, forward and backward. The
// gradient needs two products per product of the forward. Before it, the first message layer and the second hidden
// layer of every stage are computed again, and the slopes that later stages need: two of four, because the first slope
// is stored. Sums of messages and first hidden layers are kept.
double solve_flops(const FieldFlops& field, double steps) {
  const double forward = (4 * steps + 1) * field.all();
  const double again = steps * (4 * (field.first_message + field.second_hidden) + 2 * field.last);
  return forward + again + 4 * steps * 2 * field.all();
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
  const ops::Context context;
  for (auto _ : state) {
    const ode::Trajectory path =
        ops::graph_rk(z0, weights, pairs, plan, ode::tableau(options.solver),
                      {.impl = options.impl, .precision = precision(), .spare = context.spare});
    torch::autograd::backward({path.states.sum()}, {});
  }
  state.counters["flops"] =
      benchmark::Counter(kSystems * solve_flops(FieldFlops(5, 80, 128), static_cast<double>(plan.max_steps())),
                         benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(ode_solve)->ArgName(kReferenceArgument)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace lgode::bench
