// Runs the predictions of lgode predict: writes trajectories, or fills the gaps of a table.
#include "lgode/eval/predict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "command.h"
#include "engine.h"
#include "import.h"
#include "interrupt.h"
#include "lgode/core/file.h"
#include "lgode/core/json_text.h"
#include "lgode/eval/fill.h"
#include "lgode/use/format.h"
#include "lgode/use/prediction_file.h"
#include "lgode/version.h"
#include "predict_arguments.h"
#include "progress.h"
#include "run_warnings.h"
#include "shard.h"

namespace lgode::app {
namespace {

std::optional<eval::FillMethod> fill_method(const std::string& name) {
  for (const eval::FillMethod method :
       {eval::FillMethod::kModel, eval::FillMethod::kLinear, eval::FillMethod::kHermite})
    if (name == eval::fill_method_name(method)) return method;
  return std::nullopt;
}

std::string shown_name(eval::FillMethod method) {
  if (method == eval::FillMethod::kHermite) return "cubic Hermite";
  return method == eval::FillMethod::kModel ? "the model" : "the line";
}

nlohmann::json prediction_notes(const PredictArguments& arguments, const ops::Context& context) {
  return {{"run", arguments.run},
          {"data", arguments.data},
          {"samples", arguments.options.samples},
          {"seed", arguments.options.seed},
          {"version", LGODE_VERSION},
          {"commit", LGODE_COMMIT},
          {"machine", ops::machine_name(context)}};
}

// How the table was filled, for the file beside it.
nlohmann::json fill_notes(const PredictArguments& arguments, const eval::Run& run, const data::Dataset& dataset,
                          const eval::Filled& filled) {
  const auto number = [](double x) { return std::isnan(x) ? nlohmann::json(nullptr) : nlohmann::json(x); };
  nlohmann::json features = nlohmann::json::array();
  for (const eval::FeatureFill& fill : filled.features) {
    const data::Feature& feature = dataset.description().features[fill.feature];
    features.push_back(
        {{"feature", feature.name},
         {"unit", feature.unit},
         {"method", eval::fill_method_name(fill.method)},
         {"rmse",
          {{"model", number(fill.model_error)},
           {"linear", number(fill.linear_error)},
           {"hermite", number(fill.hermite_error)}}},
         {"compared_values", fill.compared},
         {"other_than_method",
          {{"gap_longer_than_range", fill.long_gap},
           {"outside_observations", fill.outside},
           {"not_seen_in_range", fill.unseen},
           {"never_observed", fill.never}}},
         {"filled_by", {{"model", fill.by_model}, {"linear", fill.by_linear}, {"hermite", fill.by_hermite}}}});
  }
  nlohmann::json notes = prediction_notes(arguments, run.context);
  notes["table"] = arguments.table.empty() ? nlohmann::json(nullptr) : nlohmann::json(arguments.table);
  notes["out"] = arguments.out;
  notes["fill_with"] = arguments.fill_with;
  if (arguments.fill_with == "auto") notes["compared_on"] = filled.compared_on_validation ? "validation" : "data";
  notes["features"] = features;
  notes["rows"] = filled.rows;
  notes["new_rows"] = filled.new_rows;
  notes["imputed_values"] = filled.values;
  notes["open_values"] = filled.open_values;
  notes["unreadable_rows"] = filled.bad_rows;
  return notes;
}

std::string compared_on(const eval::Filled& filled) {
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
       {std::pair{eval::FillMethod::kModel, fill.by_model}, std::pair{eval::FillMethod::kHermite, fill.by_hermite},
        std::pair{eval::FillMethod::kLinear, fill.by_linear}}) {
    if (count == 0 && method != fill.method) continue;
    const std::string text = fmt::format("{} by {}", use::format_count(count), shown_name(method));
    parts.insert(method == fill.method ? parts.begin() : parts.end(), text);
  }
  for (const auto& [count, cause] : {std::pair{fill.long_gap, "gaps longer than a range"},
                                     std::pair{fill.outside, "before the first or after the last observation"},
                                     std::pair{fill.unseen, "the object was not seen in the range"},
                                     std::pair{fill.never, "the object was never seen in this feature"}})
    if (count > 0) causes.push_back(fmt::format("{} {}", use::format_count(count), cause));
  // One cause has the number that was just said.
  std::string why = causes.size() == 1 ? causes.front().substr(causes.front().find(' ') + 1)
                                       : fmt::format("{}", fmt::join(causes, ", "));
  return fmt::format("{} filled: {} ({})",
                     use::format_plural(fill.by_model + fill.by_linear + fill.by_hermite, "value"),
                     fmt::join(parts, ", "), why);
}

// One line per feature: how it was filled, and why.
void print_methods(const PredictArguments& arguments, const data::Dataset& dataset, const eval::Filled& filled) {
  for (const eval::FeatureFill& fill : filled.features) {
    const data::Feature& feature = dataset.description().features[fill.feature];
    std::string text = fmt::format("{}: {}", feature.name, filled_by(fill));
    if (arguments.fill_with != "auto") {
      text += ", as --fill-with says";
    } else if (fill.compared == 0) {
      text += "; there is nothing to compare the methods on";
    } else {
      const std::string unit = feature.unit.empty() ? "" : " " + feature.unit;
      text += fmt::format("; RMSE on {} cut out of the {}: ", use::format_plural(fill.compared, "value"),
                          compared_on(filled));
      if (!std::isnan(fill.model_error))
        text += fmt::format("model {}{}, ", use::format_number(fill.model_error), unit);
      text += fmt::format("line {}{}, cubic Hermite {}{}", use::format_number(fill.linear_error), unit,
                          use::format_number(fill.hermite_error), unit);
      if (fill.compared < eval::kLeastCompared)
        text += "; too few to decide, so the line was taken";
      else if (fill.method == eval::FillMethod::kLinear &&
               std::fmin(fill.model_error, fill.hermite_error) < fill.linear_error)
        text += "; the difference may be chance, so the line was taken";
    }
    fmt::print("{}\n", text);
  }
}

// Of the original table's rows some may be in no window.
void print_left_out(const data::Dataset& dataset) {
  const std::int64_t rows = dataset.description().rows_left_out;
  constexpr const char* kAdvice = "to fill the original table, pass it with --table";
  if (rows > 0)
    fmt::print(stderr, "note: {} of the original table are in no window, or were left out, and are missing here; {}\n",
               use::format_plural(rows, "row"), kAdvice);
  if (rows < 0 && !dataset.description().recordings.empty())
    fmt::print(stderr, "note: the data was cut into windows, and rows outside the windows, if any, are missing; {}\n",
               kAdvice);
}

int fill(const PredictArguments& arguments, const eval::Run& run, const data::Dataset& dataset) {
  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  const eval::FillOptions options{.predict = arguments.options,
                                  .with = fill_method(arguments.fill_with),
                                  .all_times = arguments.all_times,
                                  .table = arguments.table,
                                  .scratch_folder = scratch_folder(arguments.out),
                                  .intervals = use::fill_intervals_path(arguments.out)};
  eval::Filled filled;
  {
    Progress progress;
    eval::FillCallbacks callbacks;
    callbacks.table_read = [&](const data::Dataset& table) { print_notes(run.info, table); };
    callbacks.progress = [&](std::int64_t done, std::int64_t total) { progress.share("filling", done, total); };
    callbacks.before_commit = stop_no_more;
    filled = eval::write_filled(arguments.out, arguments.overwrite(), run, dataset, options, callbacks, stop);
  }
  if (filled.bad_rows > 0)
    fmt::print(stderr, "note: {} cannot be read or appear twice and stay as they are; lgode import csv reports why\n",
               use::format_plural(filled.bad_rows, "row"));
  if (filled.open_values > 0)
    fmt::print(stderr,
               "note: {} in {} stay empty: their systems are not in {}, their rows cannot be read, or nothing was ever "
               "observed of that feature of the object\n",
               use::format_plural(filled.open_values, "value"), use::format_plural(filled.open_rows, "row"),
               arguments.data);
  if (filled.blind_times > 0)
    fmt::print(stderr,
               "note: {} lie in ranges of time without any observation of their system; the values filled in there "
               "come from the nearest observations before and after\n",
               use::format_plural(filled.blind_times, "row"));
  if (arguments.table.empty()) print_left_out(dataset);
  if (filled.model_cannot)
    fmt::print(
        stderr,
        "note: the model was trained on data without missing values and cannot be used here; to compare it, train "
        "with --hide-values 0.2\n");
  const std::filesystem::path notes = use::fill_notes_path(arguments.out);
  write_file(notes, arguments.overwrite(), json_text(fill_notes(arguments, run, dataset, filled), 2) + "\n");
  print_methods(arguments, dataset, filled);
  fmt::print("{}: {}, {} of them new, {}\n", arguments.out, use::format_plural(filled.rows, "row"),
             use::format_count(filled.new_rows), use::format_plural(filled.values, "imputed value"));
  fmt::print("{}: how it was filled\n", notes.string());
  if (run.calibrations.empty())
    fmt::print(stderr, "note: there are no intervals, because the run is not calibrated; see lgode calibrate\n");
  else
    fmt::print("{}: intervals of {}\n", options.intervals.string(), use::format_plural(filled.interval_rows, "value"));
  return kOk;
}

// Parts hold exact numbers, whatever the whole is.
std::filesystem::path part_name(const std::string& out) {
  return std::filesystem::path(out).replace_extension(".safetensors");
}

void print_skipped(const eval::Skipped& skipped) {
  const auto note = [](std::int64_t count, const std::string& why) {
    if (count > 0)
      fmt::print(stderr, "note: {} skipped: {}\n",
                 use::format_plural(count, "system") + (count == 1 ? " was" : " were"), why);
  };
  note(skipped.nothing_seen, "the model sees no observation of them with this --start");
  note(skipped.before_start, "times to predict lie before the start of the prediction");
  note(skipped.too_far,
       fmt::format("times to predict lie more than {:g} ranges of the model after the start", eval::kMostRanges));
}

}  // namespace

