// Calibrates on the chosen systems.
#include "lgode/use/calibrate.h"

#include <fmt/format.h>

#include <filesystem>

#include "lgode/core/error.h"
#include "lgode/eval/calibrate.h"
#include "lgode/use/format.h"

namespace lgode::use {

namespace fs = std::filesystem;

eval::Calibrations calibrate(const eval::Run& run, const data::Dataset& dataset, const CalibrationPart& part,
                             const std::string& data, const StopFlag* stop) {
  eval::Calibrations found = eval::calibrate(run, eval::batch_maker(run.info, dataset), part.systems, stop);
  if (found.empty())
    throw DataError(
        fmt::format("{}: there is nothing to calibrate on: {}", data,
                    part.own ? "the run has no validation part; pass `data` with recordings that it was not trained on"
                             : "no system of it has something to show and something to predict under the run's task"));
  if (!part.own) found.part = part.name;
  return found;
}

fs::path keep_calibrations(const eval::Run& run, const eval::Calibrations& found) {
  fs::path file = run.path.parent_path() / eval::kCalibrationFile;
  if (fs::exists(file)) fs::copy_file(file, file.string() + ".before", fs::copy_options::overwrite_existing);
  eval::save_calibrations(run.path, found);
  return file;
}

Messages messages(const eval::Calibrations& found) {
  constexpr std::int64_t kFewSystems = 20;
  if (found.model.systems() >= kFewSystems) return {};
  return {{Message::Kind::kWarning, fmt::format("fitted to {} only; such intervals may be off by several percent",
                                                format_plural(found.model.systems(), "system"))}};
}

}  // namespace lgode::use
