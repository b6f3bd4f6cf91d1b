// Summarises both parts in the same way and reports where the summaries differ.
#include "lgode/data/compare_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "lgode/core/median.h"
#include "lgode/data/first_range.h"
#include "lgode/data/task.h"

namespace lgode::data {
namespace {

constexpr double kNotableShare = 0.01, kNotableFactor = 1.5, kNotablePoints = 0.05;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kSampleRows = 2'000'000;

double median_or_nan(std::vector<double> numbers) { return numbers.empty() ? kNaN : median(std::move(numbers)); }

// One part of a data set.
class Side {
 public:
  struct Range {
    double low = kInfinity, high = -kInfinity;
    bool empty() const { return low > high; }
  };

  Side(const Dataset& dataset, Part part, bool centred, bool later)
      : set_(dataset),
        systems_(dataset.systems_in(part)),
        centred_(static_cast<std::size_t>(dataset.features())),
        later_(later) {
    if (!centred) return;
    for (const int f : position_features(dataset.description().features)) centred_[static_cast<std::size_t>(f)] = true;
  }

  Range range(std::size_t f) const {
    Range out;
    each_value(f, [&](double x) {
      out.low = std::min(out.low, x);
      out.high = std::max(out.high, x);
    });
    return out;
  }

  double share_outside(std::size_t f, const Range& range) const {
    std::int64_t outside = 0, all = 0;
    each_value(f, [&](double x) {
      ++all;
      outside += x < range.low || x > range.high ? 1 : 0;
    });
    return all == 0 ? 0.0 : static_cast<double>(outside) / static_cast<double>(all);
  }

  double speed(std::size_t f) const {
    std::vector<double> speeds;
    each_sampled_object([&](std::int64_t s, std::int64_t i) {
      const std::span<const double> times = first_range(s, i);
      double last = kNaN, last_time = 0;
      for (std::size_t k = 0; k < times.size(); ++k) {
        const double x = value(i, k, f);
        if (std::isnan(x)) continue;
        if (!std::isnan(last)) speeds.push_back(std::abs(x - last) / (times[k] - last_time));
        last = x, last_time = times[k];
      }
    });
    return median_or_nan(std::move(speeds));
  }

  // Objects that are observed at all.
  double objects() const {
    std::vector<double> counts;
    for (const std::int64_t s : systems_) {
      std::int64_t count = 0;
      for (std::int64_t i = set_.first_object(s); i < set_.first_object(s) + set_.objects_of(s); ++i)
        count += observations(i, set_.times_of(i).size()) > 0 ? 1 : 0;
      counts.push_back(static_cast<double>(count));
    }
    return median_or_nan(std::move(counts));
  }

  double observations() const {
    std::vector<double> counts;
    each_sampled_object([&](std::int64_t s, std::int64_t i) {
      const std::int64_t count = observations(i, first_range(s, i).size());
      if (count > 0) counts.push_back(static_cast<double>(count));
    });
    return median_or_nan(std::move(counts));
  }

  double gap() const { return typical_gap(set_, systems_); }

  double missing() const {
    std::int64_t missing = 0, all = 0;
    const std::vector<Feature>& features = set_.description().features;
    each_object(systems_, [&](std::int64_t, std::int64_t i) {
      for (std::size_t k = 0; k < set_.times_of(i).size(); ++k) {
        if (set_.is_empty(i, static_cast<std::int64_t>(k))) continue;
        for (std::size_t f = 0; f < features.size(); ++f) {
          if (features[f].derived) continue;
          ++all;
          missing += std::isnan(value(i, k, f)) ? 1 : 0;
        }
      }
    });
    return all == 0 ? kNaN : static_cast<double>(missing) / static_cast<double>(all);
  }

 private:
  double value(std::int64_t object, std::size_t k, std::size_t f) const {
    return set_.values_of(object)[k * centred_.size() + f];
  }

  // The times of an object in the first range of its system.
  std::span<const double> first_range(std::int64_t system, std::int64_t object) const {
    const std::span<const double> times = set_.times_of(object);
    const auto end = std::partition_point(times.begin(), times.end(),
                                          [&](double time) { return before_range_end(set_, system, time); });
    return times.first(static_cast<std::size_t>(end - times.begin()));
  }

  // Observations among the first rows of an object.
  std::int64_t observations(std::int64_t object, std::size_t rows) const {
    std::int64_t count = 0;
    for (std::size_t k = 0; k < rows; ++k) count += set_.is_empty(object, static_cast<std::int64_t>(k)) ? 0 : 1;
    return count;
  }

  template <class Do>
  void each_object(const std::vector<std::int64_t>& systems, const Do& act) const {
    for (const std::int64_t s : systems)
      for (std::int64_t i = set_.first_object(s); i < set_.first_object(s) + set_.objects_of(s); ++i) act(s, i);
  }

