// How a table was filled, in words and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/use/fill.h"
#include "lgode/use/format.h"

namespace lgode::use {
namespace {

using eval::FillMethod;

std::string shown_name(FillMethod method) {
  if (method == FillMethod::kHermite) return "cubic Hermite";
  if (method == FillMethod::kKalman) return "the Kalman smoother";
  return method == FillMethod::kModel ? "the model" : "the line";
}

std::string compared_on(const Filled& filled) {
  if (filled.compared_on_validation) return "validation part";
  return filled.data_of_training ? "data itself, which the model was trained on" : "data itself";
}

// "filled by the model" or, where some values were not, "1,032 values filled: 672 by the model, 360 by the line (gaps
// longer than a range)".
std::string filled_by(const eval::FeatureFill& fill) {
  if (fill.long_gap + fill.outside + fill.unseen + fill.never == 0)
    return fmt::format("filled by {}", shown_name(fill.method));
  std::vector<std::string> parts, causes;
  for (const auto& [method, count] :
       {std::pair{FillMethod::kModel, fill.by_model}, std::pair{FillMethod::kHermite, fill.by_hermite},
        std::pair{FillMethod::kKalman, fill.by_kalman}, std::pair{FillMethod::kLinear, fill.by_linear}}) {
    if (count == 0 && method != fill.method) continue;
    const std::string text = fmt::format("{} by {}", format_count(count), shown_name(method));
    parts.insert(method == fill.method ? parts.begin() : parts.end(), text);
  }
  for (const auto& [count, cause] : {std::pair{fill.long_gap, "gaps longer than a range"},
                                     std::pair{fill.outside, "before the first or after the last observation"},
                                     std::pair{fill.unseen, "the object was not seen in the range"},
                                     std::pair{fill.never, "the object was never seen in this feature"}})
    if (count > 0) causes.push_back(fmt::format("{} {}", format_count(count), cause));
  // One cause has the number of the values.
  std::string why = causes.size() == 1 ? causes.front().substr(causes.front().find(' ') + 1)
                                       : fmt::format("{}", fmt::join(causes, ", "));
  return fmt::format("{} filled: {} ({})",
                     format_plural(fill.by_model + fill.by_linear + fill.by_hermite + fill.by_kalman, "value"),
                     fmt::join(parts, ", "), why);
}

// Some rows of the original table may be in no window.
void add_skipped_rows(const data::Dataset& dataset, Messages& out) {
  const std::int64_t rows = dataset.description().rows_left_out;
  constexpr const char* kAdvice = "to fill the original table, pass it with `table`";
  if (rows > 0)
    out.push_back({Message::Kind::kNote,
                   fmt::format("{} of the original table are in no window, or were skipped, and are missing here; {}",
                               format_plural(rows, "row"), kAdvice)});
  if (rows < 0 && !dataset.description().recordings.empty())
    out.push_back(
        {Message::Kind::kNote,
         fmt::format("the data was cut into windows, and rows outside the windows, if any, are missing; {}", kAdvice)});
}

}  // namespace

std::optional<FillMethod> parse_fill_with(const std::string& text) {
  if (text == "auto") return {};
  for (const FillMethod method : {FillMethod::kModel, FillMethod::kLinear, FillMethod::kHermite, FillMethod::kKalman})
    if (text == eval::fill_method_name(method)) return method;
  throw ConfigError(fmt::format("`fill_with` {}: expected auto, model, linear, hermite or kalman", text));
}

Messages messages(const Filled& filled, const data::Dataset& dataset, const eval::RunInfo& info,
                  const std::string& data, bool user_table) {
  Messages out;
  const auto note = [&](std::string text) { out.push_back({Message::Kind::kNote, std::move(text)}); };
  if (filled.bad_rows > 0)
    note(fmt::format("{} cannot be read or appear twice and stay as they are; lgode import csv reports why",
                     format_plural(filled.bad_rows, "row")));
  if (filled.open_values > 0)
    note(
        fmt::format("{} in {} stay empty: their systems are not in {}, their rows cannot be read, or nothing was ever "
                    "observed of that feature of the object",
                    format_plural(filled.open_values, "value"), format_plural(filled.open_rows, "row"), data));
  if (filled.blind_times > 0)
    note(
        fmt::format("{} are in ranges of time without any observation of their system; the values filled in there "
                    "come from the nearest observations before and after",
                    format_plural(filled.blind_times, "row")));
  if (!user_table) add_skipped_rows(dataset, out);
  if (filled.model_cannot && info.task.task != data::Task::kInterpolate)
    note(
        "the gaps are filled by classical paths, not by the model, which forecasts; to fill gaps with a model, train "
        "one with `task` interpolate");
  else if (filled.model_cannot)
    note(
        "the model was trained on data without missing values and cannot be used here; to compare it, train with "
        "`hide_values` 0.2");
  if (filled.without_intervals && info.task.task != data::Task::kInterpolate)
    note("there are no intervals, because the run forecasts, and its intervals are of forecasts");
  else if (filled.without_intervals)
    note("there are no intervals, because the run is not calibrated; see lgode calibrate");
  return out;
}

std::vector<std::string> fill_lines(const Filled& filled, const data::Dataset& dataset, const std::string& fill_with) {
  std::vector<std::string> lines;
  for (const eval::FeatureFill& fill : filled.features) {
    const data::Feature& feature = dataset.description().features[fill.feature];
    std::string text = fmt::format("{}: {}", feature.name, filled_by(fill));
    if (fill_with != "auto") {
      text += ", as `fill_with` sets";
    } else if (fill.compared == 0) {
      text += "; there is nothing to compare the methods on";
    } else {
      const std::string unit = feature.unit.empty() ? "" : " " + feature.unit;
      text +=
          fmt::format("; RMSE on {} cut out of the {}: ", format_plural(fill.compared, "value"), compared_on(filled));
      if (!std::isnan(fill.model_error)) text += fmt::format("model {}{}, ", format_number(fill.model_error), unit);
      text += fmt::format("line {}{}, cubic Hermite {}{}", format_number(fill.linear_error), unit,
                          format_number(fill.hermite_error), unit);
      if (fill.compared < eval::kLeastCompared)
        text += "; too few to decide, so the line was taken";
      else if (fill.method == FillMethod::kLinear &&
               std::fmin(fill.model_error, fill.hermite_error) < fill.linear_error)
        text += "; the difference may be chance, so the line was taken";
    }
    lines.push_back(std::move(text));
  }
  return lines;
}

nlohmann::json fill_notes(const Filled& filled, const data::Dataset& dataset, const std::string& fill_with) {
  nlohmann::json features = nlohmann::json::array();
  for (const eval::FeatureFill& fill : filled.features) {
    const data::Feature& feature = dataset.description().features[fill.feature];
    features.push_back({{"feature", feature.name},
                        {"unit", feature.unit},
                        {"method", eval::fill_method_name(fill.method)},
                        {"rmse",
                         {{"model", json_number(fill.model_error)},
                          {"linear", json_number(fill.linear_error)},
                          {"hermite", json_number(fill.hermite_error)}}},
                        {"compared_values", fill.compared},
                        {"other_than_method",
                         {{"gap_longer_than_range", fill.long_gap},
                          {"outside_observations", fill.outside},
                          {"not_seen_in_range", fill.unseen},
                          {"never_observed", fill.never}}},
                        {"filled_by",
                         {{"model", fill.by_model},
                          {"linear", fill.by_linear},
                          {"hermite", fill.by_hermite},
                          {"kalman", fill.by_kalman}}}});
  }
  nlohmann::json notes;
  notes["fill_with"] = fill_with;
  if (fill_with == "auto") notes["compared_on"] = filled.compared_on_validation ? "validation" : "data";
  notes["features"] = features;
  notes["rows"] = filled.rows;
  notes["new_rows"] = filled.new_rows;
  notes["imputed_values"] = filled.values;
  notes["open_values"] = filled.open_values;
  notes["unreadable_rows"] = filled.bad_rows;
  return notes;
}

}  // namespace lgode::use
