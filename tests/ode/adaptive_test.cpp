// Error control: tolerances are met, unsolvable problems are reported, systems do not affect each other.
#include <torch/csrc/autograd/autograd.h>

#include <random>
#include <string>

#include "lgode/core/error.h"
#include "ode/support.h"

namespace lgode::ode {
namespace {

using testing::CoupledField;
using testing::expect_close;
using testing::kAdaptiveSolvers;
using testing::mix;

// A harmonic oscillator of frequency 1 in two coupled rows, times exp(sin t - t/4): not autonomous.
Field driven() {
  return {.rate =
              [](const at::Tensor& t, const at::Tensor& y) {
                const at::Tensor pairs = y.view({-1, 2});
                const at::Tensor turned = at::stack({-pairs.select(1, 1), pairs.select(1, 0)}, 1).view({-1, 1});
                return turned + y * (at::cos(t) - 0.25);
              },
          .parameters = {},
          .autonomous = false};
}

at::Tensor driven_solution(double t) {
  return testing::vector_of({std::cos(t), std::sin(t)}).view({2, 1}) * std::exp(std::sin(t) - t / 4);
}

TEST(Adaptive, MeetsItsTolerance) {
  const at::Tensor y0 = testing::vector_of({1, 0, 1, 0}).view({4, 1});
  for (const Solver solver : kAdaptiveSolvers) {
    SCOPED_TRACE(solver_name(solver));
    std::int64_t steps = 0;
    double before = 1;
    for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9}) {
      const Trajectory trajectory = solve_adaptive(driven(), y0, {0, 2, 4}, {5.0, 2.0}, tableau(solver),
                                                   {.relative = tolerance, .absolute = tolerance});
      EXPECT_EQ(trajectory.plan.nodes[0].back(), 5.0);
      EXPECT_EQ(trajectory.plan.nodes[1].back(), 2.0);
      const at::Tensor end = trajectory.states[trajectory.plan.steps(0)].narrow(0, 0, 2);
      const double error = testing::distance(end, driven_solution(5));
      // Error control limits the error per step; over the whole path errors add up to a few times the tolerance.
      EXPECT_LT(error, 20 * tolerance);
      EXPECT_LT(error, before);
      EXPECT_GT(trajectory.plan.steps(0), steps);
      before = error;
      steps = trajectory.plan.steps(0);
      EXPECT_LT(testing::distance(trajectory.states[trajectory.plan.steps(1)].narrow(0, 2, 2), driven_solution(2)),
                20 * tolerance);
    }
    EXPECT_LT(steps, 400);
  }
}

TEST(Adaptive, SavesStepsWhereLittleHappens) {
  // A pulse around t = 5 within a long constant solution.
  const Field pulse{
      .rate = [](const at::Tensor& t, const at::Tensor& y) { return at::exp(-(t - 5).square() * 50) - y * 0.01; },
      .parameters = {},
      .autonomous = false};
  const Trajectory trajectory = solve_adaptive(pulse, at::ones({1, 1}, at::kDouble), {0, 1}, {20.0},
                                               tableau(Solver::kTsit5), {.relative = 1e-6, .absolute = 1e-8});
  double shortest = 1e9, longest = 0;
  const std::vector<double>& nodes = trajectory.plan.nodes[0];
  for (std::size_t k = 2; k + 1 < nodes.size(); ++k) {
    shortest = std::min(shortest, nodes[k] - nodes[k - 1]);
    longest = std::max(longest, nodes[k] - nodes[k - 1]);
  }
  EXPECT_GT(longest, 10 * shortest);
}

// The text of the NoProgressError that a solve ends in.
std::string failure(const Field& field, const at::Tensor& y0, std::vector<std::int64_t> offsets,
                    const std::vector<double>& horizons, Solver solver, std::int64_t max_steps = 10000) {
  try {
    solve_adaptive(field, y0, std::move(offsets), horizons, tableau(solver), {.max_steps = max_steps});
  } catch (const NoProgressError& error) {
    return error.what();
  }
  return "none";
}