  template <class Do>
  void each_sampled_object(const Do& act) const {
    const auto step = static_cast<std::size_t>(set_.rows() / kSampleRows + 1);
    std::vector<std::int64_t> sample;
    for (std::size_t n = 0; n < systems_.size(); n += step) sample.push_back(systems_[n]);
    each_object(sample, act);
  }

  template <class Do>
  void each_value(std::size_t f, const Do& act) const {
    for (const std::int64_t s : systems_) {
      const double centre = centred_[f] ? mean(s, f) : 0.0;
      each_object({s}, [&](std::int64_t, std::int64_t i) {
        const std::size_t rows = (later_ ? set_.times_of(i) : first_range(s, i)).size();
        for (std::size_t k = 0; k < rows; ++k)
          if (const double x = value(i, k, f); !std::isnan(x)) act(x - centre);
      });
    }
  }

  double mean(std::int64_t system, std::size_t f) const {
    double sum = 0;
    std::int64_t count = 0;
    each_object({system}, [&](std::int64_t s, std::int64_t i) {
      for (std::size_t k = 0; k < first_range(s, i).size(); ++k)
        if (const double x = value(i, k, f); !std::isnan(x)) sum += x, ++count;
    });
    return count == 0 ? 0.0 : sum / static_cast<double>(count);
  }

  const Dataset& set_;
  std::vector<std::int64_t> systems_;
  std::vector<bool> centred_;  // [D]
  bool later_;
};

class Comparison {
 public:
  Comparison(const Dataset& dataset, bool centred, bool later)
      : d_(dataset.description()),
        centred_(centred),
        train_(dataset, Part::kTrain, centred, later),
        test_(dataset, Part::kTest, centred, later) {}

  std::vector<PartDifference> run() {
    if (!(train_.objects() > 0) || !(test_.objects() > 0)) return {};
    const std::vector<int> positions = position_features(d_.features);
    for (std::size_t f = 0; f < d_.features.size(); ++f) {
      if (d_.features[f].derived) continue;
      const bool position = std::find(positions.begin(), positions.end(), static_cast<int>(f)) != positions.end();
      compare_ranges(f, position && centred_);
      if (position) compare_speeds(f);
    }
    using Kind = PartDifference::Kind;
    compare(Kind::kObjects, -1, "a system has", "objects", train_.objects(), test_.objects());
    compare(Kind::kObservations, -1, "an object has", "observations in the first range", train_.observations(),
            test_.observations());
    compare(Kind::kGap, -1, "the time between two observations of an object is", d_.time_unit, train_.gap(),
            test_.gap());
    compare_missing();
    return std::move(out_);
  }

 private:
  std::string with_unit(std::size_t f) const {
    const std::string& unit = d_.features[f].unit;
    return unit.empty() ? "" : " " + unit;
  }

  void compare_ranges(std::size_t f, bool about_mean) {
    const Side::Range train = train_.range(f), test = test_.range(f);
    if (train.empty() || test.empty()) return;
    const double outside = test_.share_outside(f, train);
    if (outside <= kNotableShare) return;
    out_.push_back(
        {PartDifference::Kind::kRange, static_cast<int>(f),
         fmt::format("{:.3g} % of the test values of '{}'{} are outside the range of the training part: "
                     "{:.4g} to {:.4g}{} there, {:.4g} to {:.4g}{} in the test part",
                     100 * outside, d_.features[f].name, about_mean ? ", relative to their system's mean," : "",
                     train.low, train.high, with_unit(f), test.low, test.high, with_unit(f)),
         0.0, outside});
  }

  void compare_speeds(std::size_t f) {
    std::string unit = d_.features[f].unit;
    if (!unit.empty() && !d_.time_unit.empty())
      unit += "/" + d_.time_unit;
    else
      unit.clear();
    compare(PartDifference::Kind::kSpeed, static_cast<int>(f), fmt::format("the speed of '{}' is", d_.features[f].name),
            unit, train_.speed(f), test_.speed(f));
  }

  void compare(PartDifference::Kind kind, int feature, const std::string& subject, const std::string& unit,
               double train, double test) {
    if (std::isnan(train) || std::isnan(test)) return;
    if (std::max(train, test) <= kNotableFactor * std::min(train, test)) return;
    const std::string tail = unit.empty() ? "" : " " + unit;
    out_.push_back(
        {kind, feature,
         fmt::format("{} typically {:.4g}{} in the training part, {:.4g} in the test part", subject, train, tail, test),
         train, test});
  }

  void compare_missing() {
    const double train = train_.missing(), test = test_.missing();
    if (!(std::abs(train - test) > kNotablePoints)) return;
    out_.push_back({PartDifference::Kind::kMissing, -1,
                    fmt::format("{:.3g} % of the values are missing in the training part, {:.3g} % in the test part",
                                100 * train, 100 * test),
                    train, test});
  }

  const Description& d_;
  bool centred_;
  Side train_, test_;
  std::vector<PartDifference> out_;
};

}  // namespace

std::vector<PartDifference> compare_parts(const Dataset& dataset, bool centred, bool later) {
  return Comparison(dataset, centred, later).run();
}

}  // namespace lgode::data
