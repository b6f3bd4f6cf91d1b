// Formats evaluated runs as text, JSON, result records and tables.
#include "engine/evaluation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>
#include <string_view>

#include "lgode/core/file.h"
#include "lgode/core/json_text.h"
#include "lgode/core/median.h"
#include "lgode/reproduce/paper_tables.h"
#include "lgode/use/format.h"
#include "lgode/use/task_names.h"
#include "lgode/use/text_table.h"
#include "lgode/version.h"

namespace lgode::app {
namespace {

using nlohmann::ordered_json;
using use::format_count;
using use::format_error;
using use::format_number;
using use::format_percent;
using use::format_plural;
using use::protocol_name;
using use::Table;
using use::task_name;

// The name of a classical baseline in the tables.
std::string shown_name(const std::string& name) {
  if (name == "cubic_hermite") return "cubic Hermite";
  if (name == "constant_velocity") return "constant velocity";
  if (name == "damped_velocity") return "damped velocity";
  if (name == "kalman") return "Kalman smoother";
  return name;
}

// As far ahead as the calibration reaches, the share in 90 % is off by no more than chance: three standard errors,
// those of the calibration's own sample included, and two points.
bool promise_holds(const EvaluatedRun& run) {
  const eval::IntervalScores& model = run.evaluation.intervals->model;
  const double sizes = run.calibrated_systems > 0 ? static_cast<double>(run.evaluation.model.systems) /
                                                        static_cast<double>(run.calibrated_systems)
                                                  : 0.0;
  return std::abs(model.reached.coverage[2] - 0.9) <= 0.02 + 3 * model.standard_error * std::sqrt(1 + sizes);
}

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

ordered_json classical_json(const EvaluatedRun& run) {
  ordered_json classical = ordered_json::object();
  for (const auto& [name, scores] : run.evaluation.classical) {
    ordered_json rmse = ordered_json::object();
    for (std::size_t f = 0; f < run.info.features.size(); ++f)
      if (std::isfinite(scores.feature_rmse[f])) rmse[run.info.features[f].name] = scores.feature_rmse[f];
    classical[name] = {{"mse", scores.mse},
                       {"mse_unseen", scores.mse_unseen},
                       {"mse_first_half", scores.mse_first_half},
                       {"rmse", rmse}};
  }
  return classical;
}

// The row of a run in the paper's tables: "lg-ode", "lg-ode no-pe", "edge-gnn" and so on.
std::string row_name(const model::ModelOptions& options) {
  std::string name(model::model_name(options.kind));
  if (options.variant != model::Variant::kFull) name += fmt::format(" {}", model::variant_name(options.variant));
  return name;
}

std::string ratio_text(double error, double model) {
  const double ratio = error / model;
  if (!std::isfinite(ratio)) return "-";
  return ratio < 100 ? fmt::format("{:.3g}", ratio) : fmt::format("{:.0f}", ratio);
}

// NaN if the evaluation lacks the baseline.
double classical_error(const eval::Evaluation& evaluation, std::string_view name) {
  for (const auto& [kind, scores] : evaluation.classical)
    if (kind == name) return scores.mse;
  return std::numeric_limits<double>::quiet_NaN();
}

// The lower error of the two classical baselines that forecast.
double best_forecast(const eval::Evaluation& evaluation) {
  return std::fmin(classical_error(evaluation, "hold"), classical_error(evaluation, "constant_velocity"));
}

// The paper's error of LG-ODE; nothing if its tables have no such cell.
std::optional<double> paper_error(const EvaluatedRun& run) {
  const double percent = 100 * run.info.task.observed;
  if (std::abs(percent - std::round(percent)) > 1e-7) return std::nullopt;
  return reproduce::paper_error(task_name(run.info.task.task), run.data_name, static_cast<int>(std::lround(percent)),
                                "lg-ode");
}

// Errors of the systems that stay within a bound.
std::string within_section(const EvaluatedRun& run) {
  const eval::Evaluation::Within& within = *run.evaluation.within;
  Table table({fmt::format("within {}: error x 10^-2", format_number(within.bound)), "all targets", "first half",
               "ratio to model"});
  const auto add = [&](const std::string& name, const eval::Scores& scores) {
    table.add({name, format_error(scores.mse), format_error(scores.mse_first_half),
               ratio_text(scores.mse, within.model.mse)});
  };
  add("model", within.model);
  for (const auto& [name, scores] : within.classical) add(shown_name(name), scores);
  std::string held;
  if (within.intervals && within.intervals->model.reached.values > 0)
    held = fmt::format("Of their values within the calibration's reach {:.1f} % +- {:.1f} % are in 90 %.\n",
                       100 * within.intervals->model.reached.coverage[2], 100 * within.intervals->model.standard_error);
  return fmt::format("{} of {} stay within {}:\n", format_count(within.model.systems),
                     format_plural(run.evaluation.model.systems, "system"), format_number(within.bound)) +
         table.text() + held;
}

std::string error_section(const EvaluatedRun& run) {
  const eval::Scores& model = run.evaluation.model;
  Table table({"error x 10^-2", "all targets", "unseen", "ratio to model"});
  table.add({"model", format_error(model.mse), format_error(model.mse_unseen), "1"});
  for (const auto& [name, scores] : run.evaluation.classical)
    table.add({shown_name(name), format_error(scores.mse), format_error(scores.mse_unseen),
               ratio_text(scores.mse, model.mse)});
  if (model.never_seen.objects > 0) table.add({"never seen", format_error(model.never_seen.mse), "", ""});
  const auto paper = paper_error(run);
  if (paper) table.add({"LG-ODE in the paper", format_error(0.01 * *paper), "", ratio_text(0.01 * *paper, model.mse)});
  return table.text();
}

// After the last observation linear equals hold, and cubic Hermite equals constant velocity: one column each is enough.
bool is_shown(const EvaluatedRun& run, std::string_view name) {
  return run.info.task.task == data::Task::kInterpolate || name == "hold" || name == "kalman" ||
         name.ends_with("_velocity");
}

// Errors in original units, features by row. Derived features are inputs only.
std::string feature_section(const EvaluatedRun& run) {
  const eval::Scores& model = run.evaluation.model;
  std::vector<std::string> header = {"RMSE", "unit", "model"};
  for (const auto& [name, scores] : run.evaluation.classical)
    if (is_shown(run, name)) header.push_back(shown_name(name));
  if (model.never_seen.objects > 0) header.emplace_back("never seen");
  header.emplace_back("model's error x 10^-2");
  if (run.evaluation.intervals) header.insert(header.end(), {"in 90 %", "width of 90 %"});
  Table table(header);
  for (std::size_t f = 0; f < run.info.features.size(); ++f) {
    const data::Feature& feature = run.info.features[f];
    if (feature.derived) continue;
    std::vector<std::string> row = {feature.name, feature.unit, format_number(model.feature_rmse[f])};
    for (const auto& [name, scores] : run.evaluation.classical)
      if (is_shown(run, name)) row.push_back(format_number(scores.feature_rmse[f]));
    if (model.never_seen.objects > 0) row.push_back(format_number(model.never_seen.feature_rmse[f]));
    row.push_back(format_error(model.feature_mse[f]));
    if (run.evaluation.intervals) {
      const eval::IntervalScores::Part& part = run.evaluation.intervals->model.features[f];
      row.push_back(part.values > 0 ? fmt::format("{:.1f} %", 100 * part.coverage[2]) : "-");
      row.push_back(part.values > 0 ? format_number(part.width[2]) : "-");
    }
    table.add(row);
  }
  return table.text();
}

std::string horizon_section(const EvaluatedRun& run) {
  bool marked = false;
  std::vector<std::string> header = {
      run.time_unit.empty() ? "time since start" : fmt::format("{} since start", run.time_unit), "values", "model"};
  for (const auto& [name, scores] : run.evaluation.classical)
    if (is_shown(run, name)) header.push_back(shown_name(name));
  if (run.evaluation.intervals) header.emplace_back("model, in 90 %");
  Table table(header);
  const auto& bins = run.evaluation.model.horizon;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    std::vector<std::string> row = {fmt::format("{} to {}", format_number(bins[b].begin), format_number(bins[b].end)),
                                    format_count(bins[b].values), format_error(bins[b].mse)};
    for (const auto& [name, scores] : run.evaluation.classical)
      if (is_shown(run, name)) row.push_back(b < scores.horizon.size() ? format_error(scores.horizon[b].mse) : "-");
    if (run.evaluation.intervals) {
      const auto& held = run.evaluation.intervals->model.horizon;
      const bool far =
          run.info.task.task == data::Task::kExtrapolate && b < held.size() && held[b].end > run.reach * (1 + 1e-6);
      marked = marked || far;
      row.push_back(b < held.size() && held[b].part.values > 0
                        ? fmt::format("{:.1f} %{}", 100 * held[b].part.coverage[2], far ? " *" : "")
                        : "-");
    }
    table.add(row);
  }
  return table.text() +
         (marked ? "* farther ahead than the calibration reaches: widths are extrapolated, without a promise\n" : "");
}

// Whether 90 % of the values lie in the 90 % intervals as far as the calibration reaches, and on which grounds they may
// not.
std::string promise_text(const EvaluatedRun& run) {
  const eval::IntervalScores& model = run.evaluation.intervals->model;
  if (model.reached.values == 0) return {};
  const double coverage = model.reached.coverage[2];
  std::string text = fmt::format("Of the values within the calibration's reach {:.1f} % +- {:.1f} % are in 90 %.\n",
                                 100 * coverage, 100 * model.standard_error);
  if (run.differences.empty() && promise_holds(run)) return text;
  if (!run.differences.empty()) {
    text += "The promise does not hold where the test part is unlike the training part:\n";
    for (const std::string& difference : run.differences) text += fmt::format("  - {}\n", difference);
  } else {
    text +=
        "The promise does not hold on this test part: it is made for systems like those of the validation part, and "
        "these behave differently.\n";
  }
  return text;
}

// The calibrated intervals, whether they hold, and whether the model's are worth having.
std::string interval_section(const EvaluatedRun& run) {
  if (run.split != "test") return "Intervals are evaluated on the test part.\n";
  if (!run.evaluation.intervals)
    return run.info.task.protocol == data::Protocol::kPaper
               ? "Intervals: not calibrated, because protocol paper validates on the test part; `lgode calibrate RUN "
                 "--data NEW` fits them to other recordings.\n"
           : run.info.task.validation > 0 ? "Intervals: not calibrated; `lgode train` calibrates at its end, where "
                                            "there is a validation part, and "
                                            "`lgode calibrate` at any time.\n"
                                          : "Intervals: not calibrated, because the run has no validation part; `lgode "
                                            "calibrate RUN --data NEW` fits "
                                            "them to other recordings.\n";
  const eval::Evaluation::Intervals& intervals = *run.evaluation.intervals;
  Table table({"calibrated intervals", "in 50 %", "in 80 %", "in 90 %", "width of 90 %", "interval score", "CRPS"});
  const auto share = [](double x) { return std::isfinite(x) ? fmt::format("{:.1f} %", 100 * x) : "-"; };
  const auto add = [&](const std::string& name, const eval::IntervalScores::Part& part) {
    table.add({name, share(part.coverage[0]), share(part.coverage[1]), share(part.coverage[2]),
               format_number(part.width[2]), format_number(part.score), format_number(part.crps)});
  };
  add("model", intervals.model.all);
  std::string best;
  double score = std::numeric_limits<double>::infinity();
  for (const auto& [name, scores] : intervals.classical) {
    if (!is_shown(run, name)) continue;
    add(shown_name(name), scores.all);
    if (scores.all.score < score) score = scores.all.score, best = shown_name(name);
  }
  const eval::IntervalScores::Part& model = intervals.model.all;
  std::string text = table.text() + "\n";
  if (!best.empty())
    text +=
        fmt::format("The model's intervals are {}: their score is {} times that of {}.\n",
                    model.score < score ? "worth having" : "not worth having", ratio_text(model.score, score), best);
  text += promise_text(run);
  if (!intervals.model.recordings.empty()) {
    text += "In 90 %, by recording: ";
    for (const auto& [name, part] : intervals.model.recordings)
      text += fmt::format("{}{} {}", &part == &intervals.model.recordings.front().second ? "" : ", ", name,
                          share(part.coverage[2]));
    text += ".\n";
  }
  const eval::IntervalScores::Part& beyond = intervals.model.beyond;
  if (beyond.values > 0)
    text += fmt::format(
        "{} lie farther from what was seen than the calibration reaches: widths are extrapolated there, and {} are in "
        "90 %.\n",
        format_plural(beyond.values, "value"), share(beyond.coverage[2]));
  return text;
}

// What the errors do not cover.
std::string left_out_text(const EvaluatedRun& run) {
  const eval::Scores::NeverSeen& never = run.evaluation.model.never_seen;
  std::string text;
  if (never.objects > 0)
    text += fmt::format(
        "never seen: {} with {} of which the encoder saw nothing. They are left out of the errors of model and "
        "baselines; theirs are those of the mean of what was seen of their system.\n",
        format_plural(never.objects, "object"), format_plural(never.values, "target value"));
  if (run.info.task.unseen == data::Unseen::kPredict)
    text +=
        "Objects of which the encoder saw nothing are in all errors; the baselines predict the mean of what was seen "
        "of "
        "their system for them.\n";
  const eval::Evaluation& evaluation = run.evaluation;
  if (evaluation.nothing_shown > 0)
    text += fmt::format("left out: {} of which the encoder saw nothing.\n",
                        format_plural(evaluation.nothing_shown, "system"));
  if (evaluation.without_targets > 0)
    text += fmt::format("left out: {} with nothing to predict.\n", format_plural(evaluation.without_targets, "system"));
  std::string derived;
  for (const data::Feature& feature : run.info.features)
    if (feature.derived) derived += (derived.empty() ? "" : ", ") + feature.name;
  if (!derived.empty()) text += fmt::format("Derived from the positions and not predicted: {}.\n", derived);
  return text;
}

}  // namespace

