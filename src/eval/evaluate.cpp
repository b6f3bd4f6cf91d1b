// Evaluates the model and the classical baselines batch by batch.
#include "lgode/eval/evaluate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/json_text.h"
#include "lgode/data/classical/classical.h"
#include "lgode/eval/calibrate.h"
#include "lgode/eval/prediction.h"
#include "method_keepers.h"

namespace lgode::eval {
namespace {

constexpr std::int64_t kMostObjectsOnCpu = 2000;  // of a batch: more are not faster
constexpr int kBins = 6;                          // parts of the range

// The end of the batch of systems that starts at `first`.
std::int64_t batch_end(const data::Dataset& dataset, const std::vector<std::int64_t>& systems, std::int64_t first,
                       const EvaluateOptions& options) {
  const auto total = static_cast<std::int64_t>(systems.size());
  std::int64_t last = std::min(total, first + options.batch);
  if (!options.context.device.is_cpu()) return last;
  std::int64_t objects = 0;
  for (std::int64_t i = first; i < last; ++i) {
    objects += dataset.objects_of(systems[static_cast<std::size_t>(i)]);
    if (objects > kMostObjectsOnCpu) return std::max(i, first + 1);
  }
  return last;
}

// A single wrong timestamp may be years ahead.
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

// Whether all positions of a system are within +-bound.
bool stays_within(const data::Dataset& dataset, std::int64_t system, double bound) {
  const std::vector<int> positions = data::position_features(dataset.description().features);
  const auto width = static_cast<std::size_t>(dataset.features());
  const std::int64_t first = dataset.first_object(system);
  for (std::int64_t i = first; i < first + dataset.objects_of(system); ++i) {
    const std::span<const double> values = dataset.values_of(i);
    for (const int f : positions)
      for (std::size_t at = static_cast<std::size_t>(f); at < values.size(); at += width)
        if (std::abs(values[at]) >= bound) return false;
  }
  return true;
}

nlohmann::json scores_json(const Scores& model, const NamedScores& classical,
                           const std::vector<data::Feature>& features) {
  nlohmann::json baselines = nlohmann::json::object();
  for (const auto& [name, scores] : classical) baselines[name] = scores.to_json(features);
  return {{"model", model.to_json(features)}, {"classical", baselines}};
}

// What the metrics over positions are measured in, of a model with one path.
Positions positions_of(const data::BatchMaker& maker, const ErrorFeatures& errors, const EvaluateOptions& options) {
  const std::vector<data::Feature>& features = maker.dataset().description().features;
  Positions out;
  for (const int f : errors.positions) out.features.push_back(features[static_cast<std::size_t>(f)].name);
  if (!errors.positions.empty()) {
    out.unit = features[static_cast<std::size_t>(errors.positions.front())].unit;
    out.limits = point_limits(out.unit, options.miss_distance, options.collision_distance, out.note);
    return out;
  }
  std::vector<std::string> names;
  for (const int f : data::position_features(features))
    names.push_back(features[static_cast<std::size_t>(f)].unit.empty()
                        ? features[static_cast<std::size_t>(f)].name
                        : fmt::format("{} [{}]", features[static_cast<std::size_t>(f)].name,
                                      features[static_cast<std::size_t>(f)].unit));
  out.note = fmt::format(
      "no metrics over positions (ADE, FDE, misses, collisions): they need features that are positions, change, and "
      "have one unit, which {} {} not",
      fmt::join(names, ", "), names.size() == 1 ? "does" : "do");
  return out;
}

// The paths of a method on a batch, on the CPU.
struct HostPaths {
  std::vector<float> values, spread, probability;
  std::vector<double> deviations;
  std::int64_t count = 1;

