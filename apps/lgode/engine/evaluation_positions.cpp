// Metrics over positions, as a part of the page of an evaluated run and as rows of the table over several runs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/evaluation_report.h"
#include "lgode/core/methods.h"
#include "lgode/use/format.h"
#include "lgode/use/text_table.h"
#include "text/flag_text.h"

namespace lgode::app {
namespace {

using eval::Metric;
using use::format_number;
using use::Table;

std::string value_text(const Metric& metric, double x) {
  if (metric.unit == Metric::Unit::kShare && std::isfinite(x)) return fmt::format("{:.1f} %", 100 * x);
  return format_number(x);
}

std::string unit_text(const Metric& metric, const std::string& unit) {
  return metric.unit == Metric::Unit::kOriginal ? unit : metric.unit == Metric::Unit::kNats ? "nats" : "";
}

// Of a method that lacks the metric "-".
std::string number_text(const eval::Scores& scores, const Metric& metric) {
  const eval::MetricScore* score = scores.find(metric.shape, metric.key);
  return score != nullptr ? value_text(metric, score->values[0]) : "-";
}

std::string sentence(std::string text) {
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return with_flags(text) + ".\n";
}

// A part of the range of a metric; "-" where there is nothing.
std::string part_text(const eval::Scores& scores, std::string_view key, std::size_t bin) {
  const eval::MetricScore* score = scores.find(Metric::Shape::kHorizon, key);
  return score != nullptr && bin < score->values.size() ? value_text(*score->metric, score->values[bin]) : "-";
}

// The number of futures of the runs; 0 if they differ.
std::int64_t common_futures(const std::vector<EvaluatedRun>& runs) {
  std::set<std::int64_t> numbers;
  for (const EvaluatedRun& run : runs)
    if (run.evaluation.positions.futures > 0) numbers.insert(run.evaluation.positions.futures);
  return numbers.size() == 1 ? *numbers.begin() : 0;
}

}  // namespace

std::string positions_section(const EvaluatedRun& run) {
  const eval::Positions& positions = run.evaluation.positions;
  if (positions.features.empty()) return sentence(positions.note);
  const eval::Scores& model = run.evaluation.model;
  std::vector<std::string> header = {"positions", "unit", "model"};
  for (const auto& [name, scores] : run.evaluation.classical)
    if (is_shown(run, name)) header.push_back(classical_display_name(name));
  Table table(header);
  for (const eval::MetricScore& score : model.metrics) {
    const Metric& metric = *score.metric;
    if (!eval::is_over_positions(metric)) continue;
    std::vector<std::string> row = {metric_name(metric, positions.futures), unit_text(metric, positions.unit),
                                    value_text(metric, score.values[0])};
    for (const auto& [name, scores] : run.evaluation.classical)
      if (is_shown(run, name)) row.push_back(number_text(scores, metric));
    table.add(row);
  }
  const std::string unit = positions.unit.empty() ? "" : " " + positions.unit;
  return table.text() +
         fmt::format("A miss is a final error above {}{}, a collision two predicted centres nearer than {}{}.\n",
                     format_number(positions.limits.miss), unit, format_number(positions.limits.collision), unit) +
         sentence(positions.note);
}

std::string position_horizon_section(const EvaluatedRun& run) {
  const eval::Scores& model = run.evaluation.model;
  if (model.find(Metric::Shape::kHorizon, "ade") == nullptr) return {};
  std::vector<std::string> header = {
      run.time_unit.empty() ? "ADE, time since start" : fmt::format("ADE, {} since start", run.time_unit), "model"};
  for (const auto& [name, scores] : run.evaluation.classical)
    if (is_shown(run, name)) header.push_back(classical_display_name(name));
  const eval::MetricScore* best = model.find(Metric::Shape::kHorizon, "min_ade");
  if (best != nullptr) header.push_back("model, " + metric_name(*best->metric, run.evaluation.positions.futures));
  Table table(header);
  for (std::size_t b = 0; b < model.horizon.size(); ++b) {
    const eval::HorizonBin& bin = model.horizon[b];
    std::vector<std::string> row = {fmt::format("{} to {}", format_number(bin.begin), format_number(bin.end)),
                                    part_text(model, "ade", b)};
    for (const auto& [name, scores] : run.evaluation.classical)
      if (is_shown(run, name)) row.push_back(part_text(scores, "ade", b));
    if (best != nullptr) row.push_back(part_text(model, "min_ade", b));
    table.add(row);
  }
  return table.text();
}

std::vector<std::pair<std::string, std::vector<std::string>>> position_rows(const std::vector<EvaluatedRun>& runs) {
  std::vector<std::pair<std::string, std::vector<std::string>>> rows;
  for (const Metric& metric : eval::all_metrics()) {
    if (!eval::is_over_positions(metric) || std::none_of(runs.begin(), runs.end(), [&](const EvaluatedRun& run) {
          return run.evaluation.model.find(metric.shape, metric.key) != nullptr;
        }))
      continue;
    auto& [name, cells] = rows.emplace_back(metric_name(metric, common_futures(runs)), std::vector<std::string>());
    for (const EvaluatedRun& run : runs) {
      const std::string unit = unit_text(metric, run.evaluation.positions.unit);
      const std::string text = number_text(run.evaluation.model, metric);
      cells.push_back(text == "-" || unit.empty() ? text : text + " " + unit);
    }
  }
  return rows;
}

}  // namespace lgode::app
