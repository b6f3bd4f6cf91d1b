// Dense output: exact at nodes, of the expected order between them, with the gradients of plain indexing.
#include <torch/csrc/autograd/autograd.h>

#include "ode/support.h"

namespace lgode::ode {
namespace {

using testing::CoupledField;
using testing::expect_close;
using testing::kSolvers;
using testing::mix;

TEST(Read, IsExactAtTheNodes) {
  const std::vector<std::int64_t> offsets{0, 2, 5};
  const CoupledField field(offsets, true);
  const StepPlan plan = fixed_plan(offsets, {0.5, 1.1}, 0.1);
  for (const Solver solver : kSolvers) {
    const Trajectory trajectory = solve(field.field(), CoupledField::start(5), plan, tableau(solver));
    std::vector<std::int64_t> rows;
    std::vector<double> times;
    std::vector<at::Tensor> expected;
    for (std::int64_t row = 0; row < 5; ++row) {
      const std::vector<double>& nodes = plan.nodes[row < 2 ? 0 : 1];
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        rows.push_back(row);
        times.push_back(nodes[k]);
        expected.push_back(trajectory.states[static_cast<std::int64_t>(k)][row].narrow(0, 0, 2));
      }
    }
    EXPECT_TRUE(at::equal(read(trajectory, rows, times, 2), at::stack(expected)));
  }
}

TEST(Read, PassesThroughTheMids) {
  const CoupledField field({0, 2}, true);
  const Trajectory trajectory =
      solve(field.field(), CoupledField::start(2), fixed_plan({0, 2}, {0.4}, 0.2), tableau(Solver::kDopri5));
  expect_close(read(trajectory, {1, 0}, {0.1, 0.3}, 3), at::stack({trajectory.mids[0][1], trajectory.mids[1][0]}),
               1e-14);
}

TEST(Read, ConvergesBetweenTheNodes) {
  // y' = y cos t from 1: exp(sin t). The error of a reading is the state's plus the polynomial's.
  const Field wave{.rate = [](const at::Tensor& t, const at::Tensor& y) { return y * at::cos(t); },
                   .parameters = {},
                   .autonomous = false};
  const at::Tensor y0 = at::ones({1, 1}, at::kDouble);
  std::vector<double> times, truth;
  for (int i = 0; i <= 400; ++i) {
    times.push_back(1.6 * i / 400);
    truth.push_back(std::exp(std::sin(times.back())));
  }
  const std::vector<std::int64_t> rows(times.size(), 0);
  const auto error = [&](Solver solver, double step) {
    const Trajectory trajectory = solve(wave, y0, fixed_plan({0, 1}, {1.6}, step), tableau(solver));
    return testing::distance(read(trajectory, rows, times, 1), testing::vector_of(truth).view({-1, 1}));
  };
  for (const auto& [solver, order] : std::vector<std::pair<Solver, double>>{{Solver::kEuler, 1},
                                                                            {Solver::kMidpoint, 2},
                                                                            {Solver::kRk4, 4},
                                                                            {Solver::kRk4Classic, 4},
                                                                            {Solver::kDopri5, 5},
                                                                            {Solver::kTsit5, 5}}) {
    SCOPED_TRACE(solver_name(solver));
    const double coarse = error(solver, 0.1), fine = error(solver, 0.05);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.35) << coarse << " " << fine;
  }
}

TEST(Read, AdaptiveStepsAreReadWithinTheTolerance) {
  const Field wave{.rate = [](const at::Tensor& t, const at::Tensor& y) { return y * at::cos(t); },
                   .parameters = {},
                   .autonomous = false};
  std::vector<double> times, truth;
  for (int i = 0; i <= 400; ++i) {
    times.push_back(4.0 * i / 400);
    truth.push_back(std::exp(std::sin(times.back())));
  }
  for (const Solver solver : testing::kAdaptiveSolvers) {
    const Trajectory trajectory = solve_adaptive(wave, at::ones({1, 1}, at::kDouble), {0, 1}, {4.0}, tableau(solver),
                                                 {.relative = 1e-6, .absolute = 1e-6});
    EXPECT_LT(testing::distance(read(trajectory, std::vector<std::int64_t>(times.size(), 0), times, 1),
                                testing::vector_of(truth).view({-1, 1})),
              2e-5);
  }
}

