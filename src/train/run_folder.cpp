// Checks run folders and reads their config.
#include "lgode/train/run_folder.h"

#include <fmt/format.h>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/core/options.h"
#include "lgode/core/safetensors.h"
#include "lgode/eval/run_info.h"
#include "lgode/train/progress.h"

namespace lgode::train {
namespace {

Progress read_progress(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  eval::read_run_info(file);
  return Progress::from_json(parse_json(file.meta(kTrainingKey)), path.string());
}

}  // namespace

void check_new_run(const std::filesystem::path& folder, Overwrite overwrite) {
  for (const char* name : kRunFiles)
    if (overwrite == Overwrite::kRefuse && std::filesystem::exists(folder / name))
      throw ExistsError(fmt::format("{}: holds a run already ({})", folder.string(), name));
  check_writable(folder / "config.json", overwrite);
}

UsableCheckpoint find_checkpoint(const std::filesystem::path& folder) {
  const std::filesystem::path newer = folder / kCheckpointFile, older = folder / kPreviousFile;
  std::string fault = fmt::format("{}: there is no such file", newer.string());
  const bool any = std::filesystem::exists(newer);
  if (any) {
    try {
      read_progress(newer);
      return {newer, {}};
    } catch (const DataError& error) {
      fault = error.what();
    }
  }
  if (!std::filesystem::exists(older)) {
    if (any) throw DataError(fault);
    return {};
  }
  try {
    const Progress progress = read_progress(older);
    return {older, fmt::format("{}; the checkpoint before it is used, {} ({} steps done): what came after it is "
                               "computed again",
                               fault, older.string(), progress.step)};
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}; neither can the checkpoint before it be used: {}", fault, error.what()));
  }
}

Progress progress_of(const std::filesystem::path& folder) {
  const std::filesystem::path path = find_checkpoint(folder).path;
  return path.empty() ? Progress() : read_progress(path);
}

RunConfig load_config(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "config.json";
  if (!std::filesystem::exists(path))
    throw DataError(fmt::format("{}: holds no config.json, so there is no run to resume", folder.string()));
  RunConfig config;
  // Unless the run has them: an earlier version did not rotate, and its trainings had a fixed length.
  config.train.turn = Turn::kNone, config.train.schedule = RateSchedule::kCosine;
  OptionSet options;
  declare(options, config);
  const nlohmann::json file = read_json_file(path.string());
  options.set_all(file, Source::kFile, path.string());
  config.model.precision_is_saved = true;
  // Models of earlier versions have no base path.
  if (!file.contains("base")) config.model.base = model::Base::kOwn;
  // An earlier version wrote its default, bf16, wherever it trained, and trained in float32 on a CPU.
  if (!file.contains("_precision") && config.model.precision == ops::Precision::kBf16)
    config.model.precision = ops::Precision::kAuto;
  return config;
}

}  // namespace lgode::train