TEST(Adaptive, GivesUpOnAnExplosion) {
  // y' = y^2 from 1 has a pole at t = 1; the system from 0.1 reaches its horizon.
  const Field square{
      .rate = [](const at::Tensor&, const at::Tensor& y) { return y * y; }, .parameters = {}, .autonomous = true};
  for (const at::ScalarType type : {at::kDouble, at::kFloat}) {
    const at::Tensor y0 = testing::vector_of({0.1, 1}).view({2, 1}).to(type);
    for (const Solver solver : kAdaptiveSolvers) {
      const std::string message = failure(square, y0, {0, 1, 2}, {2, 2}, solver);
      EXPECT_NE(message.find("system 1 at time "), std::string::npos) << message;
      EXPECT_NE(message.find(" of 2"), std::string::npos) << message;
    }
  }
}

TEST(Adaptive, GivesUpOnStiffnessWithinItsBudget) {
  const Field stiff{.rate = [](const at::Tensor& t, const at::Tensor& y) { return (y - at::cos(t)) * -1e6; },
                    .parameters = {},
                    .autonomous = false};
  for (const Solver solver : kAdaptiveSolvers) {
    const std::string message = failure(stiff, at::zeros({1, 1}, at::kDouble), {0, 1}, {10}, solver, 200);
    EXPECT_NE(message.find("200 attempts were not enough"), std::string::npos) << message;
  }
}

TEST(Adaptive, GivesUpOnWhatIsNotFinite) {
  const Field late{.rate = [](const at::Tensor& t, const at::Tensor& y) { return y * at::sqrt(1 - t); },
                   .parameters = {},
                   .autonomous = false};
  const Field never{
      .rate = [](const at::Tensor&, const at::Tensor& y) { return y / 0; }, .parameters = {}, .autonomous = true};
  const at::Tensor y0 = at::ones({1, 1}, at::kDouble);
  for (const Solver solver : kAdaptiveSolvers) {
    EXPECT_NE(failure(late, y0, {0, 1}, {2}, solver).find("stops being finite"), std::string::npos);
    const std::string message = failure(never, y0, {0, 1}, {2}, solver);
    EXPECT_NE(message.find("system 0 at time 0 of 2"), std::string::npos) << message;
    EXPECT_EQ(failure(late, y0, {0, 1}, {0.5}, solver), "none");
  }
}

const std::vector<std::int64_t> kOffsets{0, 2, 5, 6, 8};
const std::vector<double> kHorizons{0.7, 1.5, 0, 0.9};
constexpr Tolerance kTolerance{.relative = 1e-6, .absolute = 1e-8};

Trajectory solve_batch(const CoupledField& field, const at::Tensor& y0, Solver solver, Gradient gradient) {
  return solve_adaptive(field.field(), y0, kOffsets, kHorizons, tableau(solver), kTolerance, gradient);
}

TEST(Adaptive, IsTheFixedSolutionOverItsOwnPlan) {
  for (const bool autonomous : {true, false}) {
    const CoupledField field(kOffsets, autonomous);
    const at::Tensor y0 = CoupledField::start(8);
    for (const Solver solver : kAdaptiveSolvers) {
      at::NoGradGuard no_grad;
      const Trajectory found = solve_batch(field, y0, solver, Gradient::kRecompute);
      const Trajectory again = solve(field.field(), y0, found.plan, tableau(solver));
      ASSERT_GT(found.plan.max_steps(), 3);
      expect_close(found.states, again.states);
      expect_close(found.slopes, again.slopes);
      expect_close(found.mids, again.mids);
    }
  }
}

at::Tensor value_of(const Trajectory& trajectory, const std::vector<std::int64_t>& rows, double horizon) {
  std::vector<std::int64_t> each;
  std::vector<double> times;
  for (const std::int64_t row : rows) {
    for (const double part : {0.0, 0.3, 0.81, 1.0}) {
      each.push_back(row);
      times.push_back(part * horizon);
    }
  }
  return mix(read(trajectory, each, times, 3), 0.4);
}

// A network applied to each row separately, large enough that matrix products work in blocks of rows with a remainder.
struct RowField {
  static constexpr std::int64_t kDim = 12, kHidden = 20;
  std::vector<at::Tensor> parameters;

