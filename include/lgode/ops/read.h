// Dense output at readings that were located ahead: ode::read, with kernels of its own on a GPU.
//
// Shapes: n rows, T readings. Dtypes and devices: the trajectory's. Gradients for states and slopes.
#pragma once

#include "lgode/ode/solve.h"
#include "lgode/ops/upload.h"

namespace lgode::ops {

// Readings with what the kernels need beside; on a CPU nothing.
struct LocatedReadings {
  ode::Readings terms;
  at::Tensor order;        // [T] int32: readings by row
  at::Tensor row_offsets;  // [n+1] int32
};
// Arguments as for ode::locate; `dtype`: the trajectory's.
LocatedReadings locate(const ode::StepPlan& plan, const std::vector<std::int64_t>& rows,
                       const std::vector<double>& times, const ode::Tableau& rule, at::ScalarType dtype,
                       Upload& upload);

// The first `columns` columns, [T, columns]. On a GPU sums are taken in order: the same bits every time.
at::Tensor read(const ode::Trajectory& trajectory, const LocatedReadings& readings, std::int64_t columns);

}  // namespace lgode::ops
