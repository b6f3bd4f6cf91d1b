// Assigns observations to the nodes of a time grid and locates targets between nodes.
#include "lgode/model/grid_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lgode/core/error.h"

namespace lgode::model {
namespace {

constexpr double kMargin = 1e-6;            // rounding of times, in steps
constexpr std::int64_t kMostNodes = 20000;  // per system: the model takes them one after another

// A system's nodes, counted from its origin.
struct Range {
  std::int64_t first = 0, seen = 0, last = 0;  // first node, last seen node, last node needed by a reading
};

// So far from the origin that nodes coincide by rounding.
constexpr double kFarthest = 1e15;

double checked(double nodes) {
  if (!(std::abs(nodes) <= kFarthest))
    throw ConfigError(fmt::format(
        "rnn-nri: a time is {:.3g} nodes from its system's origin; is it wrong? Else use a larger `grid_step`, "
        "shorter windows, or another `model`",
        nodes));
  return nodes;
}

std::int64_t nearest_node(double time, double step) { return std::llround(checked(time / step)); }

Range range_of(const data::Batch& batch, std::int64_t system, double step, bool read_seen) {
  const std::int64_t begin = batch.object_offsets[system], end = batch.object_offsets[system + 1];
  const double start = batch.start[system];
  constexpr auto kNone = std::numeric_limits<std::int64_t>::max();
  std::int64_t first = kNone, seen = -kNone, last = -kNone;
  for (std::int64_t r = batch.observation_offsets[begin]; r < batch.observation_offsets[end]; ++r) {
    const std::int64_t node = nearest_node(batch.observation_times[r] + start, step);
    first = std::min(first, node), seen = std::max(seen, node);
  }
  const auto read = [&](const std::vector<std::int64_t>& offsets, const std::vector<double>& times) {
    for (std::int64_t t = offsets[begin]; t < offsets[end]; ++t) {
      const double at = checked((times[t] + start) / step);
      first = std::min(first, static_cast<std::int64_t>(std::floor(at + kMargin)));
      last = std::max(last, static_cast<std::int64_t>(std::ceil(at - kMargin)));
    }
  };
  read(batch.target_offsets, batch.target_times);
  if (read_seen) read(batch.observation_offsets, batch.observation_times);
  if (first == kNone) first = nearest_node(start, step);
  seen = std::max(seen, first);
  return {first, seen, std::max(seen, last)};
}

void check_objects(const data::Batch& batch, std::int64_t objects) {
  for (std::int64_t b = 0; b < batch.systems(); ++b) {
    const std::int64_t count = batch.object_offsets[b + 1] - batch.object_offsets[b];
    if (count != objects)
      throw ConfigError(
          fmt::format("rnn-nri needs a fixed number of objects and was made for {} of them; system {} has {}; use "
                      "systems of one size, or another `model`",
                      objects, batch.system[b], count));
  }
}

}  // namespace

GridPlan plan_grid(const data::Batch& batch, std::int64_t objects, double step, at::ScalarType dtype,
                   ops::Upload& upload, bool read_seen) {
  check_objects(batch, objects);
  GridPlan plan;
  plan.systems = batch.systems(), plan.objects = objects, plan.features = batch.features;
  std::vector<Range> ranges;
  std::vector<std::int64_t> last;
  for (std::int64_t b = 0; b < plan.systems; ++b) {
    ranges.push_back(range_of(batch, b, step, read_seen));
    last.push_back(ranges[b].seen - ranges[b].first);
    plan.seen = std::max(plan.seen, last[b] + 1);
    plan.ahead = std::max(plan.ahead, ranges[b].last - ranges[b].seen);
  }
  if (plan.seen + plan.ahead > kMostNodes)
    throw ConfigError(
        fmt::format("rnn-nri would need {} nodes per system at a `grid_step` of {:.3g} model time units, more than {}; "
                    "use a larger `grid_step`, shorter windows, or another `model`",
                    plan.seen + plan.ahead, step, kMostNodes));

  const std::int64_t width = objects * batch.features, row = plan.systems * width;
  std::vector<float> values(static_cast<std::size_t>(plan.seen * row), 0.0F), mask(values);
  std::vector<double> since(values.size(), 0.0);
  std::vector<std::int64_t> low, high;
  std::vector<double> share;
  for (std::int64_t b = 0; b < plan.systems; ++b) {
    const Range& range = ranges[b];
    for (std::int64_t i = 0; i < objects; ++i) {
      const std::int64_t object = batch.object_offsets[b] + i;
      for (std::int64_t r = batch.observation_offsets[object]; r < batch.observation_offsets[object + 1]; ++r) {
        const std::int64_t node = nearest_node(batch.observation_times[r] + batch.start[b], step) - range.first;
        for (std::int64_t f = 0; f < batch.features; ++f) {
          if (batch.observation_mask[r * batch.features + f] == 0.0F) continue;
          const std::int64_t at = node * row + b * width + i * batch.features + f;
          values[at] = batch.observation_values[r * batch.features + f], mask[at] = 1.0F;
        }
      }
    }
  }
  const auto locate = [&](const std::vector<std::int64_t>& offsets, const std::vector<double>& times) {
    for (std::int64_t object = 0; object < batch.objects(); ++object) {
      const std::int64_t b = object / objects, i = object % objects;
      const auto node_row = [&](std::int64_t node) {
        return node <= last[b] ? (b * plan.seen + node) * objects + i
                               : (plan.systems * plan.seen + b * plan.ahead + node - last[b] - 1) * objects + i;
      };
      for (std::int64_t t = offsets[object]; t < offsets[object + 1]; ++t) {
        const double at = (times[t] + batch.start[b]) / step - static_cast<double>(ranges[b].first);
        const auto below = std::max<std::int64_t>(static_cast<std::int64_t>(std::floor(at + kMargin)), 0);
        const double rest = at - static_cast<double>(below);
        const bool between = rest > kMargin;
        low.push_back(node_row(below)), high.push_back(node_row(below + (between ? 1 : 0)));
        share.push_back(between ? rest : 0.0);
      }
    }
  };
  locate(batch.target_offsets, batch.target_times);
  if (read_seen) locate(batch.observation_offsets, batch.observation_times);
  for (std::int64_t j = 1; j < plan.seen; ++j)
    for (std::int64_t k = 0; k < row; ++k)
      since[j * row + k] = step + (mask[(j - 1) * row + k] != 0.0F ? 0.0 : since[(j - 1) * row + k]);

  auto place = [&](const at::Tensor& t) { return upload(t.to(dtype)); };
  const std::vector<std::int64_t> shape{plan.seen, plan.systems, width};
  plan.values = place(at::tensor(values, at::TensorOptions(at::kFloat)).view(shape));
  plan.mask = place(at::tensor(mask, at::TensorOptions(at::kFloat)).view(shape));
  plan.since = place(at::tensor(since, at::TensorOptions(at::kDouble)).view(shape));
  plan.last = upload(last);
  plan.low = upload(low), plan.high = upload(high);
  plan.share = place(at::tensor(share, at::TensorOptions(at::kDouble)).unsqueeze(1));
  return plan;
}

}  // namespace lgode::model
