// Fits a calibration: groups errors by distance, takes their quantiles and makes them monotone.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "calibration_widths.h"

namespace lgode::eval {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostKnots = 12;
constexpr std::size_t kFewest = 30;  // errors of a group

struct Sample {
  double distance, size;  // size: |error|, or in units of the spread
  double start;
  std::int64_t system;
};

// The groups of samples, ascending by distance: of about equal counts, with the same distances in one group, and the
// farthest ones, which are few for their range, divided again by distance. Ends of them.
std::vector<std::size_t> groups_of(const std::vector<Sample>& samples) {
  constexpr std::size_t kFarthest = 4, kLeastShare = 200;  // of a divided group: at least 1 / 200 of the samples
  const std::size_t groups = std::clamp<std::size_t>(samples.size() / kFewest, 1, kMostKnots);
  const auto whole = [&](std::size_t end) {
    while (end < samples.size() && end > 0 && samples[end].distance <= samples[end - 1].distance + kSameDistance) ++end;
    return end;
  };
  std::vector<std::size_t> ends;
  const auto add = [&](std::size_t end) {
    if (end > (ends.empty() ? 0 : ends.back())) ends.push_back(end);
  };
  for (std::size_t g = 0; g + 1 < groups; ++g) add(whole((g + 1) * samples.size() / groups));
  const std::size_t begin = ends.empty() ? 0 : ends.back(), fewest = std::max(kFewest, samples.size() / kLeastShare);
  if (begin < samples.size()) {
    const double near = samples[begin].distance, far = samples.back().distance;
    for (std::size_t k = 1; k < kFarthest; ++k) {
      const double edge = near + (far - near) * static_cast<double>(k) / kFarthest;
      const std::size_t end = whole(static_cast<std::size_t>(
          std::upper_bound(samples.begin(), samples.end(), edge,
                           [](double x, const Sample& sample) { return x < sample.distance; }) -
          samples.begin()));
      if (end >= (ends.empty() ? 0 : ends.back()) + fewest && samples.size() >= end + fewest) add(end);
    }
  }
  add(samples.size());
  return ends;
}

void sort_by_distance(std::vector<Sample>& samples) {
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.distance < b.distance; });
}

// The ceil((n + 1) p)-th smallest; the largest where there are too few for the level.
double conformal_quantile(std::vector<double>& sizes, double level) {
  const auto n = static_cast<double>(sizes.size());
  const auto rank = std::min(sizes.size(), static_cast<std::size_t>(std::ceil((n + 1) * level - 1e-9)));
  const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(sizes.begin(), at, sizes.end());
  return *at;
}

// The growth with the start for which errors above the 90 % width are as frequent among early starts as among late
// ones, at equal distances; 0 unless they are more frequent among late ones by more than three standard errors (errors
// of one system belong together).
double growth_of(std::vector<Sample> samples) {
  constexpr double kLevel = 0.9, kSure = 3, kMost = 10;
  constexpr int kHalvings = 14;
  sort_by_distance(samples);
  const std::vector<std::size_t> ends = groups_of(samples);
  std::vector<double> sizes(samples.size());
  // How much more frequent; with `deviation`, also its standard error.
  const auto late = [&](double growth, double* deviation) {
    std::map<std::int64_t, double> systems;
    double sum = 0;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      std::vector<double> group;
      double mean = 0;
      for (std::size_t i = begin; i < end; ++i) {
        sizes[i] = samples[i].size * std::exp(-growth * samples[i].start);
        group.push_back(sizes[i]), mean += samples[i].start / static_cast<double>(end - begin);
      }
      const double width = conformal_quantile(group, kLevel);
      for (; begin < end; ++begin) {
        const double one = ((sizes[begin] > width ? 1.0 : 0.0) - (1 - kLevel)) * (samples[begin].start - mean);
        sum += one;
        if (deviation != nullptr) systems[samples[begin].system] += one;
      }
    }
    if (deviation != nullptr) {
      *deviation = 0;
      for (const auto& [system, own] : systems) *deviation += own * own;
      *deviation = std::sqrt(*deviation);
    }
    return sum;
  };
  double deviation = 0;
  if (!(late(0, &deviation) > kSure * deviation) || !(deviation > 0)) return 0;
  double low = 0, high = kMost;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (late(middle, nullptr) > 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// The closest values that do not fall, by pooling neighbours that do (weights: counts).
void make_monotone(std::vector<double>& values, const std::vector<double>& weights) {
  struct Block {
    double mean, weight;
    std::size_t count;
  };
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < values.size(); ++i) {
    blocks.push_back({values[i], weights[i], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean > blocks.back().mean) {
      const Block last = blocks.back();
      blocks.pop_back();
      Block& into = blocks.back();
      into.mean = (into.mean * into.weight + last.mean * last.weight) / (into.weight + last.weight);
      into.weight += last.weight, into.count += last.count;
    }
  }
  std::size_t at = 0;
  for (const Block& block : blocks)
    for (std::size_t i = 0; i < block.count; ++i) values[at++] = block.mean;
}

WidthTable fit_table(std::vector<Sample> samples, bool scaled, double growth) {
  sort_by_distance(samples);
  std::set<std::int64_t> systems;
  for (const Sample& sample : samples) systems.insert(sample.system);
  const double higher = 1 + 0.5 / static_cast<double>(systems.size());
  WidthTable table;
  table.scaled = scaled, table.growth = growth;
  table.width.resize(Calibration::levels().size());
  std::vector<double> weights;
  std::size_t begin = 0;
  for (const std::size_t end : groups_of(samples)) {
    double sum = 0;
    std::vector<double> sizes;
    for (std::size_t i = begin; i < end; ++i) {
      sum += samples[i].distance;
      sizes.push_back(samples[i].size * std::exp(-growth * samples[i].start));
    }
    table.distance.push_back(sum / static_cast<double>(end - begin));
    weights.push_back(static_cast<double>(end - begin));
    for (std::size_t l = 0; l < table.width.size(); ++l)
      table.width[l].push_back(conformal_quantile(sizes, Calibration::levels()[l] * higher));
    begin = end;
  }
  for (std::vector<double>& widths : table.width) make_monotone(widths, weights);
  // Pooling may have crossed neighbouring levels.
  for (std::size_t l = 1; l < table.width.size(); ++l)
    for (std::size_t b = 0; b < table.distance.size(); ++b)
      table.width[l][b] = std::max(table.width[l][b], table.width[l - 1][b]);
  return table;
}

}  // namespace

