// Temporal attention: the reference against Eqs. 4 and 5 in plain loops, the fused form against the reference.
#include "lgode/ops/temporal_attention.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cmath>

#include "lgode/ops/time_encoding.h"
#include "support/numeric.h"
#include "support/simd.h"
#include "support/temporal.h"

namespace lgode::ops {
namespace {

using lgode::testing::autograd_gradients;
using lgode::testing::converted;
using lgode::testing::edges_per_target;
using lgode::testing::expect_attention_close;
using lgode::testing::expect_close;
using lgode::testing::expect_gradients;
using lgode::testing::for_each_simd;
using lgode::testing::GraphSize;
using lgode::testing::Kinks;
using lgode::testing::kinks_of;
using lgode::testing::mix;
using lgode::testing::random_graph;
using lgode::testing::random_tensor;
using lgode::testing::random_weights;
using lgode::testing::rounding;
using lgode::testing::tensors_of;

at::Tensor random_input(const TemporalGraph& graph, std::int64_t d, std::uint64_t seed) {
  Random random(seed, RandomUse::kTest, {3});
  return random_tensor({graph.times.numel(), d}, random);
}

// The header's equations (Eqs. 4 and 5), edge by edge, in plain loops.
at::Tensor slow_attention(const at::Tensor& x, const AttentionWeights& w, const TemporalGraph& g,
                          const AttentionOptions& o) {
  const TemporalEdges e = temporal_edges(g);
  const std::int64_t d = x.size(1), width = d / o.heads;
  at::Tensor out = at::zeros_like(x);
  for (std::int64_t t = 0; t < x.size(0); ++t) {
    const std::int64_t begin = e.target_offsets[t].item<std::int64_t>(),
                       end = e.target_offsets[t + 1].item<std::int64_t>();
    std::vector<at::Tensor> message;
    std::vector<at::Tensor> score;  // [heads]
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int64_t s = e.source[k].item<std::int64_t>(), y = e.other[k].item<bool>() ? 1 : 0;
      const at::Tensor gap = e.gap.slice(0, k, k + 1);
      const at::Tensor hat =
          at::relu(at::mv(w.w_t, at::cat({x[s], gap})) + w.b_t) + time_encoding(gap, d, o.frequency, x.options())[0];
      const at::Tensor key = at::mv(w.w_k[y], hat) + w.b_k[y], query = at::mv(w.w_q, x[t]) + w.b_q;
      message.push_back(at::mv(w.w_v[y], hat) + w.b_v[y]);
      score.push_back((key * query).view({o.heads, width}).sum(1) / std::sqrt(static_cast<double>(width)) +
                      e.log_weight[k]);
    }
    const at::Tensor alpha = at::softmax(at::stack(score), 0);  // [edges, heads]
    for (std::size_t k = 0; k < message.size(); ++k)
      out[t] += (message[k].view({o.heads, width}) * alpha[static_cast<std::int64_t>(k)].unsqueeze(1)).view({d});
  }
  return out;
}

TEST(TemporalEdgesTest, WindowCountsGridGapsAndKeepsTheObservationItself) {
  TemporalGraph g;
  g.times = at::tensor(std::vector<double>{0.0, 0.1, 0.3, 0.1}, at::kDouble);
  g.observation_offsets = at::tensor(std::vector<std::int64_t>{0, 3, 4}, at::kLong);
  g.system_offsets = at::tensor(std::vector<std::int64_t>{0, 2}, at::kLong);
  g.source_offsets = at::tensor(std::vector<std::int64_t>{0, 1, 1}, at::kLong);  // 1 -> 0 only
  g.sources = at::tensor(std::vector<std::int64_t>{1}, at::kLong);
  g.log_weights = at::zeros({1}, at::kDouble);
  g.window = 0.2;  // 0.3 - 0.1 is slightly more than 0.2 in double
  const TemporalEdges e = temporal_edges(g);
  // Targets 0: {0, 1, 3}; 1: {0, 1, 2, 3}; 2: {1, 2, 3}; 3 (no relations): {3}
  const std::vector<std::int64_t> offsets{0, 3, 7, 10, 11};
  EXPECT_TRUE(e.target_offsets.equal(at::tensor(offsets, at::kLong)));
  EXPECT_EQ(e.other.sum().item<std::int64_t>(), 3);
  g.direction = Direction::kPast;
  EXPECT_EQ(temporal_edges(g).source.numel(), 1 + 3 + 3 + 1);
  g.direction = Direction::kFuture;
  EXPECT_EQ(temporal_edges(g).source.numel(), 3 + 3 + 1 + 1);
}

TEST(TemporalAttentionTest, ReferenceMatchesTheEquations) {
  for (std::int64_t heads : {1, 2, 3}) {
    const TemporalGraph g = random_graph({}, 5, 0.4);
    const AttentionWeights w = random_weights(6, 7);
    const at::Tensor x = random_input(g, 6, 9);
    expect_close(temporal_attention(x, w, g, {heads, 20.0}, Impl::kReference), slow_attention(x, w, g, {heads, 20.0}));
  }
}

TEST(TemporalAttentionTest, ReferenceGradientsMatchFiniteDifferences) {
  const TemporalGraph g = random_graph({}, 11, 0.5);
  const AttentionWeights w = converted(random_weights(4, 13), at::kDouble);
  const at::Tensor x = random_input(g, 4, 15).requires_grad_(true);
  std::vector<at::Tensor> inputs = tensors_of(w);
  inputs.push_back(x);
  expect_gradients([&] { return mix(temporal_attention(x, w, g, {2, 5.0}, Impl::kReference), 0.4); }, inputs);
}

struct FusedCase {
  const char* name;
  GraphSize size;
  std::int64_t d, heads;
  double window;
  Direction direction;
  bool equal_times = false;  // all observations at the same time
};
std::ostream& operator<<(std::ostream& out, const FusedCase& c) { return out << c.name; }

class FusedAttentionTest : public ::testing::TestWithParam<FusedCase> {};

// Compares fused in float32 with the reference in float64: forward and every gradient, on 1, 2 and 3 threads, every
// SIMD target.
TEST_P(FusedAttentionTest, MatchesReference) {
  if (!has_fused_attention()) GTEST_SKIP() << "built without Highway";
  const FusedCase& c = GetParam();
  const TemporalGraph g = random_graph(c.size, 21, c.window, c.direction);
  if (c.equal_times) g.times.fill_(-0.375);
  const AttentionWeights base = random_weights(c.d, 23);
  const at::Tensor input = random_input(g, c.d, 25);
  auto run = [&](at::ScalarType dtype, Impl impl) {
    const AttentionWeights w = converted(base, dtype);
    const at::Tensor x = input.to(dtype).clone().requires_grad_(true);
    const at::Tensor out = temporal_attention(x, w, g, {c.heads, 200.0}, impl);
    std::vector<at::Tensor> inputs = tensors_of(w);
    inputs.push_back(x);
    std::vector<at::Tensor> all = autograd_gradients(mix(out, 0.7), inputs);
    all.push_back(out.detach());
    return all;
  };
  const std::vector<at::Tensor> expected = run(at::kDouble, Impl::kReference);
  const Kinks kinks = kinks_of(input, base, g);
  // The longest sums: over an observation's sources, and over the width.
  const double tolerance = rounding(at::kFloat, std::max(edges_per_target(g), c.d));
  const int before = at::get_num_threads();
  for (int threads : {1, 2, 3}) {
    at::set_num_threads(threads);
    for_each_simd([&] {
      const std::vector<at::Tensor> got = run(at::kFloat, Impl::kFused), again = run(at::kFloat, Impl::kFused);
      SCOPED_TRACE(std::to_string(threads) + " threads");
      expect_attention_close(got, expected, kinks, tolerance);
      for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(got[i].equal(again[i])) << "tensor " << i;
    });
  }
  at::set_num_threads(before);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, FusedAttentionTest,
    ::testing::Values(FusedCase{"usual", {{5, 5, 5}, 10, 27, 0.5, false, true}, 64, 1, 0.6, Direction::kBoth},
                      FusedCase{"heads", {{4, 2}, 3, 9, 0.7, true, false}, 32, 4, 0.3, Direction::kBoth},
                      FusedCase{"odd", {{1, 3, 2}, 1, 7, 0.5, true, false}, 10, 1, 0.3, Direction::kBoth},
                      FusedCase{"wide", {{2}, 3, 5, 1.0, true, false}, 128, 2, 2.0, Direction::kBoth},
                      FusedCase{"past", {{3, 3}, 2, 8, 0.6, true, true}, 16, 1, 0.5, Direction::kPast},
                      FusedCase{"future", {{3, 3}, 2, 8, 0.6, true, true}, 16, 1, 0.5, Direction::kFuture},
                      FusedCase{"alone", {{1, 1}, 1, 1, 0.0, false, false}, 16, 1, 0.5, Direction::kBoth},
                      FusedCase{"narrow_window", {{3}, 4, 9, 0.8, true, true}, 16, 1, 0.0, Direction::kBoth},
                      FusedCase{"no_neighbours", {{4, 1}, 2, 9, 0.0, true, false}, 24, 1, 0.5, Direction::kBoth},
                      FusedCase{"one_observation", {{1}, 1, 1, 0.0, false, false}, 64, 2, 0.5, Direction::kBoth},
                      FusedCase{"equal_times", {{3, 4}, 2, 9, 0.7, true, false}, 16, 2, 0.5, Direction::kBoth, true},
                      FusedCase{"equal_times_past", {{3}, 2, 9, 0.7, true, false}, 16, 1, 0.5, Direction::kPast, true},
                      FusedCase{"large", {{12}, 40, 70, 0.6, true, false}, 32, 1, 0.7, Direction::kBoth},
                      FusedCase{"some_empty", {{4, 3}, 0, 4, 0.7, true, false}, 16, 1, 0.5, Direction::kBoth}),
    [](const auto& c) { return c.param.name; });

TEST(FusedAttentionTest, NoObservationsAtAll) {
  if (!has_fused_attention()) GTEST_SKIP() << "built without Highway";
  const TemporalGraph g = random_graph({{2, 1}, 0, 0, 1.0, true, false}, 3, 1.0);
  const AttentionWeights w = converted(random_weights(16, 5), at::kFloat);
  for (Impl impl : {Impl::kFused, Impl::kReference})
    EXPECT_EQ(temporal_attention(at::zeros({0, 16}), w, g, {}, impl).sizes(), (std::vector<std::int64_t>{0, 16}));
}

TEST(FusedAttentionTest, CloseForAnyNumberOfThreads) {
  if (!has_fused_attention()) GTEST_SKIP() << "built without Highway";
  const TemporalGraph g = random_graph({{5, 4, 3, 5, 2, 5}, 3, 9, 0.5, true, false}, 31, 0.4);
  const at::Tensor input = random_input(g, 16, 33).to(at::kFloat);
  const int before = at::get_num_threads();
  std::vector<std::vector<at::Tensor>> results;
  for (int threads : {1, 2, 3}) {
    at::set_num_threads(threads);
    const AttentionWeights w = converted(random_weights(16, 35), at::kFloat);
    const at::Tensor x = input.clone().requires_grad_(true);
    const at::Tensor out = temporal_attention(x, w, g, {}, Impl::kFused);
    results.push_back(autograd_gradients(mix(out, 0.7), {x}));
    results.back().push_back(out.detach());
  }
  at::set_num_threads(before);
  for (std::size_t i = 0; i < results[0].size(); ++i) {
    expect_close(results[1][i], results[0][i], rounding(at::kFloat, 64));
    expect_close(results[2][i], results[0][i], rounding(at::kFloat, 64));
  }
}

TEST(TemporalAttentionTest, WrongArgumentsAreRefused) {
  const TemporalGraph g = random_graph({}, 1, 0.5);
  const AttentionWeights w = random_weights(6, 1);
  const at::Tensor x = random_input(g, 6, 1);
  EXPECT_THROW(temporal_attention(x, w, g, {4, 1.0}), c10::ValueError);               // 4 heads, width 6
  EXPECT_THROW(temporal_attention(x.slice(0, 1), w, g, {}), c10::ValueError);         // a row too few
  EXPECT_THROW(temporal_attention(x, random_weights(8, 1), g, {}), c10::ValueError);  // other width
  EXPECT_THROW(temporal_attention(x, w, g, {}, Impl::kFused), c10::ValueError);       // float64
}

}  // namespace
}  // namespace lgode::ops
