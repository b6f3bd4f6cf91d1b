// Comparisons for numeric tests: distances that fail on NaN, finite differences, and tolerances that follow from dtype
// and reduction length.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace lgode::testing {

// Largest difference, relative to the largest entry of `expected`, however small that is. If all of `expected` is
// exactly zero, the distance is 0 for zeros and infinite for anything else. NaN anywhere makes it NaN.
inline double distance(const at::Tensor& got, const at::Tensor& expected) {
  if (got.numel() == 0) {
    return got.sizes() == expected.sizes() ? 0 : NAN;
  }
  const double difference = (got - expected).abs().max().item<double>();
  return difference == 0 ? 0 : difference / expected.abs().max().item<double>();
}

inline void expect_close(const at::Tensor& got, const at::Tensor& expected, double tolerance = 1e-12) {
  ASSERT_TRUE(got.defined() && expected.defined());
  ASSERT_EQ(got.sizes(), expected.sizes());
  EXPECT_LE(distance(got, expected), tolerance);  // false for NaN
}

// For sums whose terms cancel: the difference relative to `size`, the largest term, instead of the sum.
inline void expect_close_beside(const at::Tensor& got, const at::Tensor& expected, double size, double tolerance) {
  ASSERT_TRUE(got.defined() && expected.defined());
  ASSERT_EQ(got.sizes(), expected.sizes());
  if (got.numel() == 0) return;
  EXPECT_LE((got - expected).abs().max().item<double>(), size * tolerance);  // false for NaN
}

inline at::Tensor vector_of(const std::vector<double>& values) { return at::tensor(values, at::kDouble); }

// Gradients of a scalar in each of `inputs` by central differences in float64.
inline std::vector<at::Tensor> numeric_gradients(const std::function<at::Tensor()>& value,
                                                 const std::vector<at::Tensor>& inputs, double eps = 1e-5) {
  at::NoGradGuard no_grad;
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& input : inputs) {
    at::Tensor gradient = at::zeros_like(input);
    double* const x = input.data_ptr<double>();
    for (std::int64_t i = 0; i < input.numel(); ++i) {
      const double kept = x[i];
      x[i] = kept + eps;
      const double above = value().item<double>();
      x[i] = kept - eps;
      const double below = value().item<double>();
      x[i] = kept;
      gradient.data_ptr<double>()[i] = (above - below) / (2 * eps);
    }
    gradients.push_back(gradient);
  }
  return gradients;
}

// A scalar that depends on every element of a tensor, with a different factor for each.
inline at::Tensor mix(const at::Tensor& x, double phase) {
  const at::Tensor index = at::arange(x.numel(), at::kDouble).view(x.sizes());
  return (x * at::sin(index * 0.37 + phase).to(x.options())).sum();
}

// Tolerance for the rounding error of a sum of `length` products in `dtype`: each term has an error of half an ulp, and
// errors add up like a random walk. The factor leaves room for a few such sums in a row.
inline double rounding(at::ScalarType dtype, std::int64_t length, double factor = 16) {
  const double ulp =
      dtype == at::kFloat ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  return factor * ulp * std::sqrt(static_cast<double>(std::max<std::int64_t>(length, 1)));
}

// Gradients of a scalar in each of `inputs` by autograd; zeros for inputs that it does not depend on.
inline std::vector<at::Tensor> autograd_gradients(const at::Tensor& value, const std::vector<at::Tensor>& inputs) {
  std::vector<at::Tensor> out =
      torch::autograd::grad({value}, inputs, {}, /*retain_graph=*/true, /*create_graph=*/false,
                            /*allow_unused=*/true);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!out[i].defined()) out[i] = at::zeros_like(inputs[i]);
  return out;
}

// Compares autograd with central differences for every input (float64 leaves). In addition to the relative tolerance,
// allows for the rounding error of a difference quotient: two values with an error of an ulp or two each, over 2 eps.
inline void expect_gradients(const std::function<at::Tensor()>& value, const std::vector<at::Tensor>& inputs,
                             double tolerance = 1e-7, double eps = 1e-5) {
  const at::Tensor here = value();
  const std::vector<at::Tensor> got = autograd_gradients(here, inputs);
  const std::vector<at::Tensor> expected = numeric_gradients(value, inputs, eps);
  const double noise = 2 * std::numeric_limits<double>::epsilon() * std::abs(here.item<double>()) / eps;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    SCOPED_TRACE("input " + std::to_string(i));
    ASSERT_EQ(got[i].sizes(), expected[i].sizes());
    if (got[i].numel() == 0) continue;
    const double difference = (got[i] - expected[i]).abs().max().item<double>();
    EXPECT_LE(difference, tolerance * expected[i].abs().max().item<double>() + noise);  // false for NaN
  }
}

}  // namespace lgode::testing
