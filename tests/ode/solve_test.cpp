// Plans, fixed steps and their gradients, compared with known solutions, finite differences and each other.
#include "lgode/ode/solve.h"

#include <torch/csrc/autograd/autograd.h>

#include <memory>

#include "ode/support.h"

namespace lgode::ode {
namespace {

using testing::CoupledField;
using testing::expect_close;
using testing::kSolvers;
using testing::mix;

TEST(Plan, FixedReachesOrPassesTheHorizon) {
  const StepPlan plan = fixed_plan({0, 2, 3, 6, 7}, {0.31, 0.3, 0.7 - 1e-16, 0}, 0.1);
  EXPECT_EQ(plan.steps(0), 4);
  EXPECT_EQ(plan.steps(1), 3);
  EXPECT_EQ(plan.steps(2), 7);
  EXPECT_EQ(plan.steps(3), 0);
  EXPECT_EQ(plan.nodes[0][3], 3 * 0.1);
  EXPECT_EQ(plan.max_steps(), 7);
  EXPECT_EQ(plan.rows(), 7);
  EXPECT_FALSE(plan.descending());
  EXPECT_EQ(plan.active_rows(6), 7);
}

TEST(Plan, DescendingLeavesOutWhatHasEnded) {
  const StepPlan plan = fixed_plan({0, 2, 3, 6}, {0.4, 0.4, 0.1}, 0.1);
  EXPECT_TRUE(plan.descending());
  EXPECT_EQ(plan.active_rows(0), 6);
  EXPECT_EQ(plan.active_rows(1), 3);
  EXPECT_EQ(plan.active_rows(3), 3);
  EXPECT_EQ(plan.active_rows(4), 0);
}

TEST(Plan, AHorizonShorterThanAStepTakesOne) { EXPECT_EQ(fixed_plan({0, 1}, {1e-12}, 0.1).steps(0), 1); }

TEST(Plan, UnionIsSharedSortedAndRefined) {
  const StepPlan plan = union_plan({0, 1, 4}, {0.5, 0.2, 0.5, 0.2}, 2);
  ASSERT_EQ(plan.systems(), 2);
  EXPECT_EQ(plan.nodes[0], plan.nodes[1]);
  ASSERT_EQ(plan.steps(0), 4);
  const std::vector<double> expected{0, 0.1, 0.2, 0.35, 0.5};
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_DOUBLE_EQ(plan.nodes[0][k], expected[k]);
  }
  EXPECT_EQ(union_plan({0, 1}, {}, 1).steps(0), 0);
}

TEST(Plan, RejectsInvalidArguments) {
  EXPECT_THROW(fixed_plan({0, 1}, {1.0}, 0), c10::ValueError);
  EXPECT_THROW(fixed_plan({0, 1}, {-1.0}, 0.1), c10::ValueError);
  EXPECT_THROW(fixed_plan({0, 1}, {NAN}, 0.1), c10::ValueError);
  EXPECT_THROW(fixed_plan({0, 1}, {1e30}, 0.1), c10::ValueError);  // more steps than a whole number counts
  EXPECT_THROW(fixed_plan({0, 1}, {1e9}, 0.1), c10::ValueError);   // more than fit a memory
  EXPECT_THROW(fixed_plan({0, 1}, {1.0, 1.0}, 0.1), c10::ValueError);
  EXPECT_THROW(fixed_plan({1, 0}, {1.0}, 0.1), c10::ValueError);
  EXPECT_THROW(union_plan({0, 1}, {-0.1}, 1), c10::ValueError);
  EXPECT_THROW(union_plan({0, 1}, {0.1}, 0), c10::ValueError);
}

// Neither linear nor autonomous. The expected solution is computed by a high-order rule with small steps.
Field nonlinear() {
  return {.rate = [](const at::Tensor& t, const at::Tensor& y) { return at::sin(y * 2 + t); },
          .parameters = {},
          .autonomous = false};
}

TEST(Solve, ConvergesWithTheOrderOfTheRule) {
  const at::Tensor y0 = testing::vector_of({0.5, 1.0, 1.5}).view({3, 1});
  // The states at every eighth of a time unit, with this many steps in between.
  const auto states = [&](const Tableau& rule, std::int64_t steps) {
    const StepPlan plan = fixed_plan({0, 1, 3}, {1.5, 1.5}, 0.125 / static_cast<double>(steps));
    return solve(nonlinear(), y0, plan, rule).states.slice(0, 0, c10::nullopt, steps);
  };
  const at::Tensor truth = states(tableau(Solver::kTsit5), 128);
  for (const Solver solver : kSolvers) {
    const Tableau& rule = tableau(solver);
    SCOPED_TRACE(rule.name);
    const double coarse = testing::distance(states(rule, 2), truth);
    const double fine = testing::distance(states(rule, 4), truth);
    const double observed = std::log2(coarse / fine);
    EXPECT_GT(observed, rule.order - 0.2);
    // If the leading error term is small, the next one dominates at these step sizes: the observed order is higher.
    EXPECT_LT(observed, rule.order + 0.8);
  }
}

TEST(Solve, KnownSolutions) {
  // exp(sin t), and the oscillator cos t, sin t in two coupled rows.
  const Field wave{.rate = [](const at::Tensor& t, const at::Tensor& y) { return y * at::cos(t); },
                   .parameters = {},
                   .autonomous = false};
  const Field oscillator{.rate =
                             [](const at::Tensor& t, const at::Tensor& y) {
                               EXPECT_FALSE(t.defined());
                               return at::stack({-y[1], y[0]});
                             },
                         .parameters = {},
                         .autonomous = true};
  const at::Tensor one = at::ones({1, 1}, at::kDouble);
  for (const Solver solver : {Solver::kRk4, Solver::kRk4Classic, Solver::kDopri5, Solver::kTsit5}) {
    const Trajectory a = solve(wave, one, fixed_plan({0, 1}, {2.0}, 0.01), tableau(solver));
    expect_close(a.states[200], one * std::exp(std::sin(2.0)), 1e-8);
    expect_close(a.slopes[200], one * std::exp(std::sin(2.0)) * std::cos(2.0), 1e-8);
    const Trajectory b =
        solve(oscillator, testing::vector_of({1, 0}).view({2, 1}), fixed_plan({0, 2}, {2.0}, 0.01), tableau(solver));
    expect_close(b.states[100], testing::vector_of({std::cos(1.0), std::sin(1.0)}).view({2, 1}), 1e-8);
    if (b.mids.defined()) {
      expect_close(b.mids[99], testing::vector_of({std::cos(0.995), std::sin(0.995)}).view({2, 1}), 1e-11);
    }
  }
}

struct Setting {
  std::vector<std::int64_t> offsets;
  std::vector<double> horizons;
};
// Systems with different numbers of rows, one without steps; with falling numbers of steps, and in another order.
const std::vector<Setting> kSettings{
    {{0, 2, 5}, {0.5, 0.5}}, {{0, 2, 5, 6, 8}, {0.6, 0.4, 0.2, 0}}, {{0, 2, 5, 6, 8}, {0.2, 0.6, 0, 0.4}}};

// A scalar that depends on all outputs of a trajectory.
at::Tensor loss(const Trajectory& trajectory) {
  at::Tensor sum = mix(trajectory.states, 0.1) + mix(trajectory.slopes, 0.5);
  if (trajectory.mids.defined()) {
    sum = sum + mix(trajectory.mids, 0.9);
  }
  std::vector<std::int64_t> rows;
  std::vector<double> times;
  for (std::int64_t s = 0; s < trajectory.plan.systems(); ++s) {
    for (const double part : {0.0, 0.13, 0.52, 0.77, 1.0}) {
      rows.push_back(trajectory.plan.row_offsets[s]);
      times.push_back(part * trajectory.plan.nodes[s].back());
    }
  }
  return sum + mix(read(trajectory, rows, times, 2), 0.3);
}

std::vector<at::Tensor> gradients(const at::Tensor& value, const at::Tensor& y0, const CoupledField& field) {
  std::vector<at::Tensor> inputs{y0};
  inputs.insert(inputs.end(), field.parameters.begin(), field.parameters.end());
  return torch::autograd::grad({value}, inputs);
}

TEST(SolveGradient, RecomputedAndStoredAgreeWithFiniteDifferences) {
  for (const Setting& setting : kSettings) {
    const StepPlan plan = fixed_plan(setting.offsets, setting.horizons, 0.2);
    for (const bool autonomous : {true, false}) {
      const CoupledField field(setting.offsets, autonomous);
      const at::Tensor y0 = CoupledField::start(plan.rows()).requires_grad_();
      for (const Solver solver : kSolvers) {
        const Tableau& rule = tableau(solver);
        SCOPED_TRACE(rule.name);
        const auto value = [&](Gradient gradient) { return loss(solve(field.field(), y0, plan, rule, gradient)); };
        const auto recomputed = gradients(value(Gradient::kRecompute), y0, field);
        const auto stored = gradients(value(Gradient::kStored), y0, field);
        std::vector<at::Tensor> inputs{y0};
        inputs.insert(inputs.end(), field.parameters.begin(), field.parameters.end());
        const auto numeric = testing::numeric_gradients([&] { return value(Gradient::kRecompute); }, inputs);
        for (std::size_t i = 0; i < stored.size(); ++i) {
          expect_close(recomputed[i], stored[i], 1e-12);
          expect_close(recomputed[i], numeric[i], 1e-8);
        }
      }
    }
  }
}

TEST(SolveGradient, EachOutputByItself) {
  const Setting& setting = kSettings[1];
  const StepPlan plan = fixed_plan(setting.offsets, setting.horizons, 0.2);
  const CoupledField field(setting.offsets, false);
  const at::Tensor y0 = CoupledField::start(plan.rows()).requires_grad_();
  for (const Solver solver : {Solver::kRk4, Solver::kTsit5}) {
    for (int output = 0; output < (solver == Solver::kTsit5 ? 3 : 2); ++output) {
      const auto value = [&](Gradient gradient) {
        const Trajectory trajectory = solve(field.field(), y0, plan, tableau(solver), gradient);
        return mix(output == 0 ? trajectory.states : output == 1 ? trajectory.slopes : trajectory.mids, 0.2);
      };
      const auto recomputed = gradients(value(Gradient::kRecompute), y0, field);
      const auto stored = gradients(value(Gradient::kStored), y0, field);
      for (std::size_t i = 0; i < stored.size(); ++i) {
        expect_close(recomputed[i], stored[i]);
      }
    }
  }
}

TEST(SolveGradient, AdjointConvergesWithTheOrderOfTheRule) {
  const std::vector<std::int64_t> offsets{0, 2, 5, 6};
  const CoupledField field(offsets, false);
  const at::Tensor y0 = CoupledField::start(6).requires_grad_();
  for (const Solver solver : kSolvers) {
    const Tableau& rule = tableau(solver);
    SCOPED_TRACE(rule.name);
    const auto gap = [&](double step) {
      const auto value = [&](Gradient gradient) {
        // Numbers of steps do not fall from system to system: rows of ended systems take part with step size 0.
        const StepPlan plan = fixed_plan(offsets, {0.8, 0.4, 1.6}, step);
        const Trajectory trajectory = solve(field.field(), y0, plan, rule, gradient);
        return mix(read(trajectory, {0, 1, 2, 3, 4, 5, 5, 0}, {0.8, 0.8, 0.4, 0.4, 0.4, 0.8, 1.6, 0.4}, 3), 0.2);
      };
      const auto adjoint = gradients(value(Gradient::kAdjoint), y0, field);
      const auto exact = gradients(value(Gradient::kRecompute), y0, field);
      double worst = 0;
      for (std::size_t i = 0; i < exact.size(); ++i) {
        worst = std::max(worst, testing::distance(adjoint[i], exact[i]));
      }
      return worst;
    };
    const double coarse = gap(0.1), fine = gap(0.05);
    EXPECT_LT(fine, 0.1);
    EXPECT_GT(std::log2(coarse / fine), rule.order - 0.4) << coarse << " " << fine;
  }
}

TEST(SolveGradient, AdjointTakesSlopesAndMids) {
  const Setting& setting = kSettings[2];
  const CoupledField field(setting.offsets, true);
  const at::Tensor y0 = CoupledField::start(8).requires_grad_();
  const auto value = [&](Gradient gradient) {
    return loss(solve(field.field(), y0, fixed_plan(setting.offsets, setting.horizons, 0.02), tableau(Solver::kDopri5),
                      gradient));
  };
  const auto adjoint = gradients(value(Gradient::kAdjoint), y0, field);
  const auto exact = gradients(value(Gradient::kRecompute), y0, field);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    expect_close(adjoint[i], exact[i], 1e-7);
  }
}

