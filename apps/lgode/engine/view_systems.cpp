// Predicts systems for a report. A copy of them that holds only what the model may see goes to eval::predict, so that
// paths and calibrated bands are those of lgode predict.
#include "engine/view_systems.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "lgode/eval/predict.h"

namespace lgode::app {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kSamples = 100;  // of an interval that is not calibrated, as in lgode predict

// The place in ascending `times` of a time that was computed the same way; -1: none.
std::int64_t place_of(const std::vector<double>& times, double time) {
  const auto at = std::lower_bound(times.begin(), times.end(), time - 1e-9);
  return at != times.end() && *at <= time + 1e-9 ? at - times.begin() : -1;
}

// The observations of an object, and which of them are shown or asked for.
report::ObjectView object_view(const data::Dataset& dataset, const data::Batch& batch, std::int64_t system,
                               std::int64_t object, double start, double scale) {
  const std::int64_t i = dataset.first_object(system) + object;
  const std::span<const double> times = dataset.times_of(i), values = dataset.values_of(i);
  report::ObjectView view;
  view.id = dataset.object_id(system, object);
  view.mse = kNone;
  const auto found = std::find(batch.object.begin(), batch.object.end(), object);
  std::vector<double> shown, asked;
  if (found != batch.object.end()) {
    const auto n = found - batch.object.begin();
    shown.assign(batch.observation_times.begin() + batch.observation_offsets[static_cast<std::size_t>(n)],
                 batch.observation_times.begin() + batch.observation_offsets[static_cast<std::size_t>(n) + 1]);
    asked.assign(batch.target_times.begin() + batch.target_offsets[static_cast<std::size_t>(n)],
                 batch.target_times.begin() + batch.target_offsets[static_cast<std::size_t>(n) + 1]);
  }
  const auto width = static_cast<std::size_t>(dataset.features());
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (dataset.is_empty(i, static_cast<std::int64_t>(k))) continue;
    const double t = (times[k] - dataset.origin(system)) / scale - start;
    view.times.push_back(times[k]);
    view.seen.push_back(place_of(shown, t) >= 0 ? 1 : 0);
    view.asked.push_back(place_of(asked, std::max(t, 0.0)) >= 0 ? 1 : 0);
    for (std::size_t f = 0; f < width; ++f) view.values.push_back(static_cast<float>(values[k * width + f]));
  }
  return view;
}

// The system without a path.
report::SystemView system_view(const data::BatchMaker& maker, std::int64_t system, data::View view) {
  const data::Dataset& dataset = maker.dataset();
  const data::Batch batch = maker.make({system}, view);
  const double scale = maker.clock().time_scale, origin = dataset.origin(system);
  report::SystemView out;
  out.system = system;
  out.id = dataset.system_id(system);
  out.mse = kNone;
  out.forecast = maker.task().task == data::Task::kExtrapolate;
  out.objects_total = dataset.objects_of(system);
  const bool any = batch.systems() > 0;
  const double start = any ? batch.start[0] : 0.0;
  out.start = origin + start * scale;
  out.begin = out.end = out.start;
  for (std::int64_t o = 0; o < out.objects_total; ++o)
    out.objects.push_back(object_view(dataset, batch, system, o, start, scale));
  if (any && batch.targets() > 0) out.end = out.start + batch.horizons()[0] * scale;
  for (const double t : batch.observation_times) out.begin = std::min(out.begin, out.start + t * scale);
  // What lies outside the window has no part in the task.
  const double margin = 1e-9 * std::max(1.0, std::abs(out.end));
  for (report::ObjectView& object : out.objects) {
    report::ObjectView inside{.id = object.id, .mse = object.mse, .times = {}, .values = {}, .seen = {}, .asked = {}};
    const std::size_t width = object.times.empty() ? 0 : object.values.size() / object.times.size();
    for (std::size_t k = 0; k < object.times.size(); ++k) {
      if (object.times[k] < out.begin - margin || object.times[k] > out.end + margin) continue;
      inside.times.push_back(object.times[k]);
      inside.seen.push_back(object.seen[k]);
      inside.asked.push_back(object.asked[k]);
      inside.values.insert(inside.values.end(), object.values.begin() + static_cast<std::ptrdiff_t>(k * width),
                           object.values.begin() + static_cast<std::ptrdiff_t>((k + 1) * width));
    }
    object = std::move(inside);
  }
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

// The systems with the seen observations alone.
data::Dataset seen_only(const data::Dataset& dataset, const std::vector<report::SystemView>& views) {
  data::Description description = dataset.description();
  description.system_ids.clear(), description.object_ids.clear(), description.recordings.clear();
  data::DatasetBuilder builder(description);
  const auto width = static_cast<std::size_t>(dataset.features());
  for (const report::SystemView& view : views) {
    builder.begin_system(data::Part::kTest, dataset.origin(view.system));
    for (std::size_t o = 0; o < view.objects.size(); ++o) {
      builder.add_object();
      const std::int64_t i = dataset.first_object(view.system) + static_cast<std::int64_t>(o);
      const std::span<const double> times = dataset.times_of(i), values = dataset.values_of(i);
      const report::ObjectView& object = view.objects[o];
      for (std::size_t k = 0; k < object.times.size(); ++k) {
        if (object.seen[k] == 0) continue;
        const auto row =
            static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), object.times[k]) - times.begin());
        builder.add_observation(times[row], values.subspan(row * width, width));
      }
    }
    for (std::int64_t r = dataset.first_relation(view.system);
         r < dataset.first_relation(view.system) + dataset.relations_of(view.system); ++r)
      builder.add_relation(dataset.relation(r));
  }
  return builder.finish("the shown observations");
}

