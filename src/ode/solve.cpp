// Eq. 1 with fixed steps, and its gradients: through the stored autograd graph, by recomputing one step at a time, or
// by the continuous adjoint. A single step is shared with adaptive.cpp through step.h. The fused solves of the graph
// ODE (src/ops) do not pass through here.
#include "lgode/ode/solve.h"

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "step.h"

namespace lgode::ode {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

StepTable::StepTable(const StepPlan& plan, const at::TensorOptions& options, bool autonomous) : rows_(plan.rows()) {
  const std::int64_t K = plan.max_steps(), n = rows_, B = plan.systems();
  const bool descending = plan.descending();
  std::vector<double> times((K + 1) * n), sizes(K * n);
  std::vector<std::int64_t> last(n);
  std::vector<char> alive((K + 1) * n);
  step_rows_.assign(K, descending ? 0 : n);
  uniform_.assign(K, 0);
  for (std::int64_t s = 0; s < B; ++s) {
    const std::vector<double>& nodes = plan.nodes[s];
    const std::int64_t first = plan.row_offsets[s], end = plan.row_offsets[s + 1], last_node = plan.steps(s);
    for (std::int64_t k = 0; k <= K; ++k) {
      std::fill(times.begin() + k * n + first, times.begin() + k * n + end, nodes[std::min(k, last_node)]);
      std::fill(alive.begin() + k * n + first, alive.begin() + k * n + end, k <= last_node);
    }
    for (std::int64_t k = 0; k < (descending ? last_node : K); ++k) {
      const double h = k < last_node ? nodes[k + 1] - nodes[k] : 0;
      std::fill(sizes.begin() + k * n + first, sizes.begin() + k * n + end, h);
      step_rows_[k] = descending ? end : n;
      uniform_[k] = s == 0 || uniform_[k] == h ? h : std::numeric_limits<double>::quiet_NaN();
    }
    for (std::int64_t row = first; row < end; ++row) {
      last[row] = last_node * n + row;
    }
  }
  if (!autonomous) {
    times_ = tensor_of(times, {K + 1, n, 1}, options);
  }
  if (std::any_of(uniform_.begin(), uniform_.end(), [](double h) { return std::isnan(h); })) {
    sizes_ = tensor_of(sizes, {K, n, 1}, options);
  }
  if (!descending) {
    const at::Tensor flags = at::from_blob(alive.data(), {K + 1, n, 1}, at::kChar);
    alive_ = flags.to(at::kBool).to(options.device());
    last_ = tensor_of(last, {n}, options.dtype(at::kLong));
  }
}

at::Tensor StepTable::time(std::int64_t k, std::int64_t m) const {
  return times_.defined() ? head(times_[k], m) : at::Tensor();
}

StepSize StepTable::size(std::int64_t k) const {
  if (std::isnan(uniform_[k])) {
    return {.value = 0, .column = head(sizes_[k], step_rows_[k])};
  }
  return {.value = uniform_[k], .column = {}};
}

Step take_step(const Field& field, const Tableau& rule, const at::Tensor& t, const at::Tensor& y, const StepSize& h,
               const at::Tensor& k1, bool last_stage) {
  // Eq. 1, one step: k_i = g(t + c_i h, y + h sum_j a_ij k_j), next = y + h sum_i b_i k_i
  Step step{.next = {}, .k = {k1}};
  const bool reuse = rule.first_same_as_last();
  for (int i = 1; i < rule.stages(); ++i) {
    at::Tensor stage = advance(y, h, weighted_sum(rule.a[i], step.k));
    if (reuse && i + 1 == rule.stages()) {
      step.next = stage;
      if (!last_stage) {
        return step;
      }
    }
    step.k.push_back(rate(field, stage_time(t, h, rule.c[i]), stage));
  }
  if (!step.next.defined()) {
    step.next = advance(y, h, weighted_sum(rule.b, step.k));
  }
  return step;
}

namespace {

// Stacks the parts [m_k, dim] of the nodes to one tensor [parts, n, dim], with zeros where a row has no such node. Part
// 0 belongs to node `first_node`.
at::Tensor assemble(const std::vector<at::Tensor>& parts, const at::Tensor& y0, const StepTable& step_table,
                    std::int64_t first_node) {
  const std::int64_t n = y0.size(0);
  if (parts.empty()) {
    return at::zeros({0, n, y0.size(1)}, y0.options());
  }
  std::vector<at::Tensor> padded;
  padded.reserve(parts.size());
  for (const at::Tensor& part : parts) {
    padded.push_back(part.size(0) == n ? part : at::constant_pad_nd(part, {0, 0, 0, n - part.size(0)}));
  }
  at::Tensor all = at::stack(padded);
  if (step_table.alive().defined()) {
    const at::Tensor alive = step_table.alive().narrow(0, first_node, all.size(0));
    all = all.masked_fill(alive.logical_not(), 0);
  }
  return all;
}

Solution integrate(const Field& field, const at::Tensor& y0, const StepTable& step_table, const Tableau& rule) {
  const bool reuse = rule.first_same_as_last(), half = !rule.mid.empty();
  std::vector<at::Tensor> states, slopes, mids;
  at::Tensor y = y0, slope;
  for (std::int64_t k = 0; k <= step_table.steps(); ++k) {
    // One call of the field gives the slope of all rows, also of those that end at this node.
    if (!slope.defined()) {
      slope = rate(field, step_table.time(k, y.size(0)), y);
    }
    states.push_back(y);
    slopes.push_back(slope);
    if (k == step_table.steps()) {
      break;
    }
    const std::int64_t m = step_table.step_rows(k);
    const StepSize h = step_table.size(k);
    const at::Tensor start = head(y, m);
    const Step step = take_step(field, rule, step_table.time(k, m), start, h, head(slope, m), true);
    if (half) {
      mids.push_back(advance(start, h, weighted_sum(rule.mid, step.k)));
    }
    y = step.next;
    slope = reuse ? step.k.back() : at::Tensor();
  }
  return {.states = assemble(states, y0, step_table, 0),
          .slopes = assemble(slopes, y0, step_table, 0),
          .mids = half ? assemble(mids, y0, step_table, 1) : at::Tensor()};
}

// Inputs of the backward pass in addition to the states.
struct Problem : torch::CustomClassHolder {
  Problem(Field f, Tableau r, StepTable s, Gradient g)
      : field(std::move(f)), rule(std::move(r)), step_table(std::move(s)), gradient(g) {}
  Field field;
  Tableau rule;
  StepTable step_table;
  Gradient gradient;
};

at::Tensor plus(const at::Tensor& x, const at::Tensor& y) {
  return !x.defined() ? y : !y.defined() ? x : at::add(x, y);
}

// Visits the nodes in reverse order. lambda is the gradient with respect to the state at a node: contributions of the
// node's own outputs (state, slope, mid of the step after it) plus contributions of all later nodes.
class Backward {
 public:
  Backward(const Problem& problem, const at::Tensor& states, const variable_list& incoming)
      : problem_(problem), step_table_(problem.step_table), rule_(problem.rule), states_(states) {
    incoming_ = {.states = masked(incoming[0], 0),
                 .slopes = masked(incoming[1], 0),
                 .mids = incoming.size() > 2 ? masked(incoming[2], 1) : at::Tensor()};
    if (step_table_.alive().defined()) {
      ended_ = states_.flatten(0, 1).index_select(0, step_table_.last());
    }
    for (const at::Tensor& parameter : problem.field.parameters) {
      if (parameter.requires_grad()) {
        parameters_.push_back(parameter);
        sums_.push_back(at::zeros_like(parameter));
      }
    }
  }

