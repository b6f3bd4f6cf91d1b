// Initial value problems y' = f(t, y) for many independent systems at once, with gradients. Eq. 1, with f as g.
//
// Shapes: B systems, n rows of all systems (their objects), `dim` columns, K steps of the longest system, T readings.
// Dtypes: float32 or float64, as y0; times are double on the host. Devices: any that f works on. Errors:
// TORCH_CHECK_VALUE for arguments, NoProgressError from error control.
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
// on rows of that system only. Backward passes call it again: its references must live as long as the trajectory's
// autograd graph.
struct Field {
  std::function<at::Tensor(const at::Tensor& t, const at::Tensor& y)> rate;
  std::vector<at::Tensor> parameters;  // leaves that `rate` uses and that receive gradients
  bool autonomous = true;
  // The same right-hand side for a state in float64, without gradients. If given and the state is float32, error
  // control chooses its steps with it: in float32 an error estimate consists largely of rounding error.
  std::function<Field()> wide = {};
};

struct Tolerance {
  double relative = 1e-5;
  double absolute = 1e-7;
  std::int64_t max_steps = 10000;  // attempts per system; NoProgressError beyond
};

// The solution at the nodes of a plan, with the data for dense output. Differentiable in y0 and the parameters.
// Rows of systems with fewer than K steps hold zeros beyond their own last node.
struct Trajectory {
  StepPlan plan;
  at::Tensor states;  // [K+1, n, dim]
  at::Tensor slopes;  // [K+1, n, dim] f at the nodes
  at::Tensor mids;    // [K, n, dim] states half-way through each step; undefined if the rule has no mid weights
};

// Fixed steps, as planned. Gradients as `gradient` says; nothing is prepared while gradients are disabled.
Trajectory solve(const Field& field, const at::Tensor& y0, const StepPlan& plan, const Tableau& rule,
                 Gradient gradient = Gradient::kRecompute);

// Steps chosen by error control (PI controller), for each system separately, until its horizon. Step sizes are on a
// geometric grid, so that a system's steps agree bit for bit in any batch, unless an error estimate is within its
// rounding error (about 1e-16 / relative tolerance) of the edge of a notch. Gradients treat step sizes as constants;
// kStored integrates the accepted steps once more to build the autograd graph. Throws NoProgressError, naming system
// and time, if a step falls below the precision of the time, if max_steps attempts are not enough, or if the state
// stops being finite. `rule` must have an embedded error estimate.
Trajectory solve_adaptive(const Field& field, const at::Tensor& y0, std::vector<std::int64_t> row_offsets,
                          const std::vector<double>& horizons, const Tableau& rule, const Tolerance& tolerance,
                          Gradient gradient = Gradient::kRecompute);

// The solution of row `rows[i]` at `times[i]` (relative to the start of the row's system), first `columns` columns: [T,
// columns]. Cubic Hermite interpolation from states and slopes; quartic if there are mids. Exact at the nodes. A time
// before 0 or after the system's last node, beyond rounding, is an error (TORCH_CHECK_VALUE).
at::Tensor read(const Trajectory& trajectory, const std::vector<std::int64_t>& rows, const std::vector<double>& times,
                std::int64_t columns);

// Readings located before the solve: dense output is a weighted sum of rows of the trajectory.
struct Readings {
  at::Tensor index;   // [terms, T] int64
  at::Tensor weight;  // [terms, T]
};
// `options`: the trajectory's dtype and device. `rule`: the rule of the solve.
Readings locate(const StepPlan& plan, const std::vector<std::int64_t>& rows, const std::vector<double>& times,
                const Tableau& rule, const at::TensorOptions& options);
at::Tensor read(const Trajectory& trajectory, const Readings& readings, std::int64_t columns);

// The place of a reading, in a quarter of the bytes of its index and weights: between row `at` of [nodes * n, dim]
// and the same row one node later, after the share x of the step, whose length is h. x = 0: at the first of them.
struct Place {
  std::int32_t at;
  float x, h;
};
// Readings of a rule without mids as places, out [T]; there must be fewer than 2^31 nodes times rows.
void locate(const StepPlan& plan, const std::vector<std::int64_t>& rows, const std::vector<double>& times, Place* out);

}  // namespace lgode::ode
