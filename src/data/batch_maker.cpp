// Selects the context and the targets of scenes: by the task's rules for a data set's systems, by a request for
// predictions.
#include "lgode/data/batch_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/mapped_files.h"
#include "lgode/core/random.h"
#include "lgode/data/measured_features.h"
#include "lgode/data/time_margin.h"
#include "lgode/data/time_text.h"

namespace lgode::data {
namespace {

// A share of a whole number may come out a little below it.
constexpr double kShareMargin = 1e-9;

std::vector<RowIndex> draw_share(std::vector<RowIndex> from, double share, Random& random) {
  const auto count = static_cast<std::int64_t>(from.size());
  if (count == 0) return from;
  const auto keep = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(std::floor(share * static_cast<double>(count) + kShareMargin)), 1, count);
  std::vector<RowIndex> kept;
  kept.reserve(static_cast<std::size_t>(keep));
  for (std::int64_t i : random.choose(count, keep)) kept.push_back(from[i]);
  return kept;
}

// Without stretches of these lengths, until at most a share of the rows is left: one stretch at least, further ones if
// they fit. The first and the last row stay, so that every stretch has two sides.
std::vector<RowIndex> cut_gaps(const std::vector<RowIndex>& from, std::span<const double> times, double share,
                               const std::vector<double>& lengths, Random& random) {
  constexpr int kTries = 50;
  const auto count = static_cast<std::int64_t>(from.size());
  if (count < 3) return from;
  const auto hidden_at_most =
      count - static_cast<std::int64_t>(std::floor(share * static_cast<double>(count) + kShareMargin));
  std::vector<bool> hidden(from.size(), false);
  std::int64_t done = 0;
  const auto time = [&](std::int64_t k) { return times[static_cast<std::size_t>(from[static_cast<std::size_t>(k)])]; };
  for (int i = 0; i < kTries && done < hidden_at_most; ++i) {
    const double length = lengths[random.below(lengths.size())];
    const auto begin = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count - 2)));
    std::int64_t end = begin;
    while (end < count - 1 && time(end) - time(begin - 1) < length) ++end;
    const bool free = std::none_of(hidden.begin() + begin - 1, hidden.begin() + end + 1, [](bool h) { return h; });
    if (end == begin || !free || (done > 0 && done + end - begin > hidden_at_most)) continue;
    std::fill(hidden.begin() + begin, hidden.begin() + end, true);
    done += end - begin;
  }
  std::vector<RowIndex> kept;
  for (std::size_t k = 0; k < from.size(); ++k)
    if (!hidden[k]) kept.push_back(from[k]);
  return kept;
}

// Ends of the ranges in model time since the origin.
struct Ranges {
  double boundary;  // first range: earlier than this
  double end;       // where the first range ends for the clock
};

Ranges ranges_of(const Clock& clock) {
  const double boundary = clock.conditioning_length / clock.time_scale;
  return {boundary, std::min(1.0, boundary)};
}

// Whether a row is among flagged ones. `vindicated`: those that later rows vindicate are, too.
bool contains(const std::vector<FlaggedRow>& flagged, RowIndex row, bool vindicated) {
  return std::any_of(flagged.begin(), flagged.end(),
                     [&](const FlaggedRow& f) { return f.row == row && (vindicated || !f.vindicated); });
}
void remove(std::vector<RowIndex>& rows, const std::vector<FlaggedRow>& flagged, bool vindicated) {
  if (!flagged.empty()) std::erase_if(rows, [&](RowIndex k) { return contains(flagged, k, vindicated); });
}

std::string_view what_start_is(const BatchMaker::Request& request, Task task, const FrameWindows& frames) {
  if (request.start) return "";
  if (frames) return " (its last seen frame)";
  return task == Task::kExtrapolate ? " (its last observation)" : " (its origin)";
}

}  // namespace

Clock clock_of(const Dataset& dataset) {
  const Description& d = dataset.description();
  return {d.time_scale, d.conditioning_length, d.frames};
}

BatchMaker::BatchMaker(Dataset dataset, Normalisation normalisation, TaskOptions task)
    : BatchMaker(dataset, std::move(normalisation), task, clock_of(dataset)) {}