void expect_same_alone(const Setting& setting, std::int64_t s, const Tableau& rule, Gradient gradient) {
  const StepPlan plan = fixed_plan(setting.offsets, setting.horizons, 0.2);
  const CoupledField batch(setting.offsets, false);
  const at::Tensor y0 = CoupledField::start(plan.rows()).requires_grad_();
  const Trajectory all = solve(batch.field(), y0, plan, rule, gradient);

  const std::int64_t first = setting.offsets[s], rows = setting.offsets[s + 1] - first, K = plan.steps(s);
  const CoupledField single({0, rows}, false);
  const at::Tensor start = y0.detach().narrow(0, first, rows).clone().requires_grad_();
  const Trajectory alone =
      solve(single.field(), start, fixed_plan({0, rows}, {setting.horizons[s]}, 0.2), rule, gradient);

  const at::Tensor states = all.states.narrow(1, first, rows), slopes = all.slopes.narrow(1, first, rows);
  expect_close(states.narrow(0, 0, K + 1), alone.states);
  expect_close(slopes.narrow(0, 0, K + 1), alone.slopes);
  const std::int64_t beyond = plan.max_steps() - K;
  EXPECT_EQ(states.narrow(0, K + 1, beyond).abs().sum().item<double>(), 0);
  EXPECT_EQ(slopes.narrow(0, K + 1, beyond).abs().sum().item<double>(), 0);

  const auto value = [&](const at::Tensor& x, const at::Tensor& y) { return mix(x, 0.1) + mix(y, 0.2); };
  const auto together = gradients(value(states.narrow(0, 0, K + 1), slopes.narrow(0, 0, K + 1)), y0, batch);
  const auto apart = gradients(value(alone.states, alone.slopes), start, single);
  expect_close(together[0].narrow(0, first, rows), apart[0]);
  for (std::size_t i = 1; i < apart.size(); ++i) {
    expect_close(together[i], apart[i]);
  }
}

