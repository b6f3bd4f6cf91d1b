// Describes the gaps to fill, cuts such gaps into known stretches, and measures the methods there.
#include "fill_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>

#include "fill_values.h"
#include "lgode/core/random.h"
#include "lgode/data/recordings.h"

namespace lgode::eval {
namespace {

constexpr std::size_t kMostEvents = 4096, kMostValues = 2000;
constexpr std::int64_t kMostStretches = 256, kLeastStretches = 8, kMostObjects = 1000;
constexpr double kMargin = 1e-9;  // of a gap's length: times have rounding errors

// One feature of a row to fill.
struct Missing {
  enum class Where { kInside, kBefore, kAfter };  // of the object's observations
  std::size_t feature = 0;
  Where where = Where::kInside;
  double length = 0;  // between the observations around it; outside, the distance from the nearest one
};

// A row to fill, with all that is missing there.
struct Event {
  double share = 0;  // of the system's objects that have a gap at the same time
  std::vector<Missing> missing;
};

std::optional<Missing> describe(const data::Series& series, std::size_t feature, double time, double longest) {
  if (series.empty()) return std::nullopt;
  Missing out{feature, Missing::Where::kInside, 0};
  if (time < series.time.front()) {
    out.where = Missing::Where::kBefore;
    out.length = series.time.front() - time;
  } else if (time > series.time.back()) {
    out.where = Missing::Where::kAfter;
    out.length = time - series.time.back();
  } else {
    const auto k = static_cast<std::size_t>(series.before(time));
    if (k + 1 >= series.time.size()) return std::nullopt;  // observed
    out.length = series.time[k + 1] - series.time[k];
  }
  if (out.length > longest) return std::nullopt;
  return out;
}

// The rows to fill of `systems` (a sample of many), and how many values of each feature are missing.
class Events {
 public:
  explicit Events(const FillTrial& trial)
      : trial_(trial),
        features_(trial.whole.description().features),
        longest_(trial.run.info.conditioning_length),
        missing_(features_.size(), 0) {
    std::size_t rows = 0;
    for (const std::int64_t s : trial.systems)
      for (std::int64_t o = first(s); o < last(s); ++o) rows += trial.gaps.times(o).size();
    step_ = rows / kMostEvents + 1;
    for (const std::int64_t s : trial.systems) add(s);
  }

  const std::vector<Event>& all() const { return events_; }
  bool has_gaps(std::size_t feature) const { return missing_[feature] > 0; }

 private:
  std::int64_t first(std::int64_t s) const { return trial_.whole.first_object(s); }
  std::int64_t last(std::int64_t s) const { return first(s) + trial_.whole.objects_of(s); }

  void add(std::int64_t system) {
    std::map<double, std::int64_t> at;  // gaps at a time
    for (std::int64_t o = first(system); o < last(system); ++o)
      for (const double time : trial_.gaps.times(o)) ++at[time];
    for (std::int64_t o = first(system); o < last(system); ++o) {
      if (trial_.gaps.times(o).empty()) continue;
      const ObjectPaths paths(trial_.whole, o);
      for (const double time : trial_.gaps.times(o)) {
        Event event;
        event.share = static_cast<double>(at[time]) / static_cast<double>(trial_.whole.objects_of(system));
        for (const std::size_t f : missing_at(o, time)) {
          ++missing_[f];
          if (const auto missing = describe(paths.series(f), f, time, longest_)) event.missing.push_back(*missing);
        }
        if (next_++ % step_ == 0 && !event.missing.empty()) events_.push_back(std::move(event));
      }
    }
  }

  std::vector<std::size_t> missing_at(std::int64_t object, double time) const {
    const std::span<const double> times = trial_.whole.times_of(object);
    const auto at = std::lower_bound(times.begin(), times.end(), time);
    const bool row = at != times.end() && *at == time;
    const auto k = static_cast<std::size_t>(at - times.begin());
    std::vector<std::size_t> out;
    for (std::size_t f = 0; f < features_.size(); ++f)
      if (!features_[f].derived && (!row || std::isnan(trial_.whole.values_of(object)[k * features_.size() + f])))
        out.push_back(f);
    return out;
  }

