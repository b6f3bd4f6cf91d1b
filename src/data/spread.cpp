// Two passes per spread: ends first, then bins and a sample for the median.
#include "spread.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgode/core/median.h"

namespace lgode::data {
namespace {

constexpr std::size_t kSample = 1'000'000;  // numbers that quantiles are taken from
constexpr int kBins = 8;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNearlyAll = 0.99;        // of the gaps
constexpr double kTolerance = 0.01;        // of a step
constexpr std::size_t kMostMultiples = 4;  // counted one by one

// Bins of equal width or, where the numbers span more than two decades, of equal ratio.
std::vector<Checkup::Bin> make_bins(double low, double high, bool whole) {
  std::vector<Checkup::Bin> bins;
  if (whole) {
    const double width = std::ceil((high - low + 1) / kBins);
    for (double from = low; from <= high; from += width) bins.push_back({from, from + width, 0});
    return bins;
  }
  if (!(high > low)) {
    bins.push_back({low, high, 0});
    return bins;
  }
  const bool by_ratio = low > 0 && high > 100 * low;
  for (int i = 0; i < kBins; ++i) {
    const auto edge = [&](int k) {
      const double share = static_cast<double>(k) / kBins;
      return k == kBins ? high : by_ratio ? low * std::pow(high / low, share) : low + share * (high - low);
    };
    bins.push_back({edge(i), edge(i + 1), 0});
  }
  return bins;
}

void count_into(std::vector<Checkup::Bin>& bins, double number) {
  const auto after = std::upper_bound(bins.begin(), bins.end(), number,
                                      [](double x, const Checkup::Bin& bin) { return x < bin.from; });
  ++(after == bins.begin() ? *after : *(after - 1)).count;
}

std::vector<double> sample_of(std::int64_t count, const EachNumber& each) {
  const std::size_t step = static_cast<std::size_t>(count) / kSample + 1;
  std::vector<double> sample;
  std::size_t i = 0;
  each([&](double x) {
    if (i++ % step == 0) sample.push_back(x);
  });
  return sample;
}

Checkup::Grid count_multiples(double step, const EachNumber& each) {
  Checkup::Grid grid;
  grid.step = step;
  grid.multiples.assign(kMostMultiples, 0);
  each([&](double gap) {
    const double times = std::max(1.0, std::round(gap / step));
    if (std::abs(gap - times * step) > kTolerance * step)
      ++grid.others;
    else if (times <= static_cast<double>(kMostMultiples))
      ++grid.multiples[static_cast<std::size_t>(times) - 1];
    else
      ++grid.more;
    grid.longer += gap > (1 + kTolerance) * step ? 1 : 0;
  });
  return grid;
}

}  // namespace

Checkup::Spread spread_of(bool whole, const EachNumber& each) {
  Checkup::Spread spread;
  spread.low = kInfinity, spread.high = -kInfinity;
  each([&](double x) {
    ++spread.count;
    spread.low = std::min(spread.low, x);
    spread.high = std::max(spread.high, x);
  });
  if (spread.count == 0) return {};
  spread.histogram = make_bins(spread.low, spread.high, whole);
  each([&](double x) { count_into(spread.histogram, x); });
  std::vector<double> sample = sample_of(spread.count, each);
  spread.median = quantile(sample, 0.5);
  return spread;
}

Checkup::Grid grid_of(const Checkup::Spread& gaps, const EachNumber& each) {
  if (gaps.count == 0) return {};
  const double enough = kNearlyAll * static_cast<double>(gaps.count);
  Checkup::Grid grid = count_multiples(gaps.median, each);
  grid.regular = static_cast<double>(grid.multiples[0]) >= enough;
  if (grid.regular) return grid;
  // The step is one of the smallest gaps; a few may be smaller by mistake.
  std::vector<double> sample = sample_of(gaps.count, each);
  const double smallest = quantile(sample, (1 - kNearlyAll) / 2);
  std::erase_if(sample, [&](double x) { return std::abs(x - smallest) > kTolerance * smallest; });
  grid = count_multiples(quantile(sample, 0.5), each);
  return static_cast<double>(gaps.count - grid.others) >= enough ? grid : Checkup::Grid{};
}

}  // namespace lgode::data
