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

// Where each system's nodes lie, and the lengths of the plan that follow from it.
std::vector<Range> lay_out(const data::Batch& batch, double step, bool read_seen, GridPlan& plan) {
  std::vector<Range> ranges;
  for (std::int64_t b = 0; b < plan.systems; ++b) {
    ranges.push_back(range_of(batch, b, step, read_seen));
    plan.seen = std::max(plan.seen, ranges[b].seen - ranges[b].first + 1);
    plan.ahead = std::max(plan.ahead, ranges[b].last - ranges[b].seen);
  }
  if (plan.seen + plan.ahead > kMostNodes)
    throw ConfigError(
        fmt::format("rnn-nri would need {} nodes per system at a `grid_step` of {:.3g} model time units, more than {}; "
                    "use a larger `grid_step`, shorter windows, or another `model`",
                    plan.seen + plan.ahead, step, kMostNodes));
  return ranges;
}

// Observations at their nearest nodes, [seen, systems, objects * features].
struct Observed {
  std::vector<float> values, mask;
  std::vector<double> since;  // time since the last observed value
};

Observed observed_nodes(const data::Batch& batch, const std::vector<Range>& ranges, const GridPlan& plan, double step) {
  const std::int64_t width = plan.objects * batch.features, row = plan.systems * width;
  Observed out;
  out.values.assign(static_cast<std::size_t>(plan.seen * row), 0.0F), out.mask = out.values;
  out.since.assign(out.values.size(), 0.0);
  for (std::int64_t b = 0; b < plan.systems; ++b)
    for (std::int64_t i = 0; i < plan.objects; ++i) {
      const std::int64_t object = batch.object_offsets[b] + i;
      for (std::int64_t r = batch.observation_offsets[object]; r < batch.observation_offsets[object + 1]; ++r) {
        const std::int64_t node = nearest_node(batch.observation_times[r] + batch.start[b], step) - ranges[b].first;
        for (std::int64_t f = 0; f < batch.features; ++f) {
          if (batch.observation_mask[r * batch.features + f] == 0.0F) continue;
          const std::int64_t at = node * row + b * width + i * batch.features + f;
          out.values[at] = batch.observation_values[r * batch.features + f], out.mask[at] = 1.0F;
        }
      }
    }
  for (std::int64_t j = 1; j < plan.seen; ++j)
    for (std::int64_t k = 0; k < row; ++k)
      out.since[j * row + k] = step + (out.mask[(j - 1) * row + k] != 0.0F ? 0.0 : out.since[(j - 1) * row + k]);
  return out;
}

// Rows of the nodes below and above each time that is read, and the share of the way between them.
struct Readings {
  std::vector<std::int64_t> low, high;
  std::vector<double> share;

  void add(const data::Batch& batch, const std::vector<std::int64_t>& offsets, const std::vector<double>& times,
           const std::vector<Range>& ranges, const GridPlan& plan, double step) {
    for (std::int64_t object = 0; object < batch.objects(); ++object) {
      const std::int64_t b = object / plan.objects, i = object % plan.objects;
      const std::int64_t last = ranges[b].seen - ranges[b].first;
      const auto node_row = [&](std::int64_t node) {
        return node <= last ? (b * plan.seen + node) * plan.objects + i
                            : (plan.systems * plan.seen + b * plan.ahead + node - last - 1) * plan.objects + i;
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
  }
};

}  // namespace

GridPlan plan_grid(const data::Batch& batch, std::int64_t objects, double step, at::ScalarType dtype,
                   ops::Upload& upload, bool read_seen) {
  check_objects(batch, objects);
  GridPlan plan;
  plan.systems = batch.systems(), plan.objects = objects, plan.features = batch.features;
  const std::vector<Range> ranges = lay_out(batch, step, read_seen, plan);
  const Observed observed = observed_nodes(batch, ranges, plan, step);
  Readings readings;
  readings.add(batch, batch.target_offsets, batch.target_times, ranges, plan, step);
  if (read_seen) readings.add(batch, batch.observation_offsets, batch.observation_times, ranges, plan, step);
  std::vector<std::int64_t> last;
  for (const Range& range : ranges) last.push_back(range.seen - range.first);

  auto place = [&](const at::Tensor& t) { return upload(t.to(dtype)); };
  const std::vector<std::int64_t> shape{plan.seen, plan.systems, objects * batch.features};
  plan.values = place(at::tensor(observed.values, at::TensorOptions(at::kFloat)).view(shape));
  plan.mask = place(at::tensor(observed.mask, at::TensorOptions(at::kFloat)).view(shape));
  plan.since = place(at::tensor(observed.since, at::TensorOptions(at::kDouble)).view(shape));
  plan.last = upload(last);
  plan.low = upload(readings.low), plan.high = upload(readings.high);
  plan.share = place(at::tensor(readings.share, at::TensorOptions(at::kDouble)).unsqueeze(1));
  return plan;
}

}  // namespace lgode::model
