// Counts predictions and writes the messages about them.
#include "lgode/use/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "lgode/core/methods.h"
#include "lgode/use/format.h"
#include "lgode/version.h"

namespace lgode::use {

Predicted predict(const eval::Run& run, const data::Dataset& dataset, const eval::PredictOptions& options,
                  const PredictionSink& sink, const StopFlag* stop) {
  Predicted found;
  // Who is not seen cannot be in all frames, and so is no target.
  const bool whole = run.info.task.task == data::Task::kExtrapolate && dataset.description().frames.all_present;
  found.skipped = eval::predict(
      run, dataset, options,
      [&](const eval::SystemPrediction& prediction) {
        sink(prediction);
        ++found.systems;
        found.values +=
            std::count_if(prediction.mean.begin(), prediction.mean.end(), [](double x) { return !std::isnan(x); });
        if (prediction.times.empty()) return;
        for (std::int64_t o = 0; o < prediction.objects && !whole; ++o)
          found.unseen += eval::has_prediction(prediction, o) ? 0 : 1;
        found.farthest = std::max(found.farthest, prediction.times.back() - prediction.start);
      },
      stop);
  return found;
}

Messages messages(const Predicted& predicted, const eval::Run& run, const eval::PredictOptions& options) {
  const eval::RunInfo& info = run.info;
  Messages out;
  const auto add_skipped = [&](std::int64_t count, const std::string& why) {
    if (count > 0)
      out.push_back({Message::Kind::kNote, fmt::format("{} {} skipped: {}", format_plural(count, "system"),
                                                       count == 1 ? "was" : "were", why)});
  };
  add_skipped(predicted.skipped.nothing_seen, "the model sees no observation of them with this `start`");
  add_skipped(predicted.skipped.before_start, "times to predict are before the start of the prediction");
  add_skipped(
      predicted.skipped.too_far,
      fmt::format("times to predict are more than {:g} ranges of the model after the start", eval::kMostRanges));
  const std::optional<Classical> kind = eval::classical_of(options.method);
  const eval::Calibration* widths = kind ? run.calibrations.of(std::string(classical_method(*kind).key)) : nullptr;
  if (kind && (widths == nullptr || widths->empty()))
    out.push_back({Message::Kind::kNote,
                   fmt::format("the run has no calibrated intervals of the {}{}; see `lgode calibrate`",
                               classical_method(*kind).name,
                               *kind == Classical::kKalman ? ", whose own are taken" : ", so there are none")});
  constexpr double kRounding = 1.01;
  const double reach = eval::trained_reach(info);
  if (predicted.farthest > kRounding * reach)
    out.push_back({Message::Kind::kWarning,
                   fmt::format("times reach {:.4g}{} beyond the start, but training looked {:.4g} ahead; farther on, "
                               "values and intervals are not to be trusted",
                               predicted.farthest, info.time_unit.empty() ? "" : " " + info.time_unit, reach)});
  const bool one = predicted.unseen == 1;
  if (predicted.unseen > 0)
    out.push_back(
        {Message::Kind::kNote,
         fmt::format("{} {} not seen {} and {} no prediction; a model trained with `unseen` predict predicts such "
                     "objects from the others",
                     format_plural(predicted.unseen, "object"), one ? "was" : "were",
                     info.task.task == data::Task::kExtrapolate ? "before the start" : "in the range",
                     one ? "has" : "have")});
  return out;
}

Messages messages_on(const eval::RunInfo& info, const data::Dataset& dataset, data::Outliers outliers) {
  Messages out;
  for (std::string& note : eval::notes_on(info, dataset, outliers))
    out.push_back({Message::Kind::kNote, std::move(note)});
  return out;
}

nlohmann::json prediction_notes(const std::string& run, const std::string& data, const eval::PredictOptions& options,
                                const ops::Context& context) {
  return {{"run", run},
          {"data", data},
          {"method", method_name(options.method)},
          {"samples", options.samples},
          {"seed", options.seed},
          {"version", LGODE_VERSION},
          {"commit", LGODE_COMMIT},
          {"machine", ops::machine_name(context)}};
}

}  // namespace lgode::use
