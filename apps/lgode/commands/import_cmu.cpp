// lgode import cmu: makes a data set of joints from motion capture of the CMU database, a skeleton and its trials.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "commands/import.h"
#include "lgode/core/clock.h"
#include "lgode/core/error.h"
#include "lgode/data/motion/motion.h"
#include "lgode/use/format.h"
#include "text/flags.h"
#include "text/inputs.h"
#include "text/interrupt.h"
#include "text/option_flags.h"
#include "text/progress.h"

namespace lgode::app {
namespace {

using use::format_count;
using use::format_duration;
using use::format_plural;
using use::format_word;
namespace fs = std::filesystem;

struct Arguments {
  explicit Arguments(Flags app) : flags(app, declared) { data::declare_motion(declared, options); }

  std::string asf, out;
  std::vector<std::string> train, test;
  bool force = false;
  data::MotionOptions options;
  OptionSet declared;
  OptionFlags flags;
};

// Prints on standard error what is skipped or looks suspicious.
void print_notes(const std::vector<data::Trial>& trials, const data::Skeleton& skeleton,
                 const data::MotionOptions& options, std::int64_t beyond, std::int64_t values) {
  for (const data::Trial& trial : trials) {
    if (data::windows_of(trial.frames(skeleton), trial.part, options) > 0) continue;
    fmt::print(stderr, "note: {} has {}, too few for a window; it is skipped\n", trial.name,
               format_plural(trial.frames(skeleton), "frame"));
  }
  for (const auto& [part, flag, lacks] :
       {std::tuple{data::Part::kTest, "--test", "test on, so lgode evaluate has to use the validation part"},
        std::tuple{data::Part::kTrain, "--train", "train on"}})
    if (std::none_of(trials.begin(), trials.end(), [part = part](const data::Trial& t) { return t.part == part; }))
      fmt::print(stderr, "warning: no trial is left to {}; name some with {}\n", lacks, flag);
  if (beyond > 0)
    fmt::print(stderr, "note: {} of {} joint values are beyond the skeleton's limits; they are kept as they are\n",
               format_count(beyond), format_count(values));
}

int import_cmu(Arguments& arguments) {
  arguments.flags.read();
  const data::MotionOptions& options = arguments.options;
  const Overwrite overwrite = arguments.force ? Overwrite::kAllow : Overwrite::kRefuse;
  check_writable(arguments.out, overwrite);
  const auto begin = std::chrono::steady_clock::now();
  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");

  const std::vector<data::TrialFile> files = data::find_trials(arguments.train, arguments.test);
  std::vector<fs::path> inputs{arguments.asf};
  for (const data::TrialFile& file : files) inputs.push_back(file.path);
  check_not_input(arguments.out, inputs, "the data set");
  const data::Skeleton skeleton = data::read_asf(arguments.asf);
  std::vector<data::Trial> trials;
  std::int64_t beyond = 0;
  std::int64_t values = 0;
  std::int64_t frames = 0;
  {
    Progress progress;
    for (const data::TrialFile& file : files) {
      const data::Motion motion = data::read_amc(file.path, skeleton);
      beyond += data::beyond_limits(skeleton, motion);
      values += static_cast<std::int64_t>(motion.channels.size());
      frames += motion.frames;
      trials.push_back(data::make_trial(skeleton, motion, file.name(), file.part, stop));
      progress.share("reading", static_cast<std::int64_t>(trials.size()), static_cast<std::int64_t>(files.size()));
    }
  }
  const data::Dataset dataset =
      data::motion_dataset(skeleton, trials, options, data::motion_source(arguments.asf, skeleton, options));
  stop_no_more();
  data::save_dataset(dataset, arguments.out, overwrite);
  print_notes(trials, skeleton, options, beyond, values);
  const double seconds = seconds_since(begin);
  fmt::print("{}: {} training and {} test systems from {} of {} frames, {} each, {} observations, {:.1f} MB, in {}\n",
             arguments.out, format_count(static_cast<std::int64_t>(dataset.systems_in(data::Part::kTrain).size())),
             format_count(static_cast<std::int64_t>(dataset.systems_in(data::Part::kTest).size())),
             format_plural(static_cast<std::int64_t>(trials.size()), "trial"), format_count(frames),
             format_plural(static_cast<std::int64_t>(skeleton.bones.size()), "joint"),
             format_count(dataset.observations()), 1e-6 * static_cast<double>(fs::file_size(arguments.out)),
             format_duration(seconds));
  fmt::print("next: lgode info {}\n", format_word(arguments.out));
  return kOk;
}

Flag add_files(Flags app, const std::string& name, std::vector<std::string>& field, const std::string& help) {
  return app.add_value(name, field, "FILE,...", help).many(/*commas=*/true);
}

}  // namespace

Command add_import_cmu(Flags import) {
  Flags app = import.add_command("cmu", "import motion capture: a skeleton (ASF) and trials (AMC)");
  auto arguments = std::make_shared<Arguments>(app);
  app.add_value("--asf", arguments->asf, "FILE", "skeleton of the subject").required();
  add_files(app, "--train", arguments->train, "training trials: AMC files, folders of them or patterns");
  add_files(app, "--test", arguments->test, "test trials, likewise");
  app.add_value("--out", arguments->out, "FILE", "data set to write (.safetensors)").required();
  for (const Option& option : arguments->declared.options()) arguments->flags.add(option.key);
  app.add_switch("--force", arguments->force, "replace the file if it exists");
  app.footer(
      examples({"lgode import cmu --asf 35.asf --train 35_{02..16}.amc --test 35_{28..34}.amc --out motion.safetensors",
                "lgode import cmu --asf 35.asf --train '35_0*.amc,35_1*.amc' --window 0 --sampling none --out "
                "walks.safetensors"}));
  return {app, [arguments] { return import_cmu(*arguments); }};
}

}  // namespace lgode::app
