// Checkpoints of training runs: the file's layout, the run's description and its progress. What is accepted keeps its
// numbers, and can be written and read again. Weights need LibTorch and are not read here.
#include <cstdlib>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/eval/run_info.h"
#include "lgode/train/progress.h"
#include "memory_file.h"
#include "target.h"

namespace {

using nlohmann::json;

// Whatever stands in both has the same value.
void check_same(const json& given, const json& taken) {
  if (taken.is_object()) {
    for (const auto& [key, value] : taken.items())
      if (given.contains(key)) check_same(given[key], value);
  } else if (given != taken) {
    std::abort();
  }
}

}  // namespace

void lgode::fuzz::run(std::string_view input) {
  const MemoryFile file(input);
  try {
    const SafetensorsFile checkpoint(file.path());
    const json taken = eval::read_run_info(checkpoint).to_json();
    check_same(parse_json(checkpoint.meta(eval::kRunKey)), taken);
    if (eval::RunInfo::from_json(parse_json(json_text(taken)), "again").to_json() != taken) std::abort();
    if (!checkpoint.metadata().contains(train::kTrainingKey)) return;  // weights to use, not to train on
    const json progress = parse_json(checkpoint.meta(train::kTrainingKey));
    check_same(progress, train::Progress::from_json(progress, "progress").to_json());
  } catch (const DataError&) {
    throw;
  } catch (const Error&) {
    std::abort();  // a damaged file is not a mistake in the settings
  }
}
