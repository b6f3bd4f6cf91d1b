// Splits by name, by drawing whole recordings, or in time. Windows of the two parts never share an observation.
#include "lgode/data/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/core/random.h"
#include "lgode/core/wildcard.h"

namespace lgode::data {
namespace {

// With fewer recordings than this, windows are split in time: a part of one or two recordings would say little.
constexpr std::size_t kFewRecordings = 5;
// Fewer windows than this cannot spare those between the parts.
constexpr std::size_t kFewWindows = 4;
constexpr double kTimeMargin = 1e-9;

class Splitter {
 public:
  explicit Splitter(const SplitTask& task) : task_(task), count_(task.ids.size()) {}

  SplitResult run() {
    result_.parts.assign(count_, Part::kTrain);
    result_.out.assign(count_, false);
    for (std::size_t s = 0; s < count_; ++s) result_.out[s] = !task_.observed[task_.recording[s]];
    const auto recordings = static_cast<std::size_t>(std::count(task_.observed.begin(), task_.observed.end(), true));
    if (!task_.test_systems.empty())
      by_name();
    else if (task_.window && recordings < kFewRecordings && any_splits())
      for (const auto& [from, to] : windows_by_recording()) by_time(from, to);
    else if (recordings > 1)
      by_draw();
    else
      result_.undivided = true;
    return std::move(result_);
  }

 private:
  bool tests(std::size_t system) const { return result_.parts[system] == Part::kTest; }
  void set_test(std::size_t system) { result_.parts[system] = Part::kTest; }

  void leave_out(std::size_t system) {
    result_.out[system] = true;
    ++result_.split_windows;
  }

  void by_name() {
    for (const std::string& pattern : task_.test_systems)
      if (!mark(pattern)) refuse_name(pattern);
    if (!task_.window) return;
    for (const auto& [from, to] : windows_by_recording()) leave_out_overlapping(from, to);
  }

  // First and last system (exclusive) of each recording.
  std::vector<std::pair<std::size_t, std::size_t>> windows_by_recording() const {
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    for (std::size_t from = 0, to = 0; from < count_; from = to) {
      while (to < count_ && task_.recording[to] == task_.recording[from]) ++to;
      ranges.emplace_back(from, to);
    }
    return ranges;
  }

  // Windows between the last of one part and the first of the other, which begins `gap` after its end.
  std::size_t between(double gap) const {
    return static_cast<std::size_t>(
        std::max(0.0, std::ceil((*task_.window + gap) / task_.stride * (1 - kTimeMargin)) - 1));
  }

  // Whether a recording with so many windows has one for each part that do not overlap.
  bool splits(std::size_t windows) const { return windows >= between(0) + 2; }
  bool any_splits() const {
    const auto ranges = windows_by_recording();
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const auto& range) { return splits(range.second - range.first); });
  }

  // Systems that a name or pattern stands for test. False where there is none.
  bool mark(const std::string& pattern) {
    // A recording of which no system is left counts as found.
    bool found = std::any_of(task_.recordings.begin(), task_.recordings.end(),
                             [&](const std::string& id) { return id == pattern || matches(pattern, id); });
    for (std::size_t s = 0; s < count_; ++s) {
      const std::string& recording = task_.recordings[task_.recording[s]];
      const std::string& id = task_.ids[s];
      if (id != pattern && recording != pattern && !matches(pattern, id) && !matches(pattern, recording)) continue;
      set_test(s);
      found = true;
    }
    return found;
  }

  [[noreturn]] void refuse_name(const std::string& pattern) const {
    std::vector<std::string> names(task_.recordings.begin(), task_.recordings.end());
    // Windows are suggested only for what looks like one.
    if (pattern.find('/') != std::string::npos) names.insert(names.end(), task_.ids.begin(), task_.ids.end());
    const bool unnamed = task_.window && names.front().empty();
    throw ConfigError(fmt::format(
        "`test_systems` {}: there is no such system{}{}", pattern, is_pattern(pattern) ? ", and none that matches" : "",
        unnamed ? fmt::format("; the recording has no name, and its windows are called {} to {}", task_.ids.front(),
                              task_.ids.back())
                : did_you_mean(pattern, names)));
  }

  // Training windows that share time with a test window of their recording. Windows stand in the order of time.
  void leave_out_overlapping(std::size_t from, std::size_t to) {
    const double length = *task_.window * (1 - kTimeMargin);
    const std::span<const double> origins = task_.origins;
    double latest = -std::numeric_limits<double>::infinity();
    for (std::size_t s = from; s < to; ++s) {
      if (tests(s))
        latest = origins[s];
      else if (origins[s] < latest + length)
        leave_out(s);
    }
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t s = to; s-- > from;) {
      if (tests(s))
        next = origins[s];
      else if (!result_.out[s] && origins[s] + length > next)
        leave_out(s);
    }
  }

  // Whole recordings, so that windows of one are never on both sides.
  void by_draw() {
    std::vector<std::size_t> candidates;
    for (std::size_t r = 0; r < task_.recordings.size(); ++r)
      if (task_.observed[r]) candidates.push_back(r);
    const auto count = static_cast<std::int64_t>(candidates.size());
    std::int64_t train = std::llround(task_.share * static_cast<double>(count));
    if (task_.share > 0 && task_.share < 1) train = std::clamp<std::int64_t>(train, 1, count - 1);
    std::vector<bool> trains(task_.recordings.size(), false);
    for (const std::int64_t r : Random(task_.seed, RandomUse::kSplit, {1}).choose(count, train))
      trains[candidates[static_cast<std::size_t>(r)]] = true;
    for (std::size_t s = 0; s < count_; ++s)
      if (!trains[task_.recording[s]]) set_test(s);
  }

  // The later windows [from, to) of a recording test. They begin a window's length after the end of the training
  // windows where there are enough, in any case not before it; those between are left out. All windows train where no
  // two are apart.
  void by_time(std::size_t from, std::size_t to) {
    const std::size_t count = to - from;
    const double length = *task_.window;
    if (!splits(count)) return;
    const bool enough = count >= between(length) + kFewWindows;
    const std::size_t spared = between(enough ? length : 0);
    const std::size_t train = train_count(count - spared);
    if (train == count - spared) return;
    const double end = train == 0 ? -std::numeric_limits<double>::infinity()
                                  : task_.origins[from + train - 1] + length * (1 - kTimeMargin);
    const double begin = enough ? end + length : end;
    for (std::size_t s = from + train; s < to; ++s) {
      if (task_.origins[s] < begin)
        leave_out(s);
      else
        set_test(s);
    }
  }

  std::size_t train_count(std::size_t count) const {
    auto train = static_cast<std::size_t>(std::llround(task_.share * static_cast<double>(count)));
    if (task_.share > 0 && task_.share < 1) train = count < 2 ? count : std::clamp<std::size_t>(train, 1, count - 1);
    return train;
  }

  const SplitTask& task_;
  std::size_t count_;
  SplitResult result_;
};

}  // namespace

SplitResult split_systems(const SplitTask& task) { return Splitter(task).run(); }

}  // namespace lgode::data
