// Thins, cuts and splits, in this order, and counts what is skipped.
#include "table/arrange.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/core/random.h"
#include "lgode/data/split.h"

namespace lgode::table {
namespace {

constexpr double kDefaultSplit = 0.8;

// Lengths of the windows that recordings were cut into; none: they are whole.
struct Cut {
  std::optional<double> length = {};
  double stride = 0;
};

// Fills the parts. Returns the systems to skip.
std::vector<bool> split(const Arrangement& arrangement, const Cut& cut, Systems& systems,
                        const std::vector<std::string>& recordings, const std::vector<bool>& observed,
                        ImportReport& report) {
  const data::SplitResult result = data::split_systems({.recording = systems.recording,
                                                        .origins = systems.arrays.origins,
                                                        .observed = observed,
                                                        .window = cut.length,
                                                        .stride = cut.stride,
                                                        .share = arrangement.split.value_or(kDefaultSplit),
                                                        .random = Random(arrangement.seed, RandomUse::kSplit, {1}),
                                                        .held_out = arrangement.test_systems,
                                                        .ids = systems.system_ids,
                                                        .recordings = recordings});
  if (result.undivided && arrangement.split && *arrangement.split < 1)
    throw ConfigError(
        fmt::format("`split` {}: there is one system, which cannot be split; {}, or name a column with `system`",
                    *arrangement.split,
                    arrangement.frames   ? "cut it into fewer `frames`, so that two windows do not overlap"
                    : arrangement.window ? "cut it with a shorter `window`, so that two do not overlap"
                                         : "cut it with `window` LENGTH"));
  systems.arrays.parts.clear();
  std::vector<bool> out;
  for (const data::Fate fate : result.fates) {
    const data::Part part = fate == data::Fate::kHeldOut ? data::Part::kTest : data::Part::kTrain;
    systems.arrays.parts.push_back(static_cast<std::uint8_t>(part));
    out.push_back(fate == data::Fate::kBetween || fate == data::Fate::kEmpty);
  }
  report.split_windows = result.count(data::Fate::kBetween);
  if (cut.length) report.windows = static_cast<std::int64_t>(out.size());
  constexpr std::int64_t kMany = 4;  // a quarter
  if (kMany * report.split_windows >= report.windows && report.split_windows > 0)
    report.notes.push_back(fmt::format(
        "{} of {} windows are in no part, because they overlap the other part, training or test, or are less than a "
        "window from it; a `stride` as long as the window loses fewer, `split` 1 keeps all for training, and "
        "`test_systems` can name the test part",
        report.split_windows, report.windows));
  return out;
}

std::string format_objects(std::int64_t count) { return fmt::format("{} object{}", count, count == 1 ? "" : "s"); }

// Also skips the windows that have too few targets: in the test part fewer than the least number, else none.
void skip_few_targets(const data::FrameWindows& frames, const Systems& systems, std::vector<bool>& out,
                      ImportReport& report) {
  const std::vector<std::int64_t> targets = count_targets(systems, frames);
  const auto test = static_cast<std::uint8_t>(data::Part::kTest);
  std::int64_t most = 0, left = 0, tested = 0, left_to_test = 0;
  for (std::size_t s = 0; s < out.size(); ++s) {
    if (out[s]) continue;
    const bool tests = systems.arrays.parts[s] == test;
    out[s] = targets[s] < (tests ? frames.min_objects : 1);
    report.few_targets += out[s] ? 1 : 0;
    most = std::max(most, targets[s]);
    tested += tests ? 1 : 0, left += out[s] ? 0 : 1, left_to_test += tests && !out[s] ? 1 : 0;
  }
  if (left > 0 && (tested == 0 || left_to_test > 0)) return;
  const std::string present =
      frames.all_present ? fmt::format("observed in all {} frames", frames.count()) : "observed in a frame to forecast";
  throw DataError(fmt::format("`frames`: no {} is left; expected at least {} {}, and the most are {}",
                              tested > 0 ? "window to test on" : "window",
                              format_objects(tested > 0 ? frames.min_objects : 1), present, most));
}

// Cuts the recordings where that is asked for; else sets the origins, `first`.
Cut cut(const Arrangement& arrangement, const ScratchPlace& place, const std::vector<double>& first, Arranged& out,
        ImportReport& report) {
  if (arrangement.frames) {
    const double stride = arrangement.stride.value_or(1.0);
    out.frames = arrangement.frames;
    out.systems = std::make_shared<Systems>(
        cut_frames(*out.systems, place, out.frames, static_cast<std::int64_t>(stride), report));
    return {out.frames.length(), stride * out.frames.step};
  }
  if (!arrangement.window) {
    out.systems->arrays.origins = first;
    return {};
  }
  const double length = *arrangement.window, stride = arrangement.stride.value_or(length);
  out.systems = std::make_shared<Systems>(
      cut_windows(*out.systems, place, length, stride, out.gap, arrangement.for_prediction, report));
  return {length, stride};
}

// Fills the parts. Returns the systems to skip.
std::vector<bool> divide(const Arrangement& arrangement, const Cut& cut, Systems& systems,
                         const std::vector<std::string>& recordings, const std::vector<bool>& observed,
                         ImportReport& report) {
  if (!arrangement.for_prediction) return split(arrangement, cut, systems, recordings, observed, report);
  // All systems are in one part; those without any observation are skipped.
  systems.arrays.parts.assign(systems.system_ids.size(), static_cast<std::uint8_t>(data::Part::kTest));
  std::vector<bool> out(systems.system_ids.size(), false);
  if (cut.length) return out;
  out = observed;
  out.flip();
  return out;
}

}  // namespace

Arranged arrange(const Arrangement& arrangement, std::shared_ptr<Systems> systems, const ScratchPlace& place,
                 ImportReport& report) {
  Arranged out{.systems = std::move(systems)};
  if (arrangement.every) {
    const auto before = static_cast<std::int64_t>(out.systems->arrays.times.size());
    out.systems =
        std::make_shared<Systems>((arrangement.frames ? thin_frames : thin)(*out.systems, place, *arrangement.every));
    report.thinned_rows = before - static_cast<std::int64_t>(out.systems->arrays.times.size());
    report.empty_rows = out.systems->empty_rows();
  }
  out.gap = typical_gap(*out.systems);
  const std::vector<std::string> recordings = out.systems->system_ids;
  report.recordings = static_cast<std::int64_t>(recordings.size());
  std::vector<bool> observed;
  std::vector<double> first;
  for (std::size_t s = 0; s < recordings.size(); ++s) {
    const std::optional<data::TimeSpan> span = out.systems->span(s);
    observed.push_back(span.has_value());
    first.push_back(span ? span->first : 0.0);
  }
  report.empty_systems = std::count(observed.begin(), observed.end(), false);
  const Cut windows = cut(arrangement, place, first, out, report);
  std::vector<bool> skipped = divide(arrangement, windows, *out.systems, recordings, observed, report);
  if (out.frames) skip_few_targets(out.frames, *out.systems, skipped, report);
  if (std::find(skipped.begin(), skipped.end(), true) != skipped.end())
    out.systems = std::make_shared<Systems>(without(*out.systems, skipped, place));
  return out;
}

}  // namespace lgode::table
