// Cuts recordings into windows, and thins them: copies of systems with fewer rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/data/time_margin.h"
#include "table/systems.h"

namespace lgode::table {
namespace {

// One wrong time, such as milliseconds among seconds, would make an enormous number of empty windows. So would times so
// large that adding a stride does not change them.
void check_window_count(const Systems& whole, std::size_t s, const data::TimeSpan& span, double length, double stride,
                        double gap) {
  constexpr double kMany = 1e6;
  constexpr double kEmptyForOne = 100;
  const auto [first, last] = span;
  const auto object = [&](std::size_t at) { return static_cast<std::size_t>(whole.arrays.object_offsets[at]); };
  const auto observations = static_cast<double>(whole.arrays.observation_offsets[object(s + 1)] -
                                                whole.arrays.observation_offsets[object(s)]);
  const double windows = (last + gap - first) / stride;
  const bool advances = first + stride > first && last + stride > last;
  if (advances && windows <= std::max(kMany, kEmptyForOne * observations)) return;
  throw ConfigError(
      fmt::format("`window` {}: times from {} to {} make {:.3g} windows for {} observations; is a time wrong, or the "
                  "window in another unit?",
                  length, first, last, windows, observations));
}

class WindowCutter {
 public:
  WindowCutter(const Systems& whole, const ScratchPlace& place, double length, double stride, double gap,
               bool to_the_end)
      : whole_(whole), cut_(place), length_(length), stride_(stride), gap_(gap), to_the_end_(to_the_end) {
    cut_.features = whole.features;
  }

  Systems run(ImportReport& report) {
    for (std::size_t s = 0; s < whole_.system_ids.size(); ++s) {
      const std::optional<data::TimeSpan> span = whole_.span(s);
      if (!span) continue;
      check_window_count(whole_, s, *span, length_, stride_, gap_);
      cut_recording(s, *span, report);
    }
    return std::move(cut_);
  }

 private:
  double start(std::size_t k) const { return k == regular_ ? end_start_ : first_ + static_cast<double>(k) * stride_; }

  void cut_recording(std::size_t s, const data::TimeSpan& span, ImportReport& report) {
    const auto [first, last] = span;
    first_ = first;
    margin_ = data::time_margin(length_, std::max(std::abs(first), std::abs(last)));
    regular_ = kMany;
    std::size_t count = 1;
    while (start(count) + length_ <= last + gap_ + margin_) ++count;
    // What remains at the end is in one more window, which overlaps the one before.
    const bool remains = to_the_end_ && stride_ <= length_ && start(count - 1) + length_ - margin_ <= last;
    regular_ = count, end_start_ = last + gap_ - length_;
    const std::vector<Presence> present = find_objects(s, count, remains, report);
    if (remains) ++count;
    report.empty_windows += static_cast<std::int64_t>(count);
    for (std::size_t i = 0; i < present.size();) {
      const std::size_t k = present[i].window;
      for (; i < present.size() && present[i].window == k; ++i) {
        const auto [from, to] = rows_in(present[i].object, k);
        copy_rows(whole_, present[i].object, from, to, cut_);
        end_object(whole_, present[i].object, cut_);
      }
      end_system(whole_, s,
                 whole_.system_ids[s].empty() ? std::to_string(k) : fmt::format("{}/{}", whole_.system_ids[s], k),
                 cut_);
      cut_.arrays.origins.resize(cut_.system_ids.size());
      cut_.arrays.origins.back() = start(k);
      --report.empty_windows;
    }
  }

  struct Presence {
    std::size_t window = 0, object = 0;
    auto operator<=>(const Presence&) const = default;
  };

