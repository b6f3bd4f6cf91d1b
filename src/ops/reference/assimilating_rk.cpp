// The solve with ties, jumps and rows that come and go, in plain ATen operations: the definition that the fused form is
// tested against.
#include "ops/assimilating_rk.h"

#include <algorithm>

namespace lgode::ops::reference {
namespace {

at::Tensor column_of(const std::vector<double>& values, const at::Tensor& like) {
  return at::tensor(values, at::TensorOptions(at::kDouble)).to(like.options().requires_grad(false)).unsqueeze(1);
}

// The rows of one node or step of an [.., n] table.
template <class T>
std::vector<double> slice(const std::vector<T>& table, std::int64_t k, std::int64_t rows) {
  return {table.begin() + k * rows, table.begin() + (k + 1) * rows};
}

class Solver {
 public:
  Solver(const DynamicsWeights& weights, const PairGraph& pairs, const ode::StepPlan& plan, const ode::Tableau& rule,
         const Assimilation& assimilation, Impl impl)
      : weights_(weights), pairs_(pairs), plan_(plan), rule_(rule), a_(assimilation), impl_(impl) {}

  ode::Trajectory run(const at::Tensor& z0) {
    const std::int64_t steps = plan_.max_steps();
    std::vector<at::Tensor> states, slopes;
    at::Tensor y = z0;
    for (std::int64_t k = 0; k <= steps; ++k) {
      arrive(k, y);
      const at::Tensor slope = rate(y);
      states.push_back(y);
      slopes.push_back(slope);
      if (k == steps) break;
      const std::vector<double> sizes = step_sizes(k);
      if (std::any_of(sizes.begin(), sizes.end(), [](double h) { return h > 0; }))
        y = step(y, slope, column_of(sizes, y));
      y = jumped(y, k);
    }
    return {plan_, at::stack(states), at::stack(slopes), at::Tensor()};
  }

 private:
  std::vector<double> step_sizes(std::int64_t k) const {
    std::vector<double> sizes(static_cast<std::size_t>(plan_.rows()), 0.0);
    for (std::int64_t s = 0; s < plan_.systems(); ++s)
      if (k < plan_.steps(s))
        std::fill(sizes.begin() + plan_.row_offsets[s], sizes.begin() + plan_.row_offsets[s + 1],
                  plan_.nodes[s][k + 1] - plan_.nodes[s][k]);
    return sizes;
  }

  // Who is present from node k on.
  void arrive(std::int64_t k, const at::Tensor& like) {
    if (a_.events.present.empty()) return;
    present_ = column_of(slice(a_.events.present, k, plan_.rows()), like);
    present_pairs_ = pairs_;
    for (PairGraph::List& list : present_pairs_.lists) {
      const at::Tensor sends = present_.index_select(0, list.source);
      list.weight = list.weight.defined() ? list.weight * sends : sends;
    }
  }

  at::Tensor rate(const at::Tensor& z) const {
    at::Tensor out = graph_field(z, weights_, present_.defined() ? present_pairs_ : pairs_, impl_);
    std::vector<at::Tensor> columns = out.unbind(1);
    for (const Tie& tie : a_.events.ties) {
      const at::Tensor tied = z.select(1, tie.velocity) * tie.factor;
      columns[static_cast<std::size_t>(tie.position)] = tie.remainder ? out.select(1, tie.position) + tied : tied;
    }
    if (!a_.events.ties.empty()) out = at::stack(columns, 1);
    return present_.defined() ? out * present_ : out;
  }

  at::Tensor step(const at::Tensor& y, const at::Tensor& slope, const at::Tensor& h) const {
    std::vector<at::Tensor> k{slope};
    for (int i = 1; i < rule_.stages(); ++i) {
      at::Tensor stage = y;
      for (std::size_t j = 0; j < rule_.a[i].size(); ++j)
        if (rule_.a[i][j] != 0) stage = stage + h * rule_.a[i][j] * k[j];
      k.push_back(rate(stage));
    }
    at::Tensor next = y;
    for (std::size_t i = 0; i < k.size(); ++i)
      if (rule_.b[i] != 0) next = next + h * rule_.b[i] * k[i];
    return next;
  }

  at::Tensor jumped(const at::Tensor& y, std::int64_t k) const {
    if (!a_.keep.defined() || a_.keep.size(0) == 0) return y;
    std::vector<std::int64_t> rows, jumps;
    for (std::int64_t row = 0; row < plan_.rows(); ++row)
      if (const std::int32_t jump = a_.events.jump[k * plan_.rows() + row]; jump >= 0) {
        rows.push_back(row);
        jumps.push_back(jump);
      }
    if (rows.empty()) return y;
    const at::TensorOptions index = at::TensorOptions(at::kLong);
    const at::Tensor at_rows = at::tensor(rows, index).to(y.device()),
                     at_jumps = at::tensor(jumps, index).to(y.device());
    const at::Tensor after =
        a_.keep.index_select(0, at_jumps) * y.index_select(0, at_rows) + a_.add.index_select(0, at_jumps);
    return y.index_copy(0, at_rows, after);
  }

  const DynamicsWeights& weights_;
  const PairGraph& pairs_;
  const ode::StepPlan& plan_;
  const ode::Tableau& rule_;
  const Assimilation& a_;
  Impl impl_;
  at::Tensor present_;  // [n, 1] at the current node; undefined: all
  PairGraph present_pairs_;
};

}  // namespace

ode::Trajectory assimilating_rk(const at::Tensor& z0, const DynamicsWeights& weights, const PairGraph& pairs,
                                const ode::StepPlan& plan, const ode::Tableau& rule, const Assimilation& assimilation,
                                Impl impl) {
  return Solver(weights, pairs, plan, rule, assimilation, impl).run(z0);
}

}  // namespace lgode::ops::reference
