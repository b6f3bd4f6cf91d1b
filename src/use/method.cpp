// Chooses the method of a prediction, and completes runs of earlier versions for it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lgode/core/error.h"
#include "lgode/core/methods.h"
#include "lgode/core/options.h"
#include "lgode/eval/calibrate.h"
#include "lgode/eval/evaluate.h"
#include "lgode/use/format.h"
#include "lgode/use/options.h"
#include "lgode/use/predict.h"

namespace lgode::use {
namespace {

// The data that the run was trained on, if it is where the run says and still the same.
std::optional<data::Dataset> training_data(const eval::RunInfo& info) {
  const auto path = info.config.find("data");
  std::error_code error;
  if (path == info.config.end() || !path->is_string() || !std::filesystem::exists(path->get<std::string>(), error))
    return {};
  data::Dataset dataset = data::load_dataset(path->get<std::string>());
  if (!dataset.has_fingerprint(info.data_fingerprint)) return {};
  return dataset;
}

bool lacks_fit(const eval::RunInfo& info, eval::Method method) {
  const bool forecast = info.task.task == data::Task::kExtrapolate;
  return std::any_of(std::begin(kClassicalMethods), std::end(kClassicalMethods), [&](const ClassicalMethod& known) {
    const bool wanted = method == eval::Method::kAuto || method == eval::method_of(known.kind);
    return wanted && (forecast || !known.only_forecasts) && !data::is_fitted(known.kind, info.classical);
  });
}

using Errors = std::vector<std::pair<std::string, double>>;

// The smallest first; without methods whose forecasts another one has, too.
Errors in_order(const eval::Run& run) {
  Errors errors = run.calibrations.errors;
  if (run.info.task.task == data::Task::kExtrapolate)
    std::erase_if(errors, [](const auto& error) { return !has_own_forecasts(error.first); });
  std::stable_sort(errors.begin(), errors.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return errors;
}

eval::Method method_of_name(const std::string& name) {
  const ClassicalMethod* method = find_classical_method(name);
  return method == nullptr ? eval::Method::kModel : eval::method_of(method->kind);
}

// "hold 11.1, model 18.4", as in evaluations.
std::string errors_text(const Errors& errors) {
  std::string text;
  for (const auto& [name, error] : errors)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        name == eval::kModelError ? "model" : classical_display_name(name), format_error(error));
  return text;
}

}  // namespace

std::string method_name(eval::Method method) {
  eval::PredictOptions options;
  options.method = method;
  OptionSet set;
  declare_prediction(set, options);
  return set.find("method")->get().get<std::string>();
}

eval::Run settle_method(const eval::Run& run, eval::PredictOptions& options, Messages& notes, const StopFlag* stop) {
  eval::Run settled = run;
  const bool choose = options.method == eval::Method::kAuto;
  const bool lacks_errors = choose && run.calibrations.errors.empty();
  if (lacks_fit(run.info, options.method) || lacks_errors) {
    const std::optional<data::Dataset> dataset = training_data(run.info);
    if (!dataset && lacks_errors)
      throw ConfigError(
          "`method` auto: the run does not say which method won on its validation part, and the data that it was "
          "trained on is not where it was; `lgode calibrate` with recordings that it was not trained on measures the "
          "methods, or name one");
    if (dataset) {
      const data::BatchMaker maker = eval::batch_maker(run.info, *dataset);
      settled.info.classical = eval::classical_fit_of(run.info, maker);
      if (lacks_errors) {
        eval::Calibrations found = eval::calibrate(settled, maker, stop);
        if (found.errors.empty())
          throw ConfigError(
              "`method` auto: the run has no validation part to compare the methods on; name one of them");
        settled.calibrations.errors = found.errors;
        if (settled.calibrations.empty()) settled.calibrations = std::move(found);
      }
    }
  }
  if (!choose) return settled;
  const Errors errors = in_order(settled);
  options.method = method_of_name(errors.front().first);
  notes.push_back({Message::Kind::kNote,
                   fmt::format("{} predicts, which had the smallest error on the {}: errors x 10^-2: {}",
                               method_name(options.method),
                               settled.calibrations.part == "validation" ? "validation part" : "calibration data",
                               errors_text(errors))});
  return settled;
}

}  // namespace lgode::use
