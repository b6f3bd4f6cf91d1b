// Divides systems by name, by drawing whole recordings, or in time.
#include "lgode/data/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/nearest.h"
#include "lgode/core/wildcard.h"
#include "lgode/data/batch_maker.h"

namespace lgode::data {
namespace {

// With fewer recordings than this, windows are divided in time: a part of one or two recordings is too small.
constexpr std::size_t kFewRecordings = 5;
// Fewer windows than this cannot spare those between the sides.
constexpr std::size_t kFewWindows = 4;
constexpr double kTimeMargin = 1e-9;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The windows of one recording in the order of time.
using Windows = std::vector<std::size_t>;

std::vector<Windows> windows_by_recording(const SplitTask& task) {
  std::vector<Windows> recordings(task.observed.size());
  for (std::size_t s = 0; s < task.recording.size(); ++s) recordings[task.recording[s]].push_back(s);
  for (Windows& windows : recordings)
    std::stable_sort(windows.begin(), windows.end(),
                     [&](std::size_t a, std::size_t b) { return task.origins[a] < task.origins[b]; });
  return recordings;
}

class Splitter {
 public:
  explicit Splitter(const SplitTask& task)
      : task_(task), count_(task.recording.size()), recordings_(windows_by_recording(task)) {}

  SplitResult run() {
    result_.fates.assign(count_, Fate::kTrain);
    for (std::size_t s = 0; s < count_; ++s)
      if (!task_.observed[task_.recording[s]]) fate(s) = Fate::kEmpty;
    const auto recordings = static_cast<std::size_t>(std::count(task_.observed.begin(), task_.observed.end(), true));
    if (!task_.held_out.empty())
      by_name();
    else if (task_.window && in_time_of(recordings) && divides_in_time())
      in_time();
    else if (recordings > 1)
      draw();
    else
      result_.undivided = true;
    return std::move(result_);
  }

 private:
  Fate& fate(std::size_t system) { return result_.fates[system]; }
  bool held_out(std::size_t system) const { return result_.fates[system] == Fate::kHeldOut; }
  double origin(std::size_t system) const { return task_.origins[system]; }
  bool in_time_of(std::size_t recordings) const {
    return task_.from == HoldOut::kEnds || (task_.from == HoldOut::kAuto && recordings < kFewRecordings);
  }
  void hold_out(std::size_t system) {
    if (fate(system) != Fate::kEmpty) fate(system) = Fate::kHeldOut;
  }

  // How many of `count` are on the side that the share counts: some on either side, where the share asks for both.
  std::size_t counted(std::size_t count) const {
    const auto share = static_cast<std::size_t>(std::llround(task_.share * static_cast<double>(count)));
    if (task_.share <= 0 || task_.share >= 1) return share;
    if (count < 2) return task_.counted == Side::kTrain ? count : 0;
    return std::clamp<std::size_t>(share, 1, count - 1);
  }

  void by_name() {
    for (const std::string& pattern : task_.held_out)
      if (!mark(pattern)) refuse_name(pattern);
    if (!task_.window) return;
    for (const Windows& windows : recordings_) leave_out_overlapping(windows);
  }