  const FillTrial& trial_;
  const std::vector<data::Feature>& features_;
  double longest_;
  std::size_t step_ = 1, next_ = 0;
  std::vector<std::int64_t> missing_;
  std::vector<Event> events_;
};

// A value that was cut out.
struct Known {
  std::int64_t object = 0;  // over the whole set of stretches
  double time = 0;
  std::size_t feature = 0;
  double value = 0;
};

// Three neighbouring ranges of a system. Gaps are cut into the one in the middle, so that the observations around them
// may be in another range.
class Stretch {
 public:
  Stretch(const data::Dataset& known, std::int64_t system, double length, Random& random)
      : system_(system), width_(static_cast<std::size_t>(known.features())) {
    double latest = known.origin(system);
    const std::int64_t first = known.first_object(system), last = first + known.objects_of(system);
    for (std::int64_t o = first; o < last; ++o)
      if (!known.times_of(o).empty()) latest = std::max(latest, known.times_of(o).back());
    const auto ranges = static_cast<std::uint64_t>(
        std::clamp(std::floor((latest - known.origin(system)) / length * (1 - kMargin)) + 1, 1.0, 1e6));
    const auto range = static_cast<double>(random.below(ranges));
    start_ = known.origin(system) + range * length;
    end_ = start_ + length;
    origin_ = range > 0 ? start_ - length : start_;
    for (std::int64_t o = first; o < last; ++o) {
      const std::span<const double> times = known.times_of(o), values = known.values_of(o);
      const auto from = std::lower_bound(times.begin(), times.end(), origin_) - times.begin();
      const auto to = std::lower_bound(times.begin(), times.end(), end_ + length) - times.begin();
      const auto width = static_cast<std::ptrdiff_t>(width_);
      times_.insert(times_.end(), times.begin() + from, times.begin() + to);
      values_.insert(values_.end(), values.begin() + from * width, values.begin() + to * width);
      offsets_.push_back(static_cast<std::int64_t>(times_.size()));
    }
  }

  std::int64_t system() const { return system_; }
  std::int64_t objects() const { return static_cast<std::int64_t>(offsets_.size()) - 1; }
  // Its rows, without the cut values; views of this object.
  data::SceneSource rows() const {
    return {.offsets = offsets_, .times = times_, .values = values_, .origin = origin_, .features = width_};
  }

  // Cuts the event's missing values out of an object; returns the cut values in the middle range, `object` counted
  // within the stretch. Empty, and no change, if the gap does not fit here. `when`: the time of the gap; drawn and
  // returned if it is not given.
  std::vector<Known> cut(const Event& event, std::size_t object, std::optional<double>& when, Random& random) {
    constexpr int kAttempts = 10;
    const Object o = object_at(object);
    std::vector<std::size_t> anchors;
    for (std::size_t k = 0; k < o.times.size(); ++k)
      if (o.times[k] < end_ && !std::isnan(o.values[k * width_ + event.missing.front().feature])) anchors.push_back(k);
    if (when && !anchors.empty())
      anchors = {*std::min_element(anchors.begin(), anchors.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(o.times[a] - *when) < std::abs(o.times[b] - *when);
      })};
    for (int attempt = 0; attempt < (when ? 1 : kAttempts) && !anchors.empty(); ++attempt) {
      const double anchor = o.times[anchors[random.below(anchors.size())]];
      std::vector<std::size_t> places;  // in o.values
      const bool fits = std::all_of(event.missing.begin(), event.missing.end(),
                                    [&](const Missing& missing) { return find(o, missing, anchor, places); });
      if (!fits) continue;
      std::vector<Known> cut;
      for (const std::size_t at : places) {
        const double time = o.times[at / width_];
        if (time >= start_ && time < end_ && measured(event, at % width_, anchor, time))
          cut.push_back({static_cast<std::int64_t>(object), time, at % width_, o.values[at]});
      }
      if (cut.empty()) continue;
      for (const std::size_t at : places) o.values[at] = std::numeric_limits<double>::quiet_NaN();
      when = anchor;
      return cut;
    }
    return {};
  }

 private:
  struct Object {
    std::span<const double> times;  // [rows]
    std::span<double> values;       // [rows, D]
  };
  Object object_at(std::size_t index) {
    const auto from = static_cast<std::size_t>(offsets_[index]), to = static_cast<std::size_t>(offsets_[index + 1]);
    return {std::span(times_).subspan(from, to - from),
            std::span(values_).subspan(from * width_, (to - from) * width_)};
  }

