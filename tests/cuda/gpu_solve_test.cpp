// Fused solves of the graph ODE on a GPU, in every precision, against the reference in float64 on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cuda/gpu.h"
#include "lgode/core/random.h"
#include "lgode/ops/graph_rk.h"
#include "support/numeric.h"
#include "support/temporal.h"

namespace lgode {
namespace {

using lgode::testing::autograd_gradients;
using lgode::testing::expect_close;
using lgode::testing::kGpu;
using lgode::testing::random_tensor;
using lgode::testing::relative_error;
using lgode::testing::rounding;

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

  ops::DynamicsWeights weights_of(const std::vector<at::Tensor>& own) const {
    ops::DynamicsWeights w;
    for (std::size_t r = 0; r < lists; ++r)
      w.messages.push_back({own[4 * r], own[4 * r + 1], own[4 * r + 2], own[4 * r + 3]});
    const std::size_t o = 4 * lists;
    w.w1 = own[o], w.b1 = own[o + 1], w.w2 = own[o + 2], w.b2 = own[o + 3], w.w3 = own[o + 4], w.b3 = own[o + 5];
    return w;
  }
  ops::PairGraph pairs_in(at::ScalarType dtype) const {
    ops::PairGraph graph = pairs;
    for (auto& list : graph.lists)
      if (list.weight.defined()) list.weight = list.weight.to(dtype);
    return graph;
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
    // Slopes before jumps that are not read: in the first systems only, so that tiles differ.
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
    const ops::DynamicsWeights w = weights_of(own);
    ode::StepPlan plan = ode::fixed_plan(row_offsets, horizons, 0.1);
    ops::Assimilation assimilation;
    if (with_events) {
      assimilation = assimilate(plan);
      for (at::Tensor* t : {&assimilation.keep, &assimilation.add})
        own.push_back(*t = t->to(dtype).to(device).requires_grad_(true));
    }
    const at::Tensor start = own[4 * lists + 6];
    ops::PairGraph graph = pairs_in(dtype);
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
    const ops::DynamicsWeights w = d.weights_of(own);
    ops::PairGraph graph = d.pairs_in(dtype);
    ops::Upload upload(device);
    const at::Tensor start = own.back().clone();
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

}  // namespace
}  // namespace lgode