BatchMaker::BatchMaker(Dataset dataset, Normalisation normalisation, TaskOptions task, Clock clock)
    : dataset_(std::move(dataset)),
      normalisation_(std::move(normalisation)),
      task_(for_frames(std::move(task), dataset_.description())),
      clock_(clock),
      gaps_(gap_lengths(dataset_, task_)),
      masked_(hidden_share(dataset_, task_)),
      positions_(position_features(dataset_.description().features)) {
  if (task_.task == Task::kExtrapolate) frames_ = dataset_.description().frames;
  const Ranges ranges = ranges_of(clock_);
  for (std::int64_t s : dataset_.systems_in(Part::kTest)) {
    const SceneSource source = source_of(dataset_, s);
    const std::optional<TimeSpan> observed = observed_span(source);
    goes_on_ = observed && model_time(source, observed->last) >= ranges.boundary - margin_of(source);
    if (goes_on_) break;
  }
  mapped_files().check(dataset_.arrays().times.data());
}

std::vector<FlaggedRow> BatchMaker::flagged(const SceneSource& source, std::int64_t object, std::size_t rows) const {
  if (!task_.gate) return {};
  return flagged_rows(*task_.gate, source.times_of(object).first(rows),
                      source.values_of(object).first(rows * source.features));
}

double BatchMaker::margin_of(const SceneSource& source) const {
  return time_margin(clock_.time_scale, source.origin) / clock_.time_scale;
}

double BatchMaker::target_span(View view) const {
  // A trifle more than the frames, which could else be on either side of the edges of parts of the span.
  constexpr double kMore = 1 + 5e-7;
  if (frames_) return kMore * static_cast<double>(frames_.asked) * frames_.step / clock_.time_scale;
  const Ranges ranges = ranges_of(clock_);
  if (task_.task == Task::kInterpolate || (view == View::kTest && goes_on_)) return ranges.end;
  return ranges.end - usual_start();
}

double BatchMaker::usual_start() const {
  if (frames_) return frames_.start() / clock_.time_scale;
  const double share = task_.start == Start::kRandom ? std::clamp(0.5, task_.start_low, task_.start_high) : 0.5;
  return share * ranges_of(clock_).end;
}

double BatchMaker::context_span() const {
  if (frames_) return frames_.split() / clock_.time_scale;
  if (clock_.frames && task_.task == Task::kExtrapolate) return clock_.frames.split() / clock_.time_scale;
  const Ranges ranges = ranges_of(clock_);
  return ranges.end * (task_.start == Start::kRandom ? task_.start_high : 0.5);
}

double BatchMaker::frame_start(const SceneSource& source) const {
  const double split = source.origin + frames_.split();
  std::optional<double> last;
  for (std::int64_t i = 0; i < source.objects(); ++i) {
    const std::span<const double> times = source.times_of(i);
    auto k = std::lower_bound(times.begin(), times.end(), split) - times.begin();
    while (k > 0 && source.has_empty_rows && source.is_empty(i, k - 1)) --k;
    if (k > 0)
      last = std::max(last.value_or(times[static_cast<std::size_t>(k - 1)]), times[static_cast<std::size_t>(k - 1)]);
  }
  return std::max(source.origin, last.value_or(source.origin + frames_.start()));
}

void BatchMaker::select_frames(const SceneSource& source, std::int64_t object, std::vector<RowIndex>& shown,
                               std::vector<RowIndex>& asked) const {
  const std::span<const double> times = source.times_of(object);
  const double half = 0.5 * frames_.step;
  for (RowIndex k = 0; k < static_cast<RowIndex>(times.size()); ++k) {
    const double since = times[static_cast<std::size_t>(k)] - source.origin;
    if (since < -half || since >= frames_.length() - half || (source.has_empty_rows && source.is_empty(object, k)))
      continue;
    (since < frames_.split() ? shown : asked).push_back(k);
  }
  const auto observed = static_cast<std::int64_t>(shown.size() + asked.size());
  if (frames_.all_present && observed < frames_.count()) asked.clear();
}

