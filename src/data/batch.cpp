// Makes batches from the systems of a data set: selects the start, the seen observations and the targets.
#include "lgode/data/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lgode/core/error.h"
#include "lgode/core/random.h"
#include "lgode/data/task.h"
#include "lgode/data/time_text.h"

namespace lgode::data {
namespace {

// Grid times have rounding errors; differences below this much model time are ignored.
constexpr double kTimeMargin = 1e-9;

std::vector<std::int64_t> draw_share(std::vector<std::int64_t> from, double share, Random& random) {
  const auto count = static_cast<std::int64_t>(from.size());
  if (count == 0) return from;
  const auto keep = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(std::floor(share * static_cast<double>(count) + kTimeMargin)), 1, count);
  std::vector<std::int64_t> kept;
  kept.reserve(static_cast<std::size_t>(keep));
  for (std::int64_t i : random.choose(count, keep)) kept.push_back(from[i]);
  return kept;
}

}  // namespace

// The seen observations and targets of one system, per object; observations are counted within the object.
struct BatchMaker::Selection {
  std::int64_t system = 0;
  std::int64_t place = 0;  // in the caller's list
  double start = 0;
  double horizon = 0;
  std::vector<std::vector<std::int64_t>> seen;     // ascending
  std::vector<std::vector<std::int64_t>> targets;  // ascending; empty for a prediction
  std::vector<double> times;                       // prediction only: model times since the start, for every object
};

namespace {

// Ends of the ranges in model time since the origin.
struct Ranges {
  double boundary;  // first range: earlier than this
  double end;       // where the first range ends for the clock
};

Ranges ranges_of(const Clock& clock) {
  const double boundary = clock.conditioning_length / clock.time_scale;
  return {boundary, std::min(1.0, boundary)};
}

void append_object(const Batch& batch, const Dataset& dataset, const Normalisation& norm, std::int64_t object,
                   double origin, double scale, double start, const std::vector<std::int64_t>& rows,
                   std::vector<double>& times, std::vector<float>& values, std::vector<float>& mask) {
  const std::span<const double> t = dataset.times_of(object), v = dataset.values_of(object);
  const std::int64_t features = batch.features;
  const std::size_t before = times.size(), more = rows.size() * static_cast<std::size_t>(features);
  times.resize(before + rows.size());
  values.resize(values.size() + more), mask.resize(mask.size() + more);
  double* time = times.data() + before;
  float *to = values.data() + values.size() - more, *observed = mask.data() + mask.size() - more;
  for (std::int64_t k : rows) {
    *time++ = (t[k] - origin) / scale - start;
    for (std::int64_t f = 0; f < features; ++f) {
      const double value = v[k * features + f];
      const bool missing = std::isnan(value);
      *to++ = missing ? 0.0F : static_cast<float>(value / norm.scale[f]);
      *observed++ = missing ? 0.0F : 1.0F;
    }
  }
}

void append_relations(Batch& batch, const Dataset& dataset, std::int64_t system) {
  const std::int64_t objects = dataset.objects_of(system), base = batch.object_offsets.back();
  std::vector<std::vector<Relation>> by_target(static_cast<std::size_t>(objects));
  for (std::int64_t e = 0; e < dataset.relations_of(system); ++e) {
    const Relation r = dataset.relation(dataset.first_relation(system) + e);
    by_target[r.target].push_back(r);
  }
  for (const std::vector<Relation>& list : by_target) {
    for (const Relation& r : list) {
      batch.relation_sources.push_back(base + r.source);
      batch.relation_types.push_back(r.type);
      batch.relation_weights.push_back(r.weight);
    }
    batch.relation_offsets.push_back(static_cast<std::int64_t>(batch.relation_sources.size()));
  }
}

}  // namespace

bool Batch::asks_something() const {
  return std::any_of(target_mask.begin(), target_mask.end(), [](float m) { return m != 0.0F; });
}

std::vector<double> Batch::horizons() const {
  std::vector<double> out(static_cast<std::size_t>(systems()), 0.0);
  for (std::int64_t b = 0; b < systems(); ++b)
    for (std::int64_t t = target_offsets[object_offsets[b]]; t < target_offsets[object_offsets[b + 1]]; ++t)
      out[b] = std::max(out[b], target_times[t]);
  return out;
}

Clock clock_of(const Dataset& dataset) {
  return {dataset.description().time_scale, dataset.description().conditioning_length};
}

BatchMaker::BatchMaker(Dataset dataset, Normalisation normalisation, TaskOptions task)
    : BatchMaker(dataset, std::move(normalisation), task, clock_of(dataset)) {}

