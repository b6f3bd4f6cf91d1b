// Evaluated runs as JSON and as records of experiments.
#include "lgode/use/evaluation_record.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "lgode/core/file.h"
#include "lgode/core/json_text.h"
#include "lgode/core/median.h"
#include "lgode/use/evaluate.h"
#include "lgode/use/verdict.h"
#include "lgode/version.h"

namespace lgode::use {
namespace {

using nlohmann::ordered_json;
using Shape = eval::Metric::Shape;

// What a record holds of intervals.
ordered_json intervals_json(const EvaluatedRun& run, const eval::Evaluation::Intervals& intervals) {
  ordered_json out = ordered_json::parse(intervals.to_json(run.info.features).dump());
  out["reach"] = run.reach;
  out["calibrated_systems"] = run.calibrated_systems;
  return out;
}

// What a record holds of the systems that stay within a bound.
ordered_json within_json(const EvaluatedRun& run, const eval::Evaluation::Within& within) {
  ordered_json classical = ordered_json::object();
  const auto errors = [](const eval::Scores& scores) -> ordered_json {
    return {{"mse", scores.mse}, {"mse_first_half", scores.mse_first_half}};
  };
  for (const auto& [name, scores] : within.classical) classical[name] = errors(scores);
  ordered_json out = {{"bound", within.bound}, {"test_systems", within.model.systems}};
  out.update(errors(within.model));
  out["horizon"] = within.model.horizon_json();
  out["classical"] = classical;
  if (within.intervals) out["intervals"] = intervals_json(run, *within.intervals);
  return out;
}

// Adds the metrics of one number, with the prefix before their keys. `table_only`: those with a column in the table.
void add_numbers(ordered_json& into, const std::string& prefix, const eval::Scores& scores, bool table_only) {
  for (const eval::MetricScore& score : scores.metrics)
    if (score.metric->shape == Shape::kNumber && (score.metric->in_table || !table_only))
      into[prefix + std::string(score.metric->key)] = score.values[0];
}

// The metrics of the classical methods: numbers, and for each feature those in original units, where they are known.
ordered_json classical_json(const EvaluatedRun& run) {
  ordered_json classical = ordered_json::object();
  for (const auto& [name, scores] : run.evaluation.classical) {
    ordered_json& out = classical[name] = ordered_json::object();
    add_numbers(out, "", scores, /*table_only=*/false);
    for (const eval::MetricScore& score : scores.metrics) {
      if (score.metric->shape != Shape::kFeatures || score.metric->unit != eval::Metric::Unit::kOriginal) continue;
      ordered_json& features = out[std::string(score.metric->key)] = ordered_json::object();
      for (std::size_t f = 0; f < run.info.features.size(); ++f)
        if (std::isfinite(score.values[f])) features[run.info.features[f].name] = score.values[f];
    }
  }
  return classical;
}

ordered_json promise_json(const EvaluatedRun& run) {
  if (!run.evaluation.intervals) return {{"calibrated", false}};
  const eval::IntervalScores& model = run.evaluation.intervals->model;
  return {{"calibrated", true},
          {"calibrated_systems", run.calibrated_systems},
          {"reach", run.reach},
          {"level", 0.9},
          {"coverage", json_number<ordered_json>(model.reached.coverage[2])},
          {"standard_error", json_number<ordered_json>(model.standard_error)},
          {"holds", run.differences.empty() && promise_holds(run)},
          {"differences", run.differences}};
}

// The lines of metrics.jsonl, and medians of times over epochs.
struct Curve {
  ordered_json lines = ordered_json::array();
  std::vector<double> step_ms = {}, epoch_s = {};  // per epoch
};
Curve read_curve(const std::filesystem::path& path) {
  Curve curve;
  std::istringstream lines(read_text(path));
  for (std::string line; std::getline(lines, line);) {
    ordered_json entry = parse_ordered_json(line);
    if (!entry.is_object()) continue;  // a training that was killed may have left an incomplete last line
    curve.lines.push_back(std::move(entry));
    if (curve.lines.back().at("epoch") == 0) continue;  // before the first step
    curve.step_ms.push_back(curve.lines.back().at("step_ms").get<double>());
    curve.epoch_s.push_back(curve.lines.back().at("seconds").get<double>());
  }
  return curve;
}

ordered_json median_json(const std::vector<double>& x) { return x.empty() ? ordered_json() : ordered_json(median(x)); }

}  // namespace

EvaluatedRun evaluated_run(const std::string& name, const eval::Run& run, const std::string& data_path,
                           const data::Dataset& dataset, const std::string& split, eval::Evaluation evaluation) {
  EvaluatedRun result{.run = name,
                      .data = data_path,
                      .data_name = dataset.description().name,
                      .split = split,
                      .time_unit = dataset.description().time_unit,
                      .machine = ops::machine_name(run.context),
                      .info = run.info,
                      .evaluation = std::move(evaluation)};
  const Reliability reliable = reliability(run, dataset, result.evaluation);
  result.reach = reliable.reach, result.calibrated_systems = reliable.systems;
  result.differences = reliable.differences;
  result.limits = limits_of(run.path);
  return result;
}

bool promise_holds(const EvaluatedRun& run) {
  const eval::IntervalScores& model = run.evaluation.intervals->model;
  const double sizes = run.calibrated_systems > 0 ? static_cast<double>(run.evaluation.model.systems) /
                                                        static_cast<double>(run.calibrated_systems)
                                                  : 0.0;
  return std::abs(model.reached.coverage[2] - 0.9) <= 0.02 + 3 * model.standard_error * std::sqrt(1 + sizes);
}

ordered_json evaluation_json(const EvaluatedRun& run) {
  const eval::RunInfo& info = run.info;
  ordered_json out = {{"run", run.run}};
  out.update(eval::run_head_json(info));
  out["epochs"] = info.epoch;
  out["split"] = run.split;
  add_numbers(out, run.split + "_", run.evaluation.model, /*table_only=*/true);
  out.update({{"classical", classical_json(run)},
              {"evaluation", run.evaluation.to_json(info.features)},
              {"promise", promise_json(run)},
              {"verdict", verdict_json(run.evaluation, run.info, run.subject())},
              {"data", run.data},
              {"data_name", run.data_name},
              {"commit", info.commit},
              {"version", info.version},
              {"machine", info.machine},
              {"evaluated_by", {{"commit", LGODE_COMMIT}, {"version", LGODE_VERSION}, {"machine", run.machine}}},
              {"config", info.config}});
  return out;
}

ordered_json experiment_record(const EvaluatedRun& run, const std::filesystem::path& folder) {
  const eval::RunInfo& info = run.info;
  const eval::Scores& scores = run.evaluation.model;
  const Curve curve = read_curve(folder / "metrics.jsonl");
  ordered_json record = {{"dataset", run.data_name}};
  record.update(eval::run_head_json(info));
  record.update({{"epochs", curve.step_ms.size()},
                 {"best_epoch", info.epoch},
                 {"train_systems", run.train_systems},
                 {"test_systems", scores.systems},
                 {"validation_mse", info.validation}});
  add_numbers(record, "test_", scores, /*table_only=*/false);
  record.update({{"horizon", scores.horizon_json()},
                 {"classical", classical_json(run)},
                 {"positions", run.evaluation.positions.to_json(scores)},
                 {"step_ms", median_json(curve.step_ms)},
                 {"epoch_s", median_json(curve.epoch_s)},
                 {"device", info.machine},
                 {"commit", info.commit},
                 {"version", info.version},
                 {"evaluated_by", {{"commit", LGODE_COMMIT}, {"machine", run.machine}}},
                 {"config", info.config},
                 {"curve", curve.lines}});
  if (run.evaluation.intervals) record["intervals"] = intervals_json(run, *run.evaluation.intervals);
  if (run.evaluation.within) record["within"] = within_json(run, *run.evaluation.within);
  return record;
}

ordered_json metrics_json() {
  ordered_json out = ordered_json::array();
  for (const eval::Metric& metric : eval::all_metrics())
    if (metric.in_table)
      out.push_back({{"key", metric.key}, {"name", metric.name}, {"unit", eval::unit_name(metric.unit)}});
  return out;
}

}  // namespace lgode::use