  RowField(double seed, at::ScalarType type) {
    const auto numbers = [&](std::int64_t rows, std::int64_t columns, double phase) {
      const at::Tensor index = at::arange(rows * columns, at::kDouble).view({rows, columns});
      return at::sin(index.square() * 0.37 + index + seed * 1.3 + phase).mul(0.6).to(type).requires_grad_();
    };
    parameters = {numbers(kDim, kHidden, 0.3), numbers(1, kHidden, 1.1), numbers(kHidden, kDim, 2.2)};
  }

  // `wide`: error control may choose the steps in float64.
  Field field(bool wide) const {
    Field field{
        .rate = [p = parameters](const at::Tensor&,
                                 const at::Tensor& y) { return at::matmul(at::tanh(at::addmm(p[1], y, p[0])), p[2]); },
        .parameters = parameters,
        .autonomous = true};
    if (wide)
      field.wide = [p = parameters] {
        RowField copy(0, at::kDouble);
        for (std::size_t i = 0; i < p.size(); ++i) copy.parameters[i] = p[i].detach().to(at::kDouble);
        return copy.field(false);
      };
    return field;
  }
};

// A random batch: number of systems, their sizes and horizons, and the place of the system under test.
struct RandomBatch {
  std::vector<std::int64_t> offsets{0};
  std::vector<double> horizons;
  std::size_t place = 0;

  explicit RandomBatch(std::uint64_t seed) {
    std::mt19937_64 draw(seed);
    const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(draw() % n); };
    const std::int64_t systems = 2 + below(12);
    place = static_cast<std::size_t>(below(static_cast<std::uint64_t>(systems)));
    for (std::int64_t s = 0; s < systems; ++s) {
      offsets.push_back(offsets.back() + 1 + below(7));
      horizons.push_back(0.02 + 0.002 * static_cast<double>(below(120)));
    }
  }
  std::int64_t first() const { return offsets[place]; }
  std::int64_t rows() const { return offsets[place + 1] - offsets[place]; }
};

// Solves a system alone and in a random batch and compares all results; the nodes must agree bit for bit.
void expect_same_in_batch(std::uint64_t seed, Solver solver, at::ScalarType type, double tolerance) {
  const RandomBatch c(seed);
  const auto phase = static_cast<double>(seed);
  const RowField batch(phase, type), single(phase, type);
  const at::Tensor index = at::arange(c.offsets.back() * RowField::kDim, at::kDouble);
  const at::Tensor y0 = at::sin(index * 1.9 + phase).mul(2).view({-1, RowField::kDim}).to(type).requires_grad_();
  const at::Tensor start = y0.detach().narrow(0, c.first(), c.rows()).clone().requires_grad_();
  const bool wide = type != at::kDouble;
  const Tolerance bounds{.relative = wide ? 1e-4 : 1e-8, .absolute = wide ? 1e-6 : 1e-10};
  const Trajectory all = solve_adaptive(batch.field(wide), y0, c.offsets, c.horizons, tableau(solver), bounds);
  const Trajectory alone =
      solve_adaptive(single.field(wide), start, {0, c.rows()}, {c.horizons[c.place]}, tableau(solver), bounds);
  ASSERT_EQ(all.plan.nodes[c.place], alone.plan.nodes[0]);
  const std::int64_t nodes = alone.states.size(0);
  const auto own = [&](const at::Tensor& x, std::int64_t length) {
    return x.narrow(0, 0, length).narrow(1, c.first(), c.rows());
  };
  expect_close(own(all.states, nodes), alone.states, tolerance);
  expect_close(own(all.mids, nodes - 1), alone.mids, tolerance);
  (mix(own(all.states, nodes), 0.3) + mix(own(all.mids, nodes - 1), 0.1)).backward();
  (mix(alone.states, 0.3) + mix(alone.mids, 0.1)).backward();
  expect_close(y0.grad().narrow(0, c.first(), c.rows()), start.grad(), tolerance);
  for (std::size_t i = 0; i < batch.parameters.size(); ++i)
    expect_close(batch.parameters[i].grad(), single.parameters[i].grad(), tolerance);
}

