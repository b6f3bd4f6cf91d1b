// Compares operators and the whole objective on a GPU with the CPU. Skipped without a GPU, unless LGODE_REQUIRE_GPU is
// set.
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <thread>

#include "lgode/core/options.h"
#include "lgode/data/simulate.h"
#include "lgode/eval/path_runner.h"
#include "lgode/model/lgode.h"
#include "lgode/ops/device.h"
#include "lgode/ops/dropout.h"
#include "lgode/ops/graph_rk.h"
#include "lgode/ops/segment.h"
#include "lgode/ops/sequence_attention.h"
#include "lgode/ops/temporal_attention.h"
#include "lgode/ops/time_encoding.h"
#include "lgode/train/objective.h"
#include "lgode/train/run.h"
#include "lgode/train/trainer.h"
#include "support/batches.h"
#include "support/numeric.h"
#include "support/temp_folder.h"
#include "support/temporal.h"

namespace lgode {
namespace {

using lgode::testing::autograd_gradients;
using lgode::testing::converted;
using lgode::testing::expect_attention_close;
using lgode::testing::expect_close;
using lgode::testing::mix;
using lgode::testing::random_graph;
using lgode::testing::random_tensor;
using lgode::testing::random_weights;
using lgode::testing::rounding;
using lgode::testing::tensors_of;

const at::Device kGpu(at::kCUDA, 0);

#define LGODE_NEEDS_GPU()                                                                                         \
  do {                                                                                                            \
    if (ops::gpu_count() == 0) {                                                                                  \
      if (std::getenv("LGODE_REQUIRE_GPU") != nullptr) FAIL() << "LGODE_REQUIRE_GPU is set, but there is no GPU"; \
      GTEST_SKIP() << "no GPU";                                                                                   \
    }                                                                                                             \
  } while (false)

// |got - expected| / |expected|, norms over all elements.
double relative_error(const at::Tensor& got, const at::Tensor& expected) {
  const at::Tensor g = got.detach().to(at::kCPU).to(at::kDouble), e = expected.detach().to(at::kCPU).to(at::kDouble);
  if (e.numel() == 0) return g.numel() == 0 ? 0 : NAN;
  return ((g - e).norm() / e.norm().clamp_min(1e-12)).item<double>();
}

TEST(GpuSegmentTest, SumsAndCopiesMatchTheCpu) {
  LGODE_NEEDS_GPU();
  Random random(3, RandomUse::kTest);
  const at::Tensor offsets = at::tensor(std::vector<std::int64_t>{0, 2, 2, 7, 40}, at::kLong);
  for (at::ScalarType dtype : {at::kFloat, at::kDouble}) {
    const at::Tensor x = random_tensor({40, 33}, random).to(dtype), y = random_tensor({4, 33}, random).to(dtype);
    EXPECT_TRUE(ops::segment_sum(x.to(kGpu), offsets.to(kGpu)).to(at::kCPU).equal(ops::segment_sum(x, offsets)));
    EXPECT_TRUE(
        ops::segment_expand(y.to(kGpu), offsets.to(kGpu), 40).to(at::kCPU).equal(ops::segment_expand(y, offsets)));
    const at::Tensor longer = ops::segment_expand(y.to(kGpu), offsets.to(kGpu), 97).to(at::kCPU);
    EXPECT_TRUE(longer.slice(0, 0, 40).equal(ops::segment_expand(y, offsets)));
    EXPECT_EQ(longer.slice(0, 40).abs().sum().item<double>(), 0.0);
  }
}

TEST(GpuDropoutTest, MasksAreTheCpusBitForBit) {
  LGODE_NEEDS_GPU();
  std::vector<Random> streams;
  for (std::uint64_t i = 0; i < 5; ++i)
    streams.emplace_back(7, RandomUse::kDropout, std::initializer_list<std::uint64_t>{i});
  const std::vector<std::int64_t> begin{0, 0, 1, 130, 1000, 70001};
  ops::Upload here(at::kCPU), there(kGpu);
  const at::Tensor cpu = ops::dropout_mask(ops::dropout_streams(streams, begin, here), 0.2);
  EXPECT_TRUE(ops::dropout_mask(ops::dropout_streams(streams, begin, there), 0.2).to(at::kCPU).equal(cpu));
  EXPECT_NEAR(cpu.eq(0).to(at::kDouble).mean().item<double>(), 0.2, 0.01);
}

TEST(GpuTimeEncodingTest, MatchesTheCpu) {
  LGODE_NEEDS_GPU();
  Random random(5, RandomUse::kTest);
  const at::Tensor times = random_tensor({1000}, random).to(at::kDouble) * 3.0;
  for (std::int64_t width : {64, 7, 1}) {
    // Not by ATen's sine, which some CPUs' vector units compute with errors of 1e-8.
    const at::Tensor expected = at::empty({times.size(0), width}, at::kDouble);
    for (std::int64_t row = 0; row < times.size(0); ++row)
      for (std::int64_t c = 0; c < width; ++c) {
        const double angle = times[row].item<double>() * 200.0 /
                             std::pow(10000.0, static_cast<double>(c - c % 2) / static_cast<double>(width));
        expected[row][c] = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
      }
    for (at::ScalarType dtype : {at::kFloat, at::kDouble}) {
      const at::Tensor got =
          ops::time_encoding(times.to(kGpu), width, 200.0, at::TensorOptions(dtype).device(kGpu)).to(at::kCPU);
      // Angles up to 2,000, rounded to double: an error of 2,000 2^-53, and a few more roundings.
      EXPECT_LE((got.to(at::kDouble) - expected).abs().max().item<double>(), dtype == at::kDouble ? 2e-12 : 1.2e-7);
    }
  }
}

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

// Systems of the given sizes; every ordered pair is in a random list, or in none.
struct Dynamics {
  ops::PairGraph pairs;
  std::vector<std::int64_t> row_offsets{0};
  std::vector<at::Tensor> leaves;  // weights, then the state
  std::size_t lists;