  // The gradients of y0 and of the field's parameters.
  variable_list run() {
    at::Tensor lambda;
    for (std::int64_t k = step_table_.steps(); k >= 0; --k) {
      at::Tensor carried;
      if (problem_.gradient == Gradient::kAdjoint && lambda.defined()) {
        carried = adjoint_step(k, lambda);
        lambda.reset();
      }
      lambda = plus(node(k, lambda), incoming_at(incoming_.states, k, step_table_.node_rows(k)));
      if (carried.defined()) {
        const std::int64_t missing = step_table_.node_rows(k) - carried.size(0);
        lambda = plus(lambda, missing == 0 ? carried : at::constant_pad_nd(carried, {0, 0, 0, missing}));
      }
    }
    variable_list gradients{lambda};
    std::size_t used = 0;
    for (const at::Tensor& parameter : problem_.field.parameters) {
      gradients.push_back(parameter.requires_grad() ? sums_[used++] : at::Tensor());
    }
    return gradients;
  }

 private:
  // Outputs beyond a system's last node are constant zeros and have no gradient.
  at::Tensor masked(const at::Tensor& gradient, std::int64_t first_node) const {
    if (!gradient.defined() || !step_table_.alive().defined()) {
      return gradient;
    }
    const at::Tensor alive = step_table_.alive().narrow(0, first_node, gradient.size(0));
    return gradient.masked_fill(alive.logical_not(), 0);
  }

  static at::Tensor incoming_at(const at::Tensor& gradient, std::int64_t k, std::int64_t rows) {
    return gradient.defined() ? head(gradient[k], rows) : at::Tensor();
  }