  MethodPaths view() const {
    return {{.values = values.empty() ? nullptr : values.data(),
             .count = count,
             .probability = probability.empty() ? nullptr : probability.data(),
             .deviations = deviations.empty() ? nullptr : deviations.data()},
            spread.empty() ? nullptr : spread.data()};
  }
};

std::vector<float> on_host(const at::Tensor& tensor) {
  const at::Tensor x = tensor.to(at::kFloat).to(at::kCPU).contiguous();
  return {x.data_ptr<float>(), x.data_ptr<float>() + x.numel()};
}

// Evaluates the systems of one shard, batch by batch.
class Evaluator {
 public:
  Evaluator(const model::Model& model, const data::BatchMaker& maker, data::View view, const EvaluateOptions& options,
            const ops::Context& context)
      : model_(model),
        maker_(maker),
        view_(view),
        options_(options),
        context_(context),
        features_(error_features(maker)),
        positions_(positions_of(maker, features_, options)),
        empty_(maker.normalisation(), maker.clock().time_scale, maker.target_span(view), kBins, all_metrics(),
               features_, positions_.limits),
        kinds_(options.classical ? data::classical_kinds(options.fit) : std::vector<Classical>()),
        keepers_(empty_, kinds_) {
    if (options.within)
      inside_.emplace(empty_, kinds_,
                      [this](std::int64_t system) { return stays_within(maker_.dataset(), system, *options_.within); });
    if (options.calibrations == nullptr || options.calibrations->empty()) return;
    const auto keeper_of = [&](const Calibration& calibration) {
      return IntervalKeeper(calibration, maker.normalisation(), maker.clock().time_scale, maker.target_span(view),
                            maker.task().task == data::Task::kExtrapolate, kBins, maker.dataset().constant_features());
    };
    keepers_.add_intervals(*options.calibrations, keeper_of);
    if (inside_) inside_->add_intervals(*options.calibrations, keeper_of);
    sampled_ = options.calibrations->model.uses_spread();
  }

  void run(const std::vector<std::int64_t>& systems, const EvaluateProgress& progress, const StopFlag* stop) {
    total_ = static_cast<std::int64_t>(systems.size());
    std::size_t number = 0;  // of the batch
    for (std::int64_t first = 0, last = 0; first < total_; first = last, ++number) {
      if (stop != nullptr && stop->requested()) throw Interrupted();
      last = batch_end(maker_.dataset(), systems, first, options_);
      if (options_.kept != nullptr && number < options_.kept->size()) {
        add((*options_.kept)[number]);
      } else {
        PreparedBatch fresh = prepare({systems.begin() + first, systems.begin() + last});
        add(options_.kept != nullptr ? options_.kept->emplace_back(std::move(fresh)) : fresh);
      }
      if (progress) progress(last, total_);
    }
  }

  Evaluation result() {
    if (options_.combine) options_.combine(keepers_.model_keeper());
    Evaluation out;
    out.partial = !exchange();
    if (out.partial) return out;
    out.model = keepers_.model();
    out.nothing_shown = total_ - present_;
    out.without_targets = present_ - out.model.systems;
    if (out.model.values == 0)
      throw DataError(
          fmt::format("nothing to evaluate: none of the {} systems has a target under this task{}", total_,
                      out.model.never_seen.values > 0 ? ", except of objects of which the encoder sees nothing" : ""));
    out.classical = keepers_.classical();
    out.comparisons = keepers_.comparisons();
    out.worst_object = keepers_.worst_object();
    out.positions = positions_;
    out.intervals = keepers_.intervals(maker_.dataset());
    if (inside_)
      out.within = {*options_.within, inside_->model(), inside_->classical(), inside_->intervals(maker_.dataset())};
    return out;
  }

 private:
  PreparedBatch prepare(const std::vector<std::int64_t>& systems) const {
    data::Batch raw = maker_.make(systems, view_);
    check_reach(raw, maker_);
    PreparedBatch out;
    if (raw.systems() == 0) {
      out.tensors.batch = std::move(raw);
    } else {
      out.rollout = model_.prepare(raw, model::rollout_options(context_, 1));
      out.tensors = model_.tensors(std::move(raw));
    }
    return out;
  }

