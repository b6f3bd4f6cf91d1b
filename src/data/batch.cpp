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
#include "lgode/data/time_margin.h"
#include "lgode/data/time_text.h"
#include "shown.h"

namespace lgode::data {
namespace {

// A share of a whole number may come out a little below it.
constexpr double kShareMargin = 1e-9;

std::vector<std::int64_t> draw_share(std::vector<std::int64_t> from, double share, Random& random) {
  const auto count = static_cast<std::int64_t>(from.size());
  if (count == 0) return from;
  const auto keep = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(std::floor(share * static_cast<double>(count) + kShareMargin)), 1, count);
  std::vector<std::int64_t> kept;
  kept.reserve(static_cast<std::size_t>(keep));
  for (std::int64_t i : random.choose(count, keep)) kept.push_back(from[i]);
  return kept;
}

}  // namespace

namespace {

// Observations of each object, counted within the object, ascending. One list for all objects: a batch has many.
class ObjectRows {
 public:
  std::size_t objects() const { return offsets_.size() - 1; }
  std::size_t size() const { return rows_.size(); }  // of all objects
  bool empty() const { return rows_.empty(); }
  std::span<const std::int64_t> operator[](std::size_t object) const {
    return std::span(rows_).subspan(offsets_[object], offsets_[object + 1] - offsets_[object]);
  }
  void reserve(std::size_t objects, std::size_t rows) { offsets_.reserve(objects + 1), rows_.reserve(rows); }
  // The next object's.
  void add(std::span<const std::int64_t> rows) {
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    offsets_.push_back(rows_.size());
  }
  // The next object's: those from `begin` to `end` (excluded) that are wanted.
  template <class Wanted>
  void add_range(std::int64_t begin, std::int64_t end, const Wanted& wanted) {
    for (std::int64_t k = begin; k < end; ++k)
      if (wanted(k)) rows_.push_back(k);
    offsets_.push_back(rows_.size());
  }
  void add_range(std::int64_t begin, std::int64_t end) {
    const std::size_t before = rows_.size();
    rows_.resize(before + static_cast<std::size_t>(end - begin));
    std::iota(rows_.begin() + static_cast<std::ptrdiff_t>(before), rows_.end(), begin);
    offsets_.push_back(rows_.size());
  }

 private:
  std::vector<std::int64_t> rows_;
  std::vector<std::size_t> offsets_{0};
};

}  // namespace

// The seen observations and targets of one system.
struct BatchMaker::Selection {
  std::int64_t system = 0;
  std::int64_t place = 0;  // in the caller's list
  double start = 0;
  double horizon = 0;
  std::optional<std::int64_t> hide;  // training: the draw of the hidden values
  ObjectRows seen;
  std::optional<ObjectRows> targets;  // none for a prediction
  std::vector<double> times;          // prediction only: model times since the start, for every object
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

// Normalises rows of values; NaN is missing. Several rows at once, so that loops over them are long enough for vector
// instructions.
class Scaling {
 public:
  Scaling(const std::vector<double>& centre, const Normalisation& norm) {
    const std::size_t width = centre.size();
    centre_.reserve(kTogether + width), scale_.reserve(kTogether + width);
    do {
      centre_.insert(centre_.end(), centre.begin(), centre.end());
      scale_.insert(scale_.end(), norm.scale.begin(), norm.scale.end());
    } while (!centre.empty() && centre_.size() < kTogether);
  }
  // Appends normalised values and their mask.
  void append(std::span<const double> values, std::vector<float>& to, std::vector<float>& mask) const {
    const std::size_t before = to.size(), mask_before = mask.size();
    to.resize(before + values.size()), mask.resize(mask_before + values.size());
    for (std::size_t at = 0; at < values.size(); at += centre_.size())
      scale(values.data() + at, std::min(centre_.size(), values.size() - at), to.data() + before + at,
            mask.data() + mask_before + at);
  }

 private:
  static constexpr std::size_t kTogether = 32;

  void scale(const double* __restrict from, std::size_t count, float* __restrict to, float* __restrict mask) const {
    const double* __restrict centre = centre_.data();
    const double* __restrict unit = scale_.data();
    for (std::size_t i = 0; i < count; ++i) {
      const auto scaled = static_cast<float>((from[i] - centre[i]) / unit[i]);
      const bool present = !std::isnan(from[i]);
      to[i] = present ? scaled : 0.0F;
      mask[i] = present ? 1.0F : 0.0F;
    }
  }