void CalibrationFit::add(const data::Batch& batch, bool forecast, const float* predicted, const float* spread) {
  const std::vector<double> distances = target_distances(batch, forecast);
  const std::size_t features = errors_.size();
  for (std::int64_t b = 0; b < batch.systems(); ++b)
    for (std::int64_t t = batch.target_offsets[batch.object_offsets[b]];
         t < batch.target_offsets[batch.object_offsets[b + 1]]; ++t) {
      const auto at = static_cast<std::size_t>(t);
      if (batch.target_seen[at] != 0 || !std::isfinite(distances[at])) continue;
      for (std::size_t f = 0; f < features; ++f) {
        const std::size_t k = at * features + f;
        if (batch.target_mask[k] == 0.0F) continue;
        errors_[f].push_back({distances[at], std::abs(static_cast<double>(predicted[k]) - batch.target_values[k]),
                              spread[k], forecast ? batch.start[static_cast<std::size_t>(b)] : 0.0, batch.system[b]});
      }
    }
}

Calibration CalibrationFit::fit() const {
  Calibration out;
  std::set<std::int64_t> systems;
  for (const std::vector<Error>& errors : errors_) {
    if (errors.empty()) {  // never a target
      out.features_.push_back({{0.0}, std::vector<std::vector<double>>(Calibration::levels().size(), {0.0}), false});
      continue;
    }
    const auto samples = [&](bool scaled, int half) {
      std::vector<Sample> chosen;
      for (const Error& e : errors)
        if (half < 0 || e.system % 2 == half)
          chosen.push_back(
              {e.distance, scaled ? e.error / std::max(e.spread, kLeastSpread) : e.error, e.start, e.system});
      return chosen;
    };
    const double growths[] = {growth_of(samples(false, -1)), growth_of(samples(true, -1))};
    // The interval score (Gneiting and Raftery 2007) of the 90 % intervals, fitted on one half of the systems and
    // measured on the other.
    const auto score = [&](bool scaled) {
      double total = 0;
      for (const int half : {0, 1}) {
        const std::vector<Sample> fitted = samples(scaled, half);
        if (fitted.size() < kFewest) return scaled ? kInfinity : 0.0;
        const WidthTable table = fit_table(fitted, scaled, growths[scaled ? 1 : 0]);
        for (const Error& e : errors)
          if (e.system % 2 != half) {
            const double width = width_of(table, 0.9, e.distance, e.spread, e.start);
            total += 2 * width + 2 / 0.1 * std::max(e.error - width, 0.0);
          }
      }
      return total;
    };
    const bool scaled = score(true) < score(false);
    out.features_.push_back(fit_table(samples(scaled, -1), scaled, growths[scaled ? 1 : 0]));
    for (const Error& e : errors) {
      out.reach_ = std::max(out.reach_, e.distance), out.latest_ = std::max(out.latest_, e.start);
      systems.insert(e.system);
    }
    out.values_ += static_cast<std::int64_t>(errors.size());
  }
  out.systems_ = static_cast<std::int64_t>(systems.size());
  return out.values_ > 0 ? out : Calibration();
}

}  // namespace lgode::eval
