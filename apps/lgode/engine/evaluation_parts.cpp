// Small pieces of evaluation reports.
#include "engine/evaluation_parts.h"

#include <fmt/format.h>

#include <cmath>

#include "lgode/reproduce/paper_tables.h"
#include "lgode/use/task_names.h"

namespace lgode::app {

std::string row_name(const model::ModelOptions& options) {
  std::string name(model::model_name(options.kind));
  if (options.variant != model::Variant::kFull) name += fmt::format(" {}", model::variant_name(options.variant));
  return name;
}

std::optional<double> paper_error(const EvaluatedRun& run) {
  const double percent = 100 * run.info.task.observed;
  if (std::abs(percent - std::round(percent)) > 1e-7) return std::nullopt;
  return reproduce::paper_error(use::task_name(run.info.task.task), run.data_name,
                                static_cast<int>(std::lround(percent)), "lg-ode");
}

std::string ratio_text(double error, double model) {
  const double ratio = error / model;
  if (!std::isfinite(ratio)) return "-";
  return ratio < 100 ? fmt::format("{:.3g}", ratio) : fmt::format("{:.0f}", ratio);
}

}  // namespace lgode::app