BatchMaker::BatchMaker(Dataset dataset, Normalisation normalisation, TaskOptions task, Clock clock)
    : dataset_(std::move(dataset)), normalisation_(std::move(normalisation)), task_(task), clock_(clock) {
  const Ranges ranges = ranges_of(clock_);
  for (std::int64_t s : dataset_.systems_in(Part::kTest)) {
    const std::int64_t first = dataset_.first_object(s);
    for (std::int64_t i = first; i < first + dataset_.objects_of(s) && !goes_on_; ++i) {
      const std::span<const double> times = dataset_.times_of(i);
      goes_on_ = !times.empty() && model_time(s, times.back()) >= ranges.boundary - kTimeMargin;
    }
    if (goes_on_) break;
  }
}

double BatchMaker::model_time(std::int64_t system, double time) const {
  return (time - dataset_.origin(system)) / clock_.time_scale;
}

double BatchMaker::target_span(View view) const {
  const Ranges ranges = ranges_of(clock_);
  if (task_.task == Task::kInterpolate || (view == View::kTest && goes_on_)) return ranges.end;
  return 0.5 * ranges.end;
}

double BatchMaker::context_span() const {
  const Ranges ranges = ranges_of(clock_);
  return ranges.end * (task_.start == Start::kRandom ? task_.start_high : 0.5);
}

BatchMaker::Selection BatchMaker::select(std::int64_t system, View view, std::int64_t draw, std::int64_t step) const {
  const Ranges ranges = ranges_of(clock_);
  const bool training = view == View::kTrain;
  const bool forecast = task_.task == Task::kExtrapolate && view == View::kTest && goes_on_;
  Selection out;
  out.system = system;
  if (forecast) {
    out.start = ranges.end;
  } else if (task_.task == Task::kExtrapolate) {
    out.start = 0.5 * ranges.end;
    if (training && task_.start == Start::kRandom)
      out.start = ranges.end * Random(task_.seed, RandomUse::kStart, {static_cast<std::uint64_t>(step)})
                                   .uniform(task_.start_low, task_.start_high);
  }
  const std::uint64_t epoch = training && task_.resample == Resample::kEpoch ? static_cast<std::uint64_t>(draw) : 0;
  Random random(task_.seed, RandomUse::kSeen, {training ? 1U : 2U, epoch, static_cast<std::uint64_t>(system)});

  const std::int64_t first = dataset_.first_object(system);
  for (std::int64_t i = first; i < first + dataset_.objects_of(system); ++i) {
    const std::span<const double> times = dataset_.times_of(i);
    std::vector<std::int64_t> shown, asked;
    for (std::int64_t k = 0; k < static_cast<std::int64_t>(times.size()); ++k) {
      const double t = model_time(system, times[k]);
      if (t < -kTimeMargin) continue;  // before the system's origin
      const bool later = t >= ranges.boundary - kTimeMargin;
      if (task_.task == Task::kInterpolate) {
        if (!later) shown.push_back(k), asked.push_back(k);
      } else if (forecast) {
        (later ? asked : shown).push_back(k);
      } else if (!later) {
        (t < out.start - kTimeMargin ? shown : asked).push_back(k);
      }
    }
    shown = draw_share(std::move(shown), task_.observed, random);
    if (forecast && task_.context == Context::kMatched)
      std::erase_if(shown, [&](std::int64_t k) {
        return model_time(system, times[k]) < out.start - context_span() - kTimeMargin;
      });
    if (!asked.empty()) out.horizon = std::max(out.horizon, model_time(system, times[asked.back()]) - out.start);
    out.seen.push_back(std::move(shown));
    out.targets.push_back(std::move(asked));
  }
  return out;
}

Batch BatchMaker::assemble(std::vector<Selection> selections) const {
  for (std::size_t i = 0; i < selections.size(); ++i) selections[i].place = static_cast<std::int64_t>(i);
  std::stable_sort(selections.begin(), selections.end(),
                   [](const Selection& a, const Selection& b) { return a.horizon > b.horizon; });
  Batch batch;
  batch.features = dataset_.features();
  batch.object_offsets = batch.relation_offsets = batch.observation_offsets = batch.target_offsets = {0};
  for (const Selection& s : selections) {
    batch.system.push_back(s.system);
    batch.place.push_back(s.place);
    batch.start.push_back(s.start);
    append_relations(batch, dataset_, s.system);
    const double origin = dataset_.origin(s.system);
    for (std::size_t i = 0; i < s.seen.size(); ++i) {
      const std::int64_t object = dataset_.first_object(s.system) + static_cast<std::int64_t>(i);
      append_object(batch, dataset_, normalisation_, object, origin, clock_.time_scale, s.start, s.seen[i],
                    batch.observation_times, batch.observation_values, batch.observation_mask);
      batch.observation_offsets.push_back(batch.observations());
      if (s.times.empty()) {
        append_object(batch, dataset_, normalisation_, object, origin, clock_.time_scale, s.start, s.targets[i],
                      batch.target_times, batch.target_values, batch.target_mask);
        // Both lists ascend.
        auto seen = s.seen[i].begin();
        for (std::int64_t k : s.targets[i]) {
          while (seen != s.seen[i].end() && *seen < k) ++seen;
          batch.target_seen.push_back(seen != s.seen[i].end() && *seen == k ? 1 : 0);
        }
      } else {
        batch.target_times.insert(batch.target_times.end(), s.times.begin(), s.times.end());
      }
      batch.target_offsets.push_back(batch.targets());
    }
    batch.object_offsets.push_back(batch.object_offsets.back() + dataset_.objects_of(s.system));
  }
  // The start itself may be a target time: rounding must not put a target before it.
  for (double& t : batch.target_times) t = std::max(t, 0.0);
  const std::size_t values = batch.target_times.size() * static_cast<std::size_t>(batch.features);
  batch.target_values.resize(values, 0.0F);
  batch.target_mask.resize(values, 0.0F);
  batch.target_seen.resize(batch.target_times.size(), 0);
  return batch;
}

