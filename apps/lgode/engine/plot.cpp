// Predicts the system of lgode plot, or reads a filled table, and writes the figure.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "command.h"
#include "commands/arguments.h"
#include "engine.h"
#include "engine/evaluation_report.h"
#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/nearest.h"
#include "lgode/data/measured_features.h"
#include "lgode/report/cairo.h"
#include "lgode/report/figure.h"
#include "lgode/report/filled_table.h"
#include "lgode/use/format.h"
#include "lgode/use/parts.h"
#include "lgode/use/prediction_file.h"
#include "lgode/use/views.h"
#include "text/interrupt.h"
#include "text/progress.h"

namespace lgode::app {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kTimes = 241;  // of a path

std::vector<int> features_of(const PlotArguments& arguments, const data::Description& description) {
  std::vector<int> features;
  std::vector<std::string> names;
  for (const data::Feature& feature : description.features)
    names.push_back(feature.derived ? std::string() : feature.name);
  for (const std::string& name : arguments.features) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (name.empty() || found == names.end())
      throw ConfigError(
          fmt::format("--features {}: there is no such predicted feature{}", name, did_you_mean(name, names)));
    features.push_back(static_cast<int>(found - names.begin()));
  }
  return features;
}

// The median by error of the part that a report shows.
std::int64_t median_system(const PlotArguments& arguments, const eval::Run& run, const data::Dataset& dataset,
                           const StopFlag* stop) {
  EvaluateArguments evaluate;
  evaluate.runs = {arguments.run};
  evaluate.allow_mismatch = arguments.allow_mismatch;
  evaluate.split = use::shown_split(run.info, dataset);
  use::ObjectErrors errors(run.info.normalisation);
  Progress progress;
  evaluate_for_report(
      evaluate, run, "", dataset,
      [&](const data::Batch& batch, const eval::PredictedPaths& p) { errors.add(batch, p); },
      [&](std::int64_t done, std::int64_t total) { progress.share("evaluating", done, total); }, stop);
  const auto ranked = errors.systems();
  return ranked[(ranked.size() - 1) / 2].second;
}

void check_format(const std::string& out) {
  if (fs::path(out).extension() != ".svg" && !report::has_cairo()) report::png({1, 1});  // throws, and says what to do
}

void write_figure(const PlotArguments& arguments, const report::Drawing& drawing, const std::string& title) {
  const std::string extension = fs::path(arguments.out).extension().string();
  write_file(arguments.out, arguments.force ? Overwrite::kAllow : Overwrite::kRefuse,
             extension == ".svg"   ? report::svg(drawing, title)
             : extension == ".png" ? report::png(drawing)
                                   : report::pdf(drawing, title));
}

// The positions; without any, all features that are predicted.
std::vector<int> default_features(const data::Description& description) {
  std::vector<int> out;
  for (const int f : data::position_features(description.features))
    if (!description.features[static_cast<std::size_t>(f)].derived) out.push_back(f);
  return out.empty() ? data::measured_features<int>(description) : out;
}

// The system of the first object with an imputed value.
std::string first_filled(const report::FilledTable& table, const std::string& path) {
  for (const report::FilledObject& object : table.objects)
    if (std::find(object.imputed.begin(), object.imputed.end(), 1) != object.imputed.end()) return object.system;
  throw DataError(fmt::format("{}: no value of it was imputed; choose a system to draw with --system", path));
}

// A filled table keeps rows that cannot be read; they are not drawn.
void tell_skipped(const std::string& path, const report::FilledTable& table) {
  if (table.skipped_rows > 0)
    fmt::print(stderr, "note: {}: {} cannot be read and are not drawn\n", path,
               use::format_plural(table.skipped_rows, "row"));
}

}  // namespace

int run_plot(const PlotArguments& arguments, std::int64_t system, const data::Dataset& dataset) {
  check_format(arguments.out);
  report::FigureOptions options;
  options.features = features_of(arguments, dataset.description());
  options.objects = arguments.objects;
  options.names = arguments.names;
  options.title = arguments.title;
  const eval::Run run = eval::load_run(arguments.run, ops::make_context(arguments.device, arguments.threads));
  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  if (system < 0) system = median_system(arguments, run, dataset, stop);
  const bool test = dataset.part(system) == data::Part::kTest;
  const std::vector<report::SystemView> views = use::view_systems(
      run, dataset, {system}, {.view = test ? data::View::kTest : data::View::kValidate, .times = kTimes}, stop);
  const report::SystemView& view = views.front();
  if (view.times.empty())
    throw DataError(
        fmt::format("system {}: the task of the run has nothing to predict in it; choose another --system", view.id));
  const report::Drawing drawing = report::figure(view, dataset.description(), options);
  const std::string title =
      arguments.title.empty() ? fmt::format("{}, system {}", dataset.description().name, view.id) : arguments.title;
  write_figure(arguments, drawing, title);
  fmt::print("{}: system {}, index {} of the {} part, {}\n", arguments.out, view.id, system, test ? "test" : "training",
             view.forecast ? "forecast" : "interpolation");
  if (!test)
    fmt::print("note: the model was trained on this system, or selected by it; test systems are not known to it\n");
  return kOk;
}

int run_filled_plot(const PlotArguments& arguments, const data::Description& description) {
  check_format(arguments.out);
  report::FilledTable table = report::read_filled_table(arguments.run, description, /*filled=*/true);
  tell_skipped(arguments.run, table);
  const fs::path intervals = use::fill_intervals_path(arguments.run);
  if (fs::exists(intervals)) report::read_intervals(intervals, description, table);
  std::optional<report::FilledTable> truth;
  if (!arguments.truth.empty()) {
    truth = report::read_filled_table(arguments.truth, description, /*filled=*/false);
    tell_skipped(arguments.truth, *truth);
    report::check_truth(table, *truth, description, arguments.truth);
  }
  report::FilledFigureOptions options;
  options.system = arguments.system.empty() ? first_filled(table, arguments.run) : arguments.system;
  options.objects = arguments.names;
  options.most = arguments.objects;
  options.features = arguments.features.empty() ? default_features(description) : features_of(arguments, description);
  options.title = arguments.title;
  options.truth = truth ? &*truth : nullptr;
  const report::Drawing drawing = report::filled_figure(table, description, options);
  const std::string what =
      options.system.empty() ? arguments.run : fmt::format("{}, system {}", arguments.run, options.system);
  write_figure(arguments, drawing, arguments.title.empty() ? what : arguments.title);
  fmt::print("{}: {}\n", arguments.out, what);
  for (const int f : truth ? options.features : std::vector<int>()) {
    const auto feature = static_cast<std::size_t>(f);
    const report::FillErrors errors = report::fill_errors(table, *truth, feature);
    if (errors.values == 0) {
      fmt::print("{}: no imputed value has a known truth\n", description.features[feature].name);
      continue;
    }
    fmt::print("{}: {} imputed values with a known truth, root mean square error {:.4g}; a straight line {:.4g}\n",
               description.features[feature].name, use::format_count(errors.values), errors.root_mean_square,
               errors.straight);
  }
  return kOk;
}

}  // namespace lgode::app
