// Checks run folders and reads their config.
#include "lgode/train/run_folder.h"

#include <fmt/format.h>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/core/options.h"
#include "lgode/core/safetensors.h"
#include "lgode/train/progress.h"

namespace lgode::train {

void check_new_run(const std::filesystem::path& folder, Overwrite overwrite) {
  for (const char* name : kRunFiles)
    if (overwrite == Overwrite::kRefuse && std::filesystem::exists(folder / name))
      throw ExistsError(fmt::format("{}: holds a run already ({})", folder.string(), name));
  check_writable(folder / "config.json", overwrite);
}

std::int64_t epochs_done(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "checkpoint.safetensors";
  if (!std::filesystem::exists(path)) return 0;
  return Progress::from_json(parse_json(SafetensorsFile(path).meta(kTrainingKey)), path.string()).epoch;
}

RunConfig load_config(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "config.json";
  if (!std::filesystem::exists(path))
    throw DataError(fmt::format("{}: holds no config.json, so there is no run to resume", folder.string()));
  RunConfig config;
  config.train.turn = Turn::kNone;  // unless the run has it: an earlier version did not turn
  OptionSet options;
  declare(options, config);
  const nlohmann::json file = read_json_file(path.string());
  options.set_all(file, Source::kFile, path.string());
  config.model.precision_is_saved = true;
  // An earlier version wrote its default, bf16, wherever it trained, and trained in float32 on a CPU.
  if (!file.contains("_precision") && config.model.precision == ops::Precision::kBf16)
    config.model.precision = ops::Precision::kAuto;
  return config;
}

}  // namespace lgode::train
