// Puts evaluations in a sentence.
#include "lgode/use/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/core/methods.h"
#include "lgode/eval/fill.h"
#include "lgode/train/run_folder.h"
#include "lgode/use/format.h"

namespace lgode::use {
namespace {

// Student's factor of a two-sided interval of 95 %.
double student_factor(std::int64_t freedom) {
  constexpr double kFactors[] = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23};
  const auto few = static_cast<std::int64_t>(std::size(kFactors));
  return freedom <= few ? kFactors[std::max<std::int64_t>(freedom, 1) - 1] : 1.96 + 2.5 / static_cast<double>(freedom);
}

Verdict::Kind kind_of(const eval::Comparison& comparison) {
  if (comparison.systems < 2 ||
      !(std::abs(comparison.difference) > student_factor(comparison.systems - 1) * comparison.standard_error))
    return Verdict::Kind::kUndecided;
  return comparison.difference < 0 ? Verdict::Kind::kAhead : Verdict::Kind::kBehind;
}

// The common unit of the positions, with a space before it.
std::string position_unit(const std::vector<data::Feature>& features) {
  const std::vector<int> positions = data::position_features(features);
  const std::string unit = positions.empty() ? "" : features[static_cast<std::size_t>(positions.front())].unit;
  return unit.empty() ? "" : " " + unit;
}

// Both errors, in units where there is a distance.
std::string errors_text(const eval::Scores& model, const eval::Scores& best, const eval::RunInfo& info) {
  if (std::isfinite(model.distance) && std::isfinite(best.distance))
    return fmt::format("mean distance {} against {}{}", format_number(model.distance), format_number(best.distance),
                       position_unit(info.features));
  return fmt::format("{} against {} x 10^-2", format_error(model.mse), format_error(best.mse));
}

std::string change_text(double ratio) {
  if (ratio > 2) return fmt::format("{:.2g} times as large", ratio);
  const double percent = 100 * std::abs(1 - ratio);
  return fmt::format("{} % {}", percent < 10 ? fmt::format("{:.1f}", percent) : fmt::format("{:.0f}", percent),
                     ratio < 1 ? "lower" : "higher");
}

// Where the model is. "Level" is said of errors that hardly differ, not of a difference that few systems leave unsure.
const char* place_text(const Verdict& verdict) {
  constexpr double kLevel = 0.05;
  if (verdict.kind == Verdict::Kind::kAhead) return "Ahead of";
  if (verdict.kind == Verdict::Kind::kBehind) return "Behind";
  if (std::abs(verdict.ratio - 1) <= kLevel) return "Level with";
  return verdict.ratio < 1 ? "Perhaps ahead of" : "Perhaps behind";
}

std::string certainty_text(const eval::Comparison& comparison, Verdict::Kind kind) {
  if (comparison.systems < 2) return "one system cannot tell whether that is chance";
  const std::int64_t count =
      kind == Verdict::Kind::kBehind ? comparison.systems - comparison.better : comparison.better;
  return fmt::format("{} in {} of {}; {}", kind == Verdict::Kind::kBehind ? "higher" : "lower", format_count(count),
                     format_plural(comparison.systems, "system"),
                     kind == Verdict::Kind::kUndecided ? "that may be chance" : "beyond chance at 95 %");
}

// A run folder, also where a checkpoint in it was named.
std::string folder_of(const std::string& run) {
  const std::filesystem::path path(run);
  if (path.extension() != ".safetensors") return run;
  return path.has_parent_path() ? path.parent_path().string() : ".";
}

// The command that trains the run longer; `limit`: "epochs" or "minutes".
std::string longer_command(const Subject& subject, const char* limit, const std::string& value) {
  if (subject.python) return fmt::format("model.fit(data, resume=True, {}={})", limit, value);
  return fmt::format("lgode train --resume --{} {} --out {}", limit, value, format_word(folder_of(subject.run)));
}

// The data of a verdict as a word of a command, with a placeholder where it has no name.
std::string data_word(const Subject& subject) { return subject.data.empty() ? "DATA" : format_word(subject.data); }

// The command that fills by the classical method with the lowest error among those that fill.
std::string fill_command(const eval::Evaluation& evaluation, const Subject& subject) {
  std::string best = "auto";
  double error = std::numeric_limits<double>::infinity();
  for (const auto& [name, scores] : evaluation.classical)
    for (const eval::FillMethod method :
         {eval::FillMethod::kKalman, eval::FillMethod::kHermite, eval::FillMethod::kLinear})
      if (name == eval::fill_method_name(method) && scores.mse < error) best = name, error = scores.mse;
  if (subject.python) return fmt::format("model.fill(table, fill_with=\"{}\")", best);
  const std::string run = format_word(subject.run), data = data_word(subject);
  // To fill a new table, its data set is needed as well.
  if (subject.table)
    return fmt::format("lgode predict {} --data DATA --table {} --fill --fill-with {} --out filled.csv", run, data, best);
  return fmt::format("lgode predict {} --data {} --fill --fill-with {} --out filled.csv", run, data, best);
}

std::string forecast_command(const Subject& subject) {
  if (subject.python) return "model.predict(data, method=\"auto\")";
  const std::string run = format_word(subject.run), data = data_word(subject);
  if (subject.table) return fmt::format("lgode predict {} --table {} --with auto --out forecast.csv", run, data);
  return fmt::format("lgode predict {} --data {} --with auto --out forecast.csv", run, data);
}

// How to get more systems to compare on: other ones, or more of those of a data set, which then need a new training.
std::string more_systems_text(const Subject& subject) {
  if (subject.table) return "More systems would tell: further recordings, or these cut into shorter windows.";
  if (subject.python)
    return "More test systems would tell: data.split(test=0.4) and a new fit, or recordings cut into windows.";
  return fmt::format(
      "More test systems would tell: lgode split {} --test 0.4 --out parted.safetensors and a training on it, or "
      "recordings cut into windows.",
      subject.data.empty() ? "DATA" : format_word(subject.data));
}

// What to try where the model is not ahead.
std::string advice_text(const eval::Evaluation& evaluation, const eval::RunInfo& info, const Subject& subject,
                        std::int64_t systems, Verdict::Kind kind) {
  if (kind == Verdict::Kind::kAhead || kind == Verdict::Kind::kNone) return {};
  if (kind == Verdict::Kind::kUndecided && systems < 10) return more_systems_text(subject);
  if (const std::optional<double>& minutes = subject.limits.minutes)
    return fmt::format("The limit of {} minutes ended the training, so try more: {}", format_number(*minutes),
                       longer_command(subject, "minutes", format_number(3 * *minutes)));
  // Of a run that ended by itself, `epochs` is null.
  const auto asked = info.config.find("epochs");
  const std::int64_t epochs = subject.limits.epochs                              ? *subject.limits.epochs
                              : asked != info.config.end() && asked->is_number() ? asked->get<std::int64_t>()
                                                                                 : 0;
  if (epochs > 0 && info.epoch * 10 >= epochs * 9)
    return fmt::format("The last epochs were still the best, so try more: {}",
                       longer_command(subject, "epochs", std::to_string(3 * epochs)));
  const bool forecast = info.task.task == data::Task::kExtrapolate;
  return fmt::format(
      "{} {}; more recordings, or relations that say who acts on whom ({}), give the model more to learn from.",
      forecast ? forecast_command(subject) : fill_command(evaluation, subject),
      forecast ? "takes the better one" : "fills with the best classical method",
      subject.python ? "`edges` of lgode.from_table" : "lgode import csv --edges");
}

}  // namespace

