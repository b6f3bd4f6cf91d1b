// Options of data sets of recorded motion: their declaration, their text in a set's description, and the files of
// trials.
#include <fmt/format.h>
#include <glob.h>

#include <map>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/data/motion/motion.h"

namespace lgode::data {
namespace {

namespace fs = std::filesystem;

// A whole number of frames; null: it follows from other options. motion_dataset() checks its range.
Option frames_option(std::string key, std::optional<std::int64_t>* field, std::string help) {
  constexpr const char* kAccepts = "integer";
  Option option;
  option.key = std::move(key);
  option.help = std::move(help);
  option.type = "integer";
  option.accepts = kAccepts;
  option.get = [field]() -> nlohmann::json { return *field ? nlohmann::json(**field) : nlohmann::json(nullptr); };
  option.set = [field](const nlohmann::json& value) {
    const std::optional<std::int64_t> frames = as_integer(value);
    if (!frames && !value.is_null()) throw ConfigError(kAccepts);
    *field = frames;
  };
  option.parse = [](const std::string& text) {
    const std::optional<nlohmann::json> number = parse_number(text);
    if (!number) throw ConfigError(kAccepts);
    return *number;
  };
  return option;
}

// The files that match a shell pattern, sorted.
std::vector<fs::path> matches(const std::string& pattern) {
  glob_t found{};
  const int code = ::glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<fs::path> paths;
  for (std::size_t i = 0; code == 0 && i < found.gl_pathc; ++i) paths.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  return paths;
}

void add_trials(std::vector<TrialFile>& files, Part part, const char* option, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    std::vector<fs::path> found = {word};
    if (fs::is_directory(word))
      found = matches((fs::path(word) / "*.amc").string());
    else if (!fs::exists(word) && word.find_first_of("*?[") != std::string::npos)
      found = matches(word);
    if (found.empty()) throw DataError(fmt::format("`{}` {}: no .amc file is there", option, word));
    for (fs::path& path : found) files.push_back({std::move(path), part});
  }
}

}  // namespace

void declare_motion(OptionSet& set, MotionOptions& options) {
  set.add("rate", &options.rate, {}, "frames per second; AMC files do not contain it").show("X", "120");
  set.add("window", &options.window, {}, "frames of a training window; 0: whole trials").show("N");
  set.add(frames_option("stride", &options.stride, "frames from one training window to the next"))
      .show("N", "window - 1");
  set.add(frames_option("test_window", &options.test_window, "frames of a test window")).show("N", "2 x window");
  set.add(frames_option("test_stride", &options.test_stride, "frames from one test window to the next"))
      .show("N", "test window");
  set.add_choice("sampling", &options.sampling, {{"paper", Sampling::kPaper}, {"none", Sampling::kNone}},
                 "keep some frames of each joint, drawn at random (30 to 42 of 50), or every frame")
      .expect("paper or none");
  set.add_choice("velocity", &options.velocity,
                 {{"backward", VelocityRule::kBackward}, {"central", VelocityRule::kCentral}},
                 "from the difference to the frame before, or of the two frames around")
      .expect("backward or central");
  set.add("seed", &options.seed, "same seed, same bytes").show("N");
}

std::string motion_source(const std::filesystem::path& asf, const Skeleton& skeleton, const MotionOptions& options) {
  MotionOptions copy = options;
  OptionSet declared;
  declare_motion(declared, copy);
  const auto word = [&](const char* key) { return declared.find(key)->get().get<std::string>(); };
  std::string text = fmt::format("motion capture: skeleton {} (length unit {}), rate={} window={}",
                                 asf.filename().string(), skeleton.length_unit, options.rate, options.window);
  if (options.stride) text += fmt::format(" stride={}", *options.stride);
  if (options.test_window) text += fmt::format(" test_window={}", *options.test_window);
  if (options.test_stride) text += fmt::format(" test_stride={}", *options.test_stride);
  return text + fmt::format(" sampling={} velocity={} seed={}", word("sampling"), word("velocity"), options.seed);
}

std::vector<TrialFile> find_trials(const std::vector<std::string>& train, const std::vector<std::string>& test) {
  std::vector<TrialFile> files;
  add_trials(files, Part::kTrain, "train", train);
  add_trials(files, Part::kTest, "test", test);
  if (files.empty()) throw ConfigError("no trials; name AMC files with `train` and `test`");
  std::map<std::string, fs::path> names;
  for (const TrialFile& file : files) {
    const auto [other, fresh] = names.insert({file.name(), file.path});
    if (!fresh)
      throw DataError(fmt::format("trial '{}' comes twice: {} and {}; name each trial once in `train` or `test`",
                                  other->first, other->second.string(), file.path.string()));
  }
  return files;
}

}  // namespace lgode::data
