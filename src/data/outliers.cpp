// Judges observations by what came before.
#include "lgode/data/outliers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lgode/core/median.h"
#include "lgode/data/task.h"
#include "lgode/data/time_text.h"

namespace lgode::data {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kAgreeing = 3;                  // observations in a row that agree are believed
constexpr double kShare = 0.95, kWidth = 15;  // of the changes that the reach is a multiple of
constexpr std::size_t kFewest = 100;          // changes
constexpr std::size_t kSample = 200'000;      // changes of a feature, from the first systems that have this many
constexpr std::size_t kJumps = 3;             // lasting jumps that widen the reach
constexpr double kWider = 1.2;
constexpr double kLeast = 1e-30;           // reach
constexpr double kReversal = 2.2;          // times the largest velocity: after a collision
constexpr double kUsual = 0.99, kFar = 5;  // of the distances from the middle that the extent is a multiple of

// What the reach would have to be for a change.
double needed_reach(const OutlierGate& gate, double elapsed, double change) {
  return std::abs(change) / std::max(1.0, elapsed / gate.gap);
}

bool fits(const OutlierGate& gate, const OutlierTrack::Seen& seen, double time, std::span<const double> values) {
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (gate.reach[f] >= OutlierGate::kAny) continue;
    const double elapsed = time - seen.time[f];  // NaN where there is nothing to compare with
    if (elapsed <= gate.forget && !gate.allows(f, elapsed, values[f] - seen.value[f])) return false;
  }
  return true;
}

void see(OutlierTrack::Seen& seen, double time, std::span<const double> values) {
  seen.value.resize(values.size(), kNaN), seen.time.resize(values.size(), kNaN);
  for (std::size_t f = 0; f < values.size(); ++f)
    if (!std::isnan(values[f])) seen.value[f] = values[f], seen.time[f] = time;
}

// Calls use(object) for the objects of these systems.
template <class Use>
void each_object(const Dataset& dataset, const std::vector<std::int64_t>& systems, const Use& use) {
  for (const std::int64_t s : systems)
    for (std::int64_t i = dataset.first_object(s); i < dataset.first_object(s) + dataset.objects_of(s); ++i) use(i);
}

// The changes of a feature between neighbouring values of an object, as needed_reach().
void add_changes(const Dataset& dataset, std::int64_t object, std::size_t feature, const OutlierGate& gate,
                 std::vector<double>& changes) {
  const auto width = static_cast<std::size_t>(dataset.features());
  const std::span<const double> times = dataset.times_of(object), values = dataset.values_of(object);
  double last = kNaN, last_time = kNaN;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double value = values[k * width + feature];
    if (std::isnan(value)) continue;
    if (!std::isnan(last)) changes.push_back(needed_reach(gate, times[k] - last_time, value - last));
    last = value, last_time = times[k];
  }
}

double reach_of(const Dataset& dataset, const std::vector<std::int64_t>& systems, std::size_t feature,
                const OutlierGate& gate) {
  std::vector<double> changes;
  for (const std::int64_t s : systems) {
    each_object(dataset, {s}, [&](std::int64_t i) { add_changes(dataset, i, feature, gate, changes); });
    if (changes.size() > kSample) break;
  }
  if (changes.size() < kFewest) return OutlierGate::kAny;
  const auto at = changes.begin() + static_cast<std::ptrdiff_t>(kShare * static_cast<double>(changes.size()));
  std::nth_element(changes.begin(), at, changes.end());
  return *at > 0 ? std::clamp(kWidth * *at, kLeast, OutlierGate::kAny) : OutlierGate::kAny;
}

// The largest velocity of these systems that is not itself an outlier by the changes.
double largest_of(const Dataset& dataset, const std::vector<std::int64_t>& systems, std::size_t feature) {
  const auto width = static_cast<std::size_t>(dataset.features());
  std::vector<double> sizes;
  for (const std::int64_t s : systems) {
    each_object(dataset, {s}, [&](std::int64_t i) {
      const std::span<const double> values = dataset.values_of(i);
      for (std::size_t at = feature; at < values.size(); at += width)
        if (!std::isnan(values[at])) sizes.push_back(std::abs(values[at]));
    });
    if (sizes.size() > kSample) break;
  }
  if (sizes.empty()) return 0;
  // One in a thousand may be a glitch.
  return quantile(sizes, 0.999);
}