std::string evaluation_page(const EvaluatedRun& run) {
  const eval::RunInfo& info = run.info;
  const eval::Scores& model = run.evaluation.model;
  std::string page = fmt::format("{}: {}, {}, {} observed, protocol {}, seed {}, after {}\n", run.run,
                                 row_name(info.model), task_name(info.task.task), format_percent(info.task.observed),
                                 protocol_name(info.task.protocol), info.task.seed, format_plural(info.epoch, "epoch"));
  page += fmt::format("{} part of {} ({}): {}, {}, {}\n\n", run.split, run.data_name, run.data,
                      format_plural(model.systems, "system"), format_plural(model.objects, "object"),
                      format_plural(model.values, "value"));
  page += error_section(run) + "\n" + feature_section(run) + "\n" + horizon_section(run) + "\n" + interval_section(run);
  if (run.evaluation.within) page.append("\n").append(within_section(run));
  page +=
      "\nMean squared errors of the mean path, in normalised units; RMSE of the model and of the baselines in original "
      "units.\n";
  page += left_out_text(run);
  return page;
}

ordered_json promise_json(const EvaluatedRun& run) {
  if (!run.evaluation.intervals) return {{"calibrated", false}};
  const eval::IntervalScores& model = run.evaluation.intervals->model;
  return {
      {"calibrated", true},
      {"calibrated_systems", run.calibrated_systems},
      {"reach", run.reach},
      {"level", 0.9},
      {"coverage", std::isfinite(model.reached.coverage[2]) ? ordered_json(model.reached.coverage[2]) : ordered_json()},
      {"standard_error", std::isfinite(model.standard_error) ? ordered_json(model.standard_error) : ordered_json()},
      {"holds", run.differences.empty() && promise_holds(run)},
      {"differences", run.differences}};
}

