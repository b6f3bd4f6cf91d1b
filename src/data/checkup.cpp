// Computes the check-up in a few passes over the data. The limits are chosen so that the simulated sets and ordinary
// recordings cause no warning, except for objects without relations, which are always reported.
#include "lgode/data/checkup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "lgode/core/median.h"
#include "lgode/data/first_range.h"
#include "lgode/data/outliers.h"
#include "lgode/data/task.h"
#include "lgode/data/time_text.h"
#include "spread.h"

namespace lgode::data {
namespace {

constexpr std::size_t kSample = 1'000'000;  // numbers that quantiles are taken from
constexpr double kOutlierWidths = 5;
constexpr std::int64_t kMostNames = 3;      // of objects in a message
constexpr double kObserved = 0.6;           // the share for which the window is reported
constexpr std::int64_t kManyObjects = 200;  // of one system; 32 systems of 250 have two million pairs
constexpr std::int64_t kBatch = 32;         // systems
constexpr double kFewRelated = 0.1;         // relations per object
constexpr double kDense = 0.5;              // share of all pairs that are related
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Examiner {
 public:
  explicit Examiner(const Dataset& dataset)
      : set_(dataset), d_(dataset.description()), times_(dataset), all_flagged_(d_.features.size(), true) {}

  Checkup run() {
    const EachNumber each_gap = [&](const auto& take) {
      for (std::int64_t o = 0; o < set_.objects(); ++o) {
        const auto times = times_.of(o);
        for (std::size_t k = 1; k < times.size(); ++k) take(times[k] - times[k - 1]);
      }
    };
    out_.gaps = spread_of(false, each_gap);
    out_.grid = grid_of(out_.gaps, each_gap);
    out_.lengths = spread_of(true, [&](const auto& take) {
      for (std::int64_t o = 0; o < set_.objects(); ++o) take(static_cast<double>(times_.of(o).size()));
    });
    out_.presence = count_presence(set_, times_);
    out_.windows = count_windows(set_, times_);
    out_.pairs = count_pairs(set_, times_);
    out_.differences = compare_parts(set_);
    if (d_.edges.kind == EdgeRule::Kind::kListed) find_loose_objects();
    examine_objects();
    find_outliers();
    for (std::size_t f = 0; f < d_.features.size(); ++f) out_.features.push_back(examine_feature(f));
    out_.window = default_window(set_, kObserved);
    out_.window_length = out_.window * d_.time_scale;
    warn_about_features();
    warn_about_times();
    warn_about_objects();
    warn_about_pairs();
    warn_about_parts();
    warn_about_windows();
    warn_about_differences();
    warn_about_outliers();
    return std::move(out_);
  }

 private:
  template <class... Args>
  void warn(std::string advice, fmt::format_string<Args...> format, Args&&... args) {
    out_.warnings.push_back({fmt::format(format, std::forward<Args>(args)...), std::move(advice)});
  }

  static std::string plural(std::int64_t count, const char* noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  }

  void find_loose_objects() {
    for (std::int64_t s = 0; s < set_.systems(); ++s) {
      std::vector<bool> related(static_cast<std::size_t>(set_.objects_of(s)), false);
      for (std::int64_t e = set_.first_relation(s); e < set_.first_relation(s) + set_.relations_of(s); ++e)
        related[static_cast<std::size_t>(set_.relation(e).source)] =
            related[static_cast<std::size_t>(set_.relation(e).target)] = true;
      for (std::size_t o = 0; o < related.size() && related.size() > 1; ++o) {
        if (related[o]) continue;
        if (out_.loose++ < kMostNames)
          out_.loose_names.push_back(
              fmt::format("{} of system {}", set_.object_id(s, static_cast<std::int64_t>(o)), set_.system_id(s)));
      }
    }
  }

  void examine_objects() {
    out_.shortest = kInfinity;
    for (std::int64_t s = 0; s < set_.systems(); ++s) {
      double first = kInfinity, last = -kInfinity;
      for (std::int64_t o = set_.first_object(s); o < set_.first_object(s) + set_.objects_of(s); ++o) {
        const auto times = times_.of(o);
        out_.unobserved += times.empty() ? 1 : 0;
        out_.observed_once += times.size() == 1 ? 1 : 0;
        for (std::size_t k = 1; k < times.size(); ++k)
          out_.close_times += times[k] - times[k - 1] < 1e-6 * d_.time_scale ? 1 : 0;
        if (times.empty()) continue;
        first = std::min(first, times.front());
        last = std::max(last, times.back());
      }
      if (!(first <= last)) continue;
      if (set_.part(s) == Part::kTest) out_.goes_on |= !before_range_end(set_, s, last);
      if (set_.part(s) != Part::kTrain) continue;
      out_.shortest = std::min(out_.shortest, last - first);
      out_.longest = std::max(out_.longest, last - first);
    }
    if (!std::isfinite(out_.shortest)) out_.shortest = 0;
  }

  void find_outliers() {
    const OutlierGate gate = fit_outlier_gate(set_, set_.systems_in(Part::kTrain));
    const OutlierCount found = count_outliers(set_, gate, std::numeric_limits<std::size_t>::max());
    out_.outliers = found.count;
    outliers_ = outliers_text(set_, found);
    for (const Outlier& outlier : found.first)
      flagged_.insert(
          set_.arrays()
              .observation_offsets[static_cast<std::size_t>(set_.first_object(outlier.system) + outlier.object)] +
          outlier.row);
  }

  Checkup::FeatureCheck examine_feature(std::size_t f) {
    Checkup::FeatureCheck check;
    if (d_.features[f].derived) return check;
    const auto values = set_.arrays().values;
    const std::size_t width = d_.features.size();
    std::vector<double> sample;
    const std::size_t step = values.size() / width / kSample + 1;
    double sum = 0, squares = 0, low = kInfinity, high = -kInfinity;
    for (std::size_t row = 0; row < values.size() / width; ++row) {
      const double x = values[row * width + f];
      if (std::isnan(x)) continue;
      if (static_cast<std::size_t>(check.values++) % step == 0) sample.push_back(x);
      sum += x;
    }
    if (check.values > 0) check.mean = sum / static_cast<double>(check.values);
    for (const std::int64_t s : set_.systems_in(Part::kTrain)) {
      const auto [first, last] = rows_of(s);
      for (std::int64_t row = first; row < last; ++row) {
        const double x = values[static_cast<std::size_t>(row) * width + f];
        if (std::isnan(x)) continue;
        low = std::min(low, x);
        high = std::max(high, x);
      }
    }
    check.absent = low > high;
    check.constant = low == high;
    if (sample.empty()) return check;
    const double quarter = quantile(sample, 0.25), three_quarters = quantile(sample, 0.75);
    // If half of all values are equal, the width is taken from the others.
    double width_of_middle = three_quarters - quarter;
    if (width_of_middle <= 0) {
      std::vector<double> others;
      for (const double x : sample)
        if (x != quarter) others.push_back(std::abs(x - quarter));
      if (others.size() > 1) width_of_middle = 2 * quantile(others, 0.5);
    }
    const double reach = kOutlierWidths * width_of_middle;
    check.scale = std::max(std::abs(low), std::abs(high));
    for (std::size_t row = 0; row < values.size() / width; ++row) {
      const double x = values[row * width + f];
      if (std::isnan(x)) continue;
      squares += (x - check.mean) * (x - check.mean);
      if (reach <= 0 || (x >= quarter - reach && x <= three_quarters + reach)) continue;
      all_flagged_[f] = all_flagged_[f] && flagged_.contains(static_cast<std::int64_t>(row));
      if (check.outliers++ == 0 || std::abs(x - check.mean) > std::abs(check.farthest - check.mean)) {
        check.farthest = x;
        check.farthest_at = place(static_cast<std::int64_t>(row));
      }
    }
    check.deviation = std::sqrt(squares / static_cast<double>(check.values));
    return check;
  }

  std::pair<std::int64_t, std::int64_t> rows_of(std::int64_t system) const {
    const auto& offsets = set_.arrays().observation_offsets;
    const std::int64_t first = set_.first_object(system);
    return {offsets[static_cast<std::size_t>(first)],
            offsets[static_cast<std::size_t>(first + set_.objects_of(system))]};
  }

  // System, object and time of an observation.
  std::string place(std::int64_t row) const {
    const auto& objects = set_.arrays().observation_offsets;
    const auto& systems = set_.arrays().object_offsets;
    const std::int64_t o = std::upper_bound(objects.begin(), objects.end(), row) - objects.begin() - 1;
    const std::int64_t s = std::upper_bound(systems.begin(), systems.end(), o) - systems.begin() - 1;
    return fmt::format("system {}, object {}, time {}", set_.system_id(s), set_.object_id(s, o - set_.first_object(s)),
                       TimeText(d_)(set_.arrays().times[static_cast<std::size_t>(row)]));
  }

  void warn_about_features() {
    for (std::size_t f = 0; f < d_.features.size(); ++f) {
      const Checkup::FeatureCheck& check = out_.features[f];
      const std::string& name = d_.features[f].name;
      const double missing =
          1 - static_cast<double>(check.values) / static_cast<double>(std::max<std::int64_t>(1, set_.observations()));
      if (set_.observations() == 0 || d_.features[f].derived) continue;
      // Without a training part a model that is there already says which features are needed.
      const bool trains = !set_.systems_in(Part::kTrain).empty();
      if (check.absent && trains)
        warn("leave it out", "feature '{}' has no value in the training part", name);
      else if (check.constant)
        warn("leave it out; there is nothing to learn", "feature '{}' has one value everywhere in the training part",
             name);
      else if (missing > 0.9)
        warn("check that the column is the right one", "feature '{}' is missing in {:.4g} % of the observations", name,
             100 * missing);
      // Few and far away: a distribution that is merely wide has many.
      if (check.outliers > 0 && check.outliers * 100 <= std::max<std::int64_t>(check.values, 100))
        warn(all_flagged_[f]
                 ? "training and predictions do not use it, as a jump away from a path that comes back; correct it"
             : std::abs(check.farthest) == check.scale
                 ? "values are divided by the largest one, so that it makes all others small; correct or remove it"
                 : "check whether it is an error; correct or remove it if so",
             "feature '{}' has {} far from all others, the farthest {:.6g} ({})", name, plural(check.outliers, "value"),
             check.farthest, check.farthest_at);
      if (!check.constant && std::abs(check.mean) > 10 * check.deviation && check.deviation > 0)
        warn(
            "values are divided by the largest one, not centred, so that their changes become small; subtract an "
            "offset",
            "feature '{}' stays near {:.3g} (deviation {:.3g})", name, check.mean, check.deviation);
    }
  }

  void warn_about_times() {
    if (out_.close_times > 0)
      warn("check for duplicate rows with slightly different times",
           "{} another of the same object within a millionth of the time scale",
           plural(out_.close_times, "observation") + (out_.close_times == 1 ? " follows" : " follow"));
    // In a window objects may be present for a part of it only.
    if (d_.recordings.empty() && out_.longest > 5 * out_.shortest && out_.shortest > 0)
      warn("cut them into windows of one length, with `window` at the import",
           "training systems differ in length, from {:.4g} to {:.4g}", out_.shortest, out_.longest);
    if (d_.max_length > 2000)
      warn("training will be slow; cut shorter windows, with `window` at the import",
           "an object has up to {} observations in the first range", d_.max_length);
    if (out_.lengths.count > 0 && out_.lengths.median < 4 && set_.observations() > 0)
      warn("there may be too little to learn from; merge rows or take longer windows",
           "half of the objects have fewer than {} observations", static_cast<std::int64_t>(out_.lengths.median) + 1);
  }

  void warn_about_objects() {
    const Presence& p = out_.presence;
    if (p.stay + p.enter + p.leave + p.enter_and_leave > 0 && p.both_halves == 0)
      warn(
          "a forecast from there has nothing to learn from; take longer windows, with `window` at the import, or train "
          "with `task` interpolate",
          "no object is observed both before and after the middle of the first range");
    if (out_.unobserved > 0)
      warn(std::string(out_.unobserved == 1 ? "it is" : "they are") +
               " excluded, or predicted from the others with `unseen` predict at the training",
           "{} never observed", plural(out_.unobserved, "object") + (out_.unobserved == 1 ? " is" : " are"));
    if (out_.loose > 0 && set_.relations() == 0)
      warn("objects learn nothing from each other; give `edges` at the import if they interact",
           "the set has no relations");
    else if (out_.loose > 0)
      warn("check the edge table if they should interact", "{} of {} without any relation: {}{}", out_.loose,
           plural(set_.objects(), "object") + (out_.loose == 1 ? " is" : " are"), fmt::join(out_.loose_names, ", "),
           out_.loose > kMostNames ? ", ..." : "");
  }

  // By default all pairs interact, related or not.
  void warn_about_pairs() {
    const double per_batch = out_.pairs.pairs * static_cast<double>(batch_systems());
    if (out_.pairs.most_objects > kManyObjects) {
      const auto most = static_cast<double>(out_.pairs.most_objects);
      warn(is_dense() ? "relate near objects only, with `edges` k-nearest=8 or within=R at the import, and train with "
                        "`interaction` neighbours"
                      : "train with `interaction` neighbours, so that related pairs alone interact",
           "all pairs are many: system {} has {} objects, {:.3g} pairs; a batch of {} has about {:.3g}",
           set_.system_id(out_.pairs.most_in), out_.pairs.most_objects, most * (most - 1),
           plural(batch_systems(), "typical system"), per_batch);
    }
    if (d_.edges.kind == EdgeRule::Kind::kWithin && out_.pairs.pairs > 0 && out_.pairs.related < kFewRelated)
      warn("take a larger radius, with `edges` within=R or k-nearest=K at the import, and check its unit",
           "an object has {:.2g} others within {:g}, on average", out_.pairs.related, d_.edges.radius);
  }

  std::int64_t batch_systems() const {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(set_.systems_in(Part::kTrain).size()), 1, kBatch);
  }

