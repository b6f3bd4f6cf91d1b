// lgode calibrate: fits a run's intervals to recordings that it was not trained on.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "calibrate_arguments.h"
#include "command.h"
#include "engine.h"
#include "flags.h"
#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/data/dataset.h"
#include "lgode/eval/calibration.h"
#include "lgode/eval/run_info.h"
#include "table_advice.h"

namespace lgode::app {
namespace {

int calibrate(CalibrateArguments& arguments) {
  refuse_table(arguments.run, "lgode calibrate", "lgode train", " --out RUN, lgode calibrate RUN");
  refuse_table(arguments.data, "lgode calibrate", "lgode calibrate RUN --data");
  const eval::RunInfo info = eval::load_run_info(arguments.run);
  bool own = arguments.data.empty();
  if (own && (arguments.part == "all" || arguments.part == "train" || arguments.part == "test"))
    throw ConfigError(
        fmt::format("--part {} goes with --data; without, the run's validation part serves", arguments.part));
  if (own) {
    const auto path = info.config.find("data");
    if (path == info.config.end() || !path->is_string() || !std::filesystem::exists(path->get<std::string>()))
      throw DataError(
          fmt::format("{}: the data that it was trained on is not where it was; pass --data", arguments.run));
    arguments.data = *path;
  }
  const data::Dataset dataset = data::load_dataset(arguments.data);
  eval::check_fits(info, dataset, {.allow_mismatch = arguments.allow_mismatch});
  if (own && !dataset.has_fingerprint(info.data_fingerprint))
    throw DataError(
        fmt::format("{}: is no longer the data that {} was trained on; pass --data with recordings to fit to",
                    arguments.data, arguments.run));
  // The training data, perhaps moved: its validation part serves.
  if (!own && arguments.part.empty() && dataset.has_fingerprint(info.data_fingerprint)) own = true;
  if (!own && arguments.part != "test" && dataset.has_fingerprint(info.data_fingerprint))
    throw ConfigError(
        fmt::format("--part {}: the run was trained on this data, and intervals fitted to it would be too narrow; "
                    "without --part its "
                    "validation part serves, with --part test its test part",
                    arguments.part));
  if (own && info.task.protocol == data::Protocol::kPaper)
    throw ConfigError(
        "protocol paper validates on the test part, which must not calibrate; pass --data with other recordings");
  check_writable(eval::checkpoint_path(arguments.run).parent_path() / eval::kCalibrationFile, Overwrite::kAllow);
  return run_calibration(arguments, own, dataset);
}

}  // namespace

Command add_calibrate(Flags root) {
  auto arguments = std::make_shared<CalibrateArguments>();
  Flags app = root.add_command("calibrate", "fit a run's intervals to recordings that it was not trained on");
  app.add_value("RUN", arguments->run, " ", "run folder or checkpoint").required();
  app.add_value("--data", arguments->data, "FILE",
                "data set of new recordings, or the training data where it was moved",
                "the validation part of the data that the run was trained on");
  app.add_value("--part", arguments->part, "train|test|all", "with --data: systems of one part only", "all")
      .one_of({"train", "test", "all"});
  app.add_switch("--allow-mismatch", arguments->allow_mismatch,
                 "calibrate even if units or time spans of the data differ from those of the training data");
  app.add_value("--threads", arguments->threads, "N", "threads; 0: all cores", "0").at_least(0);
  app.add_value("--device", arguments->device, "auto|cpu|cuda", "where to compute", "auto")
      .one_of({"auto", "cpu", "cuda"});
  app.footer(
      examples({"lgode calibrate runs/walk --data new-scenes.safetensors", "lgode calibrate runs/walk"}) +
      "\n\nThe weights stay as they are. The fit is kept as calibration.json beside them; predict, evaluate and follow "
      "use "
      "it.\nThe one that it replaces is kept as calibration.json.before. Never calibrate on what you evaluate on.");
  return {app, [arguments] { return calibrate(*arguments); }};
}

}  // namespace lgode::app