Scene BatchMaker::scene(std::int64_t system, View view, std::int64_t draw, std::int64_t step) const {
  const Ranges ranges = ranges_of(clock_);
  const bool training = view == View::kTrain;
  const bool forecast = !frames_ && task_.task == Task::kExtrapolate && view == View::kTest && goes_on_;
  Scene out{.source = source_of(dataset_, system), .number = system};
  const SceneSource& source = out.source;
  const double margin = margin_of(source);
  if (training) out.mask_draw = draw;
  if (forecast) {
    out.model_start = ranges.end;
  } else if (task_.task == Task::kExtrapolate && !frames_) {
    out.model_start = usual_start();
    if (training && task_.start == Start::kRandom)
      out.model_start = ranges.end * Random(task_.seed, RandomUse::kStart, {static_cast<std::uint64_t>(step)})
                                         .uniform(task_.start_low, task_.start_high);
  }
  out.start = source.origin + out.model_start * clock_.time_scale;
  if (frames_) out.start = frame_start(source), out.model_start = model_time(source, out.start);
  const std::uint64_t epoch = training && task_.resample == Resample::kEpoch ? static_cast<std::uint64_t>(draw) : 0;
  Random random(task_.seed, RandomUse::kSeen, {training ? 1U : 2U, epoch, static_cast<std::uint64_t>(system)});

  ObjectRows& targets = out.targets.emplace();
  std::vector<RowIndex> shown, asked;
  for (std::int64_t i = 0; i < source.objects(); ++i) {
    const std::span<const double> times = source.times_of(i);
    shown.clear(), asked.clear();
    if (frames_) select_frames(source, i, shown, asked);
    for (RowIndex k = 0; k < static_cast<RowIndex>(times.size()) && !frames_; ++k) {
      const double t = model_time(source, times[static_cast<std::size_t>(k)]);
      if (t < -margin) continue;  // before the system's origin
      if (source.has_empty_rows && source.is_empty(i, k)) continue;
      const bool later = t >= ranges.boundary - margin;
      if (task_.task == Task::kInterpolate) {
        if (!later) shown.push_back(k), asked.push_back(k);
      } else if (forecast) {
        (later ? asked : shown).push_back(k);
      } else if (!later) {
        (t < out.model_start - margin ? shown : asked).push_back(k);
      }
    }
    remove(asked, flagged(source, i, times.size()), /*vindicated=*/false);
    if (task_.task == Task::kInterpolate)
      remove(shown, flagged(source, i, times.size()), /*vindicated=*/false);
    else if (!shown.empty())  // nothing later decides
      remove(shown, flagged(source, i, static_cast<std::size_t>(shown.back()) + 1), /*vindicated=*/true);
    shown = gaps_.empty() || task_.task != Task::kInterpolate ? draw_share(std::move(shown), task_.observed, random)
                                                              : cut_gaps(shown, times, task_.observed, gaps_, random);
    if (forecast && task_.context == Context::kMatched)
      std::erase_if(shown, [&](RowIndex k) {
        return model_time(source, times[static_cast<std::size_t>(k)]) < out.model_start - context_span() - margin;
      });
    out.context.add(shown);
    targets.add(asked);
  }
  return out;
}

Scene BatchMaker::scene(const Request& request) const {
  const bool frames = frames_ && !request.start;
  Scene out =
      scene(source_of(dataset_, request.system), request.times,
            frames ? std::optional(default_start(request.system)) : request.start, frames || request.include_start);
  out.number = request.system;
  return out;
}