  bool is_dense() const {
    if (d_.edges.kind == EdgeRule::Kind::kAll) return true;
    const double all = out_.pairs.pairs * static_cast<double>(set_.systems());
    return out_.pairs.related * static_cast<double>(set_.objects()) > kDense * all;
  }

  void warn_about_parts() {
    const std::size_t train = set_.systems_in(Part::kTrain).size(), test = set_.systems_in(Part::kTest).size();
    if (set_.systems() > 0 && test == 0)
      warn("set some systems aside: split the data set with `test` 0.2", "there is no test part to evaluate on");
    if (train > 0 && train < 10)
      warn(
          "the model will not generalise to others; cut long recordings into more systems, with `window` at the import",
          "there {} only {}", train == 1 ? "is" : "are", plural(static_cast<std::int64_t>(train), "training system"));
  }

  void warn_about_windows() {
    const WindowCount& windows = out_.windows;
    if (windows.near == 0) return;
    const std::string where = windows.nearest.empty() ? "" : fmt::format(" in recording {}", windows.nearest);
    warn("the test part is too much like the training part; name whole recordings with `test_systems` at the import",
         "{} windows in both parts that {}", plural(windows.near, "recording") + (windows.near == 1 ? " has" : " have"),
         windows.distance < 0 ? fmt::format("overlap, by up to {:.4g}{}", -windows.distance, where)
                              : fmt::format("are less than a window ({:.4g}) apart, {:.4g} at least{}", windows.length,
                                            std::max(windows.distance, 0.0), where));
  }

  void warn_about_outliers() {
    if (out_.outliers > 0)
      warn("training and predictions do not use them, unless `outliers` use says so", "{}", outliers_);
  }

  void warn_about_differences() {
    if (out_.differences.empty()) return;
    const std::vector<PartDifference> centred = compare_parts(set_, /*centred=*/true);
    for (const PartDifference& difference : out_.differences) {
      const bool stays = std::any_of(centred.begin(), centred.end(), [&](const PartDifference& other) {
        return other.kind == difference.kind && other.feature == difference.feature;
      });
      warn(stays ? "expect a larger error there; train on systems like the test systems, too"
                 : "relative to each system's mean it does not: train with `centre` system",
           "the test part differs: {}", difference.what);
    }
  }

  const Dataset& set_;
  const Description& d_;
  ObservedTimes times_;
  Checkup out_;
  std::string outliers_;                      // in words
  std::unordered_set<std::int64_t> flagged_;  // rows of all observations that the gate does not believe
  std::vector<bool> all_flagged_;             // of each feature: its far values are all in such rows
};

}  // namespace

Checkup check_up(const Dataset& dataset) { return Examiner(dataset).run(); }

}  // namespace lgode::data
