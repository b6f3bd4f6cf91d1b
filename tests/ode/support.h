// Fields with parameters, and helpers of the module's tests.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "lgode/ode/solve.h"
#include "support/numeric.h"

namespace lgode::ode::testing {

using lgode::testing::distance;
using lgode::testing::expect_close;
using lgode::testing::mix;
using lgode::testing::numeric_gradients;
using lgode::testing::vector_of;

inline const std::vector<Solver> kSolvers{Solver::kRk4,      Solver::kRk4Classic, Solver::kEuler,
                                          Solver::kMidpoint, Solver::kDopri5,     Solver::kTsit5};
inline const std::vector<Solver> kAdaptiveSolvers{Solver::kDopri5, Solver::kTsit5};

// A two-layer network of each row and the mean of its system's rows, so that rows of a system are coupled.
class CoupledField {
 public:
  CoupledField(const std::vector<std::int64_t>& row_offsets, bool autonomous, at::ScalarType type = at::kDouble)
      : autonomous_(autonomous), systems_(static_cast<std::int64_t>(row_offsets.size()) - 1) {
    std::vector<std::int64_t> system;
    for (std::int64_t s = 0; s < systems_; ++s) {
      system.insert(system.end(), row_offsets[s + 1] - row_offsets[s], s);
    }
    system_ = at::tensor(system, at::kLong);
    // Deterministic numbers of about the magnitude of trained weights.
    const auto numbers = [&](std::int64_t rows, std::int64_t columns, double phase) {
      const at::Tensor index = at::arange(rows * columns, at::kDouble).view({rows, columns});
      return at::sin(index * 1.7 + phase).mul(0.8).to(type).requires_grad_();
    };
    parameters = {numbers(2 * kDim, kHidden, 0.3), numbers(1, kHidden, 1.1), numbers(kHidden, kDim, 2.2),
                  numbers(1, kDim, 0.7)};
  }

  static constexpr std::int64_t kDim = 3, kHidden = 4;
  std::vector<at::Tensor> parameters;

  Field field() const {
    return {.rate = [self = *this](const at::Tensor& t, const at::Tensor& y) { return self.rate(t, y); },
            .parameters = parameters,
            .autonomous = autonomous_};
  }

  static at::Tensor start(std::int64_t rows, at::ScalarType type = at::kDouble) {
    return at::cos(at::arange(rows * kDim, at::kDouble) * 0.9).view({rows, kDim}).to(type);
  }

 private:
  at::Tensor rate(const at::Tensor& t, const at::Tensor& y) const {
    const at::Tensor system = system_.narrow(0, 0, y.size(0));
    const at::Tensor ones = at::ones({y.size(0), 1}, y.options());
    const at::Tensor sums = at::zeros({systems_, kDim}, y.options()).index_add(0, system, y);
    const at::Tensor counts = at::zeros({systems_, 1}, y.options()).index_add(0, system, ones).clamp_min(1);
    const at::Tensor inputs = at::cat({y, (sums / counts).index_select(0, system)}, 1);
    const at::Tensor hidden = at::tanh(at::addmm(parameters[1], inputs, parameters[0]));
    const at::Tensor slope = at::matmul(hidden, parameters[2]);
    return autonomous_ ? slope + parameters[3] : slope + at::sin(t * 2) * parameters[3];
  }

  bool autonomous_;
  std::int64_t systems_;
  at::Tensor system_;
};

}  // namespace lgode::ode::testing
