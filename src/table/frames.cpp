// Notes times that look like frames, and finds the rate that fits the rest of the table.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

#include "lgode/core/median.h"
#include "table/notes.h"

namespace lgode::table {
namespace {

// Whole times of a table; nothing where one is not, or where they are too large or too far apart to count frames.
struct Frames {
  double first = 0, last = 0, step = 0;
};
std::optional<Frames> frames_of(const Systems& systems) {
  constexpr double kLargest = 1e8;  // beyond: seconds since 1970
  constexpr double kFarthest = 100;
  const auto times = systems.arrays.times.span();
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double t : times) {
    if (t != std::floor(t) || std::abs(t) > kLargest) return std::nullopt;
    low = std::min(low, t), high = std::max(high, t);
  }
  const double step = typical_gap(systems);
  constexpr std::ptrdiff_t kFew = 10;  // rows that say nothing
  if (static_cast<std::ptrdiff_t>(times.size()) < kFew || !(step >= 1 && step <= kFarthest)) return std::nullopt;
  return Frames{low, high, step};
}

// Calls `found(object, k)` for rows in the middle of an object, of at most some hundred thousand.
template <class Found>
void each_middle(const Systems& systems, const Found& found) {
  constexpr std::int64_t kMost = 100'000;
  std::int64_t rows = 0;
  for (std::size_t o = 0; o < systems.object_ids.size() && rows < kMost; ++o)
    for (std::size_t k = 1; k + 1 < systems.times_of(o).size(); ++k, ++rows) found(o, k);
}

// Change per frame about a row.
double slope(const Systems& systems, std::size_t object, std::size_t k, std::size_t feature) {
  const auto times = systems.times_of(object);
  const auto values = systems.values_of(object);
  return (values[(k + 1) * systems.features + feature] - values[(k - 1) * systems.features + feature]) /
         (times[k + 1] - times[k - 1]);
}

// The rate that most of these agree on, a usual one where it is near.
std::optional<double> agreed(std::vector<double> rates) {
  constexpr std::size_t kFewest = 10;
  constexpr double kSpread = 0.1, kNear = 0.02;
  constexpr std::array kUsual = {1.0,  2.0,  2.5,  5.0,  10.0,  12.0,  12.5,  15.0,  20.0,  24.0,  25.0,  30.0,
                                 40.0, 50.0, 60.0, 90.0, 100.0, 120.0, 200.0, 240.0, 250.0, 500.0, 1000.0};
  if (rates.size() < kFewest) return std::nullopt;
  std::sort(rates.begin(), rates.end());
  const double low = rates[rates.size() / 4], middle = rates[rates.size() / 2], high = rates[rates.size() * 3 / 4];
  if (!(low > 0) || high - low > kSpread * middle) return std::nullopt;
  for (const double usual : kUsual)
    if (std::abs(middle - usual) <= kNear * usual) return usual;
  return std::stod(fmt::format("{:.4g}", middle));
}

bool names_seconds(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name == "t" || name == "sec" || name == "seconds" || name.starts_with("time") || name.starts_with("second");
}

struct Guess {
  double rate = 0;
  std::string why;
};
std::optional<Guess> guess_rate(const data::Description& description, const Systems& systems) {
  for (std::size_t f = 0; f < systems.features; ++f) {
    const data::Feature& feature = description.features[f];
    const bool seconds = names_seconds(feature.name);
    if (feature.derived || (!seconds && feature.velocity_of < 0)) continue;
    const auto position = static_cast<std::size_t>(std::max(feature.velocity_of, 0));
    std::vector<double> rates;
    each_middle(systems, [&](std::size_t o, std::size_t k) {
      const double rate = seconds ? 1 / slope(systems, o, k, f)
                                  : systems.values_of(o)[k * systems.features + f] / slope(systems, o, k, position);
      if (std::isfinite(rate) && rate != 0) rates.push_back(rate);
    });
    if (const auto rate = agreed(std::move(rates)))
      return Guess{*rate, seconds ? fmt::format("as '{}' says, which is then no feature (`features`)", feature.name)
                                  : fmt::format("which fits the velocity '{}'", feature.name)};
  }
  return std::nullopt;
}

}  // namespace

void note_frames(const ObservationTable& table, const data::Description& description, const Systems& systems,
                 bool new_table, ImportReport& report) {
  if (table.dates() || table.compact_dates || !description.time_unit.empty()) return;
  const std::optional<Frames> frames = frames_of(systems);
  if (!frames) return;
  if (new_table) {
    report.notes.push_back(fmt::format(
        "the times, {:g} to {:g} in steps of {:g}, look like frames; they were taken in the time unit of the training "
        "data; if that is seconds, divide them by the frames per second",
        frames->first, frames->last, frames->step));
    return;
  }
  const std::optional<Guess> guess = guess_rate(description, systems);
  report.notes.push_back(fmt::format(
      "the times, {:g} to {:g} in steps of {:g}, look like frames; assumed: the unit of time is one of them, and "
      "lengths count them; if they are frames, give the number per second with `rate`{}; if they are not, give their "
      "`time_unit`, such as s",
      frames->first, frames->last, frames->step,
      guess ? fmt::format(": {:g}, {}", guess->rate, guess->why) : ", such as 25"));
}

}  // namespace lgode::table
