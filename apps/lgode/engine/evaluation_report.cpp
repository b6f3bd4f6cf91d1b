// Evaluated runs as a page of text.
#include "engine/evaluation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "lgode/core/methods.h"
#include "lgode/reproduce/paper_tables.h"
#include "lgode/use/format.h"
#include "lgode/use/task_names.h"
#include "lgode/use/text_table.h"
#include "lgode/use/verdict.h"
#include "text/colour.h"

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

Colour colour_of(use::Verdict::Kind kind) {
  return kind == use::Verdict::Kind::kAhead    ? Colour::kGood
         : kind == use::Verdict::Kind::kBehind ? Colour::kBad
                                               : Colour::kDoubtful;
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
  for (const auto& [name, scores] : within.classical) add(classical_display_name(name), scores);
  std::string held;
  if (within.intervals && within.intervals->model.reached.values > 0)
    held = fmt::format("Of their values within the calibration's reach {:.1f} % +- {:.1f} % are in 90 %.\n",
                       100 * within.intervals->model.reached.coverage[2], 100 * within.intervals->model.standard_error);
  return fmt::format("{} of {} stay within {}:\n", format_count(within.model.systems),
                     format_plural(run.evaluation.model.systems, "system"), format_number(within.bound)) +
         table.text() + held;
}

// A number of a metric, in the unit of tables.
std::string number_text(const eval::MetricScore& score) {
  return score.metric->unit == eval::Metric::Unit::kSquared ? format_error(score.values[0])
                                                            : format_number(score.values[0]);
}

std::string error_section(const EvaluatedRun& run) {
  const eval::Scores& model = run.evaluation.model;
  std::vector<std::string> header = {"error x 10^-2"};
  for (const eval::Metric& metric : eval::all_metrics())
    if (metric.in_table) header.emplace_back(metric.name);
  header.emplace_back("ratio to model");
  Table table(header);
  // The columns of metrics; those after the first one stay empty without scores.
  const auto add = [&](const std::string& name, const eval::Scores* scores, const std::string& error,
                       const std::string& ratio) {
    std::vector<std::string> row = {name};
    for (const eval::Metric& metric : eval::all_metrics())
      if (metric.in_table)
        row.push_back(scores != nullptr ? number_text(*scores->find(metric.shape, metric.key))
                      : row.size() == 1 ? error
                                        : std::string());
    row.push_back(ratio);
    table.add(row);
  };
  add("model", &model, "", "1");
  for (const auto& [name, scores] : run.evaluation.classical)
    add(classical_display_name(name), &scores, "", ratio_text(scores.mse, model.mse));
  if (model.never_seen.objects > 0) add("never seen", nullptr, format_error(model.never_seen.mse), "");
  const auto paper = paper_error(run);
  if (paper) add("LG-ODE in the paper", nullptr, format_error(0.01 * *paper), ratio_text(0.01 * *paper, model.mse));
  return table.text();
}

// The mean distance of positions, as a row of the table of features.
std::vector<std::string> distance_row(const EvaluatedRun& run) {
  const std::vector<int> positions = data::position_features(run.info.features);
  std::vector<std::string> row = {"mean distance", run.info.features[static_cast<std::size_t>(positions.front())].unit,
                                  format_number(run.evaluation.model.distance)};
  for (const auto& [name, scores] : run.evaluation.classical)
    if (is_shown(run, name)) row.push_back(format_number(scores.distance));
  return row;
}

// Errors in original units, features by row. Derived features are inputs only.
std::string feature_section(const EvaluatedRun& run) {
  const eval::Scores& model = run.evaluation.model;
  std::vector<std::string> header = {"RMSE", "unit", "model"};
  for (const auto& [name, scores] : run.evaluation.classical)
    if (is_shown(run, name)) header.push_back(classical_display_name(name));
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
  if (std::isfinite(model.distance)) table.add(distance_row(run));
  return table.text();
}

