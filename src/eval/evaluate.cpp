// Evaluates the model and the classical baselines batch by batch.
#include "lgode/eval/evaluate.h"

#include <fmt/format.h>

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
#include "lgode/data/recordings.h"
#include "lgode/eval/calibrate.h"
#include "lgode/eval/prediction.h"

namespace lgode::eval {
namespace {

constexpr std::size_t kMostRecordings = 50;       // whose intervals are reported one by one
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

using NamedScores = std::vector<std::pair<std::string, Scores>>;

nlohmann::json scores_json(const Scores& model, const NamedScores& classical,
                           const std::vector<data::Feature>& features) {
  nlohmann::json baselines = nlohmann::json::object();
  for (const auto& [name, scores] : classical) baselines[name] = scores.to_json(features);
  return {{"model", model.to_json(features)}, {"classical", baselines}};
}

// A path and its spread; no spread: ones.
struct Path {
  const float* values = nullptr;
  const float* spread = nullptr;
};

// The scores of the model and of the baselines on all systems, or on some.
class Keepers {
 public:
  Keepers(const ScoreKeeper& empty, const std::vector<Classical>& kinds, std::function<bool(std::int64_t)> counts = {})
      : model_(empty),
        classical_(kinds.size(), empty),
        comparisons_(kinds.size()),
        kinds_(kinds),
        counts_(std::move(counts)) {}

  // With intervals, too; `keeper` makes an empty keeper for a calibration.
  void add_intervals(const Calibrations& calibrations,
                     const std::function<IntervalKeeper(const Calibration&)>& keeper) {
    intervals_.emplace(keeper(calibrations.model));
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      if (const Calibration* own = calibrations.of(std::string(data::classical_name(kinds_[k]))))
        if (!own->empty()) classical_intervals_.emplace_back(k, keeper(*own));
  }

  void add(const data::Batch& batch, const Path& predicted, const std::vector<Path>& classical,
           const data::Dataset& dataset) {
    ObjectErrors own, other;
    const auto keep = [&](std::int64_t system, std::int64_t object, double error) {
      own.emplace_back(system, error);
      objects_.add(dataset.object_id(system, object), error);
    };
    using EachObject = std::function<void(std::int64_t, std::int64_t, double)>;
    model_.add(batch, predicted.values, counts_, kinds_.empty() ? EachObject() : keep);
    for (std::size_t k = 0; k < classical.size(); ++k) {
      other.clear();
      classical_[k].add(batch, classical[k].values, counts_,
                        [&](std::int64_t system, std::int64_t, double error) { other.emplace_back(system, error); });
      comparisons_[k].add(own, other);
    }
    if (!intervals_ || predicted.values == nullptr) return;
    intervals_->add(batch, predicted.values, predicted.spread, counts_);
    for (auto& [k, keeper] : classical_intervals_) keeper.add(batch, classical[k].values, classical[k].spread, counts_);
  }
  std::optional<Evaluation::Intervals> intervals(const data::Dataset& dataset) const {
    if (!intervals_) return std::nullopt;
    Evaluation::Intervals out;
    out.model = intervals_->scores();
    if (!dataset.description().recordings.empty()) {
      out.model.recordings =
          intervals_->by_group([&](std::int64_t system) { return data::recording_of(dataset, system); });
      if (out.model.recordings.size() < 2 || out.model.recordings.size() > kMostRecordings)
        out.model.recordings.clear();
    }
    for (const auto& [k, keeper] : classical_intervals_)
      out.classical.emplace_back(data::classical_name(kinds_[k]), keeper.scores());
    return out;
  }
  std::vector<std::pair<std::string, Comparison>> comparisons() const {
    std::vector<std::pair<std::string, Comparison>> out;
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      out.emplace_back(data::classical_name(kinds_[k]), comparisons_[k].comparison());
    return out;
  }
  std::optional<WorstObject> worst_object() const { return objects_.worst(); }
  ScoreKeeper& model_keeper() { return model_; }
  Scores model() const { return model_.scores(); }
  nlohmann::json state() const {
    nlohmann::json out = {{"model", model_.state()},
                          {"classical", nlohmann::json::array()},
                          {"comparisons", nlohmann::json::array()},
                          {"objects", objects_.state()},
                          {"intervals", intervals_ ? intervals_->state() : nlohmann::json()},
                          {"classical_intervals", nlohmann::json::array()}};
    for (const ScoreKeeper& keeper : classical_) out["classical"].push_back(keeper.state());
    for (const ComparisonKeeper& keeper : comparisons_) out["comparisons"].push_back(keeper.state());
    for (const auto& [k, keeper] : classical_intervals_) out["classical_intervals"].push_back(keeper.state());
    return out;
  }
  void add(const nlohmann::json& state) {
    model_.add(state.at("model"));
    for (std::size_t k = 0; k < classical_.size(); ++k) {
      classical_[k].add(state.at("classical").at(k));
      comparisons_[k].add(state.at("comparisons").at(k));
    }
    objects_.add(state.at("objects"));
    if (intervals_) intervals_->add(state.at("intervals"));
    for (std::size_t k = 0; k < classical_intervals_.size(); ++k)
      classical_intervals_[k].second.add(state.at("classical_intervals").at(k));
  }
  NamedScores classical() const {
    NamedScores out;
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      out.emplace_back(data::classical_name(kinds_[k]), classical_[k].scores());
    return out;
  }

