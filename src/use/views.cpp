// Predicts systems for pages: eval::predict gets the context of the evaluation and the times of a path, so that paths
// and calibrated bands are the same as in a prediction.
#include "lgode/use/views.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "lgode/eval/predict.h"

namespace lgode::use {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The observations of an object, and which of them are context or targets. `present`: it is in the batch.
report::ObjectView object_view(const data::Dataset& dataset, const data::Scene& scene, std::int64_t object,
                               bool present) {
  const std::span<const double> times = scene.source.times_of(object);
  report::ObjectView view;
  view.id = dataset.object_id(scene.number, object);
  view.mse = kNone;
  const auto i = static_cast<std::size_t>(object);
  const auto in = [](std::span<const data::RowIndex> rows, std::int64_t k) {
    return std::binary_search(rows.begin(), rows.end(), k);
  };
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(times.size()); ++k) {
    if (scene.source.is_empty(object, k)) continue;
    view.times.push_back(times[static_cast<std::size_t>(k)]);
    view.seen.push_back(present && in(scene.context[i], k) ? 1 : 0);
    view.asked.push_back(present && in((*scene.targets)[i], k) ? 1 : 0);
    const auto row = scene.source.row(object, k);
    view.values.insert(view.values.end(), row.begin(), row.end());
  }
  return view;
}

// Without the observations outside the window, which have no part in the task.
report::ObjectView inside(const report::ObjectView& object, double begin, double end) {
  const double margin = 1e-9 * std::max(1.0, std::abs(end));
  report::ObjectView out{.id = object.id, .mse = object.mse, .times = {}, .values = {}, .seen = {}, .asked = {}};
  const std::size_t width = object.times.empty() ? 0 : object.values.size() / object.times.size();
  for (std::size_t k = 0; k < object.times.size(); ++k) {
    if (object.times[k] < begin - margin || object.times[k] > end + margin) continue;
    out.times.push_back(object.times[k]);
    out.seen.push_back(object.seen[k]);
    out.asked.push_back(object.asked[k]);
    out.values.insert(out.values.end(), object.values.begin() + static_cast<std::ptrdiff_t>(k * width),
                      object.values.begin() + static_cast<std::ptrdiff_t>((k + 1) * width));
  }
  return out;
}

// The system without a path.
report::SystemView system_view(const data::BatchMaker& maker, const data::Scene& scene) {
  const data::Dataset& dataset = maker.dataset();
  const data::Batch batch = maker.assemble({&scene, 1});
  const double scale = maker.clock().time_scale;
  report::SystemView out;
  out.system = scene.number;
  out.id = dataset.system_id(scene.number);
  out.mse = kNone;
  out.forecast = maker.task().task == data::Task::kExtrapolate;
  out.objects_total = scene.source.objects();
  const bool any = batch.systems() > 0;
  out.begin = out.end = out.start = any ? scene.start : scene.source.origin;
  for (std::int64_t o = 0; o < out.objects_total; ++o)
    out.objects.push_back(
        object_view(dataset, scene, o, std::binary_search(batch.object.begin(), batch.object.end(), o)));
  if (any && batch.targets() > 0) out.end = out.start + batch.horizons()[0] * scale;
  for (const double t : batch.observation_times) out.begin = std::min(out.begin, out.start + t * scale);
  for (report::ObjectView& object : out.objects) object = inside(object, out.begin, out.end);
  for (std::int64_t n = 0; any && n < batch.objects(); ++n)
    for (std::int64_t e = batch.relation_offsets[static_cast<std::size_t>(n)];
         e < batch.relation_offsets[static_cast<std::size_t>(n) + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      out.relations.push_back(
          {static_cast<std::int32_t>(batch.object[static_cast<std::size_t>(batch.relation_sources[at])]),
           static_cast<std::int32_t>(batch.object[static_cast<std::size_t>(n)]), batch.relation_types[at],
           batch.relation_weights[at]});
    }
  out.relations_total = static_cast<std::int64_t>(out.relations.size());
  return out;
}

std::vector<double> grid(double from, double to, std::int64_t count) {
  std::vector<double> times;
  for (std::int64_t k = 0; k < count; ++k)
    times.push_back(k + 1 == count ? to : from + (to - from) * static_cast<double>(k) / static_cast<double>(count - 1));
  return times;
}

// The futures of a prediction, object by object.
report::FuturesView futures_view(const eval::SystemPrediction& prediction, std::int64_t total) {
  report::FuturesView out{.count = static_cast<std::int64_t>(prediction.futures.size()),
                          .total = total,
                          .values = {},
                          .probability = prediction.probability};
  const std::size_t each = prediction.mean.size() / static_cast<std::size_t>(prediction.objects);
  for (std::size_t o = 0; o < static_cast<std::size_t>(prediction.objects); ++o)
    for (const std::vector<double>& future : prediction.futures)
      out.values.insert(out.values.end(), future.begin() + static_cast<std::ptrdiff_t>(o * each),
                        future.begin() + static_cast<std::ptrdiff_t>((o + 1) * each));
  return out;
}

bool has_task(const report::SystemView& view) {
  return view.end > view.start &&
         std::any_of(view.objects.begin(), view.objects.end(), [](const report::ObjectView& o) {
           return std::any_of(o.seen.begin(), o.seen.end(), [](std::uint8_t s) { return s != 0; });
         });
}

}  // namespace

