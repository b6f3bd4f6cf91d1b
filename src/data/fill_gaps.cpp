// Walks along each object and feature.
#include "lgode/data/fill_gaps.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "lgode/data/recordings.h"

namespace lgode::data {
namespace {

void add_gaps(std::span<const double> times, std::span<const double> values, std::size_t width, std::size_t feature,
              FillGaps& gaps) {
  std::optional<double> last;
  std::int64_t missing = 0;  // since then
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (std::isnan(values[k * width + feature])) {
      ++missing;
      continue;
    }
    gaps.values += missing;
    if (missing > 0 && last) gaps.lengths.push_back(times[k] - *last);
    if (!last) gaps.open += missing;
    missing = 0;
    last = times[k];
  }
  gaps.values += missing, gaps.open += missing;
}

}  // namespace

FillGaps fill_gaps(const Dataset& dataset) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(dataset.systems()));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  const Dataset whole = dataset.description().recordings.empty() ? dataset : join_recordings(dataset, all);
  FillGaps gaps;
  const std::vector<Feature>& features = whole.description().features;
  for (std::int64_t o = 0; o < whole.objects(); ++o)
    for (std::size_t f = 0; f < features.size(); ++f)
      if (!features[f].derived) add_gaps(whole.times_of(o), whole.values_of(o), features.size(), f, gaps);
  std::sort(gaps.lengths.begin(), gaps.lengths.end());
  return gaps;
}

}  // namespace lgode::data
