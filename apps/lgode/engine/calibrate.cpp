// Runs lgode calibrate: fits the intervals and says how wide they are.
#include "lgode/eval/calibrate.h"

#include <fmt/format.h>

#include <filesystem>
#include <numeric>

#include "calibrate_arguments.h"
#include "command.h"
#include "engine.h"
#include "interrupt.h"
#include "lgode/core/error.h"
#include "lgode/use/format.h"
#include "lgode/use/text_table.h"

namespace lgode::app {
namespace {

namespace fs = std::filesystem;

std::vector<std::int64_t> systems_of(const CalibrateArguments& arguments, const data::Dataset& dataset) {
  if (arguments.part == "train") return dataset.systems_in(data::Part::kTrain);
  if (arguments.part == "test") return dataset.systems_in(data::Part::kTest);
  std::vector<std::int64_t> systems(static_cast<std::size_t>(dataset.systems()));
  std::iota(systems.begin(), systems.end(), 0);
  return systems;
}

}  // namespace

int run_calibration(const CalibrateArguments& arguments, bool own, const data::Dataset& dataset) {
  const ops::Context context = ops::make_context(arguments.device, arguments.threads);
  const eval::Run run = eval::load_run(arguments.run, context, {}, /*calibrated=*/false);
  const data::BatchMaker maker(dataset, run.info.normalisation, run.info.task,
                               {run.info.time_scale, run.info.conditioning_length});
  const StopFlag* stop = stop_on_interrupt("stopping; the run keeps the intervals it has");
  eval::Calibrations found =
      own ? eval::calibrate(run, maker, stop) : eval::calibrate(run, maker, systems_of(arguments, dataset), stop);
  if (found.empty())
    throw DataError(
        fmt::format("{}: there is nothing to calibrate on: {}", arguments.data,
                    own ? "the run has no validation part; pass --data with recordings that it was not trained on"
                        : "no system of it has something to show and something to predict under the run's task"));
  const fs::path file = run.path.parent_path() / eval::kCalibrationFile;
  stop_no_more();
  if (!own) found.part = arguments.part.empty() ? "all" : arguments.part;
  if (fs::exists(file)) fs::copy_file(file, file.string() + ".before", fs::copy_options::overwrite_existing);
  eval::save_calibrations(run.path, found);
  const double reach = found.model.reach();
  use::Table table({"half-width of 90 %", "unit", "near", "half-way", "farthest", "by"});
  for (std::size_t f = 0; f < run.info.features.size(); ++f) {
    const data::Feature& feature = run.info.features[f];
    if (feature.derived) continue;
    const bool scaled = found.model.features()[f].scaled;
    const double unit = scaled ? 1.0 : run.info.normalisation.scale[f];
    const auto width = [&](double at) {
      return use::format_number(
          unit * found.model.half_width(static_cast<std::int64_t>(f), 0.9, at * reach, 1.0, found.model.latest()));
    };
    table.add({feature.name, scaled ? "of the model's spread" : feature.unit, width(0), width(0.5), width(1),
               fmt::format("{}{}", scaled ? "spread" : "distance",
                           found.model.features()[f].growth > 0 ? " and start" : "")});
  }
  fmt::print("{}: intervals of {}, from {} of {} of {}, up to {}{} from what was seen\n\n{}\n", file.string(),
             arguments.run, use::format_plural(found.model.values(), "value"),
             use::format_plural(found.model.systems(), "system"), arguments.data,
             use::format_number(reach * run.info.time_scale),
             run.info.time_unit.empty() ? "" : " " + run.info.time_unit, table.text());
  constexpr std::int64_t kFewSystems = 20;
  if (found.model.systems() < kFewSystems)
    fmt::print(stderr, "warning: fitted to {} only; such intervals may be off by several percent\n",
               use::format_plural(found.model.systems(), "system"));
  fmt::print("next: lgode evaluate {}\n", arguments.run);
  return kOk;
}

}  // namespace lgode::app