 private:
  ScoreKeeper model_;
  std::vector<ScoreKeeper> classical_;
  std::vector<ComparisonKeeper> comparisons_;
  ObjectKeeper objects_;
  std::vector<Classical> kinds_;
  std::function<bool(std::int64_t)> counts_;
  std::optional<IntervalKeeper> intervals_;
  std::vector<std::pair<std::size_t, IntervalKeeper>> classical_intervals_;  // by place in kinds_
};

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
        empty_(maker.normalisation(), maker.clock().time_scale, maker.target_span(view), kBins, all_metrics(),
               error_features(maker)),
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

  // Adds the model's path and the classical ones of a batch.
  void add(const PreparedBatch& prepared) {
    const data::Batch& batch = prepared.tensors.batch;
    present_ += batch.systems();
    at::Tensor predicted;
    if (batch.systems() > 0)
      predicted = model_.mean_path(prepared.tensors, *prepared.rollout).to(at::kFloat).to(at::kCPU).contiguous();
    std::vector<std::vector<float>> paths(kinds_.size()), spreads(kinds_.size());
    std::vector<Path> classical;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      paths[k] = data::predict_classical(kinds_[k], batch, maker_.dataset().description().features,
                                         maker_.normalisation(), maker_.clock().time_scale, options_.fit, &spreads[k]);
      classical.push_back({paths[k].data(), spreads[k].data()});
    }
    Path own;
    std::vector<float> spread;
    if (predicted.defined()) {
      own.values = predicted.data_ptr<float>();
      if (sampled_) own.spread = (spread = path_spread(model_, prepared.tensors, context_, 1)).data();
    }
    keepers_.add(batch, own, classical, maker_.dataset());
    if (options_.observe && own.values != nullptr) options_.observe(batch, own.values);
    if (inside_) inside_->add(batch, own, classical, maker_.dataset());
  }

  // Adds what other shards accumulated; false if they are not done yet.
  bool exchange() {
    if (!options_.exchange) return true;
    const auto others = options_.exchange({{"systems", total_},
                                           {"present", present_},
                                           {"all", keepers_.state()},
                                           {"within", inside_ ? inside_->state() : nlohmann::json()}});
    if (!others) return false;
    for (const nlohmann::json& other : *others) {
      keepers_.add(other.at("all"));
      if (inside_) inside_->add(other.at("within"));
      total_ += other.at("systems").get<std::int64_t>(), present_ += other.at("present").get<std::int64_t>();
    }
    return true;
  }

  const model::Model& model_;
  const data::BatchMaker& maker_;
  data::View view_;
  const EvaluateOptions& options_;
  const ops::Context& context_;  // without gradients
  ScoreKeeper empty_;
  std::vector<Classical> kinds_;
  Keepers keepers_;
  std::optional<Keepers> inside_;  // of the systems that stay within options.within
  bool sampled_ = false;
  std::int64_t total_ = 0, present_ = 0;  // systems, and systems with context
};

}  // namespace

nlohmann::json Evaluation::Intervals::to_json(const std::vector<data::Feature>& features) const {
  nlohmann::json baselines = nlohmann::json::object();
  for (const auto& [name, scores] : classical) baselines[name] = scores.to_json(features);
  return {{"model", model.to_json(features)}, {"classical", baselines}};
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