Limits limits_of(const std::filesystem::path& checkpoint) {
  if (checkpoint.empty()) return {};
  const std::filesystem::path folder = checkpoint.has_parent_path() ? checkpoint.parent_path() : ".";
  Limits out;
  try {
    const train::TrainOptions options = train::load_config(folder).train;
    out.epochs = options.epochs.value_or(0);
    if (train::progress_of(folder).plateau.out_of_time) out.minutes = options.minutes;
  } catch (const Error&) {
    // A checkpoint without its run folder, or a damaged one: others report it.
  }
  return out;
}

Verdict verdict(const eval::Evaluation& evaluation, const eval::RunInfo& info, const Subject& subject) {
  Verdict out;
  const bool forecast = info.task.task == data::Task::kExtrapolate;
  const eval::Scores* best = nullptr;
  for (const auto& [name, scores] : evaluation.classical)
    if ((!forecast || has_own_forecasts(name)) && std::isfinite(scores.mse) &&
        (best == nullptr || scores.mse < best->mse))
      best = &scores, out.against = name;
  if (best == nullptr || !std::isfinite(evaluation.model.mse)) return Verdict();
  const auto found = std::find_if(evaluation.comparisons.begin(), evaluation.comparisons.end(),
                                  [&](const auto& entry) { return entry.first == out.against; });
  const eval::Comparison comparison = found != evaluation.comparisons.end() ? found->second : eval::Comparison();
  out.kind = kind_of(comparison);
  out.ratio = evaluation.model.mse / best->mse;
  out.text = fmt::format("{} {}, the best classical method: mean squared error {} ({}), {}.", place_text(out),
                         classical_display_name(out.against), change_text(out.ratio),
                         errors_text(evaluation.model, *best, info), certainty_text(comparison, out.kind));
  out.advice = advice_text(evaluation, info, subject, comparison.systems, out.kind);
  return out;
}

