// Initial value problems y' = f(t, y) for many independent systems at once, with gradients.
//
// Shapes: B systems, n rows in all (a system's objects), `dim` columns, K steps of the longest system, T readings.
// Dtypes: float32 or float64, whatever y0 has; times are double on the host. Devices: any that f works on.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "lgode/ode/gradient.h"
#include "lgode/ode/plan.h"
#include "lgode/ode/tableau.h"

namespace lgode::ode {

// The right-hand side. `rate` gets the state of the first m rows (whole systems, always a prefix of the batch) and
// their times [m, 1] in the state's dtype (undefined where `autonomous`), and returns [m, dim]. Rows of a system depend
// on rows of that system only. Backward passes call it again: what it refers to must live as long as the trajectory's
// graph.
struct Field {
  std::function<at::Tensor(const at::Tensor& t, const at::Tensor& y)> rate;
  std::vector<at::Tensor> parameters;  // leaves that rate uses and that shall receive gradients
  bool autonomous = true;
  // The same right-hand side for a state in float64, without gradients. Where it is given and the state is narrower,
  // error control chooses its steps with it: in float32 an error estimate is rounding to a large part.
  std::function<Field()> wide = {};
};

struct Tolerance {
  double relative = 1e-5;
  double absolute = 1e-7;
  std::int64_t max_steps = 10000;  // a system that needs more attempts than this gives up: NoProgressError
};

// The solution at the nodes of a plan, with what dense output needs. Differentiable in y0 and the parameters.
// Rows of systems that have fewer steps than K hold zeros beyond their own last node.
struct Trajectory {
  StepPlan plan;
  at::Tensor states;  // [K+1, n, dim]
  at::Tensor slopes;  // [K+1, n, dim] f at the nodes
  at::Tensor mids;    // [K, n, dim] states half-way through each step; undefined where the rule has no mid weights
};

// Fixed steps, as planned. Gradients per `gradient`; none is prepared while gradients are disabled.
Trajectory solve(const Field& field, const at::Tensor& y0, const StepPlan& plan, const Tableau& rule,
                 Gradient gradient = Gradient::kRecompute);

// Steps chosen by error control, each system by itself (PI controller), until its horizon. Sizes lie on a geometric
// grid, so that a system's steps are the same to the bit in any batch, unless an error estimate lies at the edge of a
// notch to within its rounding, about 1e-16 / relative tolerance. Step sizes count as constants in the gradient;
// kStored integrates the accepted steps once more to record them. Throws NoProgressError naming system and time when a
// step falls below what the time's precision allows, when max_steps attempts were not enough, or when the state stops
// being finite. `rule` must have an embedded error estimate.
Trajectory solve_adaptive(const Field& field, const at::Tensor& y0, std::vector<std::int64_t> row_offsets,
                          const std::vector<double>& horizons, const Tableau& rule, const Tolerance& tolerance,
                          Gradient gradient = Gradient::kRecompute);

// The solution of row `rows[i]` at `times[i]` (relative to the start of the row's system), first `columns` columns: [T,
// columns]. Cubic Hermite from states and slopes; quartic where there are mids. Exact at the nodes. A time before 0 or
// after the system's last node is an error of the caller (TORCH_CHECK_VALUE), but for rounding.
at::Tensor read(const Trajectory& trajectory, const std::vector<std::int64_t>& rows, const std::vector<double>& times,
                std::int64_t columns);

// Where readings lie, found ahead of the solve: dense output is a weighted sum of rows of the trajectory.
struct Readings {
  at::Tensor index;   // [terms, T] int64
  at::Tensor weight;  // [terms, T]
};
// `options`: the trajectory's dtype and device. `rule`: the one that will be solved with.
Readings locate(const StepPlan& plan, const std::vector<std::int64_t>& rows, const std::vector<double>& times,
                const Tableau& rule, const at::TensorOptions& options);
at::Tensor read(const Trajectory& trajectory, const Readings& readings, std::int64_t columns);

}  // namespace lgode::ode
