// The evaluation of one part of a data set with a run's own settings, and what the user should know about it.
#pragma once

#include <string>
#include <vector>

#include "lgode/eval/evaluate.h"
#include "lgode/use/message.h"
#include "lgode/use/options.h"
#include "lgode/use/parts.h"

namespace lgode::use {

// Everything but the part, which evaluate_part() takes.
eval::EvaluateOptions evaluate_options(const EvaluateSettings& settings);

// The run on the part that `split` names (part_of()), with its task, context and classical fit; on the test part also
// its calibrated intervals. Of `options` context, fit and calibrations are ignored. Errors as part_of(), check_fits()
// and eval::evaluate().
eval::Evaluation evaluate_part(const eval::Run& run, const data::Dataset& dataset, const std::string& split,
                               eval::EvaluateOptions options, const eval::EvaluateProgress& progress = {},
                               const StopFlag* stop = nullptr);

// The calibration of a run that was evaluated.
struct Reliability {
  double reach = 0;                           // how far intervals reach, physical time; 0: not calibrated
  std::int64_t systems = 0;                   // that they were calibrated on
  std::vector<std::string> differences = {};  // between the training and the test part: intervals may not hold there
};
Reliability reliability(const eval::Run& run, const data::Dataset& dataset, const eval::Evaluation& evaluation);

// Intervals that were calibrated on systems that they are evaluated on.
Messages calibration_messages(const eval::Run& run, const data::Dataset& dataset, const eval::Evaluation& evaluation);
// Also, of the test part: an error far above the validation error, and what differs between the parts.
Messages messages(const eval::Run& run, const data::Dataset& dataset, const std::string& split,
                  const eval::Evaluation& evaluation);

}  // namespace lgode::use
