// Evaluates a part, and compares its errors and data with the training.
#include "lgode/use/evaluate.h"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "lgode/data/compare_parts.h"
#include "lgode/use/format.h"

namespace lgode::use {
namespace {

// The test error over the span that validation covers: a forecast of the test part may reach farther. NaN if there is
// none.
double comparable_error(const data::BatchMaker& maker, const eval::Scores& scores) {
  const double span = maker.target_span(data::View::kValidate) * maker.clock().time_scale;
  if (maker.target_span(data::View::kTest) * maker.clock().time_scale <= span * (1 + 1e-9)) return scores.mse;
  double sum = 0;
  std::int64_t count = 0;
  for (const eval::HorizonBin& bin : scores.horizon)
    if (bin.values > 0 && bin.end <= span * (1 + 1e-9)) {
      sum += bin.mse * static_cast<double>(bin.values);
      count += bin.values;
    }
  return sum / static_cast<double>(count);
}

// Where the test error is far above the validation error: by how much, and what differs between the parts.
std::optional<Message> far_above_validation(const eval::Run& run, const data::Dataset& dataset,
                                            const eval::Scores& scores) {
  constexpr double kFar = 2;
  if (!run.info.validation.is_number() || run.info.task.protocol == data::Protocol::kPaper) return {};
  const double validation = run.info.validation;
  const double test = comparable_error(eval::batch_maker(run.info, dataset), scores);
  if (!(test > kFar * validation)) return {};
  std::string text =
      fmt::format("the test error {} x 10^-2{} is {:.3g} times the validation error {} x 10^-2 of the training",
                  format_error(test), test == scores.mse ? "" : ", over as long a span as validation covers,",
                  test / validation, format_error(validation));
  const std::vector<data::PartDifference> differences =
      data::compare_parts(dataset, run.info.task.centre == data::Centre::kSystem);
  for (const data::PartDifference& difference : differences) text += fmt::format("\n  - {}", difference.what);
  if (differences.empty())
    text += dataset.systems_in(data::Part::kTrain).empty()
                ? "\n  the data has no training part to compare the test part with"
                : "\n  ranges, speeds, numbers of objects and observations, gaps and missing values of both parts are "
                  "alike; there may be too few training systems";
  return Message{Message::Kind::kWarning, text};
}

}  // namespace

eval::EvaluateOptions evaluate_options(const EvaluateSettings& settings) {
  return {.batch = settings.batch,
          .allow_mismatch = settings.allow_mismatch,
          .within = settings.within,
          .miss_distance = settings.miss_distance,
          .collision_distance = settings.collision_distance};
}

eval::Evaluation evaluate_part(const eval::Run& run, const data::Dataset& dataset, const std::string& split,
                               eval::EvaluateOptions options, const eval::EvaluateProgress& progress,
                               const StopFlag* stop) {
  check_split(dataset, split, dataset.description().name);
  if (split == "test") return eval::evaluate_run(run, dataset, options, progress, stop);
  eval::check_fits(run.info, dataset, {.allow_mismatch = options.allow_mismatch});
  const data::BatchMaker maker = eval::batch_maker(run.info, dataset);
  options.context = run.context;
  options.fit = eval::classical_fit_of(run.info, maker);
  const PartSystems part = part_of(run.info, maker, split);
  return eval::evaluate(*run.model, maker, part.systems, part.view, options, progress, stop);
}

Reliability reliability(const eval::Run& run, const data::Dataset& dataset, const eval::Evaluation& evaluation) {
  Reliability out;
  if (!evaluation.intervals) return out;
  out.reach = run.calibrations.model.reach() * run.info.time_scale;
  out.systems = run.calibrations.model.systems();
  const bool forecast = run.info.task.task == data::Task::kExtrapolate;
  for (const data::PartDifference& difference :
       data::compare_parts(dataset, run.info.task.centre == data::Centre::kSystem, /*later=*/forecast))
    out.differences.push_back(difference.what);
  return out;
}

Messages calibration_messages(const eval::Run& run, const data::Dataset& dataset, const eval::Evaluation& evaluation) {
  const eval::Calibrations& fitted = run.calibrations;
  if (evaluation.intervals && !fitted.fingerprint.empty() && dataset.has_fingerprint(fitted.fingerprint) &&
      (fitted.part == "test" || fitted.part == "all"))
    return {{Message::Kind::kWarning,
             "its intervals were calibrated on systems that they are evaluated on; their coverage says nothing about "
             "others"}};
  return {};
}

Messages messages(const eval::Run& run, const data::Dataset& dataset, const std::string& split,
                  const eval::Evaluation& evaluation) {
  Messages out = calibration_messages(run, dataset, evaluation);
  if (split == "test")
    if (auto above = far_above_validation(run, dataset, evaluation.model)) out.push_back(std::move(*above));
  return out;
}

}  // namespace lgode::use
