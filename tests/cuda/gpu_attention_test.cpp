// Attention of the encoder on a GPU against the reference in float64 on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cuda/gpu.h"
#include "lgode/ops/sequence_attention.h"
#include "lgode/ops/temporal_attention.h"
#include "support/numeric.h"
#include "support/temporal.h"

namespace lgode {
namespace {

using lgode::testing::autograd_gradients;
using lgode::testing::converted;
using lgode::testing::expect_attention_close;
using lgode::testing::expect_close;
using lgode::testing::kGpu;
using lgode::testing::mix;
using lgode::testing::random_graph;
using lgode::testing::random_tensor;
using lgode::testing::random_weights;
using lgode::testing::rounding;
using lgode::testing::tensors_of;

struct AttentionCase {
  const char* name;
  lgode::testing::GraphSize size;
  std::int64_t d, heads;
  double window;
  ops::Direction direction;
};
std::ostream& operator<<(std::ostream& out, const AttentionCase& c) { return out << c.name; }
class GpuAttentionTest : public ::testing::TestWithParam<AttentionCase> {};

// Compares float32 on the GPU with the reference in float64 on the CPU.
TEST_P(GpuAttentionTest, MatchesReference) {
  LGODE_NEEDS_GPU();
  const AttentionCase& c = GetParam();
  const ops::TemporalGraph cpu = random_graph(c.size, 21, c.window, c.direction);
  ops::TemporalGraph gpu = cpu;
  ops::Upload upload(kGpu);
  ops::move_to_device(gpu, upload);
  ASSERT_NE(gpu.on_device, nullptr);
  Random random(25, RandomUse::kTest, {3});
  const at::Tensor input = random_tensor({cpu.times.numel(), c.d}, random);
  const ops::AttentionWeights base = random_weights(c.d, 23);
  auto run = [&](const ops::TemporalGraph& graph, at::ScalarType dtype, at::Device device, ops::Impl impl) {
    ops::AttentionWeights w = converted(base, dtype);
    std::vector<at::Tensor> leaves = tensors_of(w);
    leaves.push_back(input.to(dtype).clone());
    for (at::Tensor& t : leaves) t = t.detach().to(device).requires_grad_(true);
    w = {leaves[0], leaves[1], leaves[2], leaves[3], leaves[4], leaves[5], leaves[6], leaves[7]};
    const at::Tensor out = ops::temporal_attention(leaves[8], w, graph, {c.heads, 200.0}, impl);
    std::vector<at::Tensor> all;
    if (out.numel() > 0) all = autograd_gradients(mix(out.to(at::kCPU), 0.7), leaves);
    all.push_back(out.detach());
    for (at::Tensor& t : all) t = t.to(at::kCPU).to(at::kDouble);
    return all;
  };
  const std::vector<at::Tensor> expected = run(cpu, at::kDouble, at::kCPU, ops::Impl::kReference);
  const std::vector<at::Tensor> got = run(gpu, at::kFloat, kGpu, ops::Impl::kFused);
  const std::vector<at::Tensor> again = run(gpu, at::kFloat, kGpu, ops::Impl::kFused);
  const std::int64_t edges = ops::temporal_edges(cpu).source.numel();
  // The device's fast exponential is less accurate by two bits.
  expect_attention_close(got, expected, lgode::testing::kinks_of(input, base, cpu),
                         4 * rounding(at::kFloat, std::max(edges, c.d)));
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(got[i].equal(again[i])) << "tensor " << i;
}

// A whole layer and the summary without gradients, where they are fused, and with gradients, where they are not.
TEST_P(GpuAttentionTest, LayerAndSummaryMatchReference) {
  LGODE_NEEDS_GPU();
  const AttentionCase& c = GetParam();
  const ops::TemporalGraph cpu = random_graph(c.size, 21, c.window, c.direction);
  ops::TemporalGraph gpu = cpu;
  ops::Upload upload(kGpu);
  ops::move_to_device(gpu, upload);
  Random random(26, RandomUse::kTest, {3});
  const std::int64_t u = 2 * c.d;
  const at::Tensor input = random_tensor({cpu.times.numel(), c.d}, random);
  const at::Tensor norm_weight = random_tensor({c.d}, random) + 1.0, norm_bias = random_tensor({c.d}, random);
  const at::Tensor w_t = 0.3 * random_tensor({u, c.d + 1}, random), b_t = random_tensor({u}, random);
  const at::Tensor w_a = 0.1 * random_tensor({u, u}, random);
  const ops::AttentionWeights base = random_weights(c.d, 23);
  const auto run = [&](const ops::TemporalGraph& graph, at::ScalarType dtype, at::Device device, ops::Impl impl,
                       bool gradients) {
    const at::AutoGradMode mode(gradients);
    const auto there = [&](const at::Tensor& t) { return t.to(dtype).to(device); };
    ops::AttentionWeights w = converted(base, dtype);
    std::vector<at::Tensor> all = tensors_of(w);
    for (at::Tensor& t : all) t = t.detach().to(device);
    w = {all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7]};
    const at::Tensor h =
        ops::attention_layer(there(input), there(norm_weight), there(norm_bias), w, graph, {c.heads, 200.0}, impl);
    const at::Tensor s =
        ops::sequence_attention(there(input), {there(w_t), there(b_t), there(w_a)}, cpu.times.to(device),
                                cpu.observation_offsets.to(device), 200.0, device.is_cpu() ? impl : ops::Impl::kAuto);
    return std::vector<at::Tensor>{h.detach().to(at::kCPU).to(at::kDouble), s.detach().to(at::kCPU).to(at::kDouble)};
  };
  const auto expected = run(cpu, at::kDouble, at::kCPU, ops::Impl::kReference, false);
  const std::int64_t edges = ops::temporal_edges(cpu).source.numel();
  for (const bool gradients : {false, true}) {
    SCOPED_TRACE(gradients ? "with gradients" : "without gradients");
    const auto got = run(gpu, at::kFloat, kGpu, ops::Impl::kFused, gradients);
    for (std::size_t i = 0; i < got.size(); ++i) {
      SCOPED_TRACE(i == 0 ? "layer" : "summary");
      if (got[i].numel() == 0) continue;
      expect_close(got[i], expected[i], 4 * rounding(at::kFloat, std::max(edges, 4 * c.d)));
      EXPECT_TRUE(got[i].equal(run(gpu, at::kFloat, kGpu, ops::Impl::kFused, gradients)[i]));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, GpuAttentionTest,
    ::testing::Values(AttentionCase{"usual", {{5, 5, 5}, 10, 27, 0.5, false, true}, 64, 1, 0.6, ops::Direction::kBoth},
                      AttentionCase{"long", {{3}, 90, 100, 0.7, true, false}, 64, 1, 0.4, ops::Direction::kBoth},
                      AttentionCase{"heads", {{3, 2}, 3, 9, 0.6, true, false}, 24, 3, 0.5, ops::Direction::kBoth},
                      AttentionCase{"wide", {{3, 2}, 3, 9, 0.6, true, false}, 128, 2, 0.5, ops::Direction::kPast},
                      AttentionCase{"future", {{4}, 3, 9, 0.6, true, true}, 16, 1, 0.5, ops::Direction::kFuture},
                      AttentionCase{"alone", {{1, 1}, 1, 1, 0.0, false, false}, 64, 1, 0.5, ops::Direction::kBoth},
                      AttentionCase{"nothing", {{}, 1, 1, 0.0, false, false}, 64, 1, 0.5, ops::Direction::kBoth}),
    [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace lgode
