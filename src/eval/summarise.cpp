// Mean, deviation and quantiles over samples and decoder noise.
#include "summarise.h"

#include <algorithm>
#include <cmath>

namespace lgode::eval {

double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

ValueSummary summarise_value(const float* value, std::int64_t stride, double sigma, double scale, double centre,
                             bool sampled, Random& random, std::vector<double>& draw) {
  double sum = 0.0, squares = 0.0;
  for (std::size_t s = 0; s < draw.size(); ++s) sum += value[static_cast<std::int64_t>(s) * stride];
  const double mean = sum / static_cast<double>(draw.size());
  for (std::size_t s = 0; s < draw.size(); ++s) {
    const double x = value[static_cast<std::int64_t>(s) * stride];
    squares += (x - mean) * (x - mean);
    draw[s] = sampled ? x + sigma * random.normal() : x;
  }
  const double spread = draw.size() > 1 ? squares / static_cast<double>(draw.size() - 1) : 0.0;
  const auto world = [&](double x) { return static_cast<float>(centre + x * scale); };
  const auto deviation = static_cast<float>(std::sqrt(spread + sigma * sigma) * scale);
  if (draw.size() < 2) {
    static const double normal95 = inverse_normal_cdf(0.95);
    return {world(mean), deviation, world(mean - normal95 * sigma), world(mean + normal95 * sigma)};
  }
  std::sort(draw.begin(), draw.end());
  return {world(mean), deviation, world(quantile(draw, 0.05)), world(quantile(draw, 0.95))};
}

ValueSummary with_widths(ValueSummary value, const Widths& widths, double scale) {
  constexpr double kInterval = 0.9, kDeviation = 0.6827;
  if (!widths.known()) return value;
  const double spread = value.deviation / scale;
  const auto half = [&](double level) {
    return scale * widths.calibration->half_width(widths.feature, level, widths.distance, spread, widths.start);
  };
  const double interval = half(kInterval);
  return {value.mean, static_cast<float>(half(kDeviation)), static_cast<float>(value.mean - interval),
          static_cast<float>(value.mean + interval)};
}

}  // namespace lgode::eval
