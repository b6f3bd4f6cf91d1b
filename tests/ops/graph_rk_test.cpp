// The graph field and its solve: the reference against Eqs. 2 and 10, the other forms against the reference.
#include "lgode/ops/graph_rk.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "lgode/core/random.h"
#include "ops/cpu/graph_rk.h"
#include "support/graph_problem.h"
#include "support/numeric.h"
#include "support/simd.h"
#include "support/temporal.h"

namespace lgode::ops {
namespace {

using lgode::testing::autograd_gradients;
using lgode::testing::expect_close;
using lgode::testing::expect_gradients;
using lgode::testing::for_each_simd;
using lgode::testing::make_problem;
using lgode::testing::mix;
using lgode::testing::Problem;
using lgode::testing::rounding;

TEST(GraphFieldTest, ReferenceMatchesTheEquationPairByPair) {
  const Problem p = make_problem({3, 2}, 2, 3, 5, at::kDouble, true);
  std::vector<at::Tensor> expected;
  for (std::int64_t i = 0; i < p.pairs.rows; ++i) {
    at::Tensor sum = at::zeros({5}, at::kDouble);
    for (std::size_t r = 0; r < 2; ++r) {
      const PairGraph::List& list = p.pairs.lists[r];
      const DynamicsWeights::Message& m = p.weights.messages[r];
      for (std::int64_t k = list.pairs_before[i]; k < list.pairs_before[i + 1]; ++k) {
        const at::Tensor both = at::cat({p.z[i], p.z[list.source[k].item<std::int64_t>()]});
        sum = sum + list.weight[k][0] * at::relu(at::mv(m.w2, at::relu(at::mv(m.w1, both) + m.b1)) + m.b2);
      }
    }
    const at::Tensor a1 = at::relu(at::mv(p.weights.w1, at::cat({p.z[i], sum})) + p.weights.b1);
    expected.push_back(at::mv(p.weights.w3, at::relu(at::mv(p.weights.w2, a1) + p.weights.b2)) + p.weights.b3);
  }
  expect_close(graph_field(p.z, p.weights, p.pairs, Impl::kReference), at::stack(expected));
}

TEST(GraphFieldTest, GradientsMatchFiniteDifferences) {
  const Problem p = make_problem({3, 1, 2}, 2, 3, 4, at::kDouble, true);
  for (Impl impl : {Impl::kReference, Impl::kFused})
    expect_gradients([&] { return mix(graph_field(p.z, p.weights, p.pairs, impl), 0.3); }, p.leaves());
}

struct FieldCase {
  const char* name;
  std::vector<std::int64_t> systems;
  std::int64_t lists, width, hidden;
  bool weighted, sparse;
};
std::ostream& operator<<(std::ostream& out, const FieldCase& c) { return out << c.name; }
class NodewiseFieldTest : public ::testing::TestWithParam<FieldCase> {};

TEST_P(NodewiseFieldTest, MatchesReference) {
  const FieldCase& c = GetParam();
  for (at::ScalarType dtype : {at::kDouble, at::kFloat}) {
    const Problem p = make_problem(c.systems, c.lists, c.width, c.hidden, dtype, c.weighted, c.sparse);
    auto run = [&](Impl impl) {
      const at::Tensor out = graph_field(p.z, p.weights, p.pairs, impl);
      std::vector<at::Tensor> all = autograd_gradients(mix(out, 0.3), p.leaves());
      all.push_back(out.detach());
      return all;
    };
    const std::vector<at::Tensor> got = run(Impl::kFused), expected = run(Impl::kReference);
    for (std::size_t i = 0; i < got.size(); ++i) {
      SCOPED_TRACE("tensor " + std::to_string(i));
      expect_close(got[i], expected[i], rounding(dtype, p.pairs.rows * c.hidden));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, NodewiseFieldTest,
                         ::testing::Values(FieldCase{"usual", {5, 5, 5, 5}, 2, 20, 32, false, false},
                                           FieldCase{"one_object", {1}, 2, 7, 9, false, false},
                                           FieldCase{"ragged", {4, 1, 7, 2}, 3, 5, 11, true, false},
                                           FieldCase{"sparse", {6, 3}, 2, 5, 8, true, true},
                                           FieldCase{"nothing", {}, 2, 5, 8, false, false},
                                           FieldCase{"large", {50}, 2, 16, 24, false, false}),
                         [](const auto& c) { return c.param.name; });

TEST(GraphFieldTest, PrefixOfRowsIsItsOwnSystems) {
  const Problem p = make_problem({3, 2, 4}, 2, 4, 6, at::kDouble, false);
  for (Impl impl : {Impl::kReference, Impl::kFused}) {
    const at::Tensor whole = graph_field(p.z, p.weights, p.pairs, impl);
    expect_close(graph_field(p.z.slice(0, 0, 5), p.weights, p.pairs, impl), whole.slice(0, 0, 5));
  }
}

TEST(GraphRkTest, SolveMatchesReferenceWithGradients) {
  const Problem p = make_problem({3, 2}, 2, 4, 6, at::kDouble, true);
  const ode::StepPlan plan = ode::fixed_plan(p.row_offsets, {0.6, 0.35}, 0.1);
  auto run = [&](Impl impl) {
    const ode::Trajectory path =
        graph_rk(p.z, p.weights, p.pairs, plan, ode::tableau(ode::Solver::kRk4), {.impl = impl});
    std::vector<at::Tensor> all = autograd_gradients(mix(path.states, 0.1) + mix(path.slopes, 0.9), p.leaves());
    all.push_back(path.states.detach());
    return all;
  };
  const std::vector<at::Tensor> got = run(Impl::kAuto), expected = run(Impl::kReference);
  for (std::size_t i = 0; i < got.size(); ++i) expect_close(got[i], expected[i], 1e-11);
}

TEST(GraphRkTest, FusedThrowsWhereUnsupported) {
  const Problem p = make_problem({3, 2}, 2, 4, 6, at::kDouble, true);
  const ode::StepPlan plan = ode::fixed_plan(p.row_offsets, {0.6, 0.35}, 0.1);
  EXPECT_THROW(graph_rk(p.z, p.weights, p.pairs, plan, ode::tableau(ode::Solver::kRk4), {.impl = Impl::kFused}),
               c10::ValueError);
}

double relative_error(const at::Tensor& got, const at::Tensor& expected) {
  if (expected.numel() == 0) return got.numel() == 0 ? 0 : NAN;
  return ((got.to(at::kDouble) - expected).norm() / expected.norm().clamp_min(1e-12)).item<double>();
}

struct SolveCase {
  const char* name;
  std::vector<std::int64_t> systems;
  std::vector<double> horizons;
  std::int64_t lists, width, hidden;
  bool weighted, sparse;
  ode::Solver solver;
};
std::ostream& operator<<(std::ostream& out, const SolveCase& c) { return out << c.name; }
class FusedSolveTest : public ::testing::TestWithParam<SolveCase> {};

// Compares fused in float32 with the reference in float64: states, slopes and every gradient, on 1, 2 and 3 threads,
// every SIMD target.
TEST_P(FusedSolveTest, MatchesReference) {
  const SolveCase& c = GetParam();
  auto run = [&](at::ScalarType dtype, Impl impl, bool slopes) {
    const Problem p = make_problem(c.systems, c.lists, c.width, c.hidden, dtype, c.weighted, c.sparse);
    const ode::StepPlan plan = ode::fixed_plan(p.row_offsets, c.horizons, 0.1);
    const ode::Trajectory path = graph_rk(p.z, p.weights, p.pairs, plan, ode::tableau(c.solver), {.impl = impl});
    const at::Tensor value = slopes ? mix(path.states, 0.1) + mix(path.slopes, 0.9) : mix(path.states, 0.1);
    std::vector<at::Tensor> all = autograd_gradients(value, p.leaves());
    all.push_back(path.states.detach());
    all.push_back(path.slopes.detach());
    return all;
  };
  if (!has_fused_attention()) GTEST_SKIP() << "built without Highway";
  const int before = at::get_num_threads();
  for (bool slopes : {true, false}) {
    const std::vector<at::Tensor> expected = run(at::kDouble, Impl::kReference, slopes);
    for (int threads : {1, 2, 3}) {
      at::set_num_threads(threads);
      for_each_simd([&] {
        const std::vector<at::Tensor> got = run(at::kFloat, Impl::kFused, slopes);
        const std::vector<at::Tensor> again = run(at::kFloat, Impl::kFused, slopes);
        for (std::size_t i = 0; i < got.size(); ++i) {
          SCOPED_TRACE("tensor " + std::to_string(i) + ", " + std::to_string(threads) + " threads");
          expect_close(got[i].to(at::kDouble), expected[i], rounding(at::kFloat, 64 * c.hidden));
          EXPECT_TRUE(got[i].equal(again[i]));
        }
      });
    }
  }
  at::set_num_threads(before);
}

// Factors rounded to bf16 have a relative error of 2^-9 each, as on a GPU: a gradient passes about 20 roundings per
// step, 2^-9 sqrt(20 steps) is 0.02 for five steps, and cancellation adds to that. Squares have one sign, so that it
// stays small. A CPU without bf16 products refuses.
TEST_P(FusedSolveTest, Bf16IsNearFloat64) {
  const SolveCase& c = GetParam();
  auto run = [&](at::ScalarType dtype, const SolveOptions& options, bool slopes) {
    const Problem p = make_problem(c.systems, c.lists, c.width, c.hidden, dtype, c.weighted, c.sparse);
    const ode::StepPlan plan = ode::fixed_plan(p.row_offsets, c.horizons, 0.1);
    const ode::Trajectory path = graph_rk(p.z, p.weights, p.pairs, plan, ode::tableau(c.solver), options);
    at::Tensor value = path.states.square().sum();
    if (slopes) value = value + path.slopes.square().sum();
    std::vector<at::Tensor> all = autograd_gradients(value, p.leaves());
    all.push_back(path.states.detach());
    all.push_back(path.slopes.detach());
    return all;
  };
  if (!has_fused_attention()) GTEST_SKIP() << "built without Highway";
  const SolveOptions bf16{.impl = Impl::kFused, .precision = Precision::kBf16};
  if (!has_bf16(at::kCPU)) {
    EXPECT_THROW(run(at::kFloat, bf16, false), c10::ValueError);
    return;
  }
  const int before = at::get_num_threads();
  for (bool slopes : {true, false}) {
    const std::vector<at::Tensor> expected = run(at::kDouble, {.impl = Impl::kReference}, slopes);
    for (int threads : {1, 2}) {
      at::set_num_threads(threads);
      const std::vector<at::Tensor> got = run(at::kFloat, bf16, slopes), again = run(at::kFloat, bf16, slopes);
      for (std::size_t i = 0; i < got.size(); ++i) {
        SCOPED_TRACE("tensor " + std::to_string(i) + ", " + std::to_string(threads) + " threads");
        EXPECT_LE(relative_error(got[i], expected[i]), c.hidden < 24 ? 1e-1 : 3e-2);
        EXPECT_TRUE(got[i].equal(again[i]));
      }
    }
  }
  at::set_num_threads(before);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, FusedSolveTest,
    ::testing::Values(
        SolveCase{"usual",
                  {5, 5, 5, 5, 5, 5, 5, 5, 5, 5},
                  std::vector<double>(10, 0.5),
                  2,
                  80,
                  128,
                  false,
                  false,
                  ode::Solver::kRk4},
        SolveCase{"ragged", {4, 1, 7, 2}, {0.6, 0.35, 0.35, 0.0}, 3, 5, 11, true, false, ode::Solver::kRk4Classic},
        SolveCase{"rising", {2, 3}, {0.2, 0.5}, 2, 16, 16, false, true, ode::Solver::kRk4},
        SolveCase{"no_neighbours", {1, 1, 1}, {0.3, 0.3, 0.2}, 2, 7, 9, false, false, ode::Solver::kRk4},
        SolveCase{"one_object", {1}, {0.3}, 2, 7, 9, false, false, ode::Solver::kMidpoint},
        SolveCase{"no_steps", {2, 2}, {0.0, 0.0}, 1, 3, 4, false, false, ode::Solver::kRk4},
        SolveCase{"nothing", {}, {}, 2, 5, 8, false, false, ode::Solver::kRk4},
        SolveCase{"large_system", {40}, {0.2}, 2, 16, 24, true, false, ode::Solver::kEuler}),
    [](const auto& c) { return c.param.name; });

// Kept and recomputed values are the same: gradients agree bit for bit for every memory limit, also if tiles keep
// different amounts.
TEST(GraphRkTest, GradientsDoNotDependOnWhatIsKept) {
  if (!has_fused_attention()) GTEST_SKIP() << "built without Highway";
  const Problem p = make_problem(std::vector<std::int64_t>(64, 5), 2, 10, 16, at::kFloat, true);
  const ode::StepPlan plan = ode::fixed_plan(p.row_offsets, std::vector<double>(64, 0.5), 0.1);
  auto run = [&](std::int64_t limit, cpu::KeptTiles& kept) {
    const ode::Trajectory path = cpu::solve_graph(p.z, p.weights, p.pairs, plan, ode::tableau(ode::Solver::kRk4),
                                                  nullptr, {}, Precision::kFloat32, limit, &kept);
    std::vector<at::Tensor> all = autograd_gradients(mix(path.states, 0.1) + mix(path.slopes, 0.9), p.leaves());
    all.push_back(path.states.detach());
    return all;
  };
  for_each_simd([&] {
    cpu::KeptTiles most;
    const std::vector<at::Tensor> expected = run(cpu::kMostKept, most);
    ASSERT_GE(most.hidden, 4);
    ASSERT_EQ(most.messages + most.nothing, 0);
    bool none = false, all_messages = false, some_messages = false, some_hidden = false;
    for (std::int64_t limit = 0; limit < 1'000'000; limit += 50'000) {
      cpu::KeptTiles kept;
      const std::vector<at::Tensor> got = run(limit, kept);
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(got[i].equal(expected[i])) << "tensor " << i << ", limit " << limit;
      none = none || kept.nothing == most.hidden;
      all_messages = all_messages || kept.messages == most.hidden;
      some_messages = some_messages || (kept.nothing > 0 && kept.messages > 0);
      some_hidden = some_hidden || (kept.messages > 0 && kept.hidden > 0);
    }
    EXPECT_TRUE(none && all_messages && some_messages && some_hidden);
  });
}

// Without gradients nothing is kept and no transpose is packed; the results are the same.
TEST(GraphRkTest, SameNumbersWithoutGradients) {
  if (!has_fused_attention()) GTEST_SKIP() << "built without Highway";
  const Problem p = make_problem({5, 3, 1}, 2, 10, 16, at::kFloat, true);
  const ode::StepPlan plan = ode::fixed_plan(p.row_offsets, {0.5, 0.5, 0.2}, 0.1);
  auto run = [&](cpu::KeptTiles& kept) {
    return cpu::solve_graph(p.z, p.weights, p.pairs, plan, ode::tableau(ode::Solver::kRk4), nullptr, {},
                            Precision::kFloat32, cpu::kMostKept, &kept);
  };
  cpu::KeptTiles with, without;
  const ode::Trajectory expected = run(with);
  at::NoGradGuard no_grad;
  const ode::Trajectory got = run(without);
  EXPECT_TRUE(got.states.equal(expected.states) && got.slopes.equal(expected.slopes));
  EXPECT_GT(with.hidden, 0);
  EXPECT_EQ(without.hidden + without.messages, 0);
}

TEST(GraphFieldTest, WrongArgumentsAreRefused) {
  const Problem p = make_problem({3}, 2, 4, 6, at::kDouble, false);
  EXPECT_THROW(graph_field(at::zeros({4, 4}, at::kDouble), p.weights, p.pairs), c10::ValueError);
  EXPECT_THROW(graph_field(at::zeros({3, 5}, at::kDouble), p.weights, p.pairs), c10::ValueError);
}

}  // namespace
}  // namespace lgode::ops