class InRandomBatches : public ::testing::TestWithParam<Solver> {};
INSTANTIATE_TEST_SUITE_P(Rules, InRandomBatches, ::testing::ValuesIn(kAdaptiveSolvers),
                         [](const auto& c) { return std::string(solver_name(c.param)); });

TEST_P(InRandomBatches, ASystemsResultAndGradientsAreItsOwn) {
  for (std::uint64_t seed = 0; seed < 200 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    expect_same_in_batch(seed, GetParam(), at::kDouble, 1e-10);
  }
}

TEST_P(InRandomBatches, InFloatToRounding) {
  for (std::uint64_t seed = 0; seed < 200 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    expect_same_in_batch(seed, GetParam(), at::kFloat, lgode::testing::rounding(at::kFloat, 200));
  }
}

TEST(Adaptive, OverflowInFloatOnlyIsReported) {
  // exp(100 t): within double's range, beyond float's after t = 0.887.
  Field growth{.rate = [](const at::Tensor&, const at::Tensor& y) { return y * 100; }, .parameters = {}};
  growth.wide = [rate = growth.rate] { return Field{.rate = rate, .parameters = {}}; };
  const at::Tensor y0 = at::ones({2, 1}, at::kFloat);
  EXPECT_NE(failure(growth, y0, {0, 1, 2}, {0.5, 1.0}, Solver::kDopri5).find("system 1"), std::string::npos);
  EXPECT_EQ(failure(growth, y0, {0, 1, 2}, {0.5, 0.8}, Solver::kDopri5), "none");
}

TEST(Adaptive, ASystemIsTheSameAloneAndInABatch) {
  for (const Solver solver : kAdaptiveSolvers) {
    for (const Gradient gradient : {Gradient::kRecompute, Gradient::kStored, Gradient::kAdjoint}) {
      for (std::size_t s = 0; s < kHorizons.size(); ++s) {
        const std::int64_t first = kOffsets[s], count = kOffsets[s + 1] - first;
        const CoupledField batch(kOffsets, false), single({0, count}, false);
        const at::Tensor y0 = CoupledField::start(8).requires_grad_();
        const at::Tensor start = y0.detach().narrow(0, first, count).clone().requires_grad_();
        const Trajectory all = solve_batch(batch, y0, solver, gradient);
        const Trajectory alone =
            solve_adaptive(single.field(), start, {0, count}, {kHorizons[s]}, tableau(solver), kTolerance, gradient);
        ASSERT_EQ(all.plan.steps(s), alone.plan.steps(0));
        const std::int64_t K = alone.plan.steps(0);
        EXPECT_EQ(all.plan.nodes[s], alone.plan.nodes[0]);
        expect_close(all.states.narrow(0, 0, K + 1).narrow(1, first, count), alone.states, 1e-12);
        const at::Tensor rest = all.states.narrow(1, first, count).narrow(0, K + 1, all.states.size(0) - K - 1);
        EXPECT_EQ(rest.abs().sum().item<double>(), 0);

        std::vector<std::int64_t> own, shifted;
        for (std::int64_t row = 0; row < count; ++row) {
          own.push_back(row);
          shifted.push_back(first + row);
        }
        value_of(all, shifted, kHorizons[s]).backward();
        value_of(alone, own, kHorizons[s]).backward();
        expect_close(y0.grad().narrow(0, first, count), start.grad(), 1e-11);
        for (std::size_t i = 0; i < batch.parameters.size(); ++i) {
          // Without a step, the parameters enter a reading with weight zero only: their gradient is zero.
          expect_close(batch.parameters[i].grad(), single.parameters[i].grad(), 1e-11);
        }
      }
    }
  }
}

