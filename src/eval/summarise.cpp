// Deviation and quantiles over samples and decoder noise.
#include "summarise.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lgode/eval/calibrate.h"

namespace lgode::eval {

PathPlan PathPlan::make(const Run& run, std::int64_t samples, std::uint64_t seed, std::int64_t paths,
                        std::int64_t futures) {
  PathPlan plan;
  plan.options.seed = seed;
  plan.options.futures = run.info.model.futures > 1 && (futures > 0 || paths > 0);  // sampled paths follow them
  if (run.model->latent() == 0) return plan;
  const Calibration& calibration = run.calibrations.model;
  if (calibration.empty()) {
    plan.options.samples = samples;
    plan.sampled_intervals = samples > 1;
  } else if (paths > 0) {
    plan.options.samples = paths;
    plan.options.exact = plan.spread_apart = calibration.uses_spread();
  } else if (calibration.uses_spread()) {
    plan.options.samples = kSpreadSamples;
    plan.options.draw = kSpreadDraw;
  }
  return plan;
}

at::Tensor probabilities(const at::Tensor& scores) { return scores.to(at::kDouble).softmax(1).contiguous(); }

std::vector<std::int64_t> most_probable(std::span<const double> probability, std::int64_t count) {
  std::vector<std::int64_t> order(probability.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return probability[static_cast<std::size_t>(a)] > probability[static_cast<std::size_t>(b)];
  });
  order.resize(static_cast<std::size_t>(count));
  return order;
}

double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

ValueSummary summarise_value(const float* value, std::int64_t stride, double sigma, bool sampled, Random& random,
                             std::vector<double>& draw) {
  const double mean = *value;
  double sum = 0.0, squares = 0.0;
  const auto sample = [&](std::size_t s) -> double { return value[static_cast<std::int64_t>(s + 1) * stride]; };
  for (std::size_t s = 0; s < draw.size(); ++s) sum += sample(s);
  const double middle = sum / static_cast<double>(draw.size());
  for (std::size_t s = 0; s < draw.size(); ++s) squares += (sample(s) - middle) * (sample(s) - middle);
  const double spread = draw.size() > 1 ? squares / static_cast<double>(draw.size() - 1) : 0.0;
  const double deviation = std::sqrt(spread + sigma * sigma);
  if (!sampled) {
    static const double normal95 = inverse_normal_cdf(0.95);
    return {mean, deviation, mean - normal95 * sigma, mean + normal95 * sigma};
  }
  for (std::size_t s = 0; s < draw.size(); ++s) draw[s] = sample(s) + sigma * random.normal();
  std::sort(draw.begin(), draw.end());
  return {mean, deviation, quantile(draw, 0.05), quantile(draw, 0.95)};
}

ValueSummary with_widths(ValueSummary value, const Widths& widths) {
  constexpr double kInterval = 0.9, kDeviation = 0.6827;
  if (!widths.known()) return value;
  const auto half = [&](double level) {
    return widths.calibration->half_width(widths.feature, level, widths.distance, value.deviation, widths.start);
  };
  const double interval = half(kInterval);
  return {value.mean, half(kDeviation), value.mean - interval, value.mean + interval};
}

}  // namespace lgode::eval
