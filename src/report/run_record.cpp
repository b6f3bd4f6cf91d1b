// Reads a run folder for a report.
#include "lgode/report/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "lgode/core/error.h"
#include "lgode/core/file.h"
#include "lgode/core/json_text.h"
#include "lgode/core/options.h"
#include "lgode/core/safetensors.h"
#include "lgode/eval/run_info.h"
#include "lgode/train/config.h"
#include "lgode/train/progress.h"
#include "lgode/train/run_folder.h"
#include "lgode/train/run_lock.h"

namespace lgode::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::size_t kMostEpochs = 2000;  // of a learning curve

bool is_training(const fs::path& folder) {
  try {
    train::check_idle(folder);
    return false;
  } catch (const Error&) {
    return true;
  }
}

// Every option with its default. If this version cannot read the config, the stored options.
ordered_json settings_of(const nlohmann::json& config, const std::string& where) {
  ordered_json out = ordered_json::array();
  train::RunConfig bound;
  bound.model.kind = train::kDefaultModel;
  OptionSet options;
  train::declare(options, bound);
  try {
    options.set_all(config, Source::kFile, where);
    train::name_defaults(options, bound.model.kind);
  } catch (const Error&) {
    for (const auto& [key, value] : config.items())
      if (!key.starts_with('_')) out.push_back({{"key", key}, {"group", ""}, {"value", value}, {"changed", false}});
    return out;
  }
  for (const Option& option : options.options())
    out.push_back({{"key", option.key},
                   {"group", option.group},
                   {"value", option.get()},
                   {"default", option.default_value},
                   {"changed", option.get() != option.default_value},
                   {"help", option.help}});
  return out;
}

void read_curve(const fs::path& path, RunRecord& run) {
  run.curve = ordered_json::array();
  if (!fs::exists(path)) return;
  std::vector<ordered_json> lines;
  std::istringstream text(read_text(path));
  for (std::string line; std::getline(text, line);)
    if (ordered_json entry = parse_ordered_json(line); entry.is_object()) lines.push_back(std::move(entry));
  const std::size_t stride = (lines.size() + kMostEpochs - 1) / kMostEpochs;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool best = lines[i].value("best", false) && i + 1 < lines.size() && !lines[i + 1].value("best", false);
    if (stride > 1 && i % stride != 0 && i + 1 != lines.size() && !best) {
      ++run.curve_left_out;
      continue;
    }
    run.curve.push_back(lines[i]);
  }
  if (!lines.empty()) {
    run.epochs_done = std::max(run.epochs_done, lines.back().value("epoch", std::int64_t{0}));
    run.steps = std::max(run.steps, lines.back().value("steps", std::int64_t{0}));
  }
}

void read_progress(const fs::path& folder, RunRecord& run) {
  try {
    const fs::path path = train::find_checkpoint(folder).path;
    if (path.empty()) return;
    const train::Progress progress =
        train::Progress::from_json(parse_json(SafetensorsFile(path).meta(train::kTrainingKey)), path.string());
    run.epochs_done = progress.epoch;
    run.steps = progress.step;
    run.over = progress.plateau.over || progress.plateau.out_of_time;
  } catch (const Error& error) {
    run.failure = error.what();
  }
}

}  // namespace

RunRecord read_run(const fs::path& path, bool ended) {
  RunRecord run;
  const fs::path clean = path.lexically_normal();
  run.name = (clean.has_filename() ? clean : clean.parent_path()).filename().string();
  if (run.name.empty() || run.name == "." || run.name == "..")
    run.name = fs::weakly_canonical(path).filename().string();
  const bool file = fs::is_regular_file(path);
  const fs::path folder = file ? (path.has_parent_path() ? path.parent_path() : fs::path(".")) : path;
  if (!fs::exists(path))
    throw DataError(
        fmt::format("{}: there is no such run; name the folder of a training, or a checkpoint in it", path.string()));
  if (!fs::exists(folder / "config.json")) {
    if (!file)
      throw DataError(fmt::format("{}: holds no config.json, so it is not a run folder of lgode train", path.string()));
    run.config = eval::load_run_info(path).config;
  } else {
    run.folder = folder;
    run.config = read_json_file((folder / "config.json").string());
  }
  if (!run.config.is_object()) throw DataError(fmt::format("{}: its config is not a JSON object", path.string()));
  run.settings = settings_of(run.config, (folder / "config.json").string());
  if (const auto epochs = run.config.find("epochs"); epochs != run.config.end() && epochs->is_number_integer())
    run.epochs_planned = epochs->get<std::int64_t>();
  run.curve = ordered_json::array();
  run.state = "finished";
  run.has_weights = file;
  if (run.folder.empty()) return run;
  run.has_weights = file || fs::exists(folder / "best.safetensors") || fs::exists(folder / "checkpoint.safetensors");
  read_curve(folder / "metrics.jsonl", run);
  read_progress(folder, run);
  if (fs::exists(folder / kFailureFile)) run.failure = read_text(folder / kFailureFile);
  while (run.failure.ends_with('\n')) run.failure.pop_back();
  if (!ended && is_training(folder))
    run.state = "training";
  else if (!run.failure.empty())
    run.state = "failed";
  else if (!run.over && (!run.epochs_planned || run.epochs_done < *run.epochs_planned))
    run.state = "stopped";
  return run;
}

ordered_json RunRecord::to_json() const {
  return {{"name", name},
          {"state", state},
          {"failure", failure},
          {"has_weights", has_weights},
          {"epochs_done", epochs_done},
          {"epochs_planned", epochs_planned ? ordered_json(*epochs_planned) : ordered_json(nullptr)},
          {"steps", steps}};
}

}  // namespace lgode::report