// How far positions are from the median of their system.
double extent_of(const Dataset& dataset, const std::vector<std::int64_t>& systems, std::size_t feature) {
  const auto width = static_cast<std::size_t>(dataset.features());
  std::vector<double> own, distances;
  for (const std::int64_t s : systems) {
    own.clear();
    each_object(dataset, {s}, [&](std::int64_t i) {
      const std::span<const double> values = dataset.values_of(i);
      for (std::size_t at = feature; at < values.size(); at += width)
        if (!std::isnan(values[at])) own.push_back(values[at]);
    });
    if (own.empty()) continue;
    const double centre = median(own);
    for (const double x : own) distances.push_back(std::abs(x - centre));
    if (distances.size() > kSample) break;
  }
  if (distances.size() < kFewest) return OutlierGate::kAny;
  const double usual = quantile(distances, kUsual);
  return usual > 0 ? std::clamp(kFar * usual, kLeast, OutlierGate::kAny) : OutlierGate::kAny;
}

// Jumps that last are believed where training has several of them: teleports, angles that wrap around.
void widen(OutlierGate& gate, const Dataset& dataset, const std::vector<std::int64_t>& systems) {
  const auto width = static_cast<std::size_t>(dataset.features());
  std::vector<std::size_t> jumps(width, 0);
  std::vector<double> largest(width, 0.0);
  each_object(dataset, systems, [&](std::int64_t i) {
    const std::span<const double> times = dataset.times_of(i), values = dataset.values_of(i);
    for (const FlaggedRow& flagged : flagged_rows(gate, times, values)) {
      const auto k = static_cast<std::size_t>(flagged.row);
      if (!flagged.vindicated || k == 0) continue;
      for (std::size_t f = 0; f < width; ++f) {
        const double needed =
            needed_reach(gate, times[k] - times[k - 1], values[k * width + f] - values[(k - 1) * width + f]);
        if (needed > gate.reach[f]) ++jumps[f], largest[f] = std::max(largest[f], needed);
      }
    }
  });
  for (std::size_t f = 0; f < width; ++f)
    if (jumps[f] >= kJumps) gate.reach[f] = std::min(kWider * largest[f], OutlierGate::kAny);
}

// Whether the changes between neighbouring rows are all within the reach over `gap`: true for almost every object, and
// fast. False where values are missing that matter.
bool plainly_believed(const OutlierGate& gate, std::span<const double> values) {
  const std::size_t width = gate.reach.size();
  for (std::size_t at = width; at < values.size(); at += width) {
    int within = 0;
    for (std::size_t f = 0; f < width; ++f)
      within +=
          gate.reach[f] >= OutlierGate::kAny || std::abs(values[at + f] - values[at + f - width]) <= gate.reach[f];
    if (within != static_cast<int>(width)) return false;
  }
  return true;
}

}  // namespace

bool OutlierGate::allows(std::size_t feature, double elapsed, double change) const {
  return reach[feature] >= kAny || !(needed_reach(*this, elapsed, change) > reach[feature]);
}

namespace {

// NaN: never seen.
bool any_within(const std::vector<double>& times, double time, double longest) {
  return std::any_of(times.begin(), times.end(), [&](double t) { return time - t <= longest; });
}

}  // namespace

bool OutlierTrack::knows(const OutlierGate& gate, double time) const {
  return any_within(believed.time, time, gate.forget);
}
bool OutlierTrack::waits(const OutlierGate& gate, double time) const {
  return waiting > 0 && any_within(pending.time, time, gate.forget);
}