  // Adds the places of the values to cut. False if there are none, or if no observation would be left around them.
  bool find(const Object& o, const Missing& missing, double anchor, std::vector<std::size_t>& places) const {
    const double margin = kMargin * missing.length;
    bool any = false, before = false, after = false;
    for (std::size_t k = 0; k < o.times.size(); ++k) {
      const std::size_t at = k * width_ + missing.feature;
      if (std::isnan(o.values[at])) continue;
      const double since = o.times[k] - anchor;
      const bool out = missing.where == Missing::Where::kBefore  ? since < -margin
                       : missing.where == Missing::Where::kAfter ? since > margin
                                                                 : since > margin && since < missing.length - margin;
      if (out) places.push_back(at), any = true;
      if (!out && since <= margin) before = true;
      if (!out && since >= -margin && (since > margin || missing.where != Missing::Where::kInside)) after = true;
    }
    switch (missing.where) {
      case Missing::Where::kInside:
        return any && before && after;
      case Missing::Where::kBefore:
        return any && after;
      case Missing::Where::kAfter:
        return any && before;
    }
    return false;
  }

  // Outside the observations, only values as near to them as the one to fill are measured.
  static bool measured(const Event& event, std::size_t feature, double anchor, double time) {
    const auto missing = std::find_if(event.missing.begin(), event.missing.end(),
                                      [&](const Missing& m) { return m.feature == feature; });
    return missing->where == Missing::Where::kInside || std::abs(time - anchor) <= missing->length * (1 + kMargin);
  }

  std::int64_t system_;
  std::size_t width_;
  double origin_ = 0, start_ = 0, end_ = 0;  // of the first range; of the middle one
  std::vector<std::int64_t> offsets_{0};     // [objects+1] rows
  std::vector<double> times_, values_;       // of all objects
};

// Cuts gaps into stretches until there are enough.
class Cutter {
 public:
  Cutter(const FillTrial& trial, const std::vector<Event>& events) : trial_(trial) {
    std::vector<std::int64_t> pool = usable();
    if (pool.empty() || events.empty()) return;
    Random random(trial.predict.seed, RandomUse::kFill);
    const auto count = static_cast<std::int64_t>(pool.size());
    const std::vector<std::int64_t> order = random.choose(count, std::min(count, kMostStretches));
    std::int64_t objects = 0;
    for (std::int64_t n = 0; n < kMostStretches && cut_.size() < kMostValues; ++n) {
      if (objects > kMostObjects && n >= kLeastStretches) break;
      const std::int64_t system = pool[static_cast<std::size_t>(order[static_cast<std::size_t>(n) % order.size()])];
      Stretch stretch(trial.known, system, trial.run.info.conditioning_length, random);
      std::vector<Known> cut = cut_out(stretch, events, random);
      if (cut.empty()) continue;
      for (Known& known : cut) known.object += objects;
      cut_.insert(cut_.end(), cut.begin(), cut.end());
      objects += stretch.objects();
      stretches_.push_back(std::move(stretch));
    }
  }

  const std::vector<Known>& cut() const { return cut_; }

  // The stretches, which are views of this object.
  std::vector<Gaps::Recording> recordings() const {
    std::vector<Gaps::Recording> out;
    for (const Stretch& stretch : stretches_) out.push_back({stretch.system(), stretch.rows()});
    return out;
  }

 private:
  // Systems whose relations are known.
  std::vector<std::int64_t> usable() const {
    std::set<std::string> recordings;
    for (std::int64_t s = 0; s < trial_.source.systems(); ++s) recordings.insert(data::recording_of(trial_.source, s));
    std::vector<std::int64_t> systems;
    for (const std::int64_t s : trial_.known_systems)
      if (recordings.contains(data::recording_of(trial_.known, s)) && trial_.known.objects_of(s) > 0)
        systems.push_back(s);
    return systems;
  }

  // One gap in each object; as many at the same time as in the events.
  static std::vector<Known> cut_out(Stretch& stretch, const std::vector<Event>& events, Random& random) {
    const std::int64_t objects = stretch.objects();
    const std::vector<std::int64_t> order = random.permutation(objects);
    std::vector<Known> cut;
    for (std::int64_t next = 0; next < objects;) {
      const Event& event = events[random.below(events.size())];
      const std::int64_t together = std::max<std::int64_t>(1, std::llround(event.share * static_cast<double>(objects)));
      std::optional<double> when;
      for (const std::int64_t end = std::min(objects, next + together); next < end; ++next) {
        const auto object = static_cast<std::size_t>(order[static_cast<std::size_t>(next)]);
        const std::vector<Known> more = stretch.cut(event, object, when, random);
        cut.insert(cut.end(), more.begin(), more.end());
      }
    }
    return cut;
  }