void ObjectErrors::add(const data::Batch& batch, const eval::PredictedPaths& predicted) {
  keeper_.add(batch, predicted.values, {},
              [&](std::int64_t system, std::int64_t object, double error) { objects_[system][object] = error; });
  if (predicted.count < 2 || features_.positions.empty()) return;
  const eval::Metric* metric = eval::find_metric(eval::all_metrics(), eval::Metric::Shape::kNumber, "min_fde");
  for (const std::int64_t system : batch.system) {
    eval::ScoreKeeper alone(normalisation_, 1, 1, 1, {metric, 1}, features_);
    alone.add(batch, predicted, [&](std::int64_t other) { return other == system; });
    const eval::Scores scores = alone.scores();
    if (const eval::MetricScore* score = scores.find(metric->shape, metric->key))
      surprises_[system] = score->values.front();
  }
}

double ObjectErrors::surprise(std::int64_t system) const {
  const auto found = surprises_.find(system);
  return found == surprises_.end() ? kNone : found->second;
}

std::vector<std::pair<double, std::int64_t>> ObjectErrors::systems() const {
  std::vector<std::pair<double, std::int64_t>> out;
  for (const auto& [system, errors] : objects_) {
    double sum = 0;
    for (const auto& [object, error] : errors) sum += error;
    out.emplace_back(sum / static_cast<double>(errors.size()), system);
  }
  // A model that is broken on one system has errors there that are not numbers: these are the worst.
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    const double inf = std::numeric_limits<double>::infinity();
    return std::pair(std::isnan(a.first) ? inf : a.first, a.second) <
           std::pair(std::isnan(b.first) ? inf : b.first, b.second);
  });
  return out;
}

std::vector<report::SystemView> view_systems(const eval::Run& run, const data::Dataset& dataset,
                                             const std::vector<std::int64_t>& systems, const ViewOptions& options,
                                             const StopFlag* stop) {
  const data::BatchMaker maker = eval::batch_maker(run.info, dataset);
  eval::PredictOptions predict;
  const std::int64_t known = run.info.model.futures;
  if (known > 1) predict.futures = std::min(known, options.futures);
  std::vector<report::SystemView> views;
  for (const std::int64_t system : systems) {
    const data::Scene scene = maker.scene(system, options.view);
    report::SystemView& view = views.emplace_back(system_view(maker, scene));
    if (!has_task(view)) continue;
    view.times = grid(view.start, view.end, options.times);
    // Samples do not depend on which systems are shown: each is predicted as the first.
    data::Scene path = scene;
    path.number = 0, path.targets.reset(), path.times = view.times;
    eval::predict(
        run, maker, {&path, 1}, predict,
        [&](const eval::SystemPrediction& p) {
          view.mean = p.mean, view.low = p.low, view.high = p.high;
          if (predict.futures > 0) view.futures = futures_view(p, known);
        },
        stop);
  }
  return views;
}

}  // namespace lgode::use