OutlierTrack::Verdict OutlierTrack::judge(const OutlierGate& gate, double time, std::span<const double> values,
                                          bool doubtful) {
  const bool like_pending = waiting > 0 && fits(gate, pending, time, values);
  if (!doubtful && (believed.value.empty() || fits(gate, believed, time, values))) {
    see(believed, time, values);
    count = std::min(count + 1, 2);
    return {.vindicated = like_pending ? std::exchange(waiting, 0) : (waiting = 0)};
  }
  if (!like_pending) pending = {}, waiting = 0;
  see(pending, time, values);
  if (++waiting < kAgreeing) return {.believed = false};
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (std::isnan(pending.value[f])) continue;
    believed.value.resize(values.size(), kNaN), believed.time.resize(values.size(), kNaN);
    believed.value[f] = pending.value[f], believed.time[f] = pending.time[f];
  }
  waiting = 0;
  return {.vindicated = kAgreeing - 1, .first_was_wrong = std::exchange(count, 2) == 1};
}

std::vector<FlaggedRow> flagged_rows(const OutlierGate& gate, std::span<const double> times,
                                     std::span<const double> values) {
  std::vector<FlaggedRow> flagged;
  if (plainly_believed(gate, values)) return flagged;
  const std::size_t width = gate.reach.size();
  OutlierTrack track;
  std::int32_t first = 0;  // believed row
  for (std::size_t k = 0; k < times.size(); ++k) {
    const std::span<const double> row = values.subspan(k * width, width);
    if (std::all_of(row.begin(), row.end(), [](double x) { return std::isnan(x); })) continue;
    if (track.count == 0) first = static_cast<std::int32_t>(k);
    const OutlierTrack::Verdict verdict = track.judge(gate, times[k], row);
    if (!verdict.believed) flagged.push_back({static_cast<std::int32_t>(k)});
    if (verdict.first_was_wrong) {
      flagged.erase(flagged.end() - verdict.vindicated, flagged.end());
      flagged.insert(flagged.begin(), {first});
      continue;
    }
    for (int n = 0; n < verdict.vindicated; ++n)
      flagged[flagged.size() - 1 - static_cast<std::size_t>(n)].vindicated = true;
  }
  return flagged;
}

OutlierGate fit_outlier_gate(const Dataset& dataset, const std::vector<std::int64_t>& systems) {
  const std::vector<Feature>& features = dataset.description().features;
  OutlierGate gate;
  gate.gap = typical_gap(dataset, systems);
  gate.reach.assign(features.size(), OutlierGate::kAny);
  if (!(gate.gap > 0)) return gate;
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (features[f].derived) continue;
    gate.reach[f] = reach_of(dataset, systems, f, gate);
    if (features[f].velocity_of >= 0)
      gate.reach[f] = std::max(gate.reach[f], kReversal * largest_of(dataset, systems, f));
  }
  widen(gate, dataset, systems);
  gate.extent.assign(features.size(), OutlierGate::kAny);
  for (const int f : position_features(features))
    gate.extent[static_cast<std::size_t>(f)] = extent_of(dataset, systems, static_cast<std::size_t>(f));
  return gate;
}

OutlierCount count_outliers(const Dataset& dataset, const OutlierGate& gate, std::size_t most) {
  OutlierCount out;
  for (std::int64_t s = 0; s < dataset.systems(); ++s)
    for (std::int64_t o = 0; o < dataset.objects_of(s); ++o) {
      const std::int64_t i = dataset.first_object(s) + o;
      for (const FlaggedRow& flagged : flagged_rows(gate, dataset.times_of(i), dataset.values_of(i))) {
        if (flagged.vindicated) continue;
        ++out.count;
        if (out.first.size() < most) out.first.push_back({s, o, flagged.row});
      }
    }
  return out;
}

std::string outliers_text(const Dataset& dataset, const OutlierCount& outliers) {
  if (outliers.count == 0) return {};
  const Outlier& first = outliers.first.front();
  const std::int64_t object = dataset.first_object(first.system) + first.object;
  const bool one = outliers.count == 1;
  return fmt::format("{} observation{} away from {} object's path and come{} back ({}system {}, object {}, time {})",
                     outliers.count, one ? " jumps" : "s jump", one ? "its" : "their", one ? "s" : "",
                     one ? "" : "the first: ", dataset.system_id(first.system),
                     dataset.object_id(first.system, first.object),
                     TimeText(dataset.description())(dataset.times_of(object)[static_cast<std::size_t>(first.row)]));
}

}  // namespace lgode::data
