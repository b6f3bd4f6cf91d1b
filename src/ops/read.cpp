// Dense output: sorts the located readings by row for the GPU's kernels, or only places them for a prediction, and
// falls back to ode::read everywhere else.
#include "lgode/ops/read.h"

#include <limits>

#include "ops/cuda/row_operators.h"

namespace lgode::ops {

LocatedReadings locate(const ode::StepPlan& plan, const std::vector<std::int64_t>& rows,
                       const std::vector<double>& times, const ode::Tableau& rule, at::ScalarType dtype,
                       Upload& upload) {
  LocatedReadings out;
  const bool small = (plan.max_steps() + 1) * plan.rows() <= std::numeric_limits<std::int32_t>::max();
  const bool on_gpu = !upload.device().is_cpu();
  if (on_gpu && upload.purpose() == Purpose::kPrediction && dtype == at::kFloat && rule.mid.empty() && small) {
    static_assert(sizeof(ode::Place) == 3 * sizeof(std::int32_t));
    out.places = upload.written<std::int32_t>({static_cast<std::int64_t>(rows.size()), 3}, [&](std::int32_t* to) {
      ode::locate(plan, rows, times, reinterpret_cast<ode::Place*>(to));
    });
    return out;
  }
  out.terms = ode::locate(plan, rows, times, rule, at::TensorOptions(dtype));
  out.terms = {upload(out.terms.index), upload(out.terms.weight)};
  if (!on_gpu) return out;
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
  if (readings.places.defined()) {
    TORCH_CHECK_VALUE(columns >= 1 && columns <= states.size(2), "read: ", columns, " columns of ", states.size(2));
    return cuda::read_places(states, trajectory.slopes, readings.places, columns);
  }
  const bool mids = trajectory.mids.defined() && trajectory.mids.size(0) > 0;
  if (states.is_cpu() || states.scalar_type() != at::kFloat || mids || !readings.order.defined())
    return ode::read(trajectory, readings.terms, columns);
  TORCH_CHECK_VALUE(columns >= 1 && columns <= states.size(2), "read: ", columns, " columns of ", states.size(2));
  return cuda::read(states, trajectory.slopes, readings, columns);
}

}  // namespace lgode::ops
