// Temporal graphs and weights for tests of the encoder layer.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lgode/core/random.h"
#include "lgode/ops/temporal_attention.h"
#include "support/numeric.h"

namespace lgode::testing {

inline at::Tensor random_tensor(std::vector<std::int64_t> shape, Random& random, double size = 1.0) {
  at::Tensor t = at::empty(shape, at::kDouble);
  for (std::int64_t i = 0; i < t.numel(); ++i) t.data_ptr<double>()[i] = size * random.normal();
  return t;
}

struct GraphSize {
  std::vector<std::int64_t> objects{3, 2};  // per system
  std::int64_t min_length = 2, max_length = 5;
  double related = 0.6;  // probability of a relation
  bool weighted = true;
  bool grid = false;  // times on a grid, with equal times and equal gaps
};

// Ascending irregular times in [-1, 0] (or on a grid), random directed relations with weights.
inline ops::TemporalGraph random_graph(const GraphSize& size, std::uint64_t seed, double window,
                                       ops::Direction direction = ops::Direction::kBoth) {
  Random random(seed, RandomUse::kTest, {1});
  std::vector<double> times, log_weights;
  std::vector<std::int64_t> observations{0}, systems{0}, source_offsets{0}, sources;
  const double grid_steps = 4.0 * static_cast<double>(size.max_length), shake = std::min(0.01, 0.9 / grid_steps);
  for (std::int64_t count : size.objects) {
    const std::int64_t first = systems.back();
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t length = random.between(size.min_length, size.max_length);
      std::vector<double> own;
      for (std::int64_t k : random.choose(4 * size.max_length + 1, length))
        own.push_back(static_cast<double>(k) / grid_steps - 1.0 + (size.grid ? 0.0 : shake * random.uniform()));
      times.insert(times.end(), own.begin(), own.end());
      observations.push_back(static_cast<std::int64_t>(times.size()));
      for (std::int64_t j = 0; j < count; ++j) {
        if (j == i || random.uniform() > size.related) continue;
        sources.push_back(first + j);
        log_weights.push_back(size.weighted ? 0.5 * random.normal() : 0.0);
      }
      source_offsets.push_back(static_cast<std::int64_t>(sources.size()));
    }
    systems.push_back(first + count);
  }
  ops::TemporalGraph g;
  g.times = at::tensor(times, at::kDouble);
  g.observation_offsets = at::tensor(observations, at::kLong);
  g.system_offsets = at::tensor(systems, at::kLong);
  g.source_offsets = at::tensor(source_offsets, at::kLong);
  g.sources = at::tensor(sources, at::kLong);
  g.log_weights = at::tensor(log_weights, at::kDouble);
  g.window = window;
  g.direction = direction;
  return g;
}

inline ops::AttentionWeights random_weights(std::int64_t d, std::uint64_t seed) {
  Random random(seed, RandomUse::kTest, {2});
  const double size = 1.0 / std::sqrt(static_cast<double>(d));
  return {random_tensor({d, d + 1}, random, size), random_tensor({d}, random, size),
          random_tensor({d, d}, random, size),     random_tensor({d}, random, size),
          random_tensor({2, d, d}, random, size),  random_tensor({2, d}, random, size),
          random_tensor({2, d, d}, random, size),  random_tensor({2, d}, random, size)};
}

inline std::vector<at::Tensor> tensors_of(const ops::AttentionWeights& w) {
  return {w.w_t, w.b_t, w.w_q, w.b_q, w.w_k, w.b_k, w.w_v, w.b_v};
}

inline ops::AttentionWeights converted(const ops::AttentionWeights& w, at::ScalarType dtype) {
  auto leaf = [&](const at::Tensor& t) { return t.detach().to(dtype).clone().requires_grad_(true); };
  return {leaf(w.w_t), leaf(w.b_t), leaf(w.w_q), leaf(w.b_q), leaf(w.w_k), leaf(w.b_k), leaf(w.w_v), leaf(w.b_v)};
}

// Finds ReLUs of W_t [x | gap] + b_t whose argument is so near zero that its sign may differ between float32 and
// float64: within two epsilon times the sum of its terms' magnitudes. The gradient jumps there by a whole term.
struct Kinks {
  at::Tensor rows;   // [M] bool: no edge from the observation is near a kink
  at::Tensor units;  // [d] bool: no edge is near a kink of the unit
};
inline Kinks kinks_of(const at::Tensor& x, const ops::AttentionWeights& w, const ops::TemporalGraph& graph) {
  const at::NoGradGuard no_grad;
  const ops::TemporalEdges e = ops::temporal_edges(graph);
  const at::Tensor terms = at::cat({x.index_select(0, e.source), e.gap.to(x.scalar_type()).unsqueeze(1)}, 1);
  const at::Tensor margin =
      2 * std::numeric_limits<float>::epsilon() * at::linear(terms.abs(), w.w_t.abs(), w.b_t.abs());
  const at::Tensor near = at::linear(terms, w.w_t, w.b_t).abs() < margin;  // [edges, d]
  const at::Tensor rows = at::zeros({x.size(0)}, at::kLong).index_add(0, e.source, near.sum(1));
  return {rows == 0, near.sum(0) == 0};
}

// Largest number of sources of an observation.
inline std::int64_t edges_per_target(const ops::TemporalGraph& graph) {
  const at::Tensor offsets = ops::temporal_edges(graph).target_offsets;
  return offsets.numel() < 2 ? 0 : offsets.diff().max().item<std::int64_t>();
}

// Compares float32 with float64: gradients of tensors_of(weights) and of x, and the output.
inline void expect_attention_close(const std::vector<at::Tensor>& got, const std::vector<at::Tensor>& expected,
                                   const Kinks& kinks, double tolerance) {
  constexpr std::size_t kWt = 0, kBt = 1, kWk = 4, kBk = 5, kWv = 6, kX = 8;
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    SCOPED_TRACE("tensor " + std::to_string(i));
    const at::Tensor narrow = got[i].to(at::kDouble);
    if (got.size() > 1 && i == kBk && expected[kWk].abs().max().item<double>() > 0) {
      // A key bias adds nearly the same number to all scores of a target, so the softmax cancels most of its gradient.
      // The terms that cancel are as large as those of w_k's gradient, which do not cancel: compare relative to these.
      expect_close_beside(narrow, expected[i], expected[kWk].abs().max().item<double>(), tolerance);
    } else if (got.size() > 1 && (i == kWt || i == kBt || i == kX)) {
      const at::Tensor keep = i == kX ? kinks.rows : kinks.units;
      EXPECT_GE(2 * keep.sum().item<std::int64_t>(), keep.numel());  // at least half of it is compared
      expect_close(narrow.index({keep}), expected[i].index({keep}), tolerance);
    } else if (got.size() > 1 && expected[i].numel() > 0 && expected[i].abs().max().item<double>() == 0) {
      // Every target has one source, so scores have no effect: their gradients are rounding errors of the values'.
      expect_close_beside(narrow, expected[i], expected[kWv].abs().max().item<double>(), tolerance);
    } else {
      expect_close(narrow, expected[i], tolerance);
    }
  }
}

}  // namespace lgode::testing