TEST(Solve, ASystemIsTheSameAloneAndInABatch) {
  for (const std::size_t which : {1, 2}) {
    for (const Solver solver : {Solver::kRk4, Solver::kDopri5}) {
      for (const Gradient gradient : {Gradient::kRecompute, Gradient::kStored, Gradient::kAdjoint}) {
        for (std::int64_t s = 0; s < 4; ++s) {
          expect_same_alone(kSettings[which], s, tableau(solver), gradient);
        }
      }
    }
  }
}

TEST(Solve, FieldMayBeUndefinedAtZeroAfterASystemsEnd) {
  // 1 / y is not finite at zero, the value of outputs beyond a system's end.
  const at::Tensor scale = at::ones({1}, at::kDouble).requires_grad_();
  const Field field{.rate = [scale](const at::Tensor&, const at::Tensor& y) { return scale / y; },
                    .parameters = {scale},
                    .autonomous = true};
  const at::Tensor y0 = testing::vector_of({1, 2}).view({2, 1}).requires_grad_();
  for (const Gradient gradient : {Gradient::kRecompute, Gradient::kStored, Gradient::kAdjoint}) {
    const Trajectory trajectory =
        solve(field, y0, fixed_plan({0, 1, 2}, {0.1, 1.0}, 0.1), tableau(Solver::kRk4), gradient);
    const auto gradient_of = torch::autograd::grad({trajectory.states.sum()}, {y0, scale});
    EXPECT_TRUE(gradient_of[0].isfinite().all().item<bool>());
    EXPECT_TRUE(gradient_of[1].isfinite().all().item<bool>());
    // y = sqrt(y0^2 + 2 s t)
    EXPECT_NEAR(trajectory.states[10][1][0].item<double>(), std::sqrt(6.0), 1e-7);
  }
}