  Dynamics(const std::vector<std::int64_t>& systems, std::int64_t list_count, std::int64_t width, std::int64_t hidden,
           bool weighted)
      : lists(static_cast<std::size_t>(list_count)) {
    Random random(17, RandomUse::kTest);
    struct List {
      std::vector<std::int64_t> target, source, before{0};
      std::vector<double> weight;
    };
    std::vector<List> all(lists);
    for (std::int64_t count : systems) {
      const std::int64_t first = row_offsets.back();
      row_offsets.push_back(first + count);
      for (std::int64_t i = first; i < first + count; ++i) {
        for (std::int64_t j = first; j < first + count; ++j) {
          if (i == j || random.uniform() < 0.1) continue;
          List& list = all[random.below(static_cast<std::uint64_t>(list_count))];
          list.target.push_back(i), list.source.push_back(j), list.weight.push_back(0.5 + random.uniform());
        }
        for (List& list : all) list.before.push_back(static_cast<std::int64_t>(list.target.size()));
      }
    }
    for (const List& list : all) {
      ops::PairGraph::List l{at::tensor(list.target, at::kLong), at::tensor(list.source, at::kLong),
                             at::tensor(list.before, at::kLong), at::Tensor(), list.before};
      if (weighted) l.weight = at::tensor(list.weight, at::kDouble).unsqueeze(1);
      pairs.lists.push_back(l);
    }
    pairs.rows = row_offsets.back();
    // Large biases keep every ReLU away from its kink, where rounding would decide the gradient.
    const double size = 0.25 / std::sqrt(static_cast<double>(hidden));
    auto leaf = [&](const std::vector<std::int64_t>& shape) {
      const at::Tensor t = random_tensor(shape, random, size);
      return shape.size() == 1 ? t + 1.5 * at::sign(random_tensor(shape, random)) : t;
    };
    for (std::size_t r = 0; r < lists; ++r)
      for (const std::vector<std::int64_t>& shape :
           std::vector<std::vector<std::int64_t>>{{hidden, 2 * width}, {hidden}, {hidden, hidden}, {hidden}})
        leaves.push_back(leaf(shape));
    for (const std::vector<std::int64_t>& shape : std::vector<std::vector<std::int64_t>>{
             {hidden, width + hidden}, {hidden}, {hidden, hidden}, {hidden}, {width, hidden}, {width}})
      leaves.push_back(leaf(shape));
    // Of many objects the messages' sum would outweigh the biases: as if there were eight.
    const double most = static_cast<double>(*std::max_element(systems.begin(), systems.end()));
    leaves[4 * lists].slice(1, width).mul_(std::min(1.0, 8.0 / most));
    leaves.push_back(random_tensor({pairs.rows, width}, random));
  }

  // A jump of half of the rows before every step, two ties, and rows that come later than others.
  ops::Assimilation assimilate(ode::StepPlan& plan) const {
    for (std::vector<double>& nodes : plan.nodes) {
      std::vector<double> twice;
      for (const double t : nodes) twice.insert(twice.end(), {t, t});
      nodes = std::move(twice);
    }
    Random random(8, RandomUse::kTest);
    ops::Assimilation out;
    const std::int64_t steps = plan.max_steps(), rows = plan.rows();
    out.events.ties = {{0, 2, 1.7, false}};
    out.events.precise = 3;
    if (leaves.back().size(1) > 4) out.events.ties.push_back({1, 3, 0.6, true});
    out.events.jump.assign(static_cast<std::size_t>(steps * rows), -1);
    out.events.present.assign(static_cast<std::size_t>((steps + 1) * rows), 1);
    std::int32_t jumps = 0;
    for (std::int64_t s = 0; s < plan.systems(); ++s)
      for (std::int64_t row = row_offsets[s]; row < row_offsets[s + 1]; ++row) {
        for (std::int64_t k = 0; k < plan.steps(s); k += 2)
          if (random.coin()) out.events.jump[k * rows + row] = jumps++;
        for (std::int64_t k = 0; k < static_cast<std::int64_t>(random.below(5)) && k <= steps; ++k)
          out.events.present[k * rows + row] = 0;
      }
    // Slopes before jumps that nobody reads: in the first systems only, so that tiles differ.
    out.events.read.assign(static_cast<std::size_t>((steps + 1) * rows), 1);
    for (std::int64_t k = 0; k < steps; k += 2) std::fill_n(out.events.read.begin() + k * rows, row_offsets[1], 0);
    const std::int64_t width = leaves.back().size(1);
    out.keep = random_tensor({jumps, width}, random), out.add = random_tensor({jumps, width}, random);
    return out;
  }