  // Holds out the systems that a name or pattern matches. False where there is none.
  bool mark(const std::string& pattern) {
    // A recording of which no system is left counts as found.
    bool found = std::any_of(task_.recordings.begin(), task_.recordings.end(),
                             [&](const std::string& id) { return id == pattern || matches(pattern, id); });
    for (std::size_t s = 0; s < count_; ++s) {
      const std::string& recording = task_.recordings[task_.recording[s]];
      const std::string& id = task_.ids[s];
      if (id != pattern && recording != pattern && !matches(pattern, id) && !matches(pattern, recording)) continue;
      hold_out(s);
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

  // Training windows that share time with a window of their recording that is held out.
  void leave_out_overlapping(const Windows& windows) {
    const double length = *task_.window * (1 - kTimeMargin);
    double latest = -kInfinity;
    for (const std::size_t s : windows) {
      if (held_out(s))
        latest = origin(s);
      else if (origin(s) < latest + length)
        fate(s) = Fate::kBetween;
    }
    double next = kInfinity;
    for (std::size_t k = windows.size(); k-- > 0;) {
      const std::size_t s = windows[k];
      if (held_out(s))
        next = origin(s);
      else if (fate(s) == Fate::kTrain && origin(s) + length > next)
        fate(s) = Fate::kBetween;
    }
  }

  // Whole recordings, so that windows of one are never on both sides.
  void draw() {
    std::vector<std::size_t> candidates;
    for (std::size_t r = 0; r < recordings_.size(); ++r)
      if (task_.observed[r]) candidates.push_back(r);
    std::vector<bool> chosen(recordings_.size(), false);
    for (const std::int64_t r : task_.window&& task_.by_windows ? nearest_to_share() : some_of(candidates.size()))
      chosen[candidates[static_cast<std::size_t>(r)]] = true;
    const bool trains = task_.counted == Side::kTrain;
    for (std::size_t s = 0; s < count_; ++s)
      if (chosen[task_.recording[s]] != trains) hold_out(s);
  }

  std::vector<std::int64_t> some_of(std::size_t count) {
    Random random = task_.random;
    return random.choose(static_cast<std::int64_t>(count), static_cast<std::int64_t>(counted(count)));
  }

  // Recordings in random order, until their windows are nearest to the share; never all.
  std::vector<std::int64_t> nearest_to_share() {
    Random random = task_.random;
    std::vector<std::int64_t> order = random.permutation(static_cast<std::int64_t>(recordings_.size()));
    const double wanted = task_.share * static_cast<double>(count_);
    double nearest = kInfinity;
    std::size_t taken = 0, sum = 0;
    for (std::size_t k = 0; k + 1 < order.size(); ++k) {
      sum += recordings_[static_cast<std::size_t>(order[k])].size();
      const double distance = std::abs(static_cast<double>(sum) - wanted);
      if (distance < nearest) nearest = distance, taken = k + 1;
    }
    order.resize(taken);
    return order;
  }

  // Windows between the last of one side and the first of the other, which begins `gap` after its end.
  std::size_t between(double gap) const {
    return static_cast<std::size_t>(
        std::max(0.0, std::ceil((*task_.window + gap) / task_.stride * (1 - kTimeMargin)) - 1));
  }

  // Whether a recording with this many windows has one for each side that do not overlap.
  bool divides(std::size_t windows) const { return windows >= between(0) + 2; }
  bool divides_in_time() const {
    return task_.counted == Side::kHeldOut ||
           std::any_of(recordings_.begin(), recordings_.end(),
                       [&](const Windows& windows) { return divides(windows.size()); });
  }

  void in_time() {
    if (task_.counted == Side::kTrain) {
      for (const Windows& windows : recordings_) train_first(windows);
      return;
    }
    std::vector<std::size_t> held = last_windows();
    if (!task_.apart && lost(held) > std::accumulate(held.begin(), held.end(), std::size_t{0})) held = together(held);
    for (const double gap : {task_.apart ? *task_.window : 0.0, 0.0}) {
      std::fill(result_.fates.begin(), result_.fates.end(), Fate::kTrain);
      for (std::size_t r = 0; r < recordings_.size(); ++r)
        if (held[r] > 0) divide(recordings_[r], recordings_[r].size() - held[r], gap);
      result_.undivided = result_.count(Fate::kHeldOut) == 0;
      if (result_.count(Fate::kTrain) > 0) return;
    }
    std::fill(result_.fates.begin(), result_.fates.end(), Fate::kTrain);
    result_.undivided = true;
  }

  // The share of a recording's windows trains, of those that are not spared; all of them where no two are apart.
  void train_first(const Windows& windows) {
    if (!divides(windows.size())) return;
    const bool enough = windows.size() >= between(*task_.window) + kFewWindows;
    const double gap = enough ? *task_.window : 0.0;
    const std::size_t left = windows.size() - between(gap), train = counted(left);
    if (train < left) divide(windows, train, gap);
  }

  // Number of last windows of each recording to hold out; at least one of all.
  std::vector<std::size_t> last_windows() const {
    std::vector<std::size_t> held;
    std::size_t longest = 0;
    for (const Windows& windows : recordings_) {
      const std::size_t count = windows.size();
      const auto share = static_cast<std::size_t>(std::llround(task_.share * static_cast<double>(count)));
      held.push_back(std::min(share, count - 1));
      if (count > recordings_[longest].size()) longest = held.size() - 1;
    }
    if (!held.empty() && std::all_of(held.begin(), held.end(), [](std::size_t n) { return n == 0; }))
      held[longest] = counted(recordings_[longest].size());
    return held;
  }

  // How many windows overlap the last ones of their recordings.
  std::size_t lost(const std::vector<std::size_t>& held) const {
    std::size_t count = 0;
    for (std::size_t r = 0; r < held.size(); ++r) {
      const Windows& windows = recordings_[r];
      if (held[r] == 0) continue;
      const double begin = origin(windows[windows.size() - held[r]]);
      count += static_cast<std::size_t>(std::count_if(
          windows.begin(), windows.end() - static_cast<std::ptrdiff_t>(held[r]),
          [&](std::size_t s) { return origin(s) + *task_.window > begin + kTimeMargin * *task_.window; }));
    }
    return count;
  }

  // The same number of windows from as few recordings as hold them, the longest first, at most half of each: every
  // recording that is divided loses the windows that overlap its last ones.
  std::vector<std::size_t> together(const std::vector<std::size_t>& held) const {
    std::vector<std::size_t> order(held.size()), chosen(held.size(), 0);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return recordings_[a].size() > recordings_[b].size(); });
    std::size_t left = std::accumulate(held.begin(), held.end(), std::size_t{0});
    for (const std::size_t r : order) {
      chosen[r] = std::min(left, recordings_[r].size() / 2);
      left -= chosen[r];
    }
    return left == 0 && lost(chosen) < lost(held) ? chosen : held;
  }