TEST(Solve, WithoutAStepThereIsTheStartAndItsSlope) {
  const CoupledField field({0, 2}, false);
  const at::Tensor y0 = CoupledField::start(2).requires_grad_();
  for (const Solver solver : kSolvers) {
    for (const Gradient gradient : {Gradient::kRecompute, Gradient::kStored, Gradient::kAdjoint}) {
      const Trajectory trajectory = solve(field.field(), y0, fixed_plan({0, 2}, {0}, 0.1), tableau(solver), gradient);
      ASSERT_EQ(trajectory.states.size(0), 1);
      expect_close(trajectory.states[0], y0);
      expect_close(trajectory.slopes[0], field.field().rate(at::zeros({2, 1}, at::kDouble), y0));
      expect_close(read(trajectory, {1}, {0.0}, 3), y0.narrow(0, 1, 1));
      const auto gradient_of = gradients(loss(trajectory), y0, field);
      EXPECT_GT(gradient_of[1].abs().sum().item<double>(), 0);
    }
  }
}

TEST(Solve, NoRows) {
  const CoupledField field({0}, true);
  const at::Tensor y0 = at::zeros({0, 3}, at::kDouble).requires_grad_();
  for (const Solver solver : {Solver::kRk4, Solver::kDopri5}) {
    const Trajectory none = solve(field.field(), y0, fixed_plan({0}, {}, 0.1), tableau(solver));
    EXPECT_EQ(none.states.sizes(), at::IntArrayRef({1, 0, 3}));
    const Trajectory empty = solve(field.field(), y0, fixed_plan({0, 0}, {0.5}, 0.1), tableau(solver));
    EXPECT_EQ(empty.states.sizes(), at::IntArrayRef({6, 0, 3}));
    empty.states.sum().backward();
  }
}

