// Fits a run's intervals to systems that it was not trained on, and keeps the fit with the run.
#pragma once

#include <string>

#include "lgode/core/stop.h"
#include "lgode/eval/run.h"
#include "lgode/use/message.h"
#include "lgode/use/parts.h"

namespace lgode::use {

// DataError if no system can be used; `data`: the data set's name in messages. Interrupted on a stop request.
eval::Calibrations calibrate(const eval::Run& run, const data::Dataset& dataset, const CalibrationPart& part,
                             const std::string& data, const StopFlag* stop = nullptr);

// Writes the fit next to the run's checkpoint; the one that it replaces is kept as calibration.json.before. Returns the
// path of the file.
std::filesystem::path keep_calibrations(const eval::Run& run, const eval::Calibrations& found);

// A fit to few systems.
Messages messages(const eval::Calibrations& found);

}  // namespace lgode::use
