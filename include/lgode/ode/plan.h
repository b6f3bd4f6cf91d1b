// The time steps of a batch of systems. Every system has its own nodes. Step k of all systems is taken together, with
// one call of the field per stage. Times are relative to each system's start, in double.
#pragma once

#include <cstdint>
#include <vector>

namespace lgode::ode {

struct StepPlan {
  std::vector<std::int64_t> row_offsets;   // [B+1] rows of the state that belong to system s
  std::vector<std::vector<double>> nodes;  // [B][n_s + 1] ascending, nodes[s][0] = 0

  std::int64_t systems() const { return static_cast<std::int64_t>(nodes.size()); }
  std::int64_t rows() const { return row_offsets.back(); }
  std::int64_t steps(std::int64_t system) const { return static_cast<std::int64_t>(nodes[system].size()) - 1; }
  std::int64_t max_steps() const;
  // Whether systems are ordered by falling number of steps: later steps can then skip finished systems.
  bool descending() const;
  // The rows of the systems that take step k; all rows where the plan is not descending.
  std::int64_t active_rows(std::int64_t k) const;
};

// Nodes k * step until the horizon is reached or passed (no step for horizon 0).
StepPlan fixed_plan(std::vector<std::int64_t> row_offsets, const std::vector<double>& horizons, double step);

// The paper's grid: the same nodes for all systems, the union of `times` (any order, duplicates allowed, >= 0), each
// interval cut into `refine` equal steps.
StepPlan union_plan(std::vector<std::int64_t> row_offsets, std::vector<double> times, std::int64_t refine);

}  // namespace lgode::ode
