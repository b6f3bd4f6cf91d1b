// lgode simulate: the paper's simulated data sets, at any size.
#include "lgode/data/simulate.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "command.h"
#include "flags.h"
#include "interrupt.h"
#include "lgode/core/error.h"
#include "lgode/use/format.h"
#include "progress.h"

namespace lgode::app {
namespace {

struct Arguments {
  std::string physics;
  std::string relations = "same";
  std::string out;
  bool force = false, no_walls = false;
  data::SimulateOptions options;
};

int simulate(Arguments arguments) {
  data::SimulateOptions& options = arguments.options;
  options.physics = arguments.physics == "springs" ? data::Physics::kSprings : data::Physics::kCharged;
  options.walls = !arguments.no_walls;
  options.relations = arguments.relations == "same" ? data::ChargedRelations::kSame : data::ChargedRelations::kTyped;
  if (options.physics == data::Physics::kSprings && arguments.relations != "same")
    throw ConfigError("--relations typed: only charged systems have relations of two types");
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
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print("{}: {} training and {} test systems, {} each, {} observations, {:.1f} MB, in {}\n", arguments.out,
             use::format_count(options.train), use::format_count(options.test),
             use::format_plural(options.objects, "object"), use::format_count(observations),
             1e-6 * static_cast<double>(std::filesystem::file_size(arguments.out)), use::format_duration(seconds));
  fmt::print("next: lgode train {} --task interpolate --observed 0.6 --out runs/{}\n", arguments.out,
             arguments.physics);
  return kOk;
}

}  // namespace

Command add_simulate(Flags root) {
  auto arguments = std::make_shared<Arguments>();
  Flags app = root.add_command("simulate", "make a data set of particles joined by springs or carrying charges");
  data::SimulateOptions& options = arguments->options;
  app.add_value("PHYSICS", arguments->physics, "springs|charged", "what acts between the particles")
      .required()
      .one_of({"springs", "charged"});
  app.add_value("--out", arguments->out, "FILE", "data set to write (.safetensors)").required();
  app.add_value("--objects", options.objects, "N", "particles per system", "5");
  app.add_value("--train", options.train, "N", "training systems", "20000");
  app.add_value("--test", options.test, "N", "test systems, which run twice as long", "5000");
  app.add_value("--horizon", options.horizon, "N", "recorded steps of the first range", "60");
  app.add_value("--noise", options.noise, "X", "standard deviation of noise on every recorded value", "0");
  app.add_value("--relations", arguments->relations, "same|typed",
                "charged: connected where charges have the same sign, or both signs as two types", "same")
      .one_of({"same", "typed"});
  app.add_switch("--no-walls", arguments->no_walls,
                 "particles are not reflected at the walls of the box; those that touch none move as with walls");
  app.add_value("--seed", options.seed, "N", "same seed, same bytes, whatever the threads", "1").seed();
  app.add_value("--threads", options.threads, "N", "threads; 0: all cores", "0").at_least(0);
  app.add_switch("--force", arguments->force, "replace the file if it exists");
  app.footer(examples({"lgode simulate springs --out springs.safetensors",
                       "lgode simulate charged --relations typed --train 2000 --test 500 --out charged.safetensors",
                       "lgode simulate springs --objects 20 --noise 0.01 --seed 7 --out large.safetensors"}));
  return {app, [arguments] { return simulate(*arguments); }};
}

}  // namespace lgode::app