std::vector<double> grid(double from, double to, std::int64_t count) {
  std::vector<double> times;
  for (std::int64_t k = 0; k < count; ++k)
    times.push_back(k + 1 == count ? to : from + (to - from) * static_cast<double>(k) / static_cast<double>(count - 1));
  return times;
}

bool has_task(const report::SystemView& view) {
  return view.end > view.start &&
         std::any_of(view.objects.begin(), view.objects.end(), [](const report::ObjectView& o) {
           return std::any_of(o.seen.begin(), o.seen.end(), [](std::uint8_t s) { return s != 0; });
         });
}

}  // namespace

void ObjectErrors::add(const data::Batch& batch, const float* predicted) {
  const auto features = static_cast<std::size_t>(batch.features);
  for (std::int64_t b = 0; b < batch.systems(); ++b)
    for (std::int64_t i = batch.object_offsets[static_cast<std::size_t>(b)];
         i < batch.object_offsets[static_cast<std::size_t>(b) + 1]; ++i) {
      double total = 0;
      std::int64_t count = 0;
      for (std::size_t f = 0; f < features; ++f) {
        double sum = 0;
        std::int64_t values = 0;
        for (std::int64_t t = batch.target_offsets[static_cast<std::size_t>(i)];
             t < batch.target_offsets[static_cast<std::size_t>(i) + 1]; ++t) {
          const std::size_t at = static_cast<std::size_t>(t) * features + f;
          if (batch.target_mask[at] == 0.0F) continue;
          const double error = (static_cast<double>(predicted[at]) - static_cast<double>(batch.target_values[at])) *
                               normalisation_.error_factor(f);
          sum += error * error, ++values;
        }
        if (values > 0) total += sum / static_cast<double>(values), ++count;
      }
      if (count > 0)
        objects_[batch.system[static_cast<std::size_t>(b)]][batch.object[static_cast<std::size_t>(i)]] =
            total / static_cast<double>(count);
    }
}

std::vector<std::pair<double, std::int64_t>> ObjectErrors::systems() const {
  std::vector<std::pair<double, std::int64_t>> out;
  for (const auto& [system, errors] : objects_) {
    double sum = 0;
    for (const auto& [object, error] : errors) sum += error;
    out.emplace_back(sum / static_cast<double>(errors.size()), system);
  }
  // A model that is broken on one system has errors that are no numbers there: these are the worst.
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
  const data::BatchMaker maker(dataset, run.info.normalisation, run.info.task,
                               {run.info.time_scale, run.info.conditioning_length});
  std::vector<report::SystemView> views;
  for (const std::int64_t system : systems) views.push_back(system_view(maker, system, options.view));
  std::vector<report::SystemView*> with_task;
  for (report::SystemView& view : views) {
    const std::size_t count =
        static_cast<std::size_t>(dataset.features()) * view.objects.size() * static_cast<std::size_t>(options.times);
    if (!has_task(view)) continue;
    view.times = grid(view.start, view.end, options.times);
    view.mean.assign(count, std::numeric_limits<float>::quiet_NaN());
    view.low = view.high = view.mean;
    with_task.push_back(&view);
  }
  // One at a time: a system may start at its own time.
  for (report::SystemView* view : with_task) {
    const data::Dataset shown = seen_only(dataset, {*view});
    eval::PredictOptions request{.systems = {0}, .own_times = {view->times}, .start = view->start, .samples = 0};
    request.allow_mismatch = true;  // the evaluation has checked the whole set
    eval::predict(
        run, shown, request,
        [&](const eval::SystemPrediction& p) { view->mean = p.mean, view->low = p.low, view->high = p.high; }, stop);
    if (!run.calibrations.empty() || run.model->latent() == 0) continue;
    request.samples = kSamples;
    eval::predict(
        run, shown, request, [&](const eval::SystemPrediction& p) { view->low = p.low, view->high = p.high; }, stop);
  }
  return views;
}

}  // namespace lgode::app
