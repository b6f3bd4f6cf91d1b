// Compares the first and last observation of each object with the first and last of its system.
#include "lgode/data/presence.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "lgode/data/first_range.h"
#include "lgode/data/task.h"
#include "lgode/data/time_margin.h"

namespace lgode::data {
namespace {

constexpr double kTypicalGaps = 1.5;

}  // namespace

ObservedTimes::ObservedTimes(const Dataset& set) : set_(set) {
  if (set.empty_rows() == 0) return;
  offsets_.push_back(0);
  times_.reserve(static_cast<std::size_t>(set.observations()));
  for (std::int64_t object = 0; object < set.objects(); ++object) {
    const std::span<const double> times = set.times_of(object);
    for (std::size_t k = 0; k < times.size(); ++k)
      if (!set.is_empty(object, static_cast<std::int64_t>(k))) times_.push_back(times[k]);
    offsets_.push_back(times_.size());
  }
}

std::span<const double> ObservedTimes::of(std::int64_t object) const {
  if (offsets_.empty()) return set_.times_of(object);
  const auto o = static_cast<std::size_t>(object);
  return std::span(times_).subspan(offsets_[o], offsets_[o + 1] - offsets_[o]);
}

Presence count_presence(const Dataset& set, const ObservedTimes& times) {
  std::vector<std::int64_t> systems(static_cast<std::size_t>(set.systems()));
  std::iota(systems.begin(), systems.end(), 0);
  const Description& d = set.description();
  const double gap = kTypicalGaps * typical_gap(set, systems);
  const double middle = d.frames ? d.frames.split() : 0.5 * std::min(d.time_scale, d.conditioning_length);
  Presence count;
  for (const std::int64_t s : systems) {
    const double margin = time_margin(d.time_scale, set.origin(s)), away = gap + margin;
    const std::int64_t begin = set.first_object(s), end = begin + set.objects_of(s);
    double first = std::numeric_limits<double>::infinity(), last = -first;
    for (std::int64_t o = begin; o < end; ++o) {
      if (times.of(o).empty()) continue;
      first = std::min(first, times.of(o).front());
      last = std::max(last, times.of(o).back());
    }
    for (std::int64_t o = begin; o < end; ++o) {
      const std::span<const double> own = times.of(o);
      if (own.empty()) continue;
      const bool enters = own.front() > first + away, leaves = own.back() < last - away;
      ++(enters && leaves ? count.enter_and_leave : enters ? count.enter : leaves ? count.leave : count.stay);
      const double since = own.front() - set.origin(s);
      count.both_halves += since < middle - margin && own.back() - set.origin(s) >= middle - margin ? 1 : 0;
      count.late += since >= middle - margin && before_range_end(set, s, own.front()) ? 1 : 0;
    }
  }
  return count;
}

}  // namespace lgode::data
