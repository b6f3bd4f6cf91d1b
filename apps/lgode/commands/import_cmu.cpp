// lgode import cmu: makes a data set of joints from motion capture of the CMU database, a skeleton and its trials.
#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
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
#include "text/progress.h"

namespace lgode::app {
namespace {

using use::format_count;
using use::format_duration;
using use::format_plural;
using use::format_word;
namespace fs = std::filesystem;

struct Arguments {
  std::string asf, out;
  std::vector<std::string> train, test;
  std::string sampling = "paper";
  std::string velocity = "backward";
  bool force = false;
  data::MotionOptions options;
};

struct TrialFile {
  fs::path path;
  data::Part part;
};

// The files that match a shell pattern, sorted.
std::vector<fs::path> matches(const std::string& pattern) {
  glob_t found{};
  const int code = ::glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<fs::path> paths;
  for (std::size_t i = 0; code == 0 && i < found.gl_pathc; ++i) paths.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  return paths;
}

// Expands words: files as they are, folders to their .amc files, patterns to their matches.
std::vector<fs::path> trial_paths(const std::string& flag, const std::vector<std::string>& words) {
  std::vector<fs::path> paths;
  for (const std::string& word : words) {
    std::vector<fs::path> found = {word};
    if (fs::is_directory(word))
      found = matches((fs::path(word) / "*.amc").string());
    else if (!fs::exists(word) && word.find_first_of("*?[") != std::string::npos)
      found = matches(word);
    if (found.empty()) throw DataError(fmt::format("{} {}: no .amc file is there", flag, word));
    paths.insert(paths.end(), found.begin(), found.end());
  }
  return paths;
}

std::vector<TrialFile> trial_files(const Arguments& arguments) {
  std::vector<TrialFile> files;
  for (const fs::path& path : trial_paths("--train", arguments.train)) files.push_back({path, data::Part::kTrain});
  for (const fs::path& path : trial_paths("--test", arguments.test)) files.push_back({path, data::Part::kTest});
  if (files.empty()) throw ConfigError("no trials; name AMC files with --train and --test");
  std::map<std::string, fs::path> names;
  for (const TrialFile& file : files) {
    const auto [other, fresh] = names.insert({file.path.stem().string(), file.path});
    if (!fresh)
      throw DataError(fmt::format("trial '{}' comes twice: {} and {}; name each trial once in --train or --test",
                                  other->first, other->second.string(), file.path.string()));
  }
  return files;
}

std::string source_line(const Arguments& a, const data::Skeleton& skeleton) {
  const data::MotionOptions& o = a.options;
  std::string text = fmt::format("motion capture: skeleton {} (length unit {}), rate={} window={}",
                                 fs::path(a.asf).filename().string(), skeleton.length_unit, o.rate, o.window);
  if (o.stride) text += fmt::format(" stride={}", *o.stride);
  if (o.test_window) text += fmt::format(" test_window={}", *o.test_window);
  if (o.test_stride) text += fmt::format(" test_stride={}", *o.test_stride);
  return text + fmt::format(" sampling={} velocity={} seed={}", a.sampling, a.velocity, o.seed);
}

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

int import_cmu(Arguments arguments) {
  data::MotionOptions& options = arguments.options;
  options.sampling = arguments.sampling == "none" ? data::Sampling::kNone : data::Sampling::kPaper;
  options.velocity = arguments.velocity == "central" ? data::VelocityRule::kCentral : data::VelocityRule::kBackward;
  const Overwrite overwrite = arguments.force ? Overwrite::kAllow : Overwrite::kRefuse;
  check_writable(arguments.out, overwrite);
  const auto begin = std::chrono::steady_clock::now();
  const StopFlag* stop = stop_on_interrupt("stopping; nothing will be written");

  const std::vector<TrialFile> files = trial_files(arguments);
  std::vector<std::filesystem::path> inputs{arguments.asf};
  for (const TrialFile& file : files) inputs.push_back(file.path);
  check_not_input(arguments.out, inputs, "the data set");
  const data::Skeleton skeleton = data::read_asf(arguments.asf);
  std::vector<data::Trial> trials;
  std::int64_t beyond = 0;
  std::int64_t values = 0;
  std::int64_t frames = 0;
  {
    Progress progress;
    for (const TrialFile& file : files) {
      const data::Motion motion = data::read_amc(file.path, skeleton);
      beyond += data::beyond_limits(skeleton, motion);
      values += static_cast<std::int64_t>(motion.channels.size());
      frames += motion.frames;
      trials.push_back(data::make_trial(skeleton, motion, file.path.stem().string(), file.part, stop));
      progress.share("reading", static_cast<std::int64_t>(trials.size()), static_cast<std::int64_t>(files.size()));
    }
  }
  const data::Dataset dataset = data::motion_dataset(skeleton, trials, options, source_line(arguments, skeleton));
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
  auto arguments = std::make_shared<Arguments>();
  data::MotionOptions& options = arguments->options;
  Flags app = import.add_command("cmu", "import motion capture: a skeleton (ASF) and trials (AMC)");
  app.add_value("--asf", arguments->asf, "FILE", "skeleton of the subject").required();
  add_files(app, "--train", arguments->train, "training trials: AMC files, folders of them or patterns");
  add_files(app, "--test", arguments->test, "test trials, likewise");
  app.add_value("--out", arguments->out, "FILE", "data set to write (.safetensors)").required();
  app.add_value("--rate", options.rate, "X", "frames per second; AMC files do not contain it", "120");
  app.add_value("--window", options.window, "N", "frames of a training window; 0: whole trials", "50");
  app.add_value("--stride", options.stride, "N", "frames from one training window to the next", "window - 1");
  app.add_value("--test-window", options.test_window, "N", "frames of a test window", "2 x window");
  app.add_value("--test-stride", options.test_stride, "N", "frames from one test window to the next", "test window");
  app.add_value("--sampling", arguments->sampling, "paper|none",
                "keep some frames of each joint, drawn at random (30 to 42 of 50), or every frame", "paper")
      .one_of({"paper", "none"});
  app.add_value("--velocity", arguments->velocity, "backward|central",
                "from the difference to the frame before, or of the two frames around", "backward")
      .one_of({"backward", "central"});
  app.add_value("--seed", options.seed, "N", "same seed, same bytes", "1").seed();
  app.add_switch("--force", arguments->force, "replace the file if it exists");
  app.footer(
      examples({"lgode import cmu --asf 35.asf --train 35_{02..16}.amc --test 35_{28..34}.amc --out motion.safetensors",
                "lgode import cmu --asf 35.asf --train '35_0*.amc,35_1*.amc' --window 0 --sampling none --out "
                "walks.safetensors"}));
  return {app, [arguments] { return import_cmu(*arguments); }};
}

}  // namespace lgode::app
