// lgode calibrate: fits a run's intervals to recordings that it was not trained on.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "command.h"
#include "commands/arguments.h"
#include "engine.h"
#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/data/dataset.h"
#include "lgode/eval/calibration.h"
#include "lgode/eval/run_info.h"
#include "lgode/use/parts.h"
#include "text/flags.h"
#include "text/inputs.h"
#include "text/option_flags.h"

namespace lgode::app {
namespace {

struct Arguments : CalibrateArguments {
  explicit Arguments(Flags app) : flags(app, declared) { use::declare_calibration(declared, *this); }

  OptionSet declared;
  OptionFlags flags;
};

int calibrate(Arguments& arguments) {
  arguments.flags.read();
  refuse_table(arguments.run, "lgode calibrate", "lgode train", " --out RUN, lgode calibrate RUN");
  refuse_table(arguments.data, "lgode calibrate", "lgode calibrate RUN --data");
  const eval::RunInfo info = eval::load_run_info(arguments.run);
  const bool given = !arguments.data.empty();
  if (!given && !arguments.part.empty()) use::refuse_part_without_data(arguments.part);
  if (!given) {
    const auto path = info.config.find("data");
    if (path == info.config.end() || !path->is_string() || !std::filesystem::exists(path->get<std::string>()))
      throw DataError(
          fmt::format("{}: the data that it was trained on is not where it was; pass --data", arguments.run));
    arguments.data = *path;
  }
  const data::Dataset dataset = data::load_dataset(arguments.data);
  eval::check_fits(info, dataset, {.allow_mismatch = arguments.allow_mismatch});
  const use::CalibrationPart part = use::calibration_part(
      info, dataset,
      {.run = arguments.run, .data = arguments.data, .data_given = given, .part = arguments.part, .systems = {}});
  check_writable(eval::checkpoint_path(arguments.run).parent_path() / eval::kCalibrationFile, Overwrite::kAllow);
  return run_calibration(arguments, part, dataset);
}

}  // namespace

Command add_calibrate(Flags root) {
  Flags app = root.add_command("calibrate", "fit a run's intervals to recordings that it was not trained on");
  auto arguments = std::make_shared<Arguments>(app);
  app.add_value("RUN", arguments->run, " ", "run folder or checkpoint").required();
  app.add_value("--data", arguments->data, "FILE",
                "data set of new recordings, or the training data where it was moved",
                "the validation part of the data that the run was trained on");
  arguments->flags.add("part");
  arguments->flags.add("allow_mismatch");
  app.add_value("--threads", arguments->threads, "N", "threads; 0: all cores", "0").at_least(0);
  app.add_value("--device", arguments->device, "auto|cpu|cuda", "where to compute", "auto")
      .one_of({"auto", "cpu", "cuda"});
  app.footer(
      examples({"lgode calibrate runs/walk --data new-scenes.safetensors", "lgode calibrate runs/walk"}) +
      "\n\nThe weights stay as they are. The fit is kept as calibration.json next to them; predict, evaluate and "
      "follow use it.\n"
      "The one that it replaces is kept as calibration.json.before. Never calibrate on what you evaluate on.");
  return {app, [arguments] { return calibrate(*arguments); }};
}

}  // namespace lgode::app