TEST(Solve, FloatStaysFloat) {
  const CoupledField field({0, 2, 3}, false, at::kFloat), wide({0, 2, 3}, false);
  const StepPlan plan = fixed_plan({0, 2, 3}, {0.4, 0.8}, 0.1);
  const at::Tensor y0 = CoupledField::start(3, at::kFloat).requires_grad_();
  const Trajectory narrow = solve(field.field(), y0, plan, tableau(Solver::kDopri5));
  EXPECT_EQ(narrow.states.scalar_type(), at::kFloat);
  EXPECT_EQ(narrow.mids.scalar_type(), at::kFloat);
  expect_close(narrow.states.to(at::kDouble),
               solve(wide.field(), y0.to(at::kDouble), plan, tableau(Solver::kDopri5)).states, 1e-5);
  loss(narrow).backward();
  EXPECT_EQ(y0.grad().scalar_type(), at::kFloat);
}

TEST(Solve, PreparesNoGradientWhereNoneIsAskedFor) {
  const CoupledField field({0, 2}, true);
  const at::Tensor y0 = CoupledField::start(2);
  const StepPlan plan = fixed_plan({0, 2}, {0.4}, 0.1);
  for (const Gradient gradient : {Gradient::kRecompute, Gradient::kStored, Gradient::kAdjoint}) {
    EXPECT_TRUE(solve(field.field(), y0, plan, tableau(Solver::kRk4), gradient).states.requires_grad());
    at::NoGradGuard no_grad;
    EXPECT_FALSE(solve(field.field(), y0, plan, tableau(Solver::kRk4), gradient).states.requires_grad());
  }
}