  const FillTrial& trial_;
  std::vector<Stretch> stretches_;
  std::vector<Known> cut_;
};

// Squared errors of a method, and by how much the line's are larger.
struct MethodErrors {
  double squares = 0, gains = 0, gains_squared = 0;

  void add(double square, double line) {
    const double gain = line - square;
    squares += square;
    gains += gain;
    gains_squared += gain * gain;
  }
  // Whether the line is worse by more than chance: twice the standard error of the mean gain.
  bool beats_line(std::int64_t count) const {
    const auto n = static_cast<double>(count);
    const double mean = gains / n, variance = std::max(0.0, gains_squared / n - mean * mean);
    return mean > 2 * std::sqrt(variance / n);
  }
};

// The methods on one feature.
struct Errors {
  MethodErrors model, linear, hermite;
  std::int64_t count = 0;
};

std::vector<Errors> measure(const FillTrial& trial, const Cutter& cutter, const StopFlag* stop) {
  std::vector<Errors> errors(static_cast<std::size_t>(trial.whole.features()));
  if (cutter.cut().empty()) return errors;
  const std::vector<Gaps::Recording> recordings = cutter.recordings();
  Gaps gaps(trial.run, trial.source, trial.known, false, recordings);
  if (trial.with_model) {
    std::vector<std::int64_t> systems(recordings.size());
    std::iota(systems.begin(), systems.end(), 0);
    gaps.find(systems);
    gaps.predict(trial.predict, {}, stop);
  }
  std::optional<ObjectPaths> paths;
  auto recording = recordings.begin();
  std::int64_t object = -1, first = 0;  // over all recordings; the first one of `recording`
  for (const Known& known : cutter.cut()) {
    while (known.object >= first + recording->rows.objects()) first += (recording++)->rows.objects();
    if (known.object != object) {
      object = known.object;
      paths.emplace(trial.known.description().features, recording->rows.times_of(object - first),
                    recording->rows.values_of(object - first));
    }
    const double line = paths->linear(known.feature, known.time);
    const std::span<const double> predicted = gaps.values(known.object, known.time);
    const double model = predicted.empty() ? line : predicted[known.feature];
    const auto square = [&](double x) { return (x - known.value) * (x - known.value); };
    Errors& e = errors[known.feature];
    e.model.add(square(std::isnan(model) ? line : model), square(line));
    e.linear.add(square(line), square(line));
    e.hermite.add(square(paths->hermite(known.feature, known.time)), square(line));
    ++e.count;
  }
  return errors;
}

FeatureFill choose(std::size_t feature, const Errors& errors, bool with_model) {
  FeatureFill out;
  out.feature = feature;
  out.compared = errors.count;
  if (errors.count == 0) return out;
  const auto rms = [&](const MethodErrors& e) { return std::sqrt(e.squares / static_cast<double>(errors.count)); };
  out.linear_error = rms(errors.linear);
  out.hermite_error = rms(errors.hermite);
  if (with_model) out.model_error = rms(errors.model);
  if (errors.count < kLeastCompared) return out;
  double best = out.linear_error;
  if (out.hermite_error < best && errors.hermite.beats_line(errors.count))
    best = out.hermite_error, out.method = FillMethod::kHermite;
  if (out.model_error < best && errors.model.beats_line(errors.count)) out.method = FillMethod::kModel;
  return out;
}

}  // namespace

std::vector<FeatureFill> choose_fills(const FillTrial& trial, bool compare, const StopFlag* stop) {
  const Events events(trial);
  std::vector<Errors> errors(static_cast<std::size_t>(trial.whole.features()));
  if (compare) errors = measure(trial, Cutter(trial, events.all()), stop);
  std::vector<FeatureFill> out;
  for (std::size_t f = 0; f < errors.size(); ++f)
    if (events.has_gaps(f)) out.push_back(choose(f, errors[f], trial.with_model));
  return out;
}

}  // namespace lgode::eval