  // The mean path of the model, and the futures behind it.
  HostPaths model_paths(const PreparedBatch& prepared) {
    HostPaths out;
    const model::Paths paths = model_.paths(prepared.tensors, *prepared.rollout, {}, {});
    const at::Tensor mean = paths.values.slice(0, 0, 1);
    out.values = on_host(paths.futures.defined() ? at::cat({mean, paths.futures.to(mean.scalar_type())}) : mean);
    if (paths.futures.defined()) {
      positions_.futures = paths.futures.size(0), out.count += positions_.futures;
      out.probability = on_host(at::softmax(paths.scores, 1));
    }
    if (sampled_) out.spread = path_spread(model_, prepared.tensors, context_, 1);
    return out;
  }

  HostPaths classical_paths(Classical kind, const data::Batch& batch) const {
    HostPaths out;
    out.values = data::predict_classical(kind, batch, maker_.dataset().description().features, maker_.normalisation(),
                                         maker_.clock().time_scale, options_.fit, &out.spread);
    return out;
  }

  // The deviations of a method's errors, where its intervals are calibrated.
  void add_deviations(const Calibration* calibration, const data::Batch& batch, HostPaths& paths) const {
    if (calibration == nullptr || calibration->empty() || features_.positions.empty()) return;
    paths.deviations = calibrated_deviations(*calibration, batch, maker_.task().task == data::Task::kExtrapolate,
                                             paths.view().spread, features_.positions);
  }

  // Adds the model's paths and the classical ones of a batch.
  void add(const PreparedBatch& prepared) {
    const data::Batch& batch = prepared.tensors.batch;
    const Calibrations* fitted = options_.calibrations;
    present_ += batch.systems();
    HostPaths own;
    if (batch.systems() > 0) {
      own = model_paths(prepared);
      add_deviations(fitted != nullptr ? &fitted->model : nullptr, batch, own);
    }
    std::vector<HostPaths> others;
    for (const Classical kind : kinds_) {
      others.push_back(classical_paths(kind, batch));
      add_deviations(fitted != nullptr ? fitted->of(std::string(data::classical_name(kind))) : nullptr, batch,
                     others.back());
    }
    std::vector<MethodPaths> classical;
    for (const HostPaths& paths : others) classical.push_back(paths.view());
    keepers_.add(batch, own.view(), classical, maker_.dataset());
    if (options_.observe && batch.systems() > 0) options_.observe(batch, own.view().paths);
    if (inside_) inside_->add(batch, own.view(), classical, maker_.dataset());
  }

  // Adds what other shards accumulated; false if they are not done yet.
  bool exchange() {
    if (!options_.exchange) return true;
    const auto others = options_.exchange({{"systems", total_},
                                           {"present", present_},
                                           {"futures", positions_.futures},
                                           {"all", keepers_.state()},
                                           {"within", inside_ ? inside_->state() : nlohmann::json()}});
    if (!others) return false;
    for (const nlohmann::json& other : *others) {
      keepers_.add(other.at("all"));
      if (inside_) inside_->add(other.at("within"));
      total_ += other.at("systems").get<std::int64_t>(), present_ += other.at("present").get<std::int64_t>();
      positions_.futures = std::max(positions_.futures, other.at("futures").get<std::int64_t>());
    }
    return true;
  }