Batch BatchMaker::make(const std::vector<std::int64_t>& systems, View view, std::int64_t draw,
                       std::int64_t step) const {
  std::vector<Selection> selections;
  selections.reserve(systems.size());
  for (std::int64_t s : systems) selections.push_back(select(s, view, draw, step));
  return assemble(std::move(selections));
}

double BatchMaker::default_start(std::int64_t system) const {
  if (task_.task == Task::kInterpolate) return dataset_.origin(system);
  double last = dataset_.origin(system);
  const std::int64_t first = dataset_.first_object(system);
  for (std::int64_t i = first; i < first + dataset_.objects_of(system); ++i)
    if (!dataset_.times_of(i).empty()) last = std::max(last, dataset_.times_of(i).back());
  return last;
}

std::string_view BatchMaker::what_start_is(const Request& request) const {
  if (request.start) return "";
  return task_.task == Task::kExtrapolate ? " (its last observation)" : " (its origin)";
}

Batch BatchMaker::make_prediction(const std::vector<Request>& requests) const {
  const Ranges ranges = ranges_of(clock_);
  const double scale = clock_.time_scale;
  const TimeText text(dataset_.description());
  std::vector<Selection> selections;
  for (const Request& request : requests) {
    Selection s;
    s.system = request.system;
    const double start = request.start.value_or(default_start(request.system));
    s.start = model_time(request.system, start);
    for (double t : request.times) {
      const double since = (t - start) / scale;
      if (!(since >= -kTimeMargin))
        throw ConfigError(
            fmt::format("time {} of system {} lies before the prediction's start {}{}; ask for later times, or set an "
                        "earlier `start`",
                        text(t), dataset_.system_id(request.system), text(start), what_start_is(request)));
      s.times.push_back(since);
    }
    if (!s.times.empty()) s.horizon = s.times.back();
    const std::int64_t first = dataset_.first_object(request.system);
    for (std::int64_t i = first; i < first + dataset_.objects_of(request.system); ++i) {
      const std::span<const double> times = dataset_.times_of(i);
      std::vector<std::int64_t> shown;
      for (std::int64_t k = 0; k < static_cast<std::int64_t>(times.size()); ++k) {
        const double t = model_time(request.system, times[k]);
        const bool in = task_.task == Task::kInterpolate
                            ? t >= s.start - kTimeMargin && t < s.start + ranges.boundary - kTimeMargin
                            : t <= s.start + kTimeMargin &&
                                  (task_.context == Context::kAll || t >= s.start - context_span() - kTimeMargin);
        if (in) shown.push_back(k);
      }
      s.seen.push_back(std::move(shown));
      s.targets.emplace_back();
    }
    if (request.start) check_something_seen(s, start);
    selections.push_back(std::move(s));
  }
  return assemble(std::move(selections));
}

void BatchMaker::check_something_seen(const Selection& selection, double start) const {
  for (const std::vector<std::int64_t>& seen : selection.seen)
    if (!seen.empty()) return;
  const std::int64_t first = dataset_.first_object(selection.system);
  double earliest = std::numeric_limits<double>::infinity(), latest = -earliest;
  for (std::int64_t i = first; i < first + dataset_.objects_of(selection.system); ++i) {
    const std::span<const double> times = dataset_.times_of(i);
    if (times.empty()) continue;
    earliest = std::min(earliest, times.front());
    latest = std::max(latest, times.back());
  }
  const TimeText text(dataset_.description());
  if (earliest > latest) return;  // a system without any observation is predicted from the prior
  throw ConfigError(
      fmt::format("a prediction of system {} that starts at {} sees none of its observations, which lie between {} and "
                  "{}; choose another `start`, or `relative` if times count from each system's origin {}",
                  dataset_.system_id(selection.system), text(start), text(earliest), text(latest),
                  text(dataset_.origin(selection.system))));
}

}  // namespace lgode::data
