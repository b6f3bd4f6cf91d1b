// Dense output: sorts the located readings by row for the GPU's kernel, and falls back to ode::read everywhere else.
#include "lgode/ops/read.h"

#include "ops/cuda/row_operators.h"

namespace lgode::ops {

LocatedReadings locate(const ode::StepPlan& plan, const std::vector<std::int64_t>& rows,
                       const std::vector<double>& times, const ode::Tableau& rule, at::ScalarType dtype,
                       Upload& upload) {
  LocatedReadings out{ode::locate(plan, rows, times, rule, at::TensorOptions(dtype)), {}, {}};
  out.terms = {upload(out.terms.index), upload(out.terms.weight)};
  if (upload.device().is_cpu()) return out;
  if (upload.purpose() == Purpose::kPrediction) {  // only the backward kernel reads the order
    out.order = upload(std::vector<int>()), out.row_offsets = upload(std::vector<int>());
    return out;
  }
  std::vector<int> offsets(static_cast<std::size_t>(plan.rows()) + 1, 0), order(rows.size());
  for (std::int64_t row : rows) ++offsets[row + 1];
  for (std::size_t r = 1; r < offsets.size(); ++r) offsets[r] += offsets[r - 1];
  std::vector<int> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t i = 0; i < rows.size(); ++i) order[next[rows[i]]++] = static_cast<int>(i);
  out.order = upload(order);
  out.row_offsets = upload(offsets);
  return out;
}

at::Tensor read(const ode::Trajectory& trajectory, const LocatedReadings& readings, std::int64_t columns) {
  const at::Tensor& states = trajectory.states;
  const bool mids = trajectory.mids.defined() && trajectory.mids.size(0) > 0;
  if (states.is_cpu() || states.scalar_type() != at::kFloat || mids || !readings.order.defined())
    return ode::read(trajectory, readings.terms, columns);
  TORCH_CHECK_VALUE(columns >= 1 && columns <= states.size(2), "read: ", columns, " columns of ", states.size(2));
  return cuda::read(states, trajectory.slopes, readings, columns);
}

}  // namespace lgode::ops