std::string horizon_section(const EvaluatedRun& run) {
  bool marked = false;
  std::vector<std::string> header = {
      run.time_unit.empty() ? "time since start" : fmt::format("{} since start", run.time_unit), "values", "model"};
  for (const auto& [name, scores] : run.evaluation.classical)
    if (is_shown(run, name)) header.push_back(classical_display_name(name));
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

// Why the intervals do not hold what they promise, if they do not.
std::string broken_promise_text(const EvaluatedRun& run) {
  if (run.evaluation.intervals->model.reached.values == 0) return {};
  if (!run.differences.empty()) {
    std::string text = "The promise does not hold where the test part is unlike the training part:\n";
    for (const std::string& difference : run.differences) text += fmt::format("  - {}\n", difference);
    return text;
  }
  if (use::promise_holds(run)) return {};
  return "The promise does not hold on this test part: it is made for systems like the validation part's, and these "
         "behave differently.\n";
}

std::string share_text(double x) { return std::isfinite(x) ? fmt::format("{:.1f} %", 100 * x) : "-"; }

// Why an evaluation on the test part has no intervals.
std::string no_intervals_text(const EvaluatedRun& run) {
  if (run.info.task.protocol == data::Protocol::kPaper)
    return "Intervals: not calibrated, because protocol paper validates on the test part; `lgode calibrate RUN --data "
           "NEW` fits them to other recordings.\n";
  if (run.info.task.validation > 0)
    return "Intervals: not calibrated; `lgode train` calibrates at its end, where there is a validation part, and "
           "`lgode "
           "calibrate` at any time.\n";
  return "Intervals: not calibrated, because the run has no validation part; `lgode calibrate RUN --data NEW` fits "
         "them "
         "to other recordings.\n";
}

// The intervals of the model and of the classical methods.
std::string interval_table(const EvaluatedRun& run, const eval::Evaluation::Intervals& intervals) {
  Table table({"calibrated intervals", "in 50 %", "in 80 %", "in 90 %", "width of 90 %", "interval score", "CRPS"});
  const auto add = [&](const std::string& name, const eval::IntervalScores::Part& part) {
    table.add({name, share_text(part.coverage[0]), share_text(part.coverage[1]), share_text(part.coverage[2]),
               format_number(part.width[2]), format_number(part.score), format_number(part.crps)});
  };
  const eval::IntervalScores::Part& model = intervals.model.all;
  add("model", model);
  for (const auto& [name, scores] : intervals.classical)
    if (is_shown(run, name)) add(classical_display_name(name), scores.all);
  return table.text();
}

std::string recordings_text(const eval::IntervalScores& scores) {
  if (scores.recordings.empty()) return {};
  std::string text = "In 90 %, by recording: ";
  for (const auto& [name, part] : scores.recordings)
    text += fmt::format("{}{} {}", &part == &scores.recordings.front().second ? "" : ", ", name,
                        share_text(part.coverage[2]));
  return text + ".\n";
}

std::string interval_section(const EvaluatedRun& run) {
  if (run.split != "test") return "Intervals are evaluated on the test part.\n";
  if (!run.evaluation.intervals) return no_intervals_text(run);
  const eval::Evaluation::Intervals& intervals = *run.evaluation.intervals;
  const std::string verdict = use::interval_verdict(run.evaluation, run.info.task.task == data::Task::kExtrapolate,
                                                    run.differences.empty() && use::promise_holds(run));
  std::string text = interval_table(run, intervals) + "\n" + (verdict.empty() ? "" : verdict + "\n") +
                     broken_promise_text(run) + recordings_text(intervals.model);
  const eval::IntervalScores::Part& beyond = intervals.model.beyond;
  if (beyond.values > 0)
    text += fmt::format(
        "{} are farther from what was seen than the calibration reaches: widths are extrapolated there, and {} are in "
        "90 %.\n",
        format_plural(beyond.values, "value"), share_text(beyond.coverage[2]));
  return text;
}

// What the errors do not cover.
std::string excluded_text(const EvaluatedRun& run) {
  const eval::Scores::NeverSeen& never = run.evaluation.model.never_seen;
  std::string text;
  if (never.objects > 0)
    text += fmt::format(
        "never seen: {} with {} of which the encoder saw nothing. They are excluded from the errors of model and "
        "baselines; their own are errors of the mean of what was seen of their system.\n",
        format_plural(never.objects, "object"), format_plural(never.values, "target value"));
  if (run.info.task.unseen == data::Unseen::kPredict)
    text +=
        "Objects of which the encoder saw nothing are in all errors; the baselines predict the mean of what was seen "
        "of their system for them.\n";
  const eval::Evaluation& evaluation = run.evaluation;
  if (evaluation.nothing_shown > 0)
    text += fmt::format("skipped: {} of which the encoder saw nothing.\n",
                        format_plural(evaluation.nothing_shown, "system"));
  if (evaluation.without_targets > 0)
    text += fmt::format("skipped: {} with nothing to predict.\n", format_plural(evaluation.without_targets, "system"));
  std::string derived;
  for (const data::Feature& feature : run.info.features)
    if (feature.derived) derived += (derived.empty() ? "" : ", ") + feature.name;
  if (!derived.empty()) text += fmt::format("Derived from the positions and not predicted: {}.\n", derived);
  return text;
}

}  // namespace

bool is_shown(const EvaluatedRun& run, std::string_view name) {
  return run.info.task.task == data::Task::kInterpolate || has_own_forecasts(name);
}

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

std::string verdict_line(const EvaluatedRun& run) {
  const use::Verdict verdict = use::verdict(run.evaluation, run.info, run.subject());
  return verdict.text.empty() ? verdict.text : coloured(verdict.text, colour_of(verdict.kind));
}

std::string verdict_text(const EvaluatedRun& run) {
  const std::string advice = use::verdict(run.evaluation, run.info, run.subject()).advice;
  std::string text;
  for (const std::string& line : {use::worst_object_text(run.evaluation), verdict_line(run), advice})
    if (!line.empty()) text += "\n" + line;
  return text.empty() ? text : text + "\n";
}

std::string evaluation_page(const EvaluatedRun& run) {
  const eval::RunInfo& info = run.info;
  const eval::Scores& model = run.evaluation.model;
  std::string page = fmt::format("{}: {}, {}, {} observed, protocol {}, seed {}, after {}\n", run.run,
                                 row_name(info.model), task_name(info.task.task), format_percent(info.task.observed),
                                 protocol_name(info.task.protocol), info.task.seed, format_plural(info.epoch, "epoch"));
  page += fmt::format("{} part of {} ({}): {}, {}, {}\n\n", run.split, run.data_name, run.data,
                      format_plural(model.systems, "system"), format_plural(model.objects, "object"),
                      format_plural(model.values, "value"));
  page +=
      feature_section(run) + "\n" + positions_section(run) + "\n" + error_section(run) + "\n" + horizon_section(run);
  if (const std::string by_horizon = position_horizon_section(run); !by_horizon.empty())
    page.append("\n").append(by_horizon);
  page.append("\n").append(interval_section(run));
  if (run.evaluation.within) page.append("\n").append(within_section(run));
  page +=
      "\nErrors of the mean path. RMSE and distances are in original units, errors x 10^-2 are mean squares in "
      "normalised units.\n";
  page += excluded_text(run);
  return page + verdict_text(run);
}

}  // namespace lgode::app
