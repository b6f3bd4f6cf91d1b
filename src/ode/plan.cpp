// Step plans that are known before the solve: fixed steps and the paper's union grid. Plans from error control are
// made in adaptive.cpp.
#include "lgode/ode/plan.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lgode::ode {
namespace {

// A horizon counts as reached if it is past a node by less than this fraction of a step.
constexpr double kSlack = 1e-9;
constexpr double kMostSteps = 1e7;  // of a system: a node each

void check_offsets(const std::vector<std::int64_t>& row_offsets) {
  TORCH_CHECK_VALUE(!row_offsets.empty() && row_offsets.front() == 0, "plan: row offsets must begin with 0");
  TORCH_CHECK_VALUE(std::is_sorted(row_offsets.begin(), row_offsets.end()), "plan: row offsets must not fall");
}

}  // namespace

std::int64_t StepPlan::max_steps() const {
  std::int64_t most = 0;
  for (std::int64_t s = 0; s < systems(); ++s) {
    most = std::max(most, steps(s));
  }
  return most;
}

bool StepPlan::descending() const {
  return std::is_sorted(nodes.begin(), nodes.end(), [](const auto& x, const auto& y) { return x.size() > y.size(); });
}

std::int64_t StepPlan::active_rows(std::int64_t k) const {
  if (!descending()) {
    return rows();
  }
  std::int64_t active = 0;
  while (active < systems() && steps(active) > k) {
    ++active;
  }
  return row_offsets[active];
}

StepPlan fixed_plan(std::vector<std::int64_t> row_offsets, const std::vector<double>& horizons, double step) {
  check_offsets(row_offsets);
  TORCH_CHECK_VALUE(row_offsets.size() == horizons.size() + 1, "fixed_plan: expected a horizon for each of ",
                    row_offsets.size() - 1, " systems, got ", horizons.size());
  TORCH_CHECK_VALUE(std::isfinite(step) && step > 0, "fixed_plan: the step must be positive, got ", step);
  StepPlan plan{.row_offsets = std::move(row_offsets), .nodes = {}};
  for (const double horizon : horizons) {
    TORCH_CHECK_VALUE(std::isfinite(horizon) && horizon >= 0, "fixed_plan: a horizon must be >= 0, got ", horizon);
    const double exact = std::ceil(horizon / step - kSlack);
    TORCH_CHECK_VALUE(exact <= kMostSteps, "fixed_plan: a horizon of ", horizon, " takes ", exact, " steps of ", step,
                      ", more than ", kMostSteps);
    const auto count = horizon > 0 ? std::max<std::int64_t>(1, static_cast<std::int64_t>(exact)) : 0;
    std::vector<double>& nodes = plan.nodes.emplace_back();
    nodes.reserve(static_cast<std::size_t>(count) + 1);
    for (std::int64_t k = 0; k <= count; ++k) {
      nodes.push_back(static_cast<double>(k) * step);
    }
  }
  return plan;
}

StepPlan union_plan(std::vector<std::int64_t> row_offsets, std::vector<double> times, std::int64_t refine) {
  check_offsets(row_offsets);
  TORCH_CHECK_VALUE(refine >= 1, "union_plan: intervals are cut into at least one step, got ", refine);
  times.push_back(0);
  for (const double time : times) {
    TORCH_CHECK_VALUE(std::isfinite(time) && time >= 0, "union_plan: a time must be >= 0, got ", time);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::vector<double> nodes{0};
  for (std::size_t i = 1; i < times.size(); ++i) {
    for (std::int64_t j = 1; j < refine; ++j) {
      const double part = static_cast<double>(j) / static_cast<double>(refine);
      nodes.push_back(times[i - 1] + part * (times[i] - times[i - 1]));
    }
    nodes.push_back(times[i]);
  }
  const std::size_t systems = row_offsets.size() - 1;
  return {.row_offsets = std::move(row_offsets), .nodes = std::vector(systems, nodes)};
}

}  // namespace lgode::ode
