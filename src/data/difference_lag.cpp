// Looks at pairs of neighbouring observations of the training part.
#include "lgode/data/difference_lag.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lgode/core/evenly_spaced.h"

namespace lgode::data {
namespace {

constexpr std::int64_t kMostObjects = 2000, kFewestPairs = 30;
constexpr double kSameGap = 1e-3, kExact = 1e-4, kMostOff = 0.02;

// Two observations of one object in a row.
struct Neighbours {
  double gap, moved, velocity;
};

std::vector<Neighbours> neighbours(const Dataset& dataset, std::int64_t position, std::int64_t velocity) {
  std::vector<std::int64_t> objects;
  for (const std::int64_t s : dataset.systems_in(Part::kTrain))
    for (std::int64_t o = 0; o < dataset.objects_of(s); ++o) objects.push_back(dataset.first_object(s) + o);
  const auto width = static_cast<std::size_t>(dataset.features());
  std::vector<Neighbours> found;
  for (const std::int64_t object : evenly_spaced(objects, kMostObjects)) {
    const auto times = dataset.times_of(object);
    const auto values = dataset.values_of(object);
    for (std::size_t k = 1; k < times.size(); ++k) {
      const double before = values[(k - 1) * width + static_cast<std::size_t>(position)];
      const double after = values[k * width + static_cast<std::size_t>(position)];
      const double v = values[k * width + static_cast<std::size_t>(velocity)];
      if (times[k] > times[k - 1] && std::isfinite(before) && std::isfinite(after) && std::isfinite(v))
        found.push_back({times[k] - times[k - 1], after - before, v});
    }
  }
  return found;
}

}  // namespace

double difference_lag(const Dataset& dataset, std::int64_t position, std::int64_t velocity) {
  const std::vector<Neighbours> all = neighbours(dataset, position, velocity);
  double lag = std::numeric_limits<double>::infinity(), fastest = 0;
  for (const Neighbours& n : all) lag = std::min(lag, n.gap), fastest = std::max(fastest, std::abs(n.velocity));
  std::int64_t close = 0, off = 0;
  for (const Neighbours& n : all) {
    if (n.gap > lag * (1 + kSameGap)) continue;
    ++close;
    if (!(std::abs(n.velocity - n.moved / n.gap) <= kExact * fastest)) ++off;
  }
  const bool differences =
      close >= kFewestPairs && fastest > 0 && static_cast<double>(off) <= kMostOff * static_cast<double>(close);
  return differences ? lag : 0.0;
}

}  // namespace lgode::data
