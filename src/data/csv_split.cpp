// Splits by name, by drawing whole recordings, or in time. Windows of the two parts never share an observation.
#include "csv_split.h"

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

constexpr double kDefaultSplit = 0.8;
// With fewer recordings than this, windows are split in time: a part of one or two recordings would say little.
constexpr std::size_t kFewRecordings = 5;
// Fewer windows than this cannot spare those between the parts.
constexpr std::size_t kFewWindows = 4;
constexpr double kTimeMargin = 1e-9;

class Splitter {
 public:
  Splitter(const CsvImport& options, Systems& systems, const std::vector<std::string>& recordings,
           const std::vector<bool>& observed, CsvImportReport& report)
      : options_(options),
        systems_(systems),
        recordings_(recordings),
        observed_(observed),
        report_(report),
        share_(options.split.value_or(kDefaultSplit)),
        out_(systems.recording.size(), false) {}

  std::vector<bool> run() {
    const std::size_t count = systems_.recording.size();
    systems_.arrays.parts.assign(count, static_cast<std::uint8_t>(Part::kTrain));
    for (std::size_t s = 0; s < count; ++s) out_[s] = !observed_[systems_.recording[s]];
    const auto recordings = static_cast<std::size_t>(std::count(observed_.begin(), observed_.end(), true));
    if (!options_.test_systems.empty()) {
      by_name();
    } else if (options_.window && recordings < kFewRecordings && any_splits()) {
      for (const auto& [from, to] : windows_by_recording()) by_time(from, to);
    } else if (recordings > 1) {
      by_draw();
    } else if (options_.split && *options_.split < 1) {
      throw ConfigError(fmt::format(
          "`split` {}: there is one system, which cannot be split; {}, or name a column with `system`", *options_.split,
          options_.window ? "cut it with a shorter `window`, so that two do not overlap"
                          : "cut it with `window` LENGTH"));
    }
    return out_;
  }

 private:
  bool tests(std::size_t system) const {
    return systems_.arrays.parts[system] == static_cast<std::uint8_t>(Part::kTest);
  }
  void set_test(std::size_t system) { systems_.arrays.parts[system] = static_cast<std::uint8_t>(Part::kTest); }

  void leave_out(std::size_t system) {
    out_[system] = true;
    ++report_.split_windows;
  }

  void by_name() {
    for (const std::string& pattern : options_.test_systems)
      if (!mark(pattern)) refuse_name(pattern);
    if (!options_.window) return;
    for (const auto& [from, to] : windows_by_recording()) leave_out_overlapping(from, to);
  }

  // First and last system (exclusive) of each recording.
  std::vector<std::pair<std::size_t, std::size_t>> windows_by_recording() const {
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    for (std::size_t from = 0, to = 0; from < out_.size(); from = to) {
      while (to < out_.size() && systems_.recording[to] == systems_.recording[from]) ++to;
      ranges.emplace_back(from, to);
    }
    return ranges;
  }

  // Windows between the last of one part and the first of the other, which begins `gap` after its end.
  std::size_t between(double gap) const {
    const double stride = options_.stride.value_or(*options_.window);
    return static_cast<std::size_t>(
        std::max(0.0, std::ceil((*options_.window + gap) / stride * (1 - kTimeMargin)) - 1));
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
    bool found = std::any_of(recordings_.begin(), recordings_.end(),
                             [&](const std::string& id) { return id == pattern || matches(pattern, id); });
    for (std::size_t s = 0; s < out_.size(); ++s) {
      const std::string& recording = recordings_[systems_.recording[s]];
      const std::string& id = systems_.system_ids[s];
      if (id != pattern && recording != pattern && !matches(pattern, id) && !matches(pattern, recording)) continue;
      set_test(s);
      found = true;
    }
    return found;
  }

  [[noreturn]] void refuse_name(const std::string& pattern) const {
    std::vector<std::string> names = recordings_;
    // Windows are suggested only for what looks like one.
    if (pattern.find('/') != std::string::npos)
      names.insert(names.end(), systems_.system_ids.begin(), systems_.system_ids.end());
    throw ConfigError(fmt::format("`test_systems` {}: the table has no such system{}{}", pattern,
                                  is_pattern(pattern) ? ", and none that matches" : "", did_you_mean(pattern, names)));
  }

  // Training windows that share time with a test window of their recording. Windows stand in the order of time.
  void leave_out_overlapping(std::size_t from, std::size_t to) {
    const double length = *options_.window * (1 - kTimeMargin);
    const auto& origins = systems_.arrays.origins;
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
      else if (!out_[s] && origins[s] + length > next)
        leave_out(s);
    }
  }

  // Whole recordings, so that windows of one are never on both sides.
  void by_draw() {
    std::vector<std::size_t> candidates;
    for (std::size_t r = 0; r < recordings_.size(); ++r)
      if (observed_[r]) candidates.push_back(r);
    const auto count = static_cast<std::int64_t>(candidates.size());
    std::int64_t train = std::llround(share_ * static_cast<double>(count));
    if (share_ > 0 && share_ < 1) train = std::clamp<std::int64_t>(train, 1, count - 1);
    std::vector<bool> trains(recordings_.size(), false);
    for (const std::int64_t r : Random(options_.seed, RandomUse::kSplit, {1}).choose(count, train))
      trains[candidates[static_cast<std::size_t>(r)]] = true;
    for (std::size_t s = 0; s < out_.size(); ++s)
      if (!trains[systems_.recording[s]]) set_test(s);
  }

  // The later windows [from, to) of a recording test. They begin a window's length after the end of the training
  // windows where there are enough, in any case not before it; those between are left out. All windows train where no
  // two are apart.
  void by_time(std::size_t from, std::size_t to) {
    const std::size_t count = to - from;
    const double length = *options_.window;
    if (!splits(count)) return;
    const bool enough = count >= between(length) + kFewWindows;
    const std::size_t spared = between(enough ? length : 0);
    const std::size_t train = train_count(count - spared);
    if (train == count - spared) return;
    const double end = train == 0 ? -std::numeric_limits<double>::infinity()
                                  : systems_.arrays.origins[from + train - 1] + length * (1 - kTimeMargin);
    const double begin = enough ? end + length : end;
    for (std::size_t s = from + train; s < to; ++s) {
      if (systems_.arrays.origins[s] < begin)
        leave_out(s);
      else
        set_test(s);
    }
  }

  std::size_t train_count(std::size_t count) const {
    auto train = static_cast<std::size_t>(std::llround(share_ * static_cast<double>(count)));
    if (share_ > 0 && share_ < 1) train = count < 2 ? count : std::clamp<std::size_t>(train, 1, count - 1);
    return train;
  }

  const CsvImport& options_;
  Systems& systems_;
  const std::vector<std::string>& recordings_;
  const std::vector<bool>& observed_;
  CsvImportReport& report_;
  double share_;
  std::vector<bool> out_;
};

}  // namespace

std::vector<bool> split_systems(const CsvImport& options, Systems& systems, const std::vector<std::string>& recordings,
                                const std::vector<bool>& observed, CsvImportReport& report) {
  return Splitter(options, systems, recordings, observed, report).run();
}

}  // namespace lgode::data
