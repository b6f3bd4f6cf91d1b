// Counts the objects that a batch can contain. Relations within a radius are counted on a sample of systems, as a batch
// makes them.
#include "lgode/data/pair_count.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "lgode/data/first_range.h"
#include "lgode/data/scene.h"
#include "lgode/data/time_margin.h"

namespace lgode::data {
namespace {

constexpr double kMostDistances = 5e7;      // over all systems
constexpr std::int64_t kMostSampled = 200;  // systems

class PairCounter {
 public:
  PairCounter(const Dataset& set, const ObservedTimes& times) : set_(set), times_(times) {}

  PairCount run() {
    PairCount count;
    double pairs = 0, objects = 0, nearest = 0;
    for (std::int64_t s = 0; s < set_.systems(); ++s) {
      const std::int64_t here = shown_of(s);
      shown_.push_back(here);
      if (here > count.most_objects) {
        count.most_objects = here;
        count.most_in = s;
      }
      const auto n = static_cast<double>(here);
      objects += n;
      pairs += n * std::max(n - 1, 0.0);
      nearest += n * std::min(std::max(n - 1, 0.0), static_cast<double>(rule().neighbours));
    }
    if (set_.systems() > 0) count.pairs = pairs / static_cast<double>(set_.systems());
    count.related = related(pairs, objects, nearest);
    return count;
  }

 private:
  const EdgeRule& rule() const { return set_.description().edges; }

  // Objects observed in the first range.
  std::int64_t shown_of(std::int64_t system) const {
    std::int64_t count = 0;
    const std::int64_t first = set_.first_object(system);
    for (std::int64_t o = first; o < first + set_.objects_of(system); ++o)
      count += std::any_of(times_.of(o).begin(), times_.of(o).end(), [&](double t) { return in_range(system, t); });
    return count;
  }

  bool in_range(std::int64_t system, double time) const {
    const double origin = set_.origin(system);
    return time - origin >= -time_margin(set_.description().time_scale, origin) && before_range_end(set_, system, time);
  }

  double related(double pairs, double objects, double nearest) const {
    if (objects == 0) return std::numeric_limits<double>::quiet_NaN();
    switch (rule().kind) {
      case EdgeRule::Kind::kListed:
        return static_cast<double>(set_.relations()) / static_cast<double>(set_.objects());
      case EdgeRule::Kind::kAll:
        return pairs / objects;
      case EdgeRule::Kind::kNearest:
        return nearest / objects;
      case EdgeRule::Kind::kWithin:
        return estimate_within();
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  double estimate_within() const {
    const std::int64_t step = set_.systems() / kMostSampled + 1;
    double objects = 0, relations = 0, distances = 0;
    for (std::int64_t s = 0; s < set_.systems(); s += step) {
      const auto n = static_cast<double>(shown_[static_cast<std::size_t>(s)]);
      if (n == 0 || distances + n * n > kMostDistances) continue;
      distances += n * n;
      objects += n;
      relations += static_cast<double>(relations_of(s));
    }
    return relations / objects;  // NaN without objects
  }

  std::size_t relations_of(std::int64_t system) const {
    const SceneSource source = source_of(set_, system);
    SceneContext context(source, set_.description().features);
    std::vector<RowIndex> rows;
    for (std::int64_t o = 0; o < set_.objects_of(system); ++o) {
      const std::int64_t object = set_.first_object(system) + o;
      const std::span<const double> times = set_.times_of(object);
      rows.clear();
      for (RowIndex k = 0; k < static_cast<RowIndex>(times.size()); ++k)
        if (in_range(system, times[static_cast<std::size_t>(k)]) && !set_.is_empty(object, k)) rows.push_back(k);
      if (!rows.empty()) context.add_object(o, rows);
    }
    return context.relations(rule(), source.relations(), /*last_positions=*/false).size();
  }

  const Dataset& set_;
  const ObservedTimes& times_;
  std::vector<std::int64_t> shown_;  // objects per system
};

}  // namespace

PairCount count_pairs(const Dataset& set, const ObservedTimes& times) { return PairCounter(set, times).run(); }

}  // namespace lgode::data