std::string verdict_name(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::kAhead:
      return "ahead";
    case Verdict::Kind::kUndecided:
      return "undecided";
    case Verdict::Kind::kBehind:
      return "behind";
    case Verdict::Kind::kNone:
      break;
  }
  return "none";
}

nlohmann::ordered_json verdict_json(const eval::Evaluation& evaluation, const eval::RunInfo& info,
                                    const Subject& subject) {
  const Verdict found = verdict(evaluation, info, subject);
  return {{"kind", verdict_name(found.kind)},
          {"against", found.against},
          {"ratio", json_number<nlohmann::ordered_json>(found.ratio)},
          {"text", found.text},
          {"advice", found.advice},
          {"worst", worst_object_text(evaluation)}};
}

std::string worst_object_text(const eval::Evaluation& evaluation) {
  if (!evaluation.worst_object) return {};
  const eval::WorstObject& worst = *evaluation.worst_object;
  return fmt::format("Object {} dominates the error: {} x 10^-2, {} of the sum over objects; the next one, {}, has {}.",
                     worst.object, format_error(worst.mse), format_percent(worst.share), worst.next,
                     format_error(worst.next_mse));
}

std::string interval_verdict(const eval::Evaluation& evaluation, bool forecast, bool holds) {
  if (!evaluation.intervals || evaluation.intervals->model.reached.values == 0) return {};
  const eval::IntervalScores& model = evaluation.intervals->model;
  const double coverage = model.reached.coverage[2];
  std::string text =
      fmt::format("{:.1f} % +- {:.1f} % of the values are in 90 % as far as the calibration reaches: ", 100 * coverage,
                  100 * model.standard_error);
  text += holds            ? "the intervals hold what they promise"
          : coverage < 0.9 ? "the intervals are too narrow here"
                           : "the intervals are wider than they promise here";
  std::string best;
  double score = std::numeric_limits<double>::infinity();
  for (const auto& [name, scores] : evaluation.intervals->classical)
    if ((!forecast || has_own_forecasts(name)) && scores.all.score < score)
      score = scores.all.score, best = classical_display_name(name);
  if (best.empty() || !std::isfinite(model.all.score)) return text + ".";
  const double ratio = model.all.score / score;
  const bool better = ratio < 1;
  return text +
         fmt::format("{} their score is {:.3g} times that of {}.", holds == better ? ", and" : ", but", ratio, best);
}

}  // namespace lgode::use