  // Returns all gradients, states and slopes, converted to float64 on the CPU.
  std::vector<at::Tensor> solve(const std::vector<double>& horizons, ode::Solver solver, at::ScalarType dtype,
                                at::Device device, ops::Impl impl, ops::Precision precision, bool with_slopes,
                                bool with_events = false, ode::Gradient gradient = ode::Gradient::kRecompute) const {
    std::vector<at::Tensor> own;
    for (const at::Tensor& t : leaves) own.push_back(t.to(dtype).to(device).clone().requires_grad_(true));
    ops::DynamicsWeights w;
    for (std::size_t r = 0; r < lists; ++r)
      w.messages.push_back({own[4 * r], own[4 * r + 1], own[4 * r + 2], own[4 * r + 3]});
    const std::size_t o = 4 * lists;
    w.w1 = own[o], w.b1 = own[o + 1], w.w2 = own[o + 2], w.b2 = own[o + 3], w.w3 = own[o + 4], w.b3 = own[o + 5];
    ode::StepPlan plan = ode::fixed_plan(row_offsets, horizons, 0.1);
    ops::Assimilation assimilation;
    if (with_events) {
      assimilation = assimilate(plan);
      for (at::Tensor* t : {&assimilation.keep, &assimilation.add})
        own.push_back(*t = t->to(dtype).to(device).requires_grad_(true));
    }
    const at::Tensor start = own[o + 6];
    ops::PairGraph graph = pairs;
    for (auto& list : graph.lists)
      if (list.weight.defined()) list.weight = list.weight.to(dtype);
    ops::Upload upload(device);
    graph = ops::to_device(graph, plan, upload, ops::Shapes::kExact, {start.size(1), w.w2.size(0)},
                           with_events ? &assimilation.events : nullptr);
    const ops::SolveOptions how{
        .gradient = gradient, .impl = impl, .precision = precision, .at_nodes = gradient == ode::Gradient::kAdjoint};
    const ode::Trajectory path =
        with_events ? ops::assimilating_rk(start, w, graph, plan, ode::tableau(solver), assimilation, how)
                    : ops::graph_rk(start, w, graph, plan, ode::tableau(solver), how);
    // Outputs beyond a system's end are not compared.
    const at::Tensor alive = at::zeros({path.states.size(0), pairs.rows, 1}, at::kDouble);
    for (std::int64_t s = 0; s < plan.systems(); ++s)
      alive.slice(0, 0, plan.steps(s) + 1).slice(1, row_offsets[s], row_offsets[s + 1]).fill_(1);
    const at::Tensor mask = alive.to(dtype).to(device);
    at::Tensor read = mask;
    if (with_events)
      read = mask * at::tensor(assimilation.events.read, at::kByte).view({-1, pairs.rows, 1}).to(dtype).to(device);
    // Squares have one sign, so that terms of a gradient do not cancel.
    at::Tensor value = (path.states * mask).square().sum();
    if (with_slopes) value = value + (path.slopes * read).square().sum();
    std::vector<at::Tensor> all = autograd_gradients(value, own);
    all.push_back((path.states * mask).detach());
    all.push_back((path.slopes * read).detach());
    for (at::Tensor& t : all) t = t.to(at::kCPU).to(at::kDouble);
    return all;
  }
};

struct SolveCase {
  const char* name;
  std::vector<std::int64_t> systems;
  std::vector<double> horizons;
  std::int64_t lists, width, hidden;
  bool weighted;
  ode::Solver solver;
};
std::ostream& operator<<(std::ostream& out, const SolveCase& c) { return out << c.name; }
class GpuSolveTest : public ::testing::TestWithParam<SolveCase> {};

// Factors rounded to bf16 have a relative error of 2^-9 each. A gradient passes about 20 roundings per step (five
// layers forward and backward, both factors): 2^-9 sqrt(20 steps) is 0.02 for five steps, and cancellation adds to
// that.
TEST_P(GpuSolveTest, Bf16IsNearFloat64) {
  LGODE_NEEDS_GPU();
  const SolveCase& c = GetParam();
  const Dynamics d(c.systems, c.lists, c.width, c.hidden, c.weighted);
  for (bool slopes : {true, false}) {
    const auto expected =
        d.solve(c.horizons, c.solver, at::kDouble, at::kCPU, ops::Impl::kReference, ops::Precision::kFloat32, slopes);
    const auto got = d.solve(c.horizons, c.solver, at::kFloat, kGpu, ops::Impl::kFused, ops::Precision::kBf16, slopes);
    const auto again =
        d.solve(c.horizons, c.solver, at::kFloat, kGpu, ops::Impl::kFused, ops::Precision::kBf16, slopes);
    for (std::size_t i = 0; i < got.size(); ++i) {
      SCOPED_TRACE("tensor " + std::to_string(i) + (slopes ? ", slopes" : ""));
      EXPECT_LE(relative_error(got[i], expected[i]), 5e-2);
      EXPECT_TRUE(got[i].equal(again[i]));
    }
  }
}

TEST_P(GpuSolveTest, AssimilationIsNearFloat64) {
  LGODE_NEEDS_GPU();
  const SolveCase& c = GetParam();
  const Dynamics d(c.systems, c.lists, c.width, c.hidden, c.weighted);
  for (bool slopes : {true, false}) {
    const auto solve = [&](at::ScalarType dtype, at::Device device, ops::Impl impl, ops::Precision precision) {
      return d.solve(c.horizons, c.solver, dtype, device, impl, precision, slopes, /*with_events=*/true);
    };
    const auto expected = solve(at::kDouble, at::kCPU, ops::Impl::kReference, ops::Precision::kFloat32);
    const auto got = solve(at::kFloat, kGpu, ops::Impl::kFused, ops::Precision::kBf16);
    const auto again = solve(at::kFloat, kGpu, ops::Impl::kFused, ops::Precision::kBf16);
    for (std::size_t i = 0; i < got.size(); ++i) {
      SCOPED_TRACE("tensor " + std::to_string(i) + (slopes ? ", slopes" : ""));
      EXPECT_LE(relative_error(got[i], expected[i]), 5e-2);
      EXPECT_TRUE(got[i].equal(again[i]));
    }
  }
}

// tf32 keeps three digits more than bf16, float32 as many as plain float32 arithmetic. With more than 64 objects the
// gradient is plain ATen.
TEST_P(GpuSolveTest, Tf32AndFloat32AreNearFloat64) {
  LGODE_NEEDS_GPU();
  const SolveCase& c = GetParam();
  const Dynamics d(c.systems, c.lists, c.width, c.hidden, c.weighted);
  const bool fused = *std::max_element(c.systems.begin(), c.systems.end()) <= 64;
  const ops::Impl impl = fused ? ops::Impl::kFused : ops::Impl::kAuto;
  for (const bool events : {false, true}) {
    const auto expected = d.solve(c.horizons, c.solver, at::kDouble, at::kCPU, ops::Impl::kReference,
                                  ops::Precision::kFloat32, true, events);
    for (const ops::Precision precision : {ops::Precision::kTf32, ops::Precision::kFloat32}) {
      const auto got = d.solve(c.horizons, c.solver, at::kFloat, kGpu, impl, precision, true, events);
      const auto again = d.solve(c.horizons, c.solver, at::kFloat, kGpu, impl, precision, true, events);
      for (std::size_t i = 0; i < got.size(); ++i) {
        SCOPED_TRACE("tensor " + std::to_string(i) + (events ? ", events" : "") +
                     (precision == ops::Precision::kTf32 ? ", tf32" : ", float32"));
        if (precision == ops::Precision::kTf32) {
          EXPECT_LE(relative_error(got[i], expected[i]), 8e-3);
        } else {
          expect_close(got[i], expected[i], rounding(at::kFloat, 64 * c.hidden));
        }
        if (fused) {
          EXPECT_TRUE(got[i].equal(again[i]));
        }
      }
    }
  }
}

// Without gradients also systems of more than 64 objects run fused in float32. States of size 1e5, in the first system
// of a case only, are larger than the first attempt's numbers can be: its tile is computed again.
TEST_P(GpuSolveTest, ForwardInFloat32) {
  LGODE_NEEDS_GPU();
  const SolveCase& c = GetParam();
  const Dynamics d(c.systems, c.lists, c.width, c.hidden, c.weighted);
  const auto paths = [&](at::ScalarType dtype, at::Device device, ops::Impl impl, bool events, double scale) {
    at::NoGradGuard no_grad;
    ode::StepPlan plan = ode::fixed_plan(d.row_offsets, c.horizons, 0.1);
    std::vector<at::Tensor> own;
    for (const at::Tensor& t : d.leaves) own.push_back(t.to(dtype).to(device));
    ops::DynamicsWeights w;
    for (std::size_t r = 0; r < d.lists; ++r)
      w.messages.push_back({own[4 * r], own[4 * r + 1], own[4 * r + 2], own[4 * r + 3]});
    const std::size_t o = 4 * d.lists;
    w.w1 = own[o], w.b1 = own[o + 1], w.w2 = own[o + 2], w.b2 = own[o + 3], w.w3 = own[o + 4], w.b3 = own[o + 5];
    ops::PairGraph graph = d.pairs;
    for (auto& list : graph.lists)
      if (list.weight.defined()) list.weight = list.weight.to(dtype);
    ops::Upload upload(device);
    const at::Tensor start = own[o + 6].clone();
    start.slice(0, 0, c.systems[0]).mul_(scale);
    ops::Assimilation assimilation;
    if (events) {
      assimilation = d.assimilate(plan);
      for (at::Tensor* t : {&assimilation.keep, &assimilation.add}) *t = t->to(dtype).to(device);
    }
    graph = ops::to_device(graph, plan, upload, ops::Shapes::kExact, {start.size(1), w.w2.size(0)},
                           events ? &assimilation.events : nullptr,
                           {.precision = ops::Precision::kFloat32, .gradients = false});
    const ops::SolveOptions how{.impl = impl, .precision = ops::Precision::kFloat32};
    const ode::Trajectory path =
        events ? ops::assimilating_rk(start, w, graph, plan, ode::tableau(c.solver), assimilation, how)
               : ops::graph_rk(start, w, graph, plan, ode::tableau(c.solver), how);
    std::vector<at::Tensor> out;
    for (std::int64_t s = 0; s < plan.systems(); ++s)
      out.push_back(path.states.slice(0, 0, plan.steps(s) + 1)
                        .slice(1, d.row_offsets[s], d.row_offsets[s + 1])
                        .to(at::kCPU)
                        .to(at::kDouble));
    return out;
  };
  for (const bool events : {false, true})
    for (const double scale : {1.0, 1e5}) {
      SCOPED_TRACE(std::string(events ? "events, " : "") + "scale " + std::to_string(scale));
      const auto expected = paths(at::kDouble, at::kCPU, ops::Impl::kReference, events, scale);
      const auto got = paths(at::kFloat, kGpu, ops::Impl::kFused, events, scale);
      for (std::size_t s = 0; s < got.size(); ++s)
        expect_close(got[s], expected[s], rounding(at::kFloat, 64 * c.hidden));
    }
}

// The continuous adjoint over the same nodes; a rule with a weight of zero has no fused one.
TEST_P(GpuSolveTest, AdjointIsNearFloat64) {
  LGODE_NEEDS_GPU();
  const SolveCase& c = GetParam();
  const Dynamics d(c.systems, c.lists, c.width, c.hidden, c.weighted);
  const bool fused = c.solver != ode::Solver::kMidpoint;
  const auto solve = [&](at::ScalarType dtype, at::Device device, ops::Impl impl, ops::Precision precision) {
    return d.solve(c.horizons, c.solver, dtype, device, impl, precision, false, false, ode::Gradient::kAdjoint);
  };
  const auto expected = solve(at::kDouble, at::kCPU, ops::Impl::kReference, ops::Precision::kFloat32);
  const ops::Impl impl = fused ? ops::Impl::kFused : ops::Impl::kAuto;
  for (const ops::Precision precision : {ops::Precision::kBf16, ops::Precision::kFloat32}) {
    const auto got = solve(at::kFloat, kGpu, impl, precision);
    for (std::size_t i = 0; i < got.size(); ++i) {
      SCOPED_TRACE("tensor " + std::to_string(i) + (precision == ops::Precision::kBf16 ? ", bf16" : ", float32"));
      if (precision == ops::Precision::kBf16)
        EXPECT_LE(relative_error(got[i], expected[i]), 5e-2);
      else
        expect_close(got[i], expected[i], rounding(at::kFloat, 64 * c.hidden));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, GpuSolveTest,
    ::testing::Values(SolveCase{"usual", std::vector<std::int64_t>(24, 5), std::vector<double>(24, 0.5), 2, 80, 128,
                                false, ode::Solver::kRk4},
                      SolveCase{
                          "ragged", {4, 1, 7, 2}, {0.6, 0.35, 0.35, 0.0}, 3, 5, 11, true, ode::Solver::kRk4Classic},
                      SolveCase{"many_pairs", {31, 16, 17}, {0.3, 0.2, 0.3}, 1, 20, 32, true, ode::Solver::kRk4},
                      SolveCase{"many_objects", {50, 3}, {0.3, 0.2}, 2, 32, 48, true, ode::Solver::kRk4},
                      SolveCase{"most_objects", {110, 128}, {0.1, 0.1}, 1, 32, 128, false, ode::Solver::kMidpoint},
                      SolveCase{"one_object", {1}, {0.3}, 2, 7, 9, false, ode::Solver::kMidpoint},
                      SolveCase{"no_steps", {2, 2}, {0.0, 0.0}, 1, 3, 4, false, ode::Solver::kRk4},
                      SolveCase{"wide", {6, 5, 4}, {0.2, 0.2, 0.2}, 2, 112, 160, false, ode::Solver::kEuler}),
    [](const auto& c) { return c.param.name; });

// The whole objective: loss and the gradient of every parameter, float32 on both.
TEST(GpuObjectiveTest, LossAndGradientsMatchTheCpu) {
  LGODE_NEEDS_GPU();
  const data::BatchMaker maker = lgode::testing::random_maker(
      {.objects = {3, 2, 1}, .min_length = 2, .max_length = 4, .missing = 0.2, .blind = true},
      {.task = data::Task::kInterpolate});
  model::ModelOptions options;
  options.sigma = 0.5, options.dropout = 0.2, options.precision = ops::Precision::kFloat32;
  auto run = [&](at::Device device, at::ScalarType dtype) {
    model::LgOde model(options, {3, 2, true, 0.5}, 11, dtype, device);
    const model::BatchTensors batch = model.tensors(maker.make({0, 1}, data::View::kValidate));
    const at::Tensor noise =
        model::latent_noise(batch.batch, 2, options.latent, 5, RandomUse::kLatent, 0, dtype).to(device);
    const at::Tensor loss = train::elbo(model, batch, noise, 2, 0.7, model::DropoutKey{1, 2}).loss;
    model.parameters().flat_grad().zero_();
    torch::autograd::backward({loss}, {});
    return std::pair{loss.detach().to(at::kCPU).to(at::kDouble),
                     model.parameters().flat_grad().to(at::kCPU).to(at::kDouble)};
  };
  const auto [expected, expected_gradient] = run(at::kCPU, at::kDouble);
  const auto [loss, gradient] = run(kGpu, at::kFloat);
  EXPECT_LE(relative_error(loss, expected), 1e-4);
  EXPECT_LE(relative_error(gradient, expected_gradient), 1e-4);
}

struct Springs {
  data::Dataset dataset;
  data::BatchMaker maker;
  explicit Springs(std::int64_t systems, const data::TaskOptions& task)
      : dataset(data::simulate({.train = systems, .test = 4, .seed = 5})),
        maker(dataset, data::fit_normalisation(dataset, data::normalisation_systems(dataset, task)), task) {}
};

// Rows of padding change neither the loss nor a gradient, except for the order of sums.
class GpuPaddingTest : public ::testing::TestWithParam<const char*> {};
TEST_P(GpuPaddingTest, ChangesNothing) {
  LGODE_NEEDS_GPU();
  const Springs springs(24, {});
  model::ModelOptions options;
  options.dropout = 0.2;
  OptionSet set;
  model::declare(set, options);
  set.set_text(std::string(GetParam()) == "edge-gnn" ? "model" : "variant", GetParam(), Source::kFlag, "test");
  model::LgOde model(options, {4, 1, false, 0.6}, 11, at::kFloat, kGpu);
  ASSERT_TRUE(model.takes_padded(ops::Precision::kBf16));
  ASSERT_TRUE(model.takes_padded(ops::Precision::kFloat32));
  std::vector<std::int64_t> systems(24);
  std::iota(systems.begin(), systems.end(), 0);
  auto run = [&](ops::Shapes shapes) {
    ops::Upload upload(kGpu);
    const model::BatchTensors batch = model.tensors(springs.maker.make(systems, data::View::kValidate), shapes, upload);
    const auto rollout =
        model.prepare(batch.batch, {.samples = 2, .shapes = shapes, .precision = ops::Precision::kBf16}, upload);
    EXPECT_EQ(batch.inputs.size(0) > batch.batch.observations(), shapes == ops::Shapes::kPadded);
    EXPECT_EQ(batch.target_values.size(0) > batch.batch.targets(), shapes == ops::Shapes::kPadded);
    const at::Tensor noise = model::latent_noise(batch.batch, 2, 16, 5, RandomUse::kLatent, 0, at::kFloat).to(kGpu);
    const at::Tensor loss = train::elbo(model, batch, *rollout, noise, at::scalar_tensor(0.7, at::kDouble),
                                        model.dropout(batch, model::DropoutKey{1, 2}, upload))
                                .loss;
    model.parameters().flat_grad().zero_();
    torch::autograd::backward({loss}, {});
    return std::pair{loss.detach().clone(), model.parameters().flat_grad().clone()};
  };
  const auto [loss, gradient] = run(ops::Shapes::kExact);
  const auto [padded_loss, padded_gradient] = run(ops::Shapes::kPadded);
  EXPECT_LE(relative_error(padded_loss, loss), 1e-6);
  EXPECT_LE(relative_error(padded_gradient, gradient), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Rows, GpuPaddingTest,
                         ::testing::Values("full", "first", "mean", "no-att", "no-pe", "fixed-pe", "edge-gnn"),
                         [](const auto& c) {
                           std::string name = c.param;
                           std::erase(name, '-');
                           return name;
                         });

train::RunConfig small_run(std::int64_t epochs) {
  train::RunConfig config;
  config.train.epochs = epochs, config.train.batch = 64, config.train.device = train::Device::kCuda;
  config.train.checkpoint_seconds = 0;
  config.model.dropout = 0.2;
  return config;
}

train::TrainResult train_on_gpu(const train::RunConfig& config, const data::Dataset& dataset,
                                const train::TrainHooks& hooks) {
  return train::Trainer(config, dataset, train::make_context(config.train)).run(hooks);
}

// A captured step gives the same results as one that is launched operation by operation. The second data set has
// everything that a step may read from a batch: missing values, objects without observations, weighted relations of two
// types, ragged systems.
TEST(GpuTrainingTest, CapturedStepsAreTheSame) {
  LGODE_NEEDS_GPU();
  const data::Dataset plain = data::simulate({.train = 700, .test = 4, .seed = 5});
  const data::Dataset odd = lgode::testing::random_dataset({.objects = std::vector<std::int64_t>(300, 4),
                                                            .min_length = 12,
                                                            .max_length = 20,
                                                            .missing = 0.2,
                                                            .blind_share = 0.2});
  for (const data::Dataset& dataset : {plain, odd})
    for (const auto& [kind, task] : {std::pair{model::ModelKind::kLgOde, data::Task::kInterpolate},
                                     {model::ModelKind::kLgOde, data::Task::kExtrapolate},
                                     {model::ModelKind::kAssimilate, data::Task::kInterpolate},
                                     {model::ModelKind::kAssimilate, data::Task::kExtrapolate}}) {
      auto run = [&](bool capture) {
        train::RunConfig config = small_run(4);
        config.model.kind = kind;
        config.task.task = task;
        config.train.capture_steps = capture;
        std::vector<double> losses;
        train::TrainHooks hooks;
        hooks.on_epoch = [&](const train::EpochReport& r) {
          losses.insert(losses.end(), {r.loss, r.validation.value()});
        };
        train_on_gpu(config, dataset, hooks);
        return losses;
      };
      const std::vector<double> captured = run(true), launched = run(false);
      ASSERT_EQ(captured.size(), 8U);
      // Products may be split differently: rounding makes the runs drift apart slowly.
      for (std::size_t i = 0; i < captured.size(); ++i)
        EXPECT_NEAR(captured[i], launched[i], 2e-2 * std::abs(launched[i])) << i;
      EXPECT_NEAR(captured[0], launched[0], 1e-4 * std::abs(launched[0]));
    }
}

TEST(GpuTrainingTest, MemoryDoesNotGrowOverAThousandSteps) {
  LGODE_NEEDS_GPU();
  const Springs springs(700, {});
  std::int64_t steps = 0, early = 0, late = 0, early_host = 0, late_host = 0;
  auto host_bytes = [] {
    std::ifstream statm("/proc/self/statm");
    std::int64_t total = 0, resident = 0;
    statm >> total >> resident;
    return resident * 4096;
  };
  train::TrainHooks hooks;
  hooks.on_step = [&](const train::StepReport&) {
    if (++steps == 300) early = ops::gpu_memory(kGpu), early_host = host_bytes();
    if (steps == 1300) late = ops::gpu_memory(kGpu), late_host = host_bytes();
  };
  train_on_gpu(small_run(130), springs.dataset, hooks);
  ASSERT_GE(steps, 1300);
  EXPECT_GT(early, 0);
  EXPECT_LE(late - early, 64 << 20);  // a batch size that first occurs late allocates memory once
  EXPECT_LE(late_host - early_host, 64 << 20);
}
// Requests for ragged systems with missing values and objects without observations, and their paths.
struct Predictions {
  data::BatchMaker maker;
  std::vector<data::BatchMaker::Request> requests;

  explicit Predictions(data::Task task)
      : maker(lgode::testing::random_maker({.objects = {3, 3, 5, 2, 4, 4, 3, 3, 5, 2, 4, 4, 3, 3, 5, 2, 4, 4, 3, 1},
                                            .min_length = 4,
                                            .max_length = 12,
                                            .missing = 0.2,
                                            .blind_share = 0.1},
                                           {.task = task})) {
    for (std::int64_t s = 0; s < maker.dataset().systems(); ++s) {
      data::BatchMaker::Request& request = requests.emplace_back();
      request.system = s;
      for (std::int64_t k = 0; k <= 5 + s % 3; ++k)
        request.times.push_back(maker.default_start(s) + 0.2 * static_cast<double>(k));
    }
  }

  std::shared_ptr<const model::Model> model(model::ModelKind kind, std::uint64_t seed) const {
    model::ModelOptions options;
    options.kind = kind;
    const bool forecast = maker.task().task == data::Task::kExtrapolate;
    return model::make_model(options, {3, 2, true, 0.5, 3, 0.2, forecast, {{0, 2, 1.3, true}}}, seed, at::kFloat, kGpu);
  }

  // Appends the paths [T, D] of each system of a batch to the list, at its place.
  static void sort(const data::Batch& batch, const at::Tensor& path, std::size_t first, std::vector<at::Tensor>& to) {
    for (std::int64_t b = 0; b < batch.systems(); ++b)
      to[first + static_cast<std::size_t>(batch.place[static_cast<std::size_t>(b)])] =
          path.slice(
                  0, batch.target_offsets[static_cast<std::size_t>(batch.object_offsets[static_cast<std::size_t>(b)])],
                  batch.target_offsets[static_cast<std::size_t>(batch.object_offsets[static_cast<std::size_t>(b) + 1])])
              .to(at::kCPU)
              .clone();
  }

  // All in one batch, launched operation by operation.
  std::vector<at::Tensor> at_once(const model::Model& model, const ops::Context& context) const {
    const ops::ContextScope scope(context);
    std::vector<at::Tensor> out(requests.size());
    const model::BatchTensors batch = model.tensors(maker.make_prediction(requests));
    sort(batch.batch, model.mean_path(batch, *model.prepare(batch.batch, model::rollout_options(context, 1))), 0, out);
    return out;
  }

  std::vector<at::Tensor> in_pieces(eval::PathRunner& runner, std::size_t piece) const {
    std::vector<at::Tensor> out(requests.size());
    eval::PathRunner::Work work;
    work.count = static_cast<std::int64_t>((requests.size() + piece - 1) / piece);
    work.make = [&](std::int64_t i) {
      const std::size_t first = static_cast<std::size_t>(i) * piece, last = std::min(first + piece, requests.size());
      return maker.make_prediction({requests.begin() + static_cast<std::ptrdiff_t>(first),
                                    requests.begin() + static_cast<std::ptrdiff_t>(last)});
    };
    work.take = [&](std::int64_t i, const eval::PathResult& result) {
      sort(result.batch(), result.values().select(0, 0), static_cast<std::size_t>(i) * piece, out);
    };
    runner.run(work, {});
    return out;
  }
};

void expect_same_paths(const std::vector<at::Tensor>& got, const std::vector<at::Tensor>& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].defined(), expected[i].defined()) << i;
    if (got[i].defined()) {
      EXPECT_LE(relative_error(got[i], expected[i]), tolerance) << i;
    }
  }
}

// Products may be split differently in batches of another size. With bf16 a different rounding in front of a product is
// one of 2^-9.
TEST(GpuPredictionTest, PiecesAndReplaysGiveThePathsOfOneBatch) {
  LGODE_NEEDS_GPU();
  for (const data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate})
    for (const model::ModelKind kind : {model::ModelKind::kLgOde, model::ModelKind::kAssimilate})
      for (const ops::Precision precision : {ops::Precision::kFloat32, ops::Precision::kBf16}) {
        const Predictions all(task);
        ops::Context context = ops::make_context("cuda", 4);
        context.precision = precision;
        const auto model = all.model(kind, 7);
        const double tolerance = precision == ops::Precision::kBf16 ? 1e-2 : 5e-6;
        const std::vector<at::Tensor> expected = all.at_once(*model, context);
        eval::PathRunner runner(model, context);
        std::vector<at::Tensor> launched;
        for (int call = 0; call < 5; ++call) {
          SCOPED_TRACE("call " + std::to_string(call));
          const std::vector<at::Tensor> got = all.in_pieces(runner, 6);
          expect_same_paths(got, expected, tolerance);
          if (call == 0) launched = got;
          // The same shapes: the same kernels.
          expect_same_paths(got, launched, precision == ops::Precision::kBf16 ? tolerance : 1e-6);
          expect_same_paths(all.in_pieces(runner, 1), expected, tolerance);
        }
        EXPECT_EQ(runner.captures() > 0, model->takes_padded(precision));
      }
}

TEST(GpuPredictionTest, TwoModelsPredictAtTheSameTime) {
  LGODE_NEEDS_GPU();
  const Predictions all(data::Task::kInterpolate);
  const ops::Context context = ops::make_context("cuda", 2);
  const auto work = [&](std::uint64_t seed, double& worst) {
    const auto model = all.model(model::ModelKind::kLgOde, seed);
    const std::vector<at::Tensor> expected = all.at_once(*model, context);
    eval::PathRunner runner(model, context);
    worst = 0;
    for (int call = 0; call < 20; ++call) {
      const std::vector<at::Tensor> got = all.in_pieces(runner, 6);
      for (std::size_t i = 0; i < got.size(); ++i)
        if (expected[i].defined()) worst = std::max(worst, relative_error(got[i], expected[i]));
    }
  };
  double first = NAN, second = NAN;
  {
    std::jthread one([&] { work(3, first); }), two([&] { work(4, second); });
  }
  EXPECT_LE(first, 5e-6);
  EXPECT_LE(second, 5e-6);
}

// The same for the other models of the paper's tables.
struct RowCase {
  const char* name;
  model::ModelKind kind;
  model::Variant variant = model::Variant::kFull;
  model::OdeKind ode = model::OdeKind::kGraph;
};
std::ostream& operator<<(std::ostream& out, const RowCase& c) { return out << c.name; }
class GpuRowTest : public ::testing::TestWithParam<RowCase> {};

TEST_P(GpuRowTest, LossAndGradientsMatchTheCpu) {
  LGODE_NEEDS_GPU();
  model::ModelOptions options;
  options.sigma = 0.5, options.dropout = 0.2, options.precision = ops::Precision::kFloat32;
  options.kind = GetParam().kind, options.variant = GetParam().variant, options.ode = GetParam().ode;
  for (data::Task task : {data::Task::kInterpolate, data::Task::kExtrapolate}) {
    const data::BatchMaker maker = lgode::testing::random_maker(
        {.objects = {3, 3, 3}, .min_length = 2, .max_length = 9, .missing = 0.2, .blind = true}, {.task = task});
    auto run = [&](at::Device device, at::ScalarType dtype) {
      const bool forecast = task == data::Task::kExtrapolate;
      const auto model =
          model::make_model(options, {3, 2, true, 0.5, 3, 0.2, forecast, {{0, 2, 1.3, true}}}, 11, dtype, device);
      const model::BatchTensors batch = model->tensors(maker.make({0, 1}, data::View::kValidate));
      const at::Tensor noise =
          model::latent_noise(batch.batch, 2, model->latent(), 5, RandomUse::kLatent, 0, dtype).to(device);
      const at::Tensor loss = train::elbo(*model, batch, noise, 2, 0.7, model::DropoutKey{1, 2}).loss;
      model->parameters().flat_grad().zero_();
      torch::autograd::backward({loss}, {});
      return std::pair{loss.detach().to(at::kCPU).to(at::kDouble),
                       model->parameters().flat_grad().to(at::kCPU).to(at::kDouble)};
    };
    const auto [expected, expected_gradient] = run(at::kCPU, at::kDouble);
    const auto [loss, gradient] = run(kGpu, at::kFloat);
    EXPECT_LE(relative_error(loss, expected), 1e-4);
    EXPECT_LE(relative_error(gradient, expected_gradient), 1e-4);
  }
}

using model::ModelKind;
using model::Variant;
INSTANTIATE_TEST_SUITE_P(
    All, GpuRowTest,
    ::testing::Values(
        RowCase{"first", ModelKind::kLgOde, Variant::kFirst}, RowCase{"mean", ModelKind::kLgOde, Variant::kMean},
        RowCase{"no_att", ModelKind::kLgOde, Variant::kNoAttention},
        RowCase{"no_pe", ModelKind::kLgOde, Variant::kNoPe}, RowCase{"fixed_pe", ModelKind::kLgOde, Variant::kFixedPe},
        RowCase{"weight_decay", ModelKind::kWeightDecay}, RowCase{"edge_gnn", ModelKind::kEdgeGnn},
        RowCase{"latent_ode", ModelKind::kLatentOde},
        RowCase{"latent_ode_independent", ModelKind::kLatentOde, Variant::kFull, model::OdeKind::kIndependent},
        RowCase{"rnn_nri", ModelKind::kRnnNri}, RowCase{"assimilate", ModelKind::kAssimilate}),
    [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace lgode