Scene BatchMaker::scene(const SceneSource& source, std::vector<double> times, std::optional<double> start,
                        bool include_start) const {
  const Ranges ranges = ranges_of(clock_);
  const double margin = margin_of(source);
  Scene out{.source = source, .start = start ? *start : default_start(source), .times = std::move(times)};
  out.model_start = model_time(source, out.start);
  const bool interpolate = task_.task == Task::kInterpolate;
  // Times ascend, so the context of an object is contiguous. No time is between limits that are NaN.
  const auto too_early = [&](double t) {
    if (interpolate) return !(t >= out.model_start - margin);
    return task_.context != Context::kAll && !(t >= out.model_start - context_span() - margin);
  };
  const auto too_late = [&](double t) {
    if (interpolate) return !(t < out.model_start + ranges.boundary - margin);
    // At a start that was asked for nothing is seen yet, as in evaluations. The default start is an observation.
    return start && !include_start ? !(t < out.model_start - margin) : !(t <= out.model_start + margin);
  };
  out.context.reserve(static_cast<std::size_t>(source.objects()),
                      static_cast<std::size_t>(source.offsets.back() - source.offsets.front()));
  for (std::int64_t i = 0; i < source.objects(); ++i) {
    const std::span<const double> own = source.times_of(i);
    const auto begin =
        std::partition_point(own.begin(), own.end(), [&](double t) { return too_early(model_time(source, t)); });
    const auto end = std::partition_point(begin, own.end(), [&](double t) { return !too_late(model_time(source, t)); });
    const auto from = static_cast<RowIndex>(begin - own.begin()), to = static_cast<RowIndex>(end - own.begin());
    const std::vector<FlaggedRow> outliers =
        flagged(source, i, interpolate ? own.size() : static_cast<std::size_t>(to));
    if (source.has_empty_rows || !outliers.empty())
      out.context.add_range(from, to, [&](RowIndex k) {
        return !source.is_empty(i, k) && !contains(outliers, k, /*vindicated=*/!interpolate);
      });
    else
      out.context.add_range(from, to);
  }
  return out;
}

Use BatchMaker::use_of(std::int64_t system) const {
  const Scene s = scene(system, View::kValidate);
  Use use = Use::kNothingShown;
  for (std::size_t i = 0; i < s.context.objects(); ++i) {
    if (s.context[i].empty() && task_.unseen == Unseen::kLeaveOut) continue;
    use = Use::kWithoutTargets;
    for (const RowIndex k : (*s.targets)[i])
      for (const double value : s.source.row(static_cast<std::int64_t>(i), k))
        if (!std::isnan(value)) return Use::kUsable;
  }
  return use;
}

double BatchMaker::default_start(std::int64_t system) const {
  const SceneSource source = source_of(dataset_, system);
  return frames_ ? frame_start(source) : default_start(source);
}

double BatchMaker::default_start(const SceneSource& source) const {
  if (task_.task == Task::kInterpolate) return source.origin;
  const std::optional<TimeSpan> observed = observed_span(source);
  return observed ? std::max(source.origin, observed->last) : source.origin;
}

std::optional<double> BatchMaker::time_before_start(const Scene& scene) const {
  const double margin = margin_of(scene.source);
  const auto early = std::find_if(scene.times.begin(), scene.times.end(),
                                  [&](double t) { return !((t - scene.start) / clock_.time_scale >= -margin); });
  return early == scene.times.end() ? std::nullopt : std::optional(*early);
}

std::optional<BatchMaker::Refusal> BatchMaker::refusal(const Request& request, const Scene& scene) const {
  const std::optional<double> early = time_before_start(scene);
  if (!early && !request.start) return {};
  const TimeText text(dataset_.description());
  const std::string& id = dataset_.system_id(request.system);
  if (early)
    return Refusal{Refusal::kBeforeStart,
                   fmt::format("time {} of system {} is before the prediction's start {}{}; ask for later times, "
                               "or set an earlier `start`",
                               text(*early), id, text(scene.start), what_start_is(request, task_.task, frames_))};
  if (!scene.context.empty()) return {};
  const std::optional<TimeSpan> observed = observed_span(scene.source);
  if (!observed) return {};  // a system without any observation is predicted from the prior
  const double origin = scene.source.origin;
  return Refusal{
      Refusal::kNothingSeen,
      fmt::format("a prediction of system {} that starts at {} sees none of its observations, which are "
                  "between {} and {}; choose another `start`{}",
                  id, text(scene.start), text(observed->first), text(observed->last),
                  request.relative
                      ? fmt::format(" (times count from its origin {})", text(origin))
                      : fmt::format(", or `relative` if times count from each system's origin {}", text(origin)))};
}

std::optional<BatchMaker::Refusal> BatchMaker::refusal(const Request& request) const {
  return refusal(request, scene(request));
}

}  // namespace lgode::data
