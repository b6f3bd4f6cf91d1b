// Several evaluated runs as a table, one column per run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "engine/evaluation_report.h"
#include "lgode/core/methods.h"
#include "lgode/use/format.h"
#include "lgode/use/task_names.h"
#include "lgode/use/text_table.h"

namespace lgode::app {
namespace {

using use::format_count;
using use::format_error;
using use::format_number;
using use::format_percent;
using use::format_plural;
using use::protocol_name;
using use::Table;
using use::task_name;

// NaN if the evaluation lacks the method.
double classical_error(const eval::Evaluation& evaluation, Classical kind) {
  for (const auto& [key, scores] : evaluation.classical)
    if (key == classical_method(kind).key) return scores.mse;
  return std::numeric_limits<double>::quiet_NaN();
}

// The lower error of the two methods that forecast without a fit.
double best_forecast(const eval::Evaluation& evaluation) {
  return std::fmin(classical_error(evaluation, Classical::kHold),
                   classical_error(evaluation, Classical::kConstantVelocity));
}

// Rows of errors in units: the model's RMSE by feature, and the mean distance of positions with the lowest classical
// one. Runs of other features have none there.
template <class Row>
void add_units(Table& table, const std::vector<EvaluatedRun>& runs, const Row& row) {
  const auto unit_text = [](const std::string& unit) { return unit.empty() ? "" : " " + unit; };
  std::vector<std::string> names;
  for (const EvaluatedRun& run : runs)
    for (const data::Feature& feature : run.info.features)
      if (!feature.derived && std::find(names.begin(), names.end(), feature.name) == names.end())
        names.push_back(feature.name);
  for (const std::string& name : names)
    table.add(row("RMSE of " + name, [&](const EvaluatedRun& run) -> std::string {
      for (std::size_t f = 0; f < run.info.features.size(); ++f)
        if (run.info.features[f].name == name && !run.info.features[f].derived)
          return format_number(run.evaluation.model.feature_rmse[f]) + unit_text(run.info.features[f].unit);
      return "-";
    }));
  const auto distance = [&](const EvaluatedRun& run, double value) -> std::string {
    if (!std::isfinite(value)) return "-";
    const std::vector<int> positions = data::position_features(run.info.features);
    return format_number(value) + unit_text(run.info.features[static_cast<std::size_t>(positions.front())].unit);
  };
  if (std::none_of(runs.begin(), runs.end(),
                   [](const EvaluatedRun& run) { return std::isfinite(run.evaluation.model.distance); }))
    return;
  table.add(
      row("mean distance", [&](const EvaluatedRun& run) { return distance(run, run.evaluation.model.distance); }));
  table.add(row("mean distance, best classical", [&](const EvaluatedRun& run) {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& [name, scores] : run.evaluation.classical) best = std::fmin(best, scores.distance);
    return distance(run, best);
  }));
  for (const auto& [name, cells] : position_rows(runs))
    table.add(row(name, [&](const EvaluatedRun& run) { return cells[static_cast<std::size_t>(&run - runs.data())]; }));
}

// The verdict of each run below the table; of several runs with its name.
std::string verdicts(const std::vector<EvaluatedRun>& runs) {
  std::string text;
  for (const EvaluatedRun& run : runs)
    if (const std::string line = verdict_line(run); !line.empty())
      text += (runs.size() > 1 ? run.run + ": " : "") + line + "\n";
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string evaluation_table(const std::vector<EvaluatedRun>& runs) {
  const auto row = [&](const std::string& name, const auto& cell) {
    std::vector<std::string> cells = {name};
    for (const EvaluatedRun& run : runs) cells.push_back(cell(run));
    return cells;
  };
  Table table(row("task", [](const EvaluatedRun& run) {
    return fmt::format("{} {}", task_name(run.info.task.task), format_percent(run.info.task.observed));
  }));
  table.add(row("run", [](const EvaluatedRun& run) {
    const std::filesystem::path path = std::filesystem::path(run.run).lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).filename().string();
  }));
  if (std::any_of(runs.begin(), runs.end(),
                  [](const EvaluatedRun& run) { return row_name(run.info.model) != "lg-ode"; }))
    table.add(row("row", [](const EvaluatedRun& run) { return row_name(run.info.model); }));
  table.add(row("data", [](const EvaluatedRun& run) { return run.data_name; }));
  add_units(table, runs, row);
  table.add(
      row("error x 10^-2: model", [](const EvaluatedRun& run) { return format_error(run.evaluation.model.mse); }));
  for (const ClassicalMethod& method : kClassicalMethods) {
    const auto mse = [&](const EvaluatedRun& run) { return classical_error(run.evaluation, method.kind); };
    // Runs may lack the numbers of a fitted method.
    if (!method.fitted ||
        std::any_of(runs.begin(), runs.end(), [&](const auto& run) { return std::isfinite(mse(run)); }))
      table.add(row(std::string(method.name), [&](const EvaluatedRun& run) { return format_error(mse(run)); }));
  }
  const auto paper = [](const EvaluatedRun& run) { return paper_error(run); };
  if (std::any_of(runs.begin(), runs.end(), paper))
    table.add(row("LG-ODE in the paper",
                  [&](const EvaluatedRun& run) { return paper(run) ? format_error(0.01 * *paper(run)) : "-"; }));
  const auto forecasts = [](const EvaluatedRun& run) { return run.info.task.task == data::Task::kExtrapolate; };
  if (std::any_of(runs.begin(), runs.end(), forecasts))
    table.add(row("model / better of hold, const. velocity", [&](const EvaluatedRun& run) {
      return forecasts(run) ? ratio_text(run.evaluation.model.mse, best_forecast(run.evaluation)) : "-";
    }));
  table.add(row("in 90 % intervals", [](const EvaluatedRun& run) -> std::string {
    if (!run.evaluation.intervals) return "not calibrated";
    return fmt::format("{:.1f} %", 100 * run.evaluation.intervals->model.all.coverage[2]);
  }));
  return table.text() + verdicts(runs);
}

}  // namespace lgode::app