TEST(Adaptive, GradientsAgreeWithFiniteDifferencesOverTheSamePlan) {
  const CoupledField field(kOffsets, false);
  const at::Tensor y0 = CoupledField::start(8).requires_grad_();
  for (const Solver solver : kAdaptiveSolvers) {
    const auto value = [](const Trajectory& trajectory) {
      return mix(trajectory.states, 0.1) + mix(trajectory.slopes, 0.2) + mix(trajectory.mids, 0.3);
    };
    std::vector<at::Tensor> inputs{y0};
    inputs.insert(inputs.end(), field.parameters.begin(), field.parameters.end());
    const Trajectory found = solve_batch(field, y0, solver, Gradient::kRecompute);
    const auto exact = torch::autograd::grad({value(found)}, inputs);
    const auto stored = torch::autograd::grad({value(solve_batch(field, y0, solver, Gradient::kStored))}, inputs);
    const auto numeric = testing::numeric_gradients(
        [&] { return value(solve(field.field(), y0, found.plan, tableau(solver))); }, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      expect_close(exact[i], stored[i], 1e-12);
      expect_close(exact[i], numeric[i], 1e-8);
    }
  }
}

TEST(Adaptive, AdjointApproachesTheExactGradientWithTheTolerance) {
  const CoupledField field(kOffsets, true);
  const at::Tensor y0 = CoupledField::start(8).requires_grad_();
  const auto gap = [&](double tolerance) {
    const auto gradient = [&](Gradient kind) {
      const Trajectory trajectory = solve_adaptive(field.field(), y0, kOffsets, kHorizons, tableau(Solver::kDopri5),
                                                   {.relative = tolerance, .absolute = tolerance}, kind);
      return torch::autograd::grad({value_of(trajectory, {0, 1, 6}, 0.7)}, {y0, field.parameters[0]});
    };
    const auto adjoint = gradient(Gradient::kAdjoint), exact = gradient(Gradient::kRecompute);
    return std::max(testing::distance(adjoint[0], exact[0]), testing::distance(adjoint[1], exact[1]));
  };
  EXPECT_LT(gap(1e-5), 1e-3);
  EXPECT_LT(gap(1e-9), 1e-6);
}

TEST(Adaptive, NothingToDo) {
  const CoupledField field({0, 2}, true);
  const Tableau& rule = tableau(Solver::kTsit5);
  const at::Tensor y0 = CoupledField::start(2);
  const Trajectory still = solve_adaptive(field.field(), y0, {0, 2}, {0}, rule, {});
  EXPECT_EQ(still.states.sizes(), at::IntArrayRef({1, 2, 3}));
  EXPECT_EQ(still.mids.sizes(), at::IntArrayRef({0, 2, 3}));
  expect_close(still.states[0], y0);
  const Trajectory none = solve_adaptive(field.field(), y0.narrow(0, 0, 0), {0}, {}, rule, {});
  EXPECT_EQ(none.states.sizes(), at::IntArrayRef({1, 0, 3}));
  const Trajectory empty = solve_adaptive(field.field(), y0, {0, 0, 2}, {1, 1}, rule, {});
  EXPECT_EQ(empty.plan.nodes[0].back(), 1);
  // A field of zeros, started at zero.
  const Field calm{.rate = [](const at::Tensor&, const at::Tensor& y) { return at::zeros_like(y); }, .parameters = {}};
  EXPECT_LT(solve_adaptive(calm, at::zeros({2, 1}), {0, 2}, {1}, rule, {}).plan.steps(0), 20);
}

TEST(Adaptive, RejectsInvalidArguments) {
  const CoupledField field({0, 2}, true);
  const at::Tensor y0 = CoupledField::start(2);
  const Tableau& rule = tableau(Solver::kTsit5);
  EXPECT_THROW(solve_adaptive(field.field(), y0, {0, 2}, {1}, tableau(Solver::kRk4), {}), c10::ValueError);
  EXPECT_THROW(solve_adaptive(field.field(), y0, {0, 1}, {1}, rule, {}), c10::ValueError);
  EXPECT_THROW(solve_adaptive(field.field(), y0, {0, 2}, {1, 1}, rule, {}), c10::ValueError);
  EXPECT_THROW(solve_adaptive(field.field(), y0, {0, 2}, {-1}, rule, {}), c10::ValueError);
  EXPECT_THROW(solve_adaptive(field.field(), y0, {0, 2}, {1}, rule, {.absolute = 0}), c10::ValueError);
}

}  // namespace
}  // namespace lgode::ode