  // Which objects are observed in which windows, by window. Counts the observations in no window.
  std::vector<Presence> find_objects(std::size_t s, std::size_t count, bool remains, ImportReport& report) const {
    std::vector<Presence> present;
    for (auto o = static_cast<std::size_t>(whole_.arrays.object_offsets[s]);
         o < static_cast<std::size_t>(whole_.arrays.object_offsets[s + 1]); ++o) {
      const auto times = whole_.times_of(o);
      std::size_t next = 0;  // windows before this one are known
      bool at_end = false;
      for (std::size_t i = 0; i < times.size(); ++i) {
        if (!whole_.is_observation(o, i)) continue;
        const auto [low, high] = windows_of(times[i], count);
        const bool in_last = remains && times[i] >= end_start_ - margin_;
        if (in_last && !std::exchange(at_end, true)) present.push_back({count, o});
        report.outside_windows += low == high && !in_last ? 1 : 0;
        for (next = std::max(low, next); next < high; ++next) present.push_back({next, o});
      }
    }
    std::sort(present.begin(), present.end());
    return present;
  }

  // The windows [low, high) that hold a time.
  std::pair<std::size_t, std::size_t> windows_of(double time, std::size_t count) const {
    const double since = time - first_;
    const auto near = [&](double windows) {
      return static_cast<std::size_t>(std::clamp(std::floor(windows), 0.0, static_cast<double>(count)));
    };
    std::size_t low = near((since - length_) / stride_), high = near(since / stride_);
    while (low < count && start(low) + length_ - margin_ <= time) ++low;
    while (low > 0 && start(low - 1) + length_ - margin_ > time) --low;
    while (high > low && start(high - 1) - margin_ > time) --high;
    while (high < count && start(high) - margin_ <= time) ++high;
    return {low, std::max(low, high)};
  }

  std::pair<std::ptrdiff_t, std::ptrdiff_t> rows_in(std::size_t object, std::size_t k) const {
    const auto times = whole_.times_of(object);
    return {std::lower_bound(times.begin(), times.end(), start(k) - margin_) - times.begin(),
            std::lower_bound(times.begin(), times.end(), start(k) + length_ - margin_) - times.begin()};
  }

  const Systems& whole_;
  Systems cut_;
  static constexpr std::size_t kMany = std::numeric_limits<std::size_t>::max();
  double length_, stride_, gap_;
  bool to_the_end_;
  double margin_ = 0, first_ = 0;  // tolerance and first observation of the recording
  std::size_t regular_ = kMany;    // number of windows that are a stride apart
  double end_start_ = 0;           // of the one after them
};

}  // namespace

Systems cut_windows(const Systems& whole, const ScratchPlace& place, double length, double stride, double gap,
                    bool to_the_end, ImportReport& report) {
  return WindowCutter(whole, place, length, stride, gap, to_the_end).run(report);
}

Systems thin(const Systems& whole, const ScratchPlace& place, double every) {
  Systems kept(place);
  kept.features = whole.features;
  for (std::size_t s = 0; s < whole.system_ids.size(); ++s) {
    const auto begin = static_cast<std::size_t>(whole.arrays.object_offsets[s]);
    const auto end = static_cast<std::size_t>(whole.arrays.object_offsets[s + 1]);
    double first = std::numeric_limits<double>::infinity(), last = -first;
    for (std::size_t o = begin; o < end; ++o) {
      if (whole.times_of(o).empty()) continue;
      first = std::min(first, whole.times_of(o).front());
      last = std::max(last, whole.times_of(o).back());
    }
    const double margin = data::time_margin(every, std::max(std::abs(first), std::abs(last))) / every;
    for (std::size_t o = begin; o < end; ++o) {
      const auto times = whole.times_of(o);
      const auto bin = [&](std::size_t k) { return std::floor((times[k] - first) / every + margin); };
      for (std::size_t k = 0; k < times.size();) {
        std::size_t next = k + 1, best = k;
        while (next < times.size() && bin(next) == bin(k)) ++next;
        while (best < next && !whole.is_observation(o, best)) ++best;
        const auto row = static_cast<std::ptrdiff_t>(best < next ? best : k);
        copy_rows(whole, o, row, row + 1, kept);
        k = next;
      }
      end_object(whole, o, kept);
    }
    end_system(whole, s, whole.system_ids[s], kept);
  }
  return kept;
}

}  // namespace lgode::table