  // Divides a recording at a window, with a gap of time. The side that is settled first keeps all of its windows; times
  // are compared with its end or beginning.
  void divide(const Windows& windows, std::size_t border, double gap) {
    const double length = *task_.window;
    const bool train_settled = task_.counted == Side::kTrain;
    const double end = border == 0 ? -kInfinity : origin(windows[border - 1]) + length * (1 - kTimeMargin);
    const double begin = border == windows.size() ? kInfinity : origin(windows[border]);
    for (std::size_t k = 0; k < windows.size(); ++k) {
      const std::size_t s = windows[k];
      if (k >= border)
        fate(s) = train_settled && origin(s) < end + gap ? Fate::kBetween : Fate::kHeldOut;
      else if (!train_settled && origin(s) + length > begin - gap + kTimeMargin * length)
        fate(s) = Fate::kBetween;
    }
  }

  const SplitTask& task_;
  std::size_t count_;
  std::vector<Windows> recordings_;
  SplitResult result_;
};

// The recordings of some systems, numbered in the order of their first windows; without windows each is its own.
std::vector<std::uint32_t> recordings_of(const Dataset& dataset, const std::vector<std::int64_t>& systems) {
  const std::vector<std::string>& names = dataset.description().recordings;
  std::vector<std::uint32_t> recording(systems.size());
  std::iota(recording.begin(), recording.end(), 0U);
  std::map<std::string_view, std::uint32_t> places;
  for (std::size_t i = 0; i < systems.size() && !names.empty(); ++i)
    recording[i] =
        places.try_emplace(names[static_cast<std::size_t>(systems[i])], static_cast<std::uint32_t>(places.size()))
            .first->second;
  return recording;
}

// Adds the training systems `all` to training and validation.
void hold_out(const Dataset& dataset, const TaskOptions& task, const std::vector<std::int64_t>& all, Parts& parts) {
  const std::vector<std::uint32_t> recording = recordings_of(dataset, all);
  std::vector<double> origins;
  for (const std::int64_t s : all) origins.push_back(dataset.origin(s));
  const bool windows = !dataset.description().recordings.empty();
  const std::size_t recordings = all.empty() ? 0 : *std::max_element(recording.begin(), recording.end()) + 1;
  const SplitResult split =
      split_systems({.recording = recording,
                     .origins = origins,
                     .observed = std::vector<bool>(recordings, true),
                     .window = windows ? std::optional(dataset.description().conditioning_length) : std::nullopt,
                     .share = task.validation,
                     .counted = Side::kHeldOut,
                     .by_windows = true,
                     .from = task.validation_from,
                     .apart = false,
                     .random = Random(task.seed, RandomUse::kSplit)});
  for (std::size_t i = 0; i < all.size(); ++i)
    (split.fates[i] == Fate::kTrain     ? parts.train
     : split.fates[i] == Fate::kHeldOut ? parts.validation
                                        : parts.between)
        .push_back(all[i]);
}

}  // namespace

std::int64_t SplitResult::count(Fate fate) const { return std::count(fates.begin(), fates.end(), fate); }

SplitResult split_systems(const SplitTask& task) { return Splitter(task).run(); }

Parts split_parts(const BatchMaker& maker) {
  std::vector<std::int64_t> usable = maker.dataset().systems_in(Part::kTrain);
  std::erase_if(usable, [&](std::int64_t s) { return maker.use_of(s) != Use::kUsable; });
  return split_parts(maker.dataset(), maker.task(), std::move(usable));
}

Parts split_parts(const Dataset& dataset, const TaskOptions& task) {
  return split_parts(dataset, task, dataset.systems_in(Part::kTrain));
}

Parts split_parts(const Dataset& dataset, const TaskOptions& task, std::vector<std::int64_t> usable) {
  Parts parts;
  parts.test = dataset.systems_in(Part::kTest);
  if (task.protocol == Protocol::kPaper) {
    parts.train = std::move(usable);
    parts.validation = parts.test;
  } else if (task.validation > 0) {
    std::sort(usable.begin(), usable.end());
    hold_out(dataset, task, usable, parts);
  } else {
    parts.train = std::move(usable);
  }
  return parts;
}

std::vector<std::int64_t> normalisation_systems(const Dataset& dataset, const TaskOptions& task) {
  std::vector<std::int64_t> systems = dataset.systems_in(Part::kTrain);
  if (task.protocol == Protocol::kPaper) {
    const std::vector<std::int64_t> test = dataset.systems_in(Part::kTest);
    systems.insert(systems.end(), test.begin(), test.end());
  }
  return systems;
}

}  // namespace lgode::data
