// Predicts the system of lgode plot and writes the figure.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "command.h"
#include "engine.h"
#include "engine/evaluation_report.h"
#include "engine/view_systems.h"
#include "evaluate_arguments.h"
#include "interrupt.h"
#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/nearest.h"
#include "lgode/report/cairo.h"
#include "lgode/report/figure.h"
#include "lgode/use/parts.h"
#include "progress.h"
#include "report_arguments.h"

namespace lgode::app {
namespace {

constexpr std::int64_t kTimes = 241;  // of a path

std::vector<int> features_of(const PlotArguments& arguments, const data::Dataset& dataset) {
  std::vector<int> features;
  std::vector<std::string> names;
  for (const data::Feature& feature : dataset.description().features)
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
  ObjectErrors errors(run.info.normalisation);
  Progress progress;
  evaluate_for_report(
      evaluate, run, "", dataset, [&](const data::Batch& batch, const float* p) { errors.add(batch, p); },
      [&](std::int64_t done, std::int64_t total) { progress.share("evaluating", done, total); }, stop);
  const auto ranked = errors.systems();
  return ranked[(ranked.size() - 1) / 2].second;
}

}  // namespace

int run_plot(const PlotArguments& arguments, std::int64_t system, const data::Dataset& dataset) {
  const std::string extension = std::filesystem::path(arguments.out).extension().string();
  if (extension != ".svg" && !report::has_cairo()) report::png({1, 1});  // throws, and says what to do
  report::FigureOptions options;
  options.features = features_of(arguments, dataset);
  options.objects = arguments.objects;
  options.title = arguments.title;
  const eval::Run run = eval::load_run(arguments.run, ops::make_context(arguments.device, arguments.threads));
  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  if (system < 0) system = median_system(arguments, run, dataset, stop);
  const bool test = dataset.part(system) == data::Part::kTest;
  const std::vector<report::SystemView> views = view_systems(
      run, dataset, {system}, {.view = test ? data::View::kTest : data::View::kValidate, .times = kTimes}, stop);
  const report::SystemView& view = views.front();
  if (view.times.empty())
    throw DataError(
        fmt::format("system {}: the task of the run has nothing to predict in it; choose another --system", view.id));
  const report::Drawing drawing = report::figure(view, dataset.description(), options);
  const std::string title =
      arguments.title.empty() ? fmt::format("{}, system {}", dataset.description().name, view.id) : arguments.title;
  write_file(arguments.out, arguments.force ? Overwrite::kAllow : Overwrite::kRefuse,
             extension == ".svg"   ? report::svg(drawing, title)
             : extension == ".png" ? report::png(drawing)
                                   : report::pdf(drawing, title));
  fmt::print("{}: system {}, index {} of the {} part, {}\n", arguments.out, view.id, system, test ? "test" : "training",
             view.forecast ? "forecast" : "interpolation");
  if (!test)
    fmt::print("note: the model was trained on this system, or selected by it; test systems are not known to it\n");
  return kOk;
}

}  // namespace lgode::app