  // Rows of ended systems keep their last state: the field was evaluated there and is finite, unlike perhaps at zero.
  at::Tensor state(std::int64_t k, std::int64_t rows) const {
    const at::Tensor y = head(states_[k], rows);
    return ended_.defined() ? at::where(step_table_.alive()[k], y, ended_) : y.detach();
  }

  // The gradient of the state at node k through its own slope, through the mid of step k and, in recompute mode,
  // through the state at the next node (`next`: its gradient; undefined: none).
  at::Tensor node(std::int64_t k, const at::Tensor& next) {
    const std::int64_t rows = step_table_.node_rows(k);
    const bool steps = k < step_table_.steps() && (next.defined() || incoming_.mids.defined());
    const at::Tensor slope_gradient = plus(incoming_at(incoming_.slopes, k, rows), from_mid_before(k));
    if (!steps && !slope_gradient.defined()) {
      return {};
    }
    at::AutoGradMode enabled(true);
    const at::Tensor y = state(k, rows).requires_grad_();
    const at::Tensor slope = rate(problem_.field, step_table_.time(k, rows), y);
    variable_list outputs{slope}, gradients{slope_gradient};
    if (steps) {
      const std::int64_t m = step_table_.step_rows(k);
      const StepSize h = step_table_.size(k);
      const at::Tensor start = head(y, m);
      const Step step =
          take_step(problem_.field, rule_, step_table_.time(k, m), start, h, head(slope, m), /*last_stage=*/false);
      outputs.push_back(step.next);
      gradients.push_back(next);
      if (incoming_.mids.defined()) {
        outputs.push_back(advance(start, h, weighted_sum(rule_.mid, step.k)));
        gradients.push_back(incoming_at(incoming_.mids, k, m));
      }
    }
    return pull_back(outputs, gradients, y, 1);
  }

  // The mid of step k - 1 uses that step's last stage, which is the slope at node k and is not computed twice.
  at::Tensor from_mid_before(std::int64_t k) const {
    if (k == 0 || !incoming_.mids.defined() || !rule_.first_same_as_last()) {
      return {};
    }
    const at::Tensor gradient = incoming_at(incoming_.mids, k - 1, step_table_.step_rows(k - 1));
    return scaled(step_table_.size(k - 1), gradient).mul_(rule_.mid.back());
  }

  // One step of the continuous adjoint from node k + 1 back to node k, from the stored state y there:
  //   dy/dt = f,  d lambda/dt = -lambda df/dy,  d gradient/dt = -lambda df/d parameters.
  // The vector that is pulled back is already multiplied by the step size. All rows of a system share that size, so the
  // gradient of the state is scaled correctly, and each system contributes to the parameters' gradient with its own.
  at::Tensor adjoint_step(std::int64_t k, const at::Tensor& lambda) {
    const std::int64_t m = step_table_.step_rows(k);
    const StepSize h = step_table_.size(k);
    const StepSize back{.value = -h.value, .column = h.column.defined() ? h.column.neg() : at::Tensor()};
    const at::Tensor t = step_table_.time(k + 1, m), y = state(k + 1, m);
    const int stages = rule_.stages() - (rule_.first_same_as_last() ? 1 : 0);
    std::vector<at::Tensor> slopes, pulls;
    for (int i = 0; i < stages; ++i) {
      const bool first = i == 0;
      const at::Tensor stage = first ? y : advance(y, back, weighted_sum(rule_.a[i], slopes));
      const at::Tensor costate = first ? lambda : at::add(lambda, weighted_sum(rule_.a[i], pulls));
      at::AutoGradMode enabled(true);
      const at::Tensor leaf = stage.detach().requires_grad_();
      const at::Tensor slope = rate(problem_.field, stage_time(t, back, rule_.c[i]), leaf);
      slopes.push_back(slope.detach());
      const at::Tensor pull = pull_back({slope}, {scaled(h, costate).detach()}, leaf, rule_.b[i]);
      pulls.push_back(pull.defined() ? pull : at::zeros_like(stage));
    }
    return at::add(lambda, weighted_sum(rule_.b, pulls));
  }

  // Returns the vector-Jacobian product with respect to y; adds `weight` times the parameters' to sums_.
  at::Tensor pull_back(const variable_list& outputs, const variable_list& gradients, const at::Tensor& y,
                       double weight) {
    variable_list used, vectors, inputs{y};
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (gradients[i].defined() && outputs[i].requires_grad()) {
        used.push_back(outputs[i]);
        vectors.push_back(gradients[i]);
      }
    }
    if (used.empty()) {
      return {};
    }
    inputs.insert(inputs.end(), parameters_.begin(), parameters_.end());
    const variable_list pulled = torch::autograd::grad(used, inputs, vectors, /*retain_graph=*/false,
                                                       /*create_graph=*/false, /*allow_unused=*/true);
    at::NoGradGuard no_grad;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      if (pulled[i + 1].defined() && weight != 0) {
        sums_[i].add_(pulled[i + 1], weight);
      }
    }
    return pulled[0];
  }

