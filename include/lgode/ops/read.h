// Dense output at readings located before the solve: ode::read, with our own kernels on a GPU.
//
// Shapes: n rows, T readings. Dtypes and devices: the trajectory's. Gradients for states and slopes, except from an
// upload for prediction. Errors: TORCH_CHECK_VALUE.
#pragma once

#include "lgode/ode/solve.h"
#include "lgode/ops/upload.h"

namespace lgode::ops {

// Either the terms, on a GPU with the readings' order by row for the backward kernel; or, in an upload for prediction
// to a GPU, places, where they can be used: float32, a rule without mids, fewer than 2^31 nodes times rows.
struct LocatedReadings {
  ode::Readings terms;
  at::Tensor order;        // [T] int32: readings by row
  at::Tensor row_offsets;  // [n+1] int32
  at::Tensor places;       // [T, 3] int32: ode::Place each
};
// Arguments as for ode::locate; `dtype`: the trajectory's.
LocatedReadings locate(const ode::StepPlan& plan, const std::vector<std::int64_t>& rows,
                       const std::vector<double>& times, const ode::Tableau& rule, at::ScalarType dtype,
                       Upload& upload);

// The first `columns` columns, [T, columns]. On a GPU the gradient is summed in a fixed order: the same bits every
// time.
at::Tensor read(const ode::Trajectory& trajectory, const LocatedReadings& readings, std::int64_t columns);

}  // namespace lgode::ops
