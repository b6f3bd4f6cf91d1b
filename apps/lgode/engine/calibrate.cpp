// Runs lgode calibrate: fits the intervals and prints how wide they are.
#include "lgode/use/calibrate.h"

#include <fmt/format.h>

#include <filesystem>

#include "command.h"
#include "commands/arguments.h"
#include "engine.h"
#include "lgode/use/format.h"
#include "lgode/use/text_table.h"
#include "text/flag_text.h"
#include "text/interrupt.h"

namespace lgode::app {
int run_calibration(const CalibrateArguments& arguments, const use::CalibrationPart& part,
                    const data::Dataset& dataset) {
  const ops::Context context = ops::make_context(arguments.device, arguments.threads);
  const eval::Run run = eval::load_run(arguments.run, context, {}, /*calibrated=*/false);
  const StopFlag* stop = stop_on_interrupt("stopping; the run keeps the intervals it has");
  const eval::Calibrations found = use::calibrate(run, dataset, part, arguments.data, stop);
  stop_no_more();
  const std::filesystem::path file = use::keep_calibrations(run, found);
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
  print_messages(use::messages(found));
  fmt::print("next: lgode evaluate {}\n", arguments.run);
  return kOk;
}

}  // namespace lgode::app
