// lgode import lgode: makes a data set from the .npy files of the paper's authors' program.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "commands/import.h"
#include "lgode/core/clock.h"
#include "lgode/data/npy/import_npy.h"
#include "lgode/use/format.h"
#include "text/flags.h"
#include "text/interrupt.h"
#include "text/progress.h"

namespace lgode::app {
namespace {

using use::format_count;
using use::format_duration;
using use::format_word;

struct Arguments {
  std::string folder, out;
  std::string relations = "same";
  bool force = false;
  Flag step, total;
  data::NpyImport options;
};

int import_lgode(Arguments arguments) {
  data::NpyImport& options = arguments.options;
  options.folder = arguments.folder;
  options.relations = arguments.relations == "same" ? data::ChargedRelations::kSame : data::ChargedRelations::kTyped;
  // Motion sets count frames and have velocities per frame; the authors scale their time by 49.
  const bool motion = options.suffix.find("motion") != std::string::npos;
  if (motion && !arguments.step.given()) options.step = 1.0;
  if (motion && !arguments.total.given()) options.total_steps = 49;
  const Overwrite overwrite = arguments.force ? Overwrite::kAllow : Overwrite::kRefuse;
  check_writable(arguments.out, overwrite);

  const auto begin = std::chrono::steady_clock::now();
  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  Progress progress;
  const data::Dataset dataset = data::import_npy(
      options, [&](std::int64_t done, std::int64_t total) { progress.share("importing", done, total); }, stop);
  stop_no_more();
  data::save_dataset(dataset, arguments.out, overwrite);
  const double seconds = seconds_since(begin);
  fmt::print("{}: {} training and {} test systems, {} observations, {:.1f} MB, in {}\n", arguments.out,
             format_count(static_cast<std::int64_t>(dataset.systems_in(data::Part::kTrain).size())),
             format_count(static_cast<std::int64_t>(dataset.systems_in(data::Part::kTest).size())),
             format_count(dataset.observations()),
             1e-6 * static_cast<double>(std::filesystem::file_size(arguments.out)), format_duration(seconds));
  fmt::print("next: lgode info {}\n", format_word(arguments.out));
  return kOk;
}

}  // namespace

Command add_import_lgode(Flags import) {
  auto arguments = std::make_shared<Arguments>();
  data::NpyImport& options = arguments->options;
  Flags app = import.add_command("lgode", "import the .npy files of the LG-ODE authors' program");
  app.add_value("--folder", arguments->folder, "FOLDER", "where loc_train*.npy, vel_*, edges_* and times_* are")
      .required();
  app.add_value("--suffix", options.suffix, "TEXT", "how the files' names end", "_springs5");
  app.add_value("--out", arguments->out, "FILE", "data set to write (.safetensors)").required();
  arguments->step =
      app.add_value("--step", options.step, "X", "time from one recorded step to the next", "0.1; motion: 1, a frame");
  arguments->total =
      app.add_value("--total-steps", options.total_steps, "N", "recorded steps of the first range", "60; motion: 49");
  app.add_value("--relations", arguments->relations, "same|typed",
                "edges of 1 alone, or also edges of -1 as a second type of relation", "same")
      .one_of({"same", "typed"});
  app.add_switch("--force", arguments->force, "replace the file if it exists");
  app.footer(
      examples({"lgode import lgode --folder data/ --suffix _springs5 --out springs.safetensors",
                "lgode import lgode --folder data/ --suffix _charged5 --relations typed --out charged.safetensors"}));
  return {app, [arguments] { return import_lgode(*arguments); }};
}

}  // namespace lgode::app