// The same as read(), by plain tensor operations on one row.
at::Tensor by_hand(const Trajectory& trajectory, std::int64_t row, double time, std::int64_t columns) {
  const auto upper = std::upper_bound(trajectory.plan.nodes[0].begin(), trajectory.plan.nodes[0].end() - 1, time);
  const std::int64_t k = upper - trajectory.plan.nodes[0].begin() - 1;
  const double t = trajectory.plan.nodes[0][k], h = trajectory.plan.nodes[0][k + 1] - t, x = (time - t) / h;
  const auto part = [&](const at::Tensor& y, std::int64_t node) { return y[node][row].narrow(0, 0, columns); };
  const at::Tensor y0 = part(trajectory.states, k), y1 = part(trajectory.states, k + 1);
  const at::Tensor f0 = part(trajectory.slopes, k) * h, f1 = part(trajectory.slopes, k + 1) * h;
  at::Tensor value = y0 * (1 - x) + y1 * x + ((y1 - y0) * (1 - 2 * x) + f0 * (x - 1) + f1 * x) * (x * (x - 1));
  if (trajectory.mids.defined()) {
    const at::Tensor cubic_half = (y0 + y1) / 2 + (f0 - f1) / 8;
    value = value + (part(trajectory.mids, k) - cubic_half) * (16 * x * x * (1 - x) * (1 - x));
  }
  return value;
}

TEST(Read, GradientsAreThoseOfPlainIndexing) {
  for (const at::ScalarType type : {at::kDouble, at::kFloat}) {
    const double tolerance = type == at::kDouble ? 1e-13 : 1e-5;
    for (const bool half : {false, true}) {
      const auto leaf = [&](std::int64_t nodes, double phase) {
        return at::sin(at::arange(nodes * 6, at::kDouble) + phase).view({nodes, 2, 3}).to(type).requires_grad_();
      };
      Trajectory trajectory{.plan = {.row_offsets = {0, 2}, .nodes = {{0, 0.1, 0.35, 0.4}}},
                            .states = leaf(4, 0.1),
                            .slopes = leaf(4, 0.6),
                            .mids = half ? leaf(3, 0.9) : at::Tensor()};
      const std::vector<std::int64_t> rows{1, 0, 1, 1, 0, 1};
      const std::vector<double> times{0.05, 0.2, 0.05, 0.4, 0.36, 0.1};
      std::vector<at::Tensor> inputs{trajectory.states, trajectory.slopes}, plain;
      if (half) {
        inputs.push_back(trajectory.mids);
      }
      for (std::size_t i = 0; i < rows.size(); ++i) {
        plain.push_back(by_hand(trajectory, rows[i], times[i], 2));
      }
      const at::Tensor values = read(trajectory, rows, times, 2), expected = at::stack(plain);
      EXPECT_EQ(values.scalar_type(), type);
      expect_close(values, expected, tolerance);
      const auto got = torch::autograd::grad({mix(values, 0.3)}, inputs);
      const auto want = torch::autograd::grad({mix(expected, 0.3)}, inputs);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        expect_close(got[i], want[i], tolerance);
      }
      // A gradient that is not row-major, as when the readings are used transposed.
      const auto strided = torch::autograd::grad({mix(read(trajectory, rows, times, 2).t().contiguous(), 0.3)}, inputs);
      const auto dense = torch::autograd::grad({mix(at::stack(plain).t().contiguous(), 0.3)}, inputs);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        expect_close(strided[i], dense[i], tolerance);
      }
    }
  }
}