ordered_json evaluation_json(const EvaluatedRun& run) {
  const eval::RunInfo& info = run.info;
  const eval::Evaluation& evaluation = run.evaluation;
  return {{"run", run.run},
          {"task", task_name(info.task.task)},
          {"observed", info.task.observed},
          {"model", model::model_name(info.model.kind)},
          {"variant", model::variant_name(info.model.variant)},
          {"protocol", protocol_name(info.task.protocol)},
          {"seed", info.task.seed},
          {"epochs", info.epoch},
          {"split", run.split},
          {run.split + "_mse", evaluation.model.mse},
          {run.split + "_mse_unseen", evaluation.model.mse_unseen},
          {"classical", classical_json(run)},
          {"evaluation", evaluation.to_json(info.features)},
          {"promise", promise_json(run)},
          {"data", run.data},
          {"data_name", run.data_name},
          {"commit", info.commit},
          {"version", info.version},
          {"machine", info.machine},
          {"evaluated_by", {{"commit", LGODE_COMMIT}, {"version", LGODE_VERSION}, {"machine", run.machine}}},
          {"config", info.config}};
}

ordered_json experiment_record(const EvaluatedRun& run, const std::filesystem::path& folder) {
  const eval::RunInfo& info = run.info;
  ordered_json curve = ordered_json::array();
  std::vector<double> step_ms, epoch_s;  // per epoch
  std::istringstream lines(read_text(folder / "metrics.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    ordered_json entry = parse_ordered_json(line);
    if (!entry.is_object()) continue;  // a training that was killed may have left an incomplete last line
    curve.push_back(std::move(entry));
    if (curve.back().at("epoch") == 0) continue;  // before the first step
    step_ms.push_back(curve.back().at("step_ms").get<double>());
    epoch_s.push_back(curve.back().at("seconds").get<double>());
  }
  const auto middle = [](const std::vector<double>& x) { return x.empty() ? ordered_json() : ordered_json(median(x)); };
  ordered_json record = {{"dataset", run.data_name},
                         {"task", task_name(info.task.task)},
                         {"observed", info.task.observed},
                         {"model", model::model_name(info.model.kind)},
                         {"variant", model::variant_name(info.model.variant)},
                         {"protocol", protocol_name(info.task.protocol)},
                         {"seed", info.task.seed},
                         {"epochs", step_ms.size()},
                         {"best_epoch", info.epoch},
                         {"train_systems", run.train_systems},
                         {"test_systems", run.evaluation.model.systems},
                         {"validation_mse", info.validation},
                         {"test_mse", run.evaluation.model.mse},
                         {"test_mse_unseen", run.evaluation.model.mse_unseen},
                         {"test_mse_first_half", run.evaluation.model.mse_first_half},
                         {"horizon", run.evaluation.model.horizon_json()},
                         {"classical", classical_json(run)},
                         {"step_ms", middle(step_ms)},
                         {"epoch_s", middle(epoch_s)},
                         {"device", info.machine},
                         {"commit", info.commit},
                         {"version", info.version},
                         {"evaluated_by", {{"commit", LGODE_COMMIT}, {"machine", run.machine}}},
                         {"config", info.config},
                         {"curve", curve}};
  if (run.evaluation.intervals) record["intervals"] = intervals_json(run, *run.evaluation.intervals);
  if (run.evaluation.within) record["within"] = within_json(run, *run.evaluation.within);
  return record;
}

std::string evaluation_table(const std::vector<EvaluatedRun>& runs) {
  const auto row = [&](const std::string& name, const auto& cell) {
    std::vector<std::string> cells = {name};
    for (const EvaluatedRun& run : runs) cells.push_back(cell(run));
    return cells;
  };
  Table table(row("error x 10^-2", [](const EvaluatedRun& run) {
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
  table.add(row("model", [](const EvaluatedRun& run) { return format_error(run.evaluation.model.mse); }));
  for (const char* name : {"linear", "cubic_hermite", "hold", "constant_velocity"})
    table.add(row(shown_name(name),
                  [&](const EvaluatedRun& run) { return format_error(classical_error(run.evaluation, name)); }));
  const auto damped = [](const EvaluatedRun& run) {
    return std::isfinite(classical_error(run.evaluation, "damped_velocity"));
  };
  if (std::any_of(runs.begin(), runs.end(), damped))
    table.add(row("damped velocity", [](const EvaluatedRun& run) {
      return format_error(classical_error(run.evaluation, "damped_velocity"));
    }));
  const auto kalman = [](const EvaluatedRun& run) { return classical_error(run.evaluation, "kalman"); };
  if (std::any_of(runs.begin(), runs.end(), [&](const EvaluatedRun& run) { return std::isfinite(kalman(run)); }))
    table.add(row("Kalman smoother", [&](const EvaluatedRun& run) { return format_error(kalman(run)); }));
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
  return table.text();
}

}  // namespace lgode::app