  const model::Model& model_;
  const data::BatchMaker& maker_;
  data::View view_;
  const EvaluateOptions& options_;
  const ops::Context& context_;  // without gradients
  ErrorFeatures features_;
  Positions positions_;
  ScoreKeeper empty_;
  std::vector<Classical> kinds_;
  MethodKeepers keepers_;
  std::optional<MethodKeepers> inside_;  // of the systems that stay within options.within
  bool sampled_ = false;
  std::int64_t total_ = 0, present_ = 0;  // systems, and systems with context
};

}  // namespace

nlohmann::json Evaluation::Intervals::to_json(const std::vector<data::Feature>& features) const {
  nlohmann::json baselines = nlohmann::json::object();
  for (const auto& [name, scores] : classical) baselines[name] = scores.to_json(features);
  return {{"model", model.to_json(features)}, {"classical", baselines}};
}

nlohmann::json Positions::to_json(const Scores& model) const {
  nlohmann::json metrics = nlohmann::json::array();
  for (const MetricScore& score : model.metrics)
    if (is_over_positions(*score.metric))
      metrics.push_back({{"key", score.metric->key},
                         {"name", metric_name(*score.metric, futures)},
                         {"unit", unit_name(score.metric->unit)}});
  nlohmann::json out = {{"features", features}, {"futures", futures}, {"metrics", metrics}, {"note", note}};
  if (!features.empty())
    out.update({{"unit", unit}, {"miss_distance", limits.miss}, {"collision_distance", limits.collision}});
  return out;
}

nlohmann::json Evaluation::to_json(const std::vector<data::Feature>& features) const {
  nlohmann::json out = scores_json(model, classical, features);
  for (const auto& [name, comparison] : comparisons)
    out["comparisons"][name] = {{"systems", comparison.systems},
                                {"better", comparison.better},
                                {"difference", json_number(comparison.difference)},
                                {"standard_error", json_number(comparison.standard_error)}};
  if (worst_object)
    out["worst_object"] = {{"object", worst_object->object},
                           {"mse", json_number(worst_object->mse)},
                           {"share", json_number(worst_object->share)},
                           {"next", worst_object->next},
                           {"next_mse", json_number(worst_object->next_mse)}};
  out["positions"] = positions.to_json(model);
  out["left_out_systems"] = {{"nothing_shown", nothing_shown}, {"without_targets", without_targets}};
  if (intervals) out["intervals"] = intervals->to_json(features);
  if (!within) return out;
  out["within"] = scores_json(within->model, within->classical, features);
  out["within"]["bound"] = within->bound;
  if (within->intervals) out["within"]["intervals"] = within->intervals->to_json(features);
  return out;
}

Evaluation evaluate(const model::Model& model, const data::BatchMaker& maker, const std::vector<std::int64_t>& all,
                    data::View view, const EvaluateOptions& options, const EvaluateProgress& progress,
                    const StopFlag* stop) {
  const auto count = static_cast<std::int64_t>(all.size());
  const std::vector<std::int64_t> systems(all.begin() + count * options.shard / options.shards,
                                          all.begin() + count * (options.shard + 1) / options.shards);
  const ops::Context context = options.context.without_gradients();
  const ops::ContextScope scope(context);
  Evaluator evaluator(model, maker, view, options, context);
  evaluator.run(systems, progress, stop);
  return evaluator.result();
}

data::ClassicalFit classical_fit_of(const RunInfo& info, const data::BatchMaker& maker) {
  data::ClassicalFit fit = info.classical;
  const bool lacks_damping = fit.damping.empty() && maker.task().task == data::Task::kExtrapolate;
  if (!lacks_damping && !fit.noise.empty()) return fit;
  const std::vector<std::int64_t> systems = data::split_parts(maker).train;
  if (lacks_damping) fit.damping = data::fit_damping(maker, systems);
  if (fit.noise.empty()) fit.noise = data::fit_wiener(maker, systems);
  return fit;
}

Evaluation evaluate_run(const Run& run, const data::Dataset& dataset, const EvaluateOptions& options,
                        const EvaluateProgress& progress, const StopFlag* stop) {
  check_fits(run.info, dataset, {.allow_mismatch = options.allow_mismatch});
  const data::BatchMaker maker = batch_maker(run.info, dataset);
  EvaluateOptions own = options;
  own.context = run.context;
  own.fit = classical_fit_of(run.info, maker);
  own.calibrations = &run.calibrations;
  return evaluate(*run.model, maker, dataset.systems_in(data::Part::kTest), data::View::kTest, own, progress, stop);
}

}  // namespace lgode::eval
