// What a run folder holds besides weights: settings, learning curve, progress and why it ended. No LibTorch here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lgode::report {

// In a run folder: why a training ended before its last epoch. Written by the command.
inline constexpr const char* kFailureFile = "failure.txt";

struct RunRecord {
  std::string name;              // the folder's name, or the checkpoint's
  std::filesystem::path folder;  // of config.json; empty: a checkpoint alone
  std::string state;             // "finished", "stopped", "training", "failed"
  std::string failure;           // its message, where there is one
  bool has_weights = false;
  std::int64_t epochs_done = 0, steps = 0;
  std::optional<std::int64_t> epochs_planned = {};  // with `schedule` plateau at most; none: no limit
  bool over = false;                                // it ended by itself, or at a limit of time
  nlohmann::json config;                            // as stored
  nlohmann::ordered_json settings;  // [{key, group, value, default, changed, help}] in the order of the help
  nlohmann::ordered_json curve;     // lines of metrics.jsonl
  std::int64_t curve_left_out = 0;  // epochs that are missing in `curve`

  nlohmann::ordered_json to_json() const;
};

// `path`: a run folder, or a checkpoint. DataError if it is neither. `ended`: the caller ensures that nobody trains
// there.
RunRecord read_run(const std::filesystem::path& path, bool ended = false);

}  // namespace lgode::report