  std::vector<double> centre_, scale_;  // of whole rows
};

// The differences of the left-out objects' targets from the mean of what is shown.
void append_unseen(Batch& batch, const Dataset& dataset, const Normalisation& norm, std::int64_t object,
                   std::span<const std::int64_t> rows, const std::vector<double>& mean) {
  ++batch.unseen_objects;
  const auto features = static_cast<std::size_t>(batch.features);
  const Scaling scaling(mean, norm);
  for (const std::int64_t k : rows)
    scaling.append(dataset.values_of(object).subspan(static_cast<std::size_t>(k) * features, features),
                   batch.unseen_errors, batch.unseen_mask);
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
    : dataset_(std::move(dataset)),
      normalisation_(std::move(normalisation)),
      task_(task),
      clock_(clock),
      hidden_(hidden_share(dataset_, task_)),
      positions_(position_features(dataset_.description().features)) {
  const Ranges ranges = ranges_of(clock_);
  for (std::int64_t s : dataset_.systems_in(Part::kTest)) {
    const double last = extent(s).second;
    goes_on_ = std::isfinite(last) && model_time(s, last) >= ranges.boundary - margin_of(s);
    if (goes_on_) break;
  }
}

double BatchMaker::model_time(std::int64_t system, double time) const {
  return (time - dataset_.origin(system)) / clock_.time_scale;
}

double BatchMaker::margin_of(std::int64_t system) const {
  return time_margin(clock_.time_scale, dataset_.origin(system)) / clock_.time_scale;
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
  const double margin = margin_of(system);
  const bool training = view == View::kTrain;
  const bool forecast = task_.task == Task::kExtrapolate && view == View::kTest && goes_on_;
  Selection out;
  out.system = system;
  if (training) out.hide = draw;
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
  const bool any_empty = dataset_.empty_rows() > 0;
  ObjectRows& targets = out.targets.emplace();
  std::vector<std::int64_t> shown, asked;
  for (std::int64_t i = first; i < first + dataset_.objects_of(system); ++i) {
    const std::span<const double> times = dataset_.times_of(i);
    shown.clear(), asked.clear();
    for (std::int64_t k = 0; k < static_cast<std::int64_t>(times.size()); ++k) {
      const double t = model_time(system, times[k]);
      if (t < -margin) continue;  // before the system's origin
      if (any_empty && dataset_.is_empty(i, k)) continue;
      const bool later = t >= ranges.boundary - margin;
      if (task_.task == Task::kInterpolate) {
        if (!later) shown.push_back(k), asked.push_back(k);
      } else if (forecast) {
        (later ? asked : shown).push_back(k);
      } else if (!later) {
        (t < out.start - margin ? shown : asked).push_back(k);
      }
    }
    shown = draw_share(std::move(shown), task_.observed, random);
    if (forecast && task_.context == Context::kMatched)
      std::erase_if(shown,
                    [&](std::int64_t k) { return model_time(system, times[k]) < out.start - context_span() - margin; });
    const bool absent = shown.empty() && task_.unseen == Unseen::kLeaveOut;
    if (!asked.empty() && !absent)
      out.horizon = std::max(out.horizon, model_time(system, times[asked.back()]) - out.start);
    out.seen.add(shown);
    targets.add(asked);
  }
  return out;
}

Shown BatchMaker::show(const Selection& selection) const {
  Shown shown(dataset_, selection.system);
  shown.reserve(selection.seen.objects(), selection.seen.size());
  for (std::size_t i = 0; i < selection.seen.objects(); ++i)
    if (!selection.seen[i].empty() || task_.unseen == Unseen::kPredict)
      shown.add_object(static_cast<std::int64_t>(i), selection.seen[i]);
  if (selection.hide && hidden_ > 0)
    shown.hide(hidden_,
               Random(task_.seed, RandomUse::kHide,
                      {static_cast<std::uint64_t>(*selection.hide), static_cast<std::uint64_t>(selection.system)}));
  shown.derive(task_.task == Task::kInterpolate, task_.leave);
  return shown;
}

void BatchMaker::append(Batch& batch, const Selection& s) const {
  const Shown shown = show(s);
  std::vector<double> centre(static_cast<std::size_t>(batch.features), 0.0);
  if (task_.centre == Centre::kSystem) {
    const std::vector<double> from = task_.leave ? shown.first_mean() : shown.mean();
    for (const int f : positions_) centre[static_cast<std::size_t>(f)] = from[static_cast<std::size_t>(f)];
  }
  const std::int64_t first = dataset_.first_object(s.system);
  for (std::size_t i = 0; s.targets && i < s.seen.objects(); ++i)
    if (s.seen[i].empty() && !(*s.targets)[i].empty() && task_.unseen == Unseen::kLeaveOut)
      append_unseen(batch, dataset_, normalisation_, first + static_cast<std::int64_t>(i), (*s.targets)[i],
                    shown.mean());
  if (shown.objects().empty()) return;

  batch.system.push_back(s.system);
  batch.place.push_back(s.place);
  batch.start.push_back(s.start);
  batch.centre.insert(batch.centre.end(), centre.begin(), centre.end());
  shown.append_relations(batch, task_.task == Task::kExtrapolate);
  const double origin = dataset_.origin(s.system);
  const auto features = static_cast<std::size_t>(batch.features);
  const Scaling scaling(centre, normalisation_);
  const auto model_times = [&](double time) { return (time - origin) / clock_.time_scale - s.start; };
  for (std::size_t n = 0; n < shown.objects().size(); ++n) {
    const std::int64_t i = shown.objects()[n];
    batch.object.push_back(i);
    std::transform(shown.times(n).begin(), shown.times(n).end(), std::back_inserter(batch.observation_times),
                   model_times);
    scaling.append(shown.values(n), batch.observation_values, batch.observation_mask);
    batch.observation_offsets.push_back(batch.observations());
    if (s.targets) {
      const std::span<const std::int64_t> seen = s.seen[static_cast<std::size_t>(i)];
      // Both lists ascend.
      auto at = seen.begin();
      for (const std::int64_t k : (*s.targets)[static_cast<std::size_t>(i)]) {
        batch.target_times.push_back(model_times(dataset_.times_of(first + i)[static_cast<std::size_t>(k)]));
        scaling.append(dataset_.values_of(first + i).subspan(static_cast<std::size_t>(k) * features, features),
                       batch.target_values, batch.target_mask);
        while (at != seen.end() && *at < k) ++at;
        batch.target_seen.push_back(at != seen.end() && *at == k ? 1 : 0);
      }
    } else {
      batch.target_times.insert(batch.target_times.end(), s.times.begin(), s.times.end());
    }
    batch.target_offsets.push_back(batch.targets());
  }
  batch.object_offsets.push_back(static_cast<std::int64_t>(batch.object.size()));
}

Batch BatchMaker::assemble(std::vector<Selection> selections) const {
  for (std::size_t i = 0; i < selections.size(); ++i) selections[i].place = static_cast<std::int64_t>(i);
  const auto farther = [](const Selection& a, const Selection& b) { return a.horizon > b.horizon; };
  if (!std::is_sorted(selections.begin(), selections.end(), farther))
    std::stable_sort(selections.begin(), selections.end(), farther);
  Batch batch;
  batch.features = dataset_.features();
  batch.object_offsets = batch.relation_offsets = batch.observation_offsets = batch.target_offsets = {0};
  if (!selections.empty()) {  // room for systems like the first one
    const Selection& like = selections.front();
    const std::size_t count = selections.size(), rows = like.seen.size() * count, objects = like.seen.objects() * count;
    const std::size_t targets = like.targets ? like.targets->size() * count : like.times.size() * objects;
    const auto width = static_cast<std::size_t>(batch.features);
    for (std::vector<std::int64_t>* list : {&batch.relation_offsets, &batch.observation_offsets, &batch.target_offsets})
      list->reserve(objects + 1);
    batch.object.reserve(objects), batch.observation_times.reserve(rows), batch.target_times.reserve(targets);
    batch.observation_values.reserve(rows * width), batch.observation_mask.reserve(rows * width);
  }
  for (const Selection& s : selections) append(batch, s);
  // The start itself may be a target time: rounding must not put a target before it.
  for (double& t : batch.target_times) t = std::max(t, 0.0);
  return batch;
}

Batch BatchMaker::make(const std::vector<std::int64_t>& systems, View view, std::int64_t draw,
                       std::int64_t step) const {
  std::vector<Selection> selections;
  selections.reserve(systems.size());
  for (std::int64_t s : systems) selections.push_back(select(s, view, draw, step));
  return assemble(std::move(selections));
}

Use BatchMaker::use_of(std::int64_t system) const {
  const Selection s = select(system, View::kValidate, 0, 0);
  const std::int64_t first = dataset_.first_object(system);
  const auto features = static_cast<std::size_t>(dataset_.features());
  Use use = Use::kNothingShown;
  for (std::size_t i = 0; i < s.seen.objects(); ++i) {
    if (s.seen[i].empty() && task_.unseen == Unseen::kLeaveOut) continue;
    use = Use::kWithoutTargets;
    const std::span<const double> values = dataset_.values_of(first + static_cast<std::int64_t>(i));
    for (const std::int64_t k : (*s.targets)[i])
      for (std::size_t f = 0; f < features; ++f)
        if (!std::isnan(values[static_cast<std::size_t>(k) * features + f])) return Use::kUsable;
  }
  return use;
}

double BatchMaker::default_start(std::int64_t system) const {
  if (task_.task == Task::kInterpolate) return dataset_.origin(system);
  return std::max(dataset_.origin(system), extent(system).second);
}

std::pair<double, double> BatchMaker::extent(std::int64_t system) const {
  double earliest = std::numeric_limits<double>::infinity(), latest = -earliest;
  const std::int64_t first = dataset_.first_object(system);
  for (std::int64_t i = first; i < first + dataset_.objects_of(system); ++i) {
    const std::span<const double> times = dataset_.times_of(i);
    const auto count = static_cast<std::int64_t>(times.size());
    std::int64_t begin = 0, end = count;
    while (begin < count && dataset_.is_empty(i, begin)) ++begin;
    while (end > begin && dataset_.is_empty(i, end - 1)) --end;
    if (begin == end) continue;
    earliest = std::min(earliest, times[static_cast<std::size_t>(begin)]);
    latest = std::max(latest, times[static_cast<std::size_t>(end - 1)]);
  }
  return {earliest, latest};
}

std::string_view BatchMaker::what_start_is(const Request& request) const {
  if (request.start) return "";
  return task_.task == Task::kExtrapolate ? " (its last observation)" : " (its origin)";
}

BatchMaker::Selection BatchMaker::select(const Request& request) const {
  const Ranges ranges = ranges_of(clock_);
  const double start = request.start.value_or(default_start(request.system));
  const double margin = margin_of(request.system);
  Selection s;
  s.system = request.system;
  s.start = model_time(request.system, start);
  s.times.reserve(request.times.size());
  for (double t : request.times) s.times.push_back((t - start) / clock_.time_scale);
  if (!s.times.empty()) s.horizon = s.times.back();
  const std::int64_t first = dataset_.first_object(request.system), objects = dataset_.objects_of(request.system);
  const bool any_empty = dataset_.empty_rows() > 0;
  const bool interpolate = task_.task == Task::kInterpolate;
  // Times ascend, so what is shown of an object lies together. No time is between limits that are not numbers.
  const auto too_early = [&](double t) {
    if (interpolate) return !(t >= s.start - margin);
    return task_.context != Context::kAll && !(t >= s.start - context_span() - margin);
  };
  const auto too_late = [&](double t) {
    return interpolate ? !(t < s.start + ranges.boundary - margin) : !(t <= s.start + margin);
  };
  std::size_t rows = 0;
  for (std::int64_t i = first; i < first + objects; ++i) rows += dataset_.times_of(i).size();
  s.seen.reserve(static_cast<std::size_t>(objects), rows);
  for (std::int64_t i = first; i < first + objects; ++i) {
    const std::span<const double> times = dataset_.times_of(i);
    const auto begin = std::partition_point(times.begin(), times.end(),
                                            [&](double t) { return too_early(model_time(request.system, t)); });
    const auto end =
        std::partition_point(begin, times.end(), [&](double t) { return !too_late(model_time(request.system, t)); });
    const std::int64_t from = begin - times.begin(), to = end - times.begin();
    if (any_empty)
      s.seen.add_range(from, to, [&](std::int64_t k) { return !dataset_.is_empty(i, k); });
    else
      s.seen.add_range(from, to);
  }
  return s;
}

std::optional<BatchMaker::Refusal> BatchMaker::refusal(const Request& request, const Selection& selection) const {
  const double margin = margin_of(request.system);
  const auto early =
      std::find_if(selection.times.begin(), selection.times.end(), [&](double t) { return !(t >= -margin); });
  if (early == selection.times.end() && !request.start) return {};
  const TimeText text(dataset_.description());
  const std::string& id = dataset_.system_id(request.system);
  const double start = request.start.value_or(default_start(request.system));
  if (early != selection.times.end())
    return Refusal{Refusal::kBeforeStart,
                   fmt::format("time {} of system {} lies before the prediction's start {}{}; ask for later times, "
                               "or set an earlier `start`",
                               text(request.times[static_cast<std::size_t>(early - selection.times.begin())]), id,
                               text(start), what_start_is(request))};
  if (!selection.seen.empty()) return {};
  const auto [earliest, latest] = extent(request.system);
  if (earliest > latest) return {};  // a system without any observation is predicted from the prior
  const double origin = dataset_.origin(request.system);
  return Refusal{
      Refusal::kNothingSeen,
      fmt::format("a prediction of system {} that starts at {} sees none of its observations, which lie "
                  "between {} and {}; choose another `start`{}",
                  id, text(start), text(earliest), text(latest),
                  request.relative
                      ? fmt::format(" (times count from its origin {})", text(origin))
                      : fmt::format(", or `relative` if times count from each system's origin {}", text(origin)))};
}

std::optional<BatchMaker::Refusal> BatchMaker::refusal(const Request& request) const {
  return refusal(request, select(request));
}

Batch BatchMaker::make_prediction(const std::vector<Request>& requests) const {
  std::vector<Selection> selections;
  selections.reserve(requests.size());
  for (const Request& request : requests) {
    selections.push_back(select(request));
    if (const auto refused = refusal(request, selections.back())) throw ConfigError(refused->what);
  }
  return assemble(std::move(selections));
}

}  // namespace lgode::data
