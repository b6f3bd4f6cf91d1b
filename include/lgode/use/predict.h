// Predictions as every front end makes them: predicts, counts, and makes the messages about it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "lgode/core/stop.h"
#include "lgode/eval/predict.h"
#include "lgode/use/message.h"
#include "lgode/use/prediction_file.h"

namespace lgode::use {

struct Predicted {
  eval::Skipped skipped;
  std::int64_t systems = 0, values = 0;  // with a prediction
  std::int64_t unseen = 0;               // objects without one: nothing of them was observed in the context
  double farthest = 0;                   // longest time after a start
};

// As eval::predict(). Without systems, no prediction is made.
Predicted predict(const eval::Run& run, const data::Dataset& dataset, const eval::PredictOptions& options,
                  const PredictionSink& sink, const StopFlag* stop = nullptr);

// Systems that were skipped, times beyond what training covered, objects without a prediction, a method without
// calibrated intervals.
Messages messages(const Predicted& predicted, const eval::Run& run, const eval::PredictOptions& options);
// The run to predict with, and in `options` the method that kAuto stands for: the one with the smallest error on the
// validation part, of all objects together. What a run of an earlier version lacks for a method is computed from its
// training data, where that is still there. ConfigError where it cannot be computed.
eval::Run settle_method(const eval::Run& run, eval::PredictOptions& options, Messages& notes,
                        const StopFlag* stop = nullptr);
// The word for a method: "model", "kalman".
std::string method_name(eval::Method method);

// How the data differs from what the run was trained on (eval::notes_on). `outliers`: as the data will be used.
Messages messages_on(const eval::RunInfo& info, const data::Dataset& dataset,
                     data::Outliers outliers = data::Outliers::kFlag);

// How a prediction was made, for the file that holds it. `run` and `data`: as the user names them.
nlohmann::json prediction_notes(const std::string& run, const std::string& data, const eval::PredictOptions& options,
                                const ops::Context& context);

}  // namespace lgode::use
