// Measures the training part of an imported set, and checks both parts.
#include "table/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lgode/core/error.h"
#include "table/import_context.h"

namespace lgode::table {
namespace {

constexpr double kSmallestScale = 1e-30;  // as in the description of a run

// Count and range of each feature's values in a part.
struct ValueRanges {
  std::vector<std::int64_t> count;
  std::vector<double> low, high;
};
ValueRanges ranges_in(const Systems& systems, data::Part part) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ValueRanges ranges{std::vector<std::int64_t>(systems.features), std::vector<double>(systems.features, kInfinity),
                     std::vector<double>(systems.features, -kInfinity)};
  const OwnedArrays& a = systems.arrays;
  for (std::size_t s = 0; s < a.parts.size(); ++s) {
    if (a.parts[s] != static_cast<std::uint8_t>(part)) continue;
    for (auto o = a.object_offsets[s]; o < a.object_offsets[s + 1]; ++o) {
      const auto values = systems.values_of(static_cast<std::size_t>(o));
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t f = i % systems.features;
        if (std::isnan(values[i])) continue;
        ++ranges.count[f];
        ranges.low[f] = std::min(ranges.low[f], values[i]);
        ranges.high[f] = std::max(ranges.high[f], values[i]);
      }
    }
  }
  return ranges;
}

}  // namespace

void settle_ranges(const Arrangement& arrangement, const Systems& systems, double gap, data::Description& description) {
  const OwnedArrays& a = systems.arrays;
  const auto part = static_cast<std::uint8_t>(arrangement.for_prediction ? data::Part::kTest : data::Part::kTrain);
  double longest = 0;
  for (std::size_t s = 0; s < a.parts.size(); ++s) {
    if (a.parts[s] != part) continue;
    if (const auto span = systems.span(s)) longest = std::max(longest, span->last - a.origins[s]);
  }
  // The last observation is within the range, not at its end.
  double length = longest + (gap > 0 ? gap : 1.0);
  if (description.frames) length = description.frames.length();
  if (arrangement.window) length = *arrangement.window;
  if (arrangement.first_range) length = *arrangement.first_range;
  description.time_scale = description.conditioning_length = length;
  for (std::size_t s = 0; s < a.parts.size(); ++s) {
    if (a.parts[s] != part) continue;
    for (auto o = a.object_offsets[s]; o < a.object_offsets[s + 1]; ++o) {
      const auto times = systems.times_of(static_cast<std::size_t>(o));
      const auto rows = std::lower_bound(times.begin(), times.end(), a.origins[s] + length) - times.begin();
      std::int64_t count = 0;
      for (std::ptrdiff_t k = 0; k < rows; ++k)
        count += systems.is_observation(static_cast<std::size_t>(o), static_cast<std::size_t>(k)) ? 1 : 0;
      if (count == 0) continue;
      description.max_length = std::max<std::int64_t>(description.max_length, count);
      description.min_length =
          description.min_length == 0 ? count : std::min<std::int64_t>(description.min_length, count);
    }
  }
}

void check_parts(const ImportOptions& options, const Systems& systems, const data::Description& description,
                 ImportReport& report) {
  if (options.arrangement.for_prediction) return;  // that there is a value was checked before
  const std::string where = table_name(options);
  const ValueRanges train = ranges_in(systems, data::Part::kTrain);
  if (std::accumulate(train.count.begin(), train.count.end(), std::int64_t{0}) == 0)
    throw DataError(
        fmt::format("{}: no system that trains has a value; choose other `test_systems` or a larger `split`", where));
  for (std::size_t f = 0; f < systems.features; ++f) {
    const std::string& name = description.features[f].name;
    if (description.features[f].derived) continue;
    if (train.count[f] == 0)
      throw DataError(
          fmt::format("{}: feature '{}' has no value in the systems that train; leave it out with "
                      "`features`, or split otherwise",
                      where, name));
    const double largest = std::max(std::abs(train.low[f]), std::abs(train.high[f]));
    if (largest > 0 && largest < kSmallestScale)
      throw DataError(fmt::format(
          "{}: feature '{}' is {:g} at most in the systems that train, and its values are divided by that; expected at "
          "least {:g}: give it in a smaller unit, or leave it out with `features`",
          where, name, largest, kSmallestScale));
    if (train.low[f] == train.high[f])
      report.notes.push_back(
          fmt::format("feature '{}' is {} everywhere in the systems that train, so there is nothing "
                      "to learn; leave it out with `features`",
                      name, train.low[f]));
  }
  const auto& parts = systems.arrays.parts;
  const bool none = std::count(parts.begin(), parts.end(), static_cast<std::uint8_t>(data::Part::kTest)) == 0;
  if (none && options.arrangement.test_systems.empty()) {
    report.notes.emplace_back(
        "no system is left to test on, so an evaluation has to use the validation part; see `split` and `window`");
    return;
  }
  const ValueRanges test = ranges_in(systems, data::Part::kTest);
  if (std::accumulate(test.count.begin(), test.count.end(), std::int64_t{0}) == 0)
    throw DataError(
        fmt::format("{}: the systems of the test part have no values; choose others with `test_systems`", where));
}

}  // namespace lgode::table