int run_prediction(const PredictArguments& arguments, const data::Dataset& dataset) {
  const eval::PredictOptions& options = arguments.options;
  const ops::Context context = ops::make_context(arguments.device, arguments.threads);
  const eval::Run run = eval::load_run(arguments.run, context, arguments.step);
  if (arguments.table.empty()) print_notes(run.info, dataset);
  if (arguments.fill) return fill(arguments, run, dataset);

  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  const nlohmann::json notes = prediction_notes(arguments, context);
  std::int64_t done = 0, values = 0, unseen = 0;
  const double reach = eval::trained_reach(run.info);
  double farthest = 0;
  eval::Skipped skipped;
  const std::optional<Shard> shard = parse_shard(arguments.shard);
  std::optional<ShardParts> parts;
  if (shard) parts.emplace(part_name(arguments.out), *shard);
  {
    Progress progress;
    use::write_predictions(parts ? parts->own() : std::filesystem::path(arguments.out),
                           parts ? Overwrite::kAllow : arguments.overwrite(), dataset, notes, options.quantiles,
                           [&](const use::PredictionSink& sink) {
                             if (options.systems.empty()) return;  // more shards than systems
                             const auto total = static_cast<std::int64_t>(options.systems.size());
                             skipped = eval::predict(
                                 run, dataset, options,
                                 [&](const eval::SystemPrediction& prediction) {
                                   sink(prediction);
                                   values += std::count_if(prediction.mean.begin(), prediction.mean.end(),
                                                           [](float x) { return !std::isnan(x); });
                                   for (std::int64_t o = 0; o < prediction.objects && !prediction.times.empty(); ++o)
                                     unseen += eval::has_prediction(prediction, o) ? 0 : 1;
                                   if (!prediction.times.empty())
                                     farthest = std::max(farthest, prediction.times.back() - prediction.start);
                                   progress.share("predicting", ++done, total);
                                 },
                                 stop);
                             stop_no_more();
                           });
  }
  print_skipped(skipped);
  if (farthest > 1.01 * reach)
    fmt::print(
        stderr,
        "warning: times reach {:.4g}{} beyond the start, but training looked {:.4g} ahead; farther on, values and "
        "intervals are not to be trusted\n",
        farthest, run.info.time_unit.empty() ? "" : " " + run.info.time_unit, reach);
  if (unseen > 0)
    fmt::print(stderr,
               "note: {} not seen {} and {} no prediction; a model trained with --unseen predict predicts such objects "
               "from the others\n",
               use::format_plural(unseen, "object") + (unseen == 1 ? " was" : " were"),
               run.info.task.task == data::Task::kExtrapolate ? "before the start" : "in the range",
               unseen == 1 ? "has" : "have");
  fmt::print("{}: {}, {}\n", parts ? parts->own().string() : arguments.out, use::format_plural(done, "system"),
             use::format_plural(values, "predicted value"));
  if (!parts) return kOk;
  const auto all = parts->claim();
  if (!all) {
    fmt::print("{}\n", parts->waiting_text());
    return kOk;
  }
  use::write_predictions(arguments.out, arguments.overwrite(), dataset, notes, options.quantiles,
                         [&](const use::PredictionSink& sink) {
                           for (const std::filesystem::path& part : *all)
                             use::read_predictions(part, dataset, options.quantiles, sink);
                         });
  parts->remove();
  fmt::print("{}: joined from {} parts\n", arguments.out, all->size());
  return kOk;
}

}  // namespace lgode::app
