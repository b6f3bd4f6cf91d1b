// Cuts recordings into windows of consecutive frames. A frame is a time at which any object of a recording is observed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <optional>
#include <string>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/median.h"
#include "lgode/data/time_margin.h"
#include "table/systems.h"

namespace lgode::table {
namespace {

// As shares of the distance between frames: how much a distance may differ, how far a frame of a window may be from its
// place, and from which distance on frames are missing between two.
constexpr double kUneven = 0.1, kOutOfPlace = 0.25, kMissing = 1.5;

// The times at which any object of a recording is observed.
std::vector<double> frame_times(const Systems& whole, std::size_t s) {
  std::vector<double> times;
  for (auto o = static_cast<std::size_t>(whole.arrays.object_offsets[s]);
       o < static_cast<std::size_t>(whole.arrays.object_offsets[s + 1]); ++o) {
    const auto own = whole.times_of(o);
    for (std::size_t k = 0; k < own.size(); ++k)
      if (whole.is_observation(o, k)) times.push_back(own[k]);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

std::vector<double> distances(const std::vector<double>& times) {
  std::vector<double> out;
  for (std::size_t k = 1; k < times.size(); ++k) out.push_back(times[k] - times[k - 1]);
  return out;
}

std::string shown(const std::string& recording) {
  return recording.empty() ? "the recording" : fmt::format("recording '{}'", recording);
}

class FrameCutter {
 public:
  FrameCutter(const Systems& whole, const ScratchPlace& place, data::FrameWindows& frames, std::int64_t stride,
              ImportReport& report)
      : whole_(whole),
        cut_(place),
        count_(static_cast<std::size_t>(frames.count())),
        stride_(static_cast<std::size_t>(stride)),
        report_(report) {
    cut_.features = whole.features;
    for (std::size_t s = 0; s < whole.system_ids.size(); ++s) times_.push_back(frame_times(whole, s));
    step_ = frames.step = find_step();
  }

  Systems run() {
    std::vector<std::string> without;
    for (std::size_t s = 0; s < times_.size(); ++s) {
      if (times_[s].empty()) continue;
      check_regular(s);
      const std::vector<std::size_t> begins = find_begins(times_[s]);
      if (begins.empty()) without.push_back(whole_.system_ids[s]);
      cut_recording(s, begins);
    }
    report_short(without);
    return std::move(cut_);
  }

 private:
  // The mean of the distances that are near the typical one, which rounded times do not bend.
  double find_step() const {
    std::vector<double> all;
    for (const std::vector<double>& times : times_)
      for (const double d : distances(times)) all.push_back(d);
    if (all.empty())
      throw DataError(fmt::format("`frames`: no recording has two frames, expected {} in a row", count_));
    const double typical = median(all);
    std::erase_if(all, [&](double d) { return std::abs(d - typical) > kUneven * typical; });
    double sum = 0;
    for (const double d : all) sum += d;
    return std::stod(fmt::format("{:.9g}", sum / static_cast<double>(all.size())));
  }

  void check_regular(std::size_t s) const {
    const std::vector<double>& times = times_[s];
    const std::vector<double> own = distances(times);
    const auto uneven = std::find_if(own.begin(), own.end(), [&](double d) {
      return d < kMissing * step_ && std::abs(d - step_) > kUneven * step_;
    });
    const std::string name = shown(whole_.system_ids[s]);
    if (const double typical = own.empty() ? step_ : median(own); std::abs(typical - step_) > kUneven * step_)
      throw DataError(fmt::format(
          "`frames`: {} has a frame every {:.6g}, where all recordings together have one every {:.6g}; import "
          "recordings of one rate together, and the others as another set",
          name, typical, step_));
    if (uneven == own.end()) return;
    const double expected = std::round((times.back() - times.front()) / step_) + 1;
    throw DataError(fmt::format(
        "`frames`: {} is irregular: it has {} frames from {} to {}, where {:.0f} are expected, one every {:.6g}; the "
        "first at another distance is at {}, after the one at {}; correct the times, thin the table with `every`, or "
        "cut it by time with `window`",
        name, times.size(), times.front(), times.back(), expected, step_,
        times[static_cast<std::size_t>(uneven - own.begin()) + 1],
        times[static_cast<std::size_t>(uneven - own.begin())]));
  }

  // The first frame of each window. After missing frames, strides are counted anew.
  std::vector<std::size_t> find_begins(const std::vector<double>& times) {
    std::vector<std::size_t> begins;
    for (std::size_t from = 0, to = 0; from < times.size(); from = to) {
      for (to = from + 1; to < times.size() && times[to] - times[to - 1] < kMissing * step_;) ++to;
      longest_ = std::max(longest_, to - from);
      for (std::size_t begin = from; begin + count_ <= to; begin += stride_)
        if (in_place(times, begin)) begins.push_back(begin);
    }
    return begins;
  }

  bool in_place(const std::vector<double>& times, std::size_t begin) const {
    for (std::size_t k = 0; k < count_; ++k)
      if (std::abs(times[begin + k] - times[begin] - static_cast<double>(k) * step_) > kOutOfPlace * step_)
        return false;
    return true;
  }

  struct Presence {
    std::size_t window = 0, object = 0;
    auto operator<=>(const Presence&) const = default;
  };

  // Which objects are observed in which windows, by window. Counts the observations in no window.
  std::vector<Presence> find_objects(std::size_t s, const std::vector<std::size_t>& begins) {
    std::vector<Presence> present;
    const std::vector<double>& frames = times_[s];
    for (auto o = static_cast<std::size_t>(whole_.arrays.object_offsets[s]);
         o < static_cast<std::size_t>(whole_.arrays.object_offsets[s + 1]); ++o) {
      const auto times = whole_.times_of(o);
      std::size_t next = 0;  // windows before this one are known
      for (std::size_t i = 0; i < times.size(); ++i) {
        if (!whole_.is_observation(o, i)) continue;
        const auto frame =
            static_cast<std::size_t>(std::lower_bound(frames.begin(), frames.end(), times[i]) - frames.begin());
        const std::size_t earliest = frame + 1 >= count_ ? frame + 1 - count_ : 0;
        const auto low = std::lower_bound(begins.begin(), begins.end(), earliest) - begins.begin();
        const auto high = std::upper_bound(begins.begin(), begins.end(), frame) - begins.begin();
        report_.outside_windows += low == high ? 1 : 0;
        for (next = std::max(static_cast<std::size_t>(low), next); next < static_cast<std::size_t>(high); ++next)
          present.push_back({next, o});
      }
    }
    std::sort(present.begin(), present.end());
    return present;
  }

  void cut_recording(std::size_t s, const std::vector<std::size_t>& begins) {
    const std::vector<double>& frames = times_[s];
    const std::vector<Presence> present = find_objects(s, begins);
    std::int64_t number = -1;
    for (std::size_t i = 0; i < present.size();) {
      const std::size_t k = present[i].window, begin = begins[k];
      for (; i < present.size() && present[i].window == k; ++i) {
        const auto [from, to] = rows_in(present[i].object, frames[begin], frames[begin + count_ - 1]);
        copy_rows(whole_, present[i].object, from, to, cut_);
        end_object(whole_, present[i].object, cut_);
      }
      number = std::max<std::int64_t>(number + 1, std::llround((frames[begin] - frames.front()) / step_));
      const std::string& id = whole_.system_ids[s];
      end_system(whole_, s, id.empty() ? std::to_string(number) : fmt::format("{}/{}", id, number), cut_);
      cut_.arrays.origins.resize(cut_.system_ids.size());
      cut_.arrays.origins.back() = frames[begin];
    }
  }

  std::pair<std::ptrdiff_t, std::ptrdiff_t> rows_in(std::size_t object, double first, double last) const {
    const auto times = whole_.times_of(object);
    return {std::lower_bound(times.begin(), times.end(), first) - times.begin(),
            std::upper_bound(times.begin(), times.end(), last) - times.begin()};
  }

  void report_short(const std::vector<std::string>& without) {
    if (cut_.system_ids.empty())
      throw DataError(fmt::format("`frames`: no recording has {} frames in a row, one every {:.6g}; the longest has {}",
                                  count_, step_, longest_));
    if (without.empty()) return;
    report_.notes.push_back(fmt::format("{} no {} frames in a row, and so no window{}",
                                        without.size() == 1 ? fmt::format("{} has", shown(without.front()))
                                                            : fmt::format("{} recordings have", without.size()),
                                        count_, without.size() == 1 ? "" : ", the first: " + without.front()));
  }

  const Systems& whole_;
  Systems cut_;
  std::size_t count_, stride_;
  ImportReport& report_;
  std::vector<std::vector<double>> times_;  // of the frames of each recording
  double step_ = 0;
  std::size_t longest_ = 0;  // frames in a row
};

}  // namespace

Systems cut_frames(const Systems& whole, const ScratchPlace& place, data::FrameWindows& frames, std::int64_t stride,
                   ImportReport& report) {
  return FrameCutter(whole, place, frames, stride, report).run();
}

std::vector<std::int64_t> count_targets(const Systems& systems, const data::FrameWindows& frames) {
  std::vector<std::int64_t> counts;
  for (std::size_t s = 0; s < systems.system_ids.size(); ++s) {
    const double split = systems.arrays.origins[s] + frames.split();
    std::int64_t& count = counts.emplace_back(0);
    for (auto o = static_cast<std::size_t>(systems.arrays.object_offsets[s]);
         o < static_cast<std::size_t>(systems.arrays.object_offsets[s + 1]); ++o) {
      const auto times = systems.times_of(o);
      std::int64_t observed = 0, asked = 0;
      for (std::size_t k = 0; k < times.size(); ++k) {
        if (!systems.is_observation(o, k)) continue;
        ++observed;
        asked += times[k] >= split ? 1 : 0;
      }
      count += asked > 0 && (!frames.all_present || observed == frames.count()) ? 1 : 0;
    }
  }
  return counts;
}

Systems thin_frames(const Systems& whole, const ScratchPlace& place, double every) {
  Systems kept(place);
  kept.features = whole.features;
  for (std::size_t s = 0; s < whole.system_ids.size(); ++s) {
    std::vector<double> frames = frame_times(whole, s);
    if (!frames.empty()) {
      const double first = frames.front(), most = std::max(std::abs(first), std::abs(frames.back()));
      const double margin = data::time_margin(every, most) / every;
      const auto same_bin = [&](double a, double b) {
        return std::floor((a - first) / every + margin) == std::floor((b - first) / every + margin);
      };
      frames.erase(std::unique(frames.begin(), frames.end(), same_bin), frames.end());
    }
    for (auto o = static_cast<std::size_t>(whole.arrays.object_offsets[s]);
         o < static_cast<std::size_t>(whole.arrays.object_offsets[s + 1]); ++o) {
      const auto times = whole.times_of(o);
      for (std::size_t k = 0; k < times.size(); ++k)
        if (std::binary_search(frames.begin(), frames.end(), times[k]))
          copy_rows(whole, o, static_cast<std::ptrdiff_t>(k), static_cast<std::ptrdiff_t>(k) + 1, kept);
      end_object(whole, o, kept);
    }
    end_system(whole, s, whole.system_ids[s], kept);
  }
  return kept;
}

}  // namespace lgode::table
