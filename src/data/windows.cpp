// Sorts the windows of each recording by time and looks for neighbours in different parts.
#include "lgode/data/windows.h"

#include <algorithm>
#include <limits>
#include <map>

#include "lgode/data/recordings.h"

namespace lgode::data {
namespace {

// The longest of the systems, from the origin; at least the first range.
double window_length(const Dataset& set, const ObservedTimes& times) {
  double length = set.description().conditioning_length;
  for (std::int64_t s = 0; s < set.systems(); ++s)
    for (std::int64_t o = set.first_object(s); o < set.first_object(s) + set.objects_of(s); ++o)
      if (!times.of(o).empty()) length = std::max(length, times.of(o).back() - set.origin(s));
  return length;
}

bool has_part(const Dataset& set, const std::vector<std::int64_t>& windows, Part part) {
  return std::any_of(windows.begin(), windows.end(), [&](std::int64_t s) { return set.part(s) == part; });
}

// The least time between the starts of a training and a test window, which are sorted by start.
double nearest_starts(const Dataset& set, std::vector<std::int64_t> windows) {
  std::sort(windows.begin(), windows.end(),
            [&](std::int64_t a, std::int64_t b) { return set.origin(a) < set.origin(b); });
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < windows.size(); ++i)
    if (set.part(windows[i]) != set.part(windows[i - 1]))
      least = std::min(least, set.origin(windows[i]) - set.origin(windows[i - 1]));
  return least;
}

}  // namespace

WindowCount count_windows(const Dataset& set, const ObservedTimes& times) {
  WindowCount count;
  if (set.description().recordings.empty()) return count;
  std::map<std::string, std::vector<std::int64_t>> recordings;
  for (std::int64_t s = 0; s < set.systems(); ++s) recordings[recording_of(set, s)].push_back(s);
  count.length = window_length(set, times);
  for (const auto& [name, windows] : recordings) {
    count.windows.push_back(static_cast<std::int64_t>(windows.size()));
    const bool train = has_part(set, windows, Part::kTrain), test = has_part(set, windows, Part::kTest);
    ++(train && test ? count.both : train ? count.train : count.test);
    if (!train || !test) continue;
    const double distance = nearest_starts(set, windows) - count.length;
    if (distance >= count.length * (1 - 1e-6)) continue;
    if (count.near++ > 0 && distance >= count.distance) continue;
    count.nearest = name;
    count.distance = distance;
  }
  return count;
}

}  // namespace lgode::data
