// The solve with ties, jumps and rows that come and go: the reference by hand, the fused form against the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lgode/core/random.h"
#include "lgode/ops/graph_rk.h"
#include "ops/cpu/graph_rk.h"
#include "support/graph_problem.h"
#include "support/numeric.h"
#include "support/simd.h"

namespace lgode::ops {
namespace {

using lgode::testing::autograd_gradients;
using lgode::testing::expect_close;
using lgode::testing::expect_gradients;
using lgode::testing::for_each_simd;
using lgode::testing::make_problem;
using lgode::testing::mix;
using lgode::testing::Problem;
using lgode::testing::random_tensor;
using lgode::testing::rounding;

const ode::Tableau& rk4() { return ode::tableau(ode::Solver::kRk4); }

struct Case {
  Problem problem;
  ode::StepPlan plan;
  Assimilation assimilation;

  std::vector<at::Tensor> leaves() const {
    std::vector<at::Tensor> all = problem.leaves();
    all.push_back(assimilation.keep), all.push_back(assimilation.add);
    return all;
  }
  // Whether the row's system has this node.
  bool reaches(std::int64_t row, std::int64_t node) const {
    const auto after = std::upper_bound(plan.row_offsets.begin(), plan.row_offsets.end(), row);
    return node <= plan.steps(after - plan.row_offsets.begin() - 1);
  }
  // Values beyond the end of a system are undefined, and zero here.
  ode::Trajectory solve(Impl impl, Precision precision = Precision::kFloat32) const {
    ode::Trajectory path = assimilating_rk(problem.z, problem.weights, problem.pairs, plan, rk4(), assimilation,
                                           {.impl = impl, .precision = precision});
    std::vector<double> mask;
    for (std::int64_t k = 0; k <= plan.max_steps(); ++k)
      for (std::int64_t row = 0; row < plan.rows(); ++row) mask.push_back(reaches(row, k) ? 1.0 : 0.0);
    const at::Tensor there =
        at::tensor(mask, at::kDouble).to(problem.z.scalar_type()).view({plan.max_steps() + 1, plan.rows(), 1});
    path.states = path.states * there, path.slopes = path.slopes * there;
    if (!assimilation.events.read.empty())
      path.slopes = path.slopes * at::tensor(assimilation.events.read, at::kByte)
                                      .to(problem.z.scalar_type())
                                      .view({plan.max_steps() + 1, plan.rows(), 1});
    return path;
  }
};

// Every system has its own nodes; between two of them jumps of some rows. Rows are present from a random node on.
Case make_case(const std::vector<std::int64_t>& systems, std::int64_t width, std::int64_t hidden, at::ScalarType dtype,
               std::int64_t nodes, bool come_and_go) {
  Case c{make_problem(systems, 2, width, hidden, dtype, true), {}, {}};
  Random random(5, RandomUse::kTest);
  c.plan.row_offsets = c.problem.row_offsets;
  for (std::size_t s = 0; s < systems.size(); ++s) {
    std::vector<double> times{0, 0};  // a jump at the start
    for (std::int64_t k = 1; k < nodes - static_cast<std::int64_t>(s % 3); ++k) {
      const double t = times.back() + 0.02 + 0.1 * random.uniform();
      times.insert(times.end(), {t, t});
    }
    c.plan.nodes.push_back(times);
  }
  const std::int64_t rows = c.plan.rows(), steps = c.plan.max_steps();
  Events& events = c.assimilation.events;
  events.ties = {{0, 2, 1.7, false}, {1, 3, 0.6, true}};
  events.jump.assign(static_cast<std::size_t>(steps * rows), -1);
  std::int32_t jumps = 0;
  for (std::int64_t k = 0; k < steps; k += 2)
    for (std::int64_t row = 0; row < rows; ++row)
      if (random.coin() && c.reaches(row, k + 1)) events.jump[k * rows + row] = jumps++;
  if (come_and_go) {
    events.present.assign(static_cast<std::size_t>((steps + 1) * rows), 1);
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t k = 0; k < static_cast<std::int64_t>(random.below(5)); ++k) events.present[k * rows + row] = 0;
  }
  // Slopes before jumps that are not read, in the first system and for some rows of the others.
  events.read.assign(static_cast<std::size_t>((steps + 1) * rows), 1);
  for (std::int64_t k = 0; k < steps; k += 2)
    for (std::int64_t row = 0; row < rows; ++row)
      if (row < c.plan.row_offsets[1] || random.coin()) events.read[k * rows + row] = 0;
  c.assimilation.keep = random_tensor({jumps, width}, random, 0.5).to(dtype).requires_grad_(true);
  c.assimilation.add = random_tensor({jumps, width}, random, 0.5).to(dtype).requires_grad_(true);
  return c;
}

TEST(AssimilatingRkTest, WithoutEventsItIsThePlainSolve) {
  const Problem p = make_problem({3, 2}, 2, 4, 6, at::kDouble, true);
  const ode::StepPlan plan = ode::fixed_plan(p.row_offsets, {0.3, 0.3}, 0.1);
  const ode::Trajectory plain = graph_rk(p.z, p.weights, p.pairs, plan, rk4(), {.impl = Impl::kReference});
  const ode::Trajectory other = assimilating_rk(p.z, p.weights, p.pairs, plan, rk4(), {}, {.impl = Impl::kReference});
  expect_close(other.states, plain.states, 1e-14);
  expect_close(other.slopes, plain.slopes, 1e-14);
}

TEST(AssimilatingRkTest, ATiedPositionMovesWithItsVelocity) {
  Problem p = make_problem({2}, 1, 4, 5, at::kDouble, false);
  at::NoGradGuard no_grad;
  p.weights.w3.zero_(), p.weights.b3.zero_();  // the network says nothing
  const ode::StepPlan plan = ode::fixed_plan(p.row_offsets, {0.5}, 0.1);
  const Assimilation a{
      .events = {.ties = {{0, 2, 3.0, false}, {1, 3, 0.5, true}}, .jump = {}, .present = {}, .read = {}, .precise = 0},
      .keep = {},
      .add = {}};
  for (const Impl impl : {Impl::kReference, Impl::kAuto}) {
    const ode::Trajectory path = assimilating_rk(p.z, p.weights, p.pairs, plan, rk4(), a, {.impl = impl});
    expect_close(path.states[5].select(1, 0), p.z.select(1, 0) + 0.5 * 3.0 * p.z.select(1, 2), 1e-12);
    expect_close(path.states[5].select(1, 1), p.z.select(1, 1) + 0.5 * 0.5 * p.z.select(1, 3), 1e-12);
    expect_close(path.states[5].select(1, 2), p.z.select(1, 2), 1e-14);
  }
}

TEST(AssimilatingRkTest, AJumpKeepsAndAdds) {
  Problem p = make_problem({2}, 1, 3, 5, at::kDouble, false);
  at::NoGradGuard no_grad;
  p.weights.w3.zero_(), p.weights.b3.zero_();
  const ode::StepPlan plan{{0, 2}, {{0, 0.1, 0.1, 0.2}}};
  Assimilation a;
  a.events.jump = {-1, -1, -1, 0, -1, -1};
  a.keep = at::tensor({0.0, 0.5, 1.0}, at::kDouble).unsqueeze(0);
  a.add = at::tensor({7.0, 1.0, 0.0}, at::kDouble).unsqueeze(0);
  const ode::Trajectory path = assimilating_rk(p.z, p.weights, p.pairs, plan, rk4(), a, {.impl = Impl::kReference});
  expect_close(path.states[1], p.z, 1e-14);
  expect_close(path.states[3][0], p.z[0], 1e-14);
  expect_close(path.states[3][1], a.keep[0] * p.z[1] + a.add[0], 1e-14);
}

// An absent row is frozen and does not affect other rows.
TEST(AssimilatingRkTest, AbsentRowsActOnNobody) {
  const Problem p = make_problem({3}, 2, 4, 6, at::kDouble, true);
  const ode::StepPlan plan = ode::fixed_plan(p.row_offsets, {0.3}, 0.1);
  Assimilation a;
  a.events.present = {1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1};
  const auto solve = [&](const at::Tensor& z) {
    return assimilating_rk(z, p.weights, p.pairs, plan, rk4(), a, {.impl = Impl::kReference}).states.detach();
  };
  at::Tensor other = p.z.detach().clone();
  other[1].add_(10.0);
  const at::Tensor x = solve(p.z.detach()), y = solve(other);
  for (const std::int64_t row : {0, 2}) {
    expect_close(x[2][row], y[2][row], 1e-14);
    EXPECT_GT((x[3][row] - y[3][row]).abs().max().item<double>(), 1e-6);  // from node 2 on it is there
  }
  expect_close(x[2][1], p.z[1].detach(), 1e-14);
}

TEST(AssimilatingRkTest, GradientsMatchFiniteDifferences) {
  const Case c = make_case({2, 3}, 4, 3, at::kDouble, 3, true);
  expect_gradients(
      [&] {
        const ode::Trajectory path = c.solve(Impl::kReference);
        return mix(path.states.flatten(0, 1), 0.3) + mix(path.slopes.flatten(0, 1), 0.7);
      },
      c.leaves());
}

TEST(AssimilatingRkTest, FusedAgreesWithTheReference) {
  for (const bool come_and_go : {false, true}) {
    const Case wide = make_case({5, 1, 4, 7}, 13, 24, at::kDouble, 5, come_and_go);
    const Case c = make_case({5, 1, 4, 7}, 13, 24, at::kFloat, 5, come_and_go);
    if (!cpu::can_solve_graph(c.problem.z, rk4(), ode::Gradient::kRecompute)) GTEST_SKIP() << "no fused solve here";
    const ode::Trajectory expected = wide.solve(Impl::kReference);
    const auto loss = [](const ode::Trajectory& path) {
      return mix(path.states.flatten(0, 1), 0.3) + mix(path.slopes.flatten(0, 1), 0.7);
    };
    const auto gradients = autograd_gradients(loss(expected), wide.leaves());
    for_each_simd([&] {
      const ode::Trajectory path = c.solve(Impl::kAuto);
      expect_close(path.states.to(at::kDouble), expected.states, rounding(at::kFloat, 256));
      expect_close(path.slopes.to(at::kDouble), expected.slopes, rounding(at::kFloat, 512));
      const auto own = autograd_gradients(loss(path), c.leaves());
      for (std::size_t i = 0; i < own.size(); ++i)
        expect_close(own[i].to(at::kDouble), gradients[i],
                     rounding(at::kFloat, 2048) * (1 + gradients[i].abs().max().item<double>()));
    });
  }
}

// Tolerance as for the solve without events (graph_rk_test.cpp).
TEST(AssimilatingRkTest, Bf16IsNearFloat64) {
  if (!has_bf16(at::kCPU)) GTEST_SKIP() << "this CPU has no bf16 dot products, or they are switched off";
  for (const bool come_and_go : {false, true})
    for (const std::int64_t precise : {0, 3}) {
      Case wide = make_case({5, 1, 4, 7}, 13, 24, at::kDouble, 5, come_and_go);
      Case c = make_case({5, 1, 4, 7}, 13, 24, at::kFloat, 5, come_and_go);
      c.assimilation.events.precise = precise;
      const auto run = [](const Case& of, Impl impl, Precision precision) {
        const ode::Trajectory path = of.solve(impl, precision);
        auto all = autograd_gradients(path.states.square().sum() + path.slopes.square().sum(), of.leaves());
        all.push_back(path.states.detach()), all.push_back(path.slopes.detach());
        return all;
      };
      const auto expected = run(wide, Impl::kReference, Precision::kFloat32);
      const auto got = run(c, Impl::kFused, Precision::kBf16);
      for (std::size_t i = 0; i < got.size(); ++i) {
        SCOPED_TRACE("tensor " + std::to_string(i));
        EXPECT_LE(((got[i].to(at::kDouble) - expected[i]).norm() / expected[i].norm()).item<double>(), 5e-2);
      }
    }
}

// A field that subtracts 1000 from the first column: around there bf16 numbers are 4 apart, and only a precise column
// has digits left after the subtraction.
TEST(AssimilatingRkTest, Bf16KeepsTheDigitsOfPreciseColumns) {
  if (!has_bf16(at::kCPU)) GTEST_SKIP() << "this CPU has no bf16 dot products, or they are switched off";
  Problem p = make_problem({3, 2}, 2, 4, 5, at::kFloat, false);
  at::NoGradGuard no_grad;
  for (at::Tensor& t : p.weights.tensors()) t.zero_();
  p.weights.w1[0][0] = 1.0, p.weights.b1[0] = -1000.0;
  p.weights.w2[0][0] = 1.0, p.weights.w3[1][0] = 1.0;
  p.z.zero_();
  p.z.select(1, 0).fill_(1000.3);
  const ode::StepPlan plan = ode::fixed_plan(p.row_offsets, {0.1, 0.1}, 0.1);
  const auto slope = [&](std::int64_t precise) {
    Assimilation a;
    a.events.precise = precise;
    const ode::Trajectory path =
        assimilating_rk(p.z, p.weights, p.pairs, plan, rk4(), a, {.impl = Impl::kFused, .precision = Precision::kBf16});
    return path.slopes[0].select(1, 1);
  };
  expect_close(slope(2), at::full({5}, 0.3), 0.003);
  expect_close(slope(0), at::zeros({5}), 1e-6);
}

TEST(AssimilatingRkTest, WrongArgumentsAreRefused) {
  Case c = make_case({2}, 4, 3, at::kDouble, 2, false);
  c.assimilation.events.jump.pop_back();
  EXPECT_THROW(c.solve(Impl::kReference), c10::ValueError);
  c = make_case({2}, 4, 3, at::kDouble, 2, false);
  c.assimilation.events.ties = {{0, 9, 1.0, false}};
  EXPECT_THROW(c.solve(Impl::kReference), c10::ValueError);
  c = make_case({2}, 4, 3, at::kDouble, 2, false);
  c.assimilation.add = at::zeros({1, 4}, at::kDouble);
  EXPECT_THROW(c.solve(Impl::kReference), c10::ValueError);
}

}  // namespace
}  // namespace lgode::ops