// Places, read by a plain loop, give what the located terms give.
TEST(Read, PlacesSayTheSame) {
  // The second system has a step without length, the third one no step, the last one the steps of the first.
  const std::vector<std::int64_t> offsets{0, 2, 4, 5, 6};
  StepPlan plan = fixed_plan(offsets, {0.5, 0.3, 0.0, 0.5}, 0.1);
  plan.nodes[1] = {0.0, 0.1, 0.1, 0.3};
  const at::Tensor numbers = CoupledField::start(2 * 6 * 6).view({2, 6, 6, 3});
  const Trajectory trajectory{plan, numbers[0], numbers[1], {}};
  // From the twelfth on: the same times again in other rows, of the same system, of one with other steps, and of one
  // with the same steps.
  const std::vector<std::int64_t> rows{0, 0, 0, 1, 1, 4, 2, 3, 3, 3, 2, 0, 0, 1, 1, 2, 2, 0, 0, 5, 5, 1, 1, 0, 0, 4, 3};
  const std::vector<double> times{0.0,  0.03, 0.5,  0.1,  0.499, 0.0,  0.1,  0.05, 0.2,  0.3,  0.0,  0.02, 0.28, 0.02,
                                  0.28, 0.02, 0.28, 0.02, 0.28,  0.02, 0.28, 0.02, 0.28, 0.02, 0.28, 0.0,  0.0};
  std::vector<Place> places(rows.size());
  locate(plan, rows, times, places.data());
  const at::Tensor expected = read(trajectory, rows, times, 3), states = trajectory.states.reshape({-1, 3}),
                   slopes = trajectory.slopes.reshape({-1, 3});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int64_t left = places[i].at, right = places[i].x > 0 ? left + 6 : left;
    EXPECT_EQ(left % 6, rows[i]) << i;
    const double x = places[i].x, y = 1 - x, h = places[i].h;
    const at::Tensor got = (1 + 2 * x) * y * y * states[left] + x * x * (3 - 2 * x) * states[right] +
                           h * x * y * y * slopes[left] - h * x * x * y * slopes[right];
    expect_close(got, expected[static_cast<std::int64_t>(i)], 1e-6);
  }
  EXPECT_THROW(locate(plan, {0, 1}, {0.1}, places.data()), c10::ValueError);
  EXPECT_THROW(locate(plan, {4}, {0.1}, places.data()), c10::ValueError);
  EXPECT_THROW(locate(plan, {0, 3}, {0.4, 0.4}, places.data()), c10::ValueError);  // too late for the second
  EXPECT_THROW(locate(plan, {0, 6}, {0.4, 0.4}, places.data()), c10::ValueError);
}

TEST(Read, NoReadings) {
  const CoupledField field({0, 2}, true);
  const at::Tensor y0 = CoupledField::start(2).requires_grad_();
  const Trajectory trajectory = solve(field.field(), y0, fixed_plan({0, 2}, {0.4}, 0.2), tableau(Solver::kDopri5));
  const at::Tensor none = read(trajectory, {}, {}, 2);
  EXPECT_EQ(none.sizes(), at::IntArrayRef({0, 2}));
  none.sum().backward();
}

TEST(Read, ToleratesRoundingAndRefusesTheRest) {
  const CoupledField field({0, 2}, true);
  const Trajectory trajectory =
      solve(field.field(), CoupledField::start(2), fixed_plan({0, 2}, {0.4}, 0.2), tableau(Solver::kRk4));
  expect_close(read(trajectory, {0}, {0.4 + 1e-12}, 3)[0], trajectory.states[2][0]);
  expect_close(read(trajectory, {0}, {-1e-12}, 3)[0], trajectory.states[0][0]);
  EXPECT_THROW(read(trajectory, {0}, {0.41}, 3), c10::ValueError);
  EXPECT_THROW(read(trajectory, {0}, {-0.01}, 3), c10::ValueError);
  EXPECT_THROW(read(trajectory, {0}, {NAN}, 3), c10::ValueError);
  EXPECT_THROW(read(trajectory, {2}, {0.1}, 3), c10::ValueError);
  EXPECT_THROW(read(trajectory, {-1}, {0.1}, 3), c10::ValueError);
  EXPECT_THROW(read(trajectory, {0, 1}, {0.1}, 3), c10::ValueError);
  EXPECT_THROW(read(trajectory, {0}, {0.1}, 4), c10::ValueError);
}

}  // namespace
}  // namespace lgode::ode
