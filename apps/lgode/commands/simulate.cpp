// lgode simulate: the paper's simulated data sets, at any size.
#include "lgode/data/simulate.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "command.h"
#include "lgode/core/clock.h"
#include "lgode/core/error.h"
#include "lgode/use/format.h"
#include "lgode/use/options.h"
#include "text/flags.h"
#include "text/interrupt.h"
#include "text/option_flags.h"
#include "text/progress.h"

namespace lgode::app {
namespace {

struct Arguments {
  explicit Arguments(Flags app) : flags(app, declared) { use::declare_simulation(declared, options); }

  std::string out;
  bool force = false, no_walls = false;
  data::SimulateOptions options;
  OptionSet declared;
  OptionFlags flags;
};

int simulate(Arguments& arguments) {
  arguments.flags.read();
  data::SimulateOptions& options = arguments.options;
  options.walls = !arguments.no_walls;
  use::check(options);
  const Overwrite overwrite = arguments.force ? Overwrite::kAllow : Overwrite::kRefuse;
  check_writable(arguments.out, overwrite);

  const auto begin = std::chrono::steady_clock::now();
  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");
  std::int64_t observations = 0;
  {
    Progress progress;
    const data::Dataset dataset = data::simulate(
        options, [&](std::int64_t done, std::int64_t total) { progress.share("simulating", done, total); }, stop);
    observations = dataset.observations();
    stop_no_more();
    data::save_dataset(dataset, arguments.out, overwrite);
  }
  const double seconds = seconds_since(begin);
  fmt::print("{}: {} training and {} test systems, {} each, {} observations, {:.1f} MB, in {}\n", arguments.out,
             use::format_count(options.train), use::format_count(options.test),
             use::format_plural(options.objects, "object"), use::format_count(observations),
             1e-6 * static_cast<double>(std::filesystem::file_size(arguments.out)), use::format_duration(seconds));
  fmt::print("next: lgode train {} --task interpolate --observed 0.6 --out runs/{}\n", arguments.out,
             options.physics == data::Physics::kSprings ? "springs" : "charged");
  return kOk;
}

}  // namespace

Command add_simulate(Flags root) {
  Flags app = root.add_command("simulate", "make a data set of particles joined by springs or carrying charges");
  auto arguments = std::make_shared<Arguments>(app);
  OptionFlags& declared = arguments->flags;
  // A positional one has no default to show.
  declared.add("physics", {.shown_default = " ", .name = "PHYSICS"}).required().one_of({"springs", "charged"});
  app.add_value("--out", arguments->out, "FILE", "data set to write (.safetensors)").required();
  for (const char* key : {"objects", "train", "test", "horizon", "noise", "relations"}) declared.add(key);
  app.add_switch("--no-walls", arguments->no_walls,
                 "particles are not reflected at the walls of the box; those that touch none move as with walls");
  declared.add("seed");
  declared.add("threads");
  app.add_switch("--force", arguments->force, "replace the file if it exists");
  app.footer(examples({"lgode simulate springs --out springs.safetensors",
                       "lgode simulate charged --relations typed --train 2000 --test 500 --out charged.safetensors",
                       "lgode simulate springs --objects 20 --noise 0.01 --seed 7 --out large.safetensors"}) +
             "\n\nForces are clipped, so where two charges meet, energy is not conserved (docs/first-steps.md).");
  return {app, [arguments] { return simulate(*arguments); }};
}

}  // namespace lgode::app