TEST(Solve, ParametersThatAreFrozenOrUnusedGetNone) {
  CoupledField field({0, 2}, true);
  field.parameters[1].set_requires_grad(false);
  Field used = field.field();
  used.parameters.push_back(at::ones({2}, at::kDouble).requires_grad_());
  const at::Tensor y0 = CoupledField::start(2);
  for (const Gradient gradient : {Gradient::kRecompute, Gradient::kAdjoint}) {
    solve(used, y0, fixed_plan({0, 2}, {0.4}, 0.1), tableau(Solver::kRk4), gradient).states.sum().backward();
    EXPECT_FALSE(field.parameters[1].grad().defined());
    EXPECT_GT(field.parameters[0].grad().abs().sum().item<double>(), 0);
    EXPECT_EQ(used.parameters.back().grad().abs().sum().item<double>(), 0);
  }
}

TEST(Solve, SecondDerivativesNeedTheStoredGraph) {
  const CoupledField field({0, 2}, true);
  const at::Tensor y0 = CoupledField::start(2).requires_grad_();
  const Trajectory trajectory = solve(field.field(), y0, fixed_plan({0, 2}, {0.4}, 0.1), tableau(Solver::kRk4));
  EXPECT_THROW(torch::autograd::grad({trajectory.states.sum()}, {y0}, {}, true, /*create_graph=*/true), c10::Error);
}

TEST(Solve, EvaluatesNoMoreThanItNeeds) {
  std::int64_t calls = 0, rows = 0;
  const Field counting{.rate =
                           [&](const at::Tensor&, const at::Tensor& y) {
                             ++calls;
                             rows += y.size(0);
                             return -y;
                           },
                       .parameters = {},
                       .autonomous = true};
  const StepPlan plan = fixed_plan({0, 2, 5}, {1.0, 0.5}, 0.1);
  const at::Tensor y0 = at::ones({5, 1}, at::kDouble);
  solve(counting, y0, plan, tableau(Solver::kRk4));
  EXPECT_EQ(calls, 10 * 4 + 1);
  // Five steps of all rows, five of the longer system, and the slope at the end of each system.
  EXPECT_EQ(rows, 5 * 4 * 5 + 5 * 4 * 2 + 3 + 2);
  calls = rows = 0;
  solve(counting, y0, plan, tableau(Solver::kDopri5));
  EXPECT_EQ(calls, 10 * 6 + 1);
}

TEST(Solve, ReleasesTheFieldWithItsTrajectory) {
  const auto token = std::make_shared<int>(0);
  for (const Gradient gradient : {Gradient::kRecompute, Gradient::kStored, Gradient::kAdjoint}) {
    const at::Tensor y0 = CoupledField::start(2).requires_grad_();
    {
      const Field field{.rate = [token](const at::Tensor&, const at::Tensor& y) { return -y; }, .parameters = {}};
      solve(field, y0, fixed_plan({0, 2}, {0.4}, 0.1), tableau(Solver::kDopri5), gradient).states.sum().backward();
    }
    EXPECT_EQ(token.use_count(), 1);
  }
}

TEST(Solve, RejectsInvalidArguments) {
  const CoupledField field({0, 2}, true);
  const at::Tensor y0 = CoupledField::start(2);
  const Tableau& rule = tableau(Solver::kRk4);
  EXPECT_THROW(solve(field.field(), y0, fixed_plan({0, 3}, {0.4}, 0.1), rule), c10::ValueError);
  EXPECT_THROW(solve(field.field(), y0[0], fixed_plan({0, 2}, {0.4}, 0.1), rule), c10::ValueError);
  EXPECT_THROW(solve(field.field(), y0.to(at::kLong), fixed_plan({0, 2}, {0.4}, 0.1), rule), c10::ValueError);
  EXPECT_THROW(solve(field.field(), y0, {.row_offsets = {0, 2}, .nodes = {{0, 0.2, 0.2}}}, rule), c10::ValueError);
  EXPECT_THROW(solve(field.field(), y0, {.row_offsets = {0, 2}, .nodes = {{0.1, 0.2}}}, rule), c10::ValueError);
  const Field wrong{.rate = [](const at::Tensor&, const at::Tensor& y) { return y.sum(); }, .parameters = {}};
  EXPECT_THROW(solve(wrong, y0, fixed_plan({0, 2}, {0.4}, 0.1), rule), c10::ValueError);
}

}  // namespace
}  // namespace lgode::ode
