// Evaluates the model and the classical baselines batch by batch.
#include "lgode/eval/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/eval/classical.h"
#include "lgode/eval/prediction.h"

namespace lgode::eval {
namespace {

// A single wrong timestamp may lie years ahead.
void check_reach(const data::Batch& batch, const data::BatchMaker& maker) {
  const double range = maker.clock().conditioning_length / maker.clock().time_scale;
  const std::vector<double> horizons = batch.horizons();
  for (std::size_t b = 0; b < horizons.size(); ++b)
    if (!(horizons[b] <= kMostRanges * range))
      throw DataError(fmt::format(
          "system {} was observed up to {:.6g} ranges of the model after the start, but it cannot predict more than "
          "{:g} ranges ahead; is a time wrong, or should the recording be cut into windows?",
          maker.dataset().system_id(batch.system[b]), horizons[b] / range, kMostRanges));
}

}  // namespace

nlohmann::json Evaluation::to_json(const std::vector<data::Feature>& features) const {
  nlohmann::json baselines = nlohmann::json::object();
  for (const auto& [name, scores] : classical) baselines[name] = scores.to_json(features);
  return {{"model", model.to_json(features)}, {"classical", baselines}};
}

Evaluation evaluate(const model::Model& model, const data::BatchMaker& maker, const std::vector<std::int64_t>& systems,
                    data::View view, const EvaluateOptions& options, const EvaluateProgress& progress,
                    const StopFlag* stop) {
  const ops::Context context = options.context.without_gradients();
  const ops::ContextScope scope(context);
  const std::vector<data::Feature>& features = maker.dataset().description().features;
  const double time_scale = maker.clock().time_scale;
  const ScoreKeeper empty(maker.normalisation(), time_scale, maker.target_span(view));
  ScoreKeeper keeper = empty;
  std::vector<std::pair<Classical, ScoreKeeper>> baselines;
  if (options.classical)
    for (Classical kind : kAllClassical) baselines.emplace_back(kind, empty);

  const auto total = static_cast<std::int64_t>(systems.size());
  for (std::int64_t first = 0; first < total; first += options.batch) {
    if (stop != nullptr && stop->requested()) throw Interrupted();
    const std::int64_t last = std::min(total, first + options.batch);
    const auto number = static_cast<std::size_t>(first / options.batch);
    std::optional<PreparedBatch> own;
    const PreparedBatch* prepared = nullptr;
    if (options.kept != nullptr && number < options.kept->size()) {
      prepared = &(*options.kept)[number];
    } else {
      data::Batch raw = maker.make({systems.begin() + first, systems.begin() + last}, view);
      check_reach(raw, maker);
      own.emplace();
      if (raw.systems() == 0) {
        own->tensors.batch = std::move(raw);
      } else {
        own->rollout = model.prepare(raw, model::rollout_options(context, 1));
        own->tensors = model.tensors(std::move(raw));
      }
      prepared = options.kept != nullptr ? &options.kept->emplace_back(std::move(*own)) : &*own;
    }
    const data::Batch& batch = prepared->tensors.batch;
    at::Tensor predicted;
    if (batch.systems() > 0)
      predicted = model.mean_path(prepared->tensors, *prepared->rollout).to(at::kFloat).to(at::kCPU).contiguous();
    keeper.add(batch, predicted.defined() ? predicted.data_ptr<float>() : nullptr);
    for (auto& [kind, scores] : baselines)
      scores.add(batch, predict_classical(kind, batch, features, maker.normalisation(), time_scale).data());
    if (progress) progress(last, total);
  }
  Evaluation out;
  out.model = keeper.scores();
  if (out.model.values == 0)
    throw DataError("nothing to evaluate: none of the " + std::to_string(total) +
                    " systems has a target under this task");
  for (const auto& [kind, scores] : baselines) out.classical.emplace_back(classical_name(kind), scores.scores());
  return out;
}

Evaluation evaluate_run(const Run& run, const data::Dataset& dataset, const EvaluateOptions& options,
                        const EvaluateProgress& progress, const StopFlag* stop) {
  check_fits(run.info, dataset);
  const data::BatchMaker maker(dataset, run.info.normalisation, run.info.task,
                               {run.info.time_scale, run.info.conditioning_length});
  EvaluateOptions own = options;
  own.context = run.context;
  return evaluate(*run.model, maker, dataset.systems_in(data::Part::kTest), data::View::kTest, own, progress, stop);
}

}  // namespace lgode::eval