  const Problem& problem_;
  const StepTable& step_table_;
  const Tableau& rule_;
  at::Tensor states_, ended_;
  Solution incoming_;  // gradients of the outputs; undefined: zero
  variable_list parameters_, sums_;
};

// Connects a solution that is already computed to y0 and the parameters in the autograd graph.
struct SolveFunction : torch::autograd::Function<SolveFunction> {
  static variable_list forward(AutogradContext* context, const at::Tensor& /*y0*/, at::TensorList /*parameters*/,
                               const c10::intrusive_ptr<Problem>& problem, const Solution& solution) {
    context->set_materialize_grads(false);
    context->saved_data["problem"] = at::IValue::make_capsule(problem);
    context->save_for_backward({solution.states});
    variable_list outputs{solution.states, solution.slopes};
    if (solution.mids.defined()) {
      outputs.push_back(solution.mids);
    }
    return outputs;
  }

  static variable_list backward(AutogradContext* context, const variable_list& incoming) {
    TORCH_CHECK(!at::GradMode::is_enabled(), "ode: derivatives of gradients need Gradient::kStored");
    const auto holder = context->saved_data["problem"].toCapsule();
    const auto& problem = static_cast<const Problem&>(*holder);
    const at::Tensor states = context->get_saved_variables()[0].detach();
    variable_list gradients = Backward(problem, states, incoming).run();
    gradients.resize(gradients.size() + 2);  // the problem and the solution
    return gradients;
  }
};

void check_problem(const at::Tensor& y0, const StepPlan& plan) {
  TORCH_CHECK_VALUE(y0.dim() == 2 && at::isFloatingType(y0.scalar_type()),
                    "solve: the state must be [n, dim] and floating, got ", y0.sizes(), " of ", y0.scalar_type());
  const std::vector<std::int64_t>& offsets = plan.row_offsets;
  TORCH_CHECK_VALUE(
      offsets.size() == plan.nodes.size() + 1 && offsets.front() == 0 && std::is_sorted(offsets.begin(), offsets.end()),
      "solve: expected ascending row offsets of ", plan.nodes.size(), " systems, got ", offsets.size(), " numbers");
  TORCH_CHECK_VALUE(plan.rows() == y0.size(0), "solve: the plan has ", plan.rows(), " rows, the state ", y0.size(0));
  for (std::size_t s = 0; s < plan.nodes.size(); ++s) {
    const std::vector<double>& nodes = plan.nodes[s];
    TORCH_CHECK_VALUE(!nodes.empty() && nodes[0] == 0, "solve: the first node of system ", s, " must be 0");
    TORCH_CHECK_VALUE(std::is_sorted(nodes.begin(), nodes.end(), std::less_equal<>()), "solve: the nodes of system ", s,
                      " must ascend");
  }
}

}  // namespace

bool needs_gradient(const Field& field, const at::Tensor& y0) {
  return at::GradMode::is_enabled() &&
         (y0.requires_grad() || std::any_of(field.parameters.begin(), field.parameters.end(),
                                            [](const at::Tensor& p) { return p.requires_grad(); }));
}

Trajectory with_gradient(const Field& field, const at::Tensor& y0, StepPlan plan, Solution solution,
                         const Tableau& rule, Gradient gradient) {
  if (needs_gradient(field, y0)) {
    auto problem = c10::make_intrusive<Problem>(field, rule, StepTable(plan, y0.options(), field.autonomous), gradient);
    const variable_list outputs =
        SolveFunction::apply(y0, at::TensorList(field.parameters), std::move(problem), solution);
    solution = {.states = outputs[0], .slopes = outputs[1], .mids = outputs.size() > 2 ? outputs[2] : at::Tensor()};
  }
  return {.plan = std::move(plan), .states = solution.states, .slopes = solution.slopes, .mids = solution.mids};
}

Trajectory solve(const Field& field, const at::Tensor& y0, const StepPlan& plan, const Tableau& rule,
                 Gradient gradient) {
  check_problem(y0, plan);
  const StepTable step_table(plan, y0.options(), field.autonomous);
  if (gradient == Gradient::kStored) {
    Solution solution = integrate(field, y0, step_table, rule);
    return {.plan = plan, .states = solution.states, .slopes = solution.slopes, .mids = solution.mids};
  }
  Solution solution;
  {
    at::NoGradGuard no_grad;
    solution = integrate(field, y0, step_table, rule);
  }
  return with_gradient(field, y0, plan, std::move(solution), rule, gradient);
}

}  // namespace lgode::ode
