// Thins, cuts and splits, in this order, and counts what is skipped.
#include "table/arrange.h"

#include <fmt/format.h>

#include <algorithm>

#include "lgode/core/error.h"
#include "lgode/core/random.h"
#include "lgode/data/split.h"

namespace lgode::table {
namespace {

constexpr double kDefaultSplit = 0.8;

// Fills the parts. Returns the systems to skip.
std::vector<bool> split(const Arrangement& arrangement, Systems& systems, const std::vector<std::string>& recordings,
                        const std::vector<bool>& observed, ImportReport& report) {
  const data::SplitResult result =
      data::split_systems({.recording = systems.recording,
                           .origins = systems.arrays.origins,
                           .observed = observed,
                           .window = arrangement.window,
                           .stride = arrangement.stride.value_or(arrangement.window.value_or(0)),
                           .share = arrangement.split.value_or(kDefaultSplit),
                           .random = Random(arrangement.seed, RandomUse::kSplit, {1}),
                           .held_out = arrangement.test_systems,
                           .ids = systems.system_ids,
                           .recordings = recordings});
  if (result.undivided && arrangement.split && *arrangement.split < 1)
    throw ConfigError(
        fmt::format("`split` {}: there is one system, which cannot be split; {}, or name a column with `system`",
                    *arrangement.split,
                    arrangement.window ? "cut it with a shorter `window`, so that two do not overlap"
                                       : "cut it with `window` LENGTH"));
  systems.arrays.parts.clear();
  std::vector<bool> out;
  for (const data::Fate fate : result.fates) {
    const data::Part part = fate == data::Fate::kHeldOut ? data::Part::kTest : data::Part::kTrain;
    systems.arrays.parts.push_back(static_cast<std::uint8_t>(part));
    out.push_back(fate == data::Fate::kBetween || fate == data::Fate::kEmpty);
  }
  report.split_windows = result.count(data::Fate::kBetween);
  if (arrangement.window) report.windows = static_cast<std::int64_t>(out.size());
  constexpr std::int64_t kMany = 4;  // a quarter
  if (kMany * report.split_windows >= report.windows && report.split_windows > 0)
    report.notes.push_back(fmt::format(
        "{} of {} windows are in no part, because they overlap the other part, training or test, or are less than a "
        "window from it; a `stride` as long as the window loses fewer, `split` 1 keeps all for training, and "
        "`test_systems` can name the test part",
        report.split_windows, report.windows));
  return out;
}

// All systems are in one part; those without any observation are skipped.
std::shared_ptr<Systems> keep_observed(const Arrangement& arrangement, std::shared_ptr<Systems> systems,
                                       const std::vector<bool>& observed, const ScratchPlace& place) {
  if (arrangement.window || std::find(observed.begin(), observed.end(), false) == observed.end()) return systems;
  std::vector<bool> out = observed;
  out.flip();
  return std::make_shared<Systems>(without(*systems, out, place));
}

}  // namespace

std::shared_ptr<Systems> arrange(const Arrangement& arrangement, std::shared_ptr<Systems> systems,
                                 const ScratchPlace& place, double& gap, ImportReport& report) {
  if (arrangement.every) {
    const auto before = static_cast<std::int64_t>(systems->arrays.times.size());
    systems = std::make_shared<Systems>(thin(*systems, place, *arrangement.every));
    report.thinned_rows = before - static_cast<std::int64_t>(systems->arrays.times.size());
    report.empty_rows = systems->empty_rows();
  }
  gap = typical_gap(*systems);
  const std::vector<std::string> recordings = systems->system_ids;
  report.recordings = static_cast<std::int64_t>(recordings.size());
  std::vector<bool> observed;
  std::vector<double> first;
  for (std::size_t s = 0; s < recordings.size(); ++s) {
    const std::optional<data::TimeSpan> span = systems->span(s);
    observed.push_back(span.has_value());
    first.push_back(span ? span->first : 0.0);
  }
  report.empty_systems = std::count(observed.begin(), observed.end(), false);
  if (arrangement.window)
    systems = std::make_shared<Systems>(cut_windows(*systems, place, *arrangement.window,
                                                    arrangement.stride.value_or(*arrangement.window), gap,
                                                    arrangement.for_prediction, report));
  else
    systems->arrays.origins = first;
  if (arrangement.for_prediction) {
    systems->arrays.parts.assign(systems->system_ids.size(), static_cast<std::uint8_t>(data::Part::kTest));
    return keep_observed(arrangement, std::move(systems), observed, place);
  }
  const std::vector<bool> out = split(arrangement, *systems, recordings, observed, report);
  if (std::find(out.begin(), out.end(), true) == out.end()) return systems;
  return std::make_shared<Systems>(without(*systems, out, place));
}

}  // namespace lgode::table
