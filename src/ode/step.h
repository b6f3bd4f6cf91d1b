// One explicit Runge-Kutta step of a batch, and the table of a batch's step times and sizes: shared by fixed steps,
// error control and the backward passes. Private to the module.
//
// Shapes: n rows of all systems, m of them active in a step, `dim` columns, K steps of the longest system.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lgode/ode/solve.h"

namespace lgode::ode {

// The size h of a step: one number for all rows, or a column [m, 1] where systems differ.
struct StepSize {
  double value = 0;
  at::Tensor column;
};

struct Step {
  at::Tensor next;            // [m, dim]
  std::vector<at::Tensor> k;  // the stages' slopes, each [m, dim]
};

// The result of a solver; see Trajectory.
struct Solution {
  at::Tensor states, slopes, mids;
};

// Times and sizes of a plan's steps for every row, as tensors with the state's dtype and device.
class StepTable {
 public:
  StepTable(const StepPlan& plan, const at::TensorOptions& options, bool autonomous);

  std::int64_t steps() const { return static_cast<std::int64_t>(step_rows_.size()); }
  // Number of rows that have node k (active in step k - 1), and number of rows that take step k. Both are prefixes.
  std::int64_t node_rows(std::int64_t k) const { return k == 0 ? rows_ : step_rows_[k - 1]; }
  std::int64_t step_rows(std::int64_t k) const { return step_rows_[k]; }
  // Times [m, 1] at node k; for rows of ended systems the time of their last node. Undefined for an autonomous field.
  at::Tensor time(std::int64_t k, std::int64_t m) const;
  StepSize size(std::int64_t k) const;
  // [K+1, n, 1] whether a row has node k. Defined only if rows of ended systems take part in steps, with size 0.
  const at::Tensor& alive() const { return alive_; }
  // [n] index k * n + row of each row's last node; defined when alive() is.
  const at::Tensor& last() const { return last_; }

 private:
  std::int64_t rows_ = 0;
  std::vector<std::int64_t> step_rows_;
  std::vector<double> uniform_;  // [K] the size that all active rows share, or NaN
  at::Tensor times_, sizes_;     // [K+1, n, 1], [K, n, 1]
  at::Tensor alive_, last_;
};

inline at::Tensor head(const at::Tensor& x, std::int64_t m) { return x.size(0) == m ? x : x.narrow(0, 0, m); }

// A copy of host values on the device, cast to the dtype of `options`.
template <typename T>
at::Tensor tensor_of(std::vector<T>& values, at::IntArrayRef shape, const at::TensorOptions& options) {
  return at::from_blob(values.data(), shape, c10::CppTypeToScalarType<T>::value).to(options, false, /*copy=*/true);
}

inline at::Tensor rate(const Field& field, const at::Tensor& t, const at::Tensor& y) {
  if (y.size(0) == 0) {
    return at::zeros_like(y);
  }
  at::Tensor slope = field.rate(t, y);
  TORCH_CHECK_VALUE(slope.sizes() == y.sizes(), "ode: the field returned ", slope.sizes(), " for a state of ",
                    y.sizes());
  return slope;
}

// sum_i weights[i] k[i] over the stages computed so far. Both branches of advance() multiply this sum by the step size,
// so that a row's result does not depend on which branch its batch takes.
inline at::Tensor weighted_sum(const std::vector<double>& weights, const std::vector<at::Tensor>& k) {
  at::Tensor sum;
  for (std::size_t i = 0; i < std::min(weights.size(), k.size()); ++i) {
    if (weights[i] != 0) {
      sum = sum.defined() ? at::add(sum, k[i], weights[i]) : at::mul(k[i], weights[i]);
    }
  }
  return sum;
}

// y + h direction
inline at::Tensor advance(const at::Tensor& y, const StepSize& h, const at::Tensor& direction) {
  return h.column.defined() ? at::addcmul(y, h.column, direction) : at::add(y, direction, h.value);
}

// h x
inline at::Tensor scaled(const StepSize& h, const at::Tensor& x) {
  return h.column.defined() ? at::mul(x, h.column) : at::mul(x, h.value);
}

// t + c h
inline at::Tensor stage_time(const at::Tensor& t, const StepSize& h, double c) {
  if (!t.defined() || c == 0) {
    return t;
  }
  return h.column.defined() ? at::add(t, h.column, c) : at::add(t, c * h.value);
}

// One step from y, with k1 = f(t, y) given. If the rule's last stage is the first of the next step, only that step and
// the state half-way need it: it is evaluated if `last_stage`.
Step take_step(const Field& field, const Tableau& rule, const at::Tensor& t, const at::Tensor& y, const StepSize& h,
               const at::Tensor& k1, bool last_stage);

// Whether y0 or a parameter of the field requires gradients, and gradients are enabled.
bool needs_gradient(const Field& field, const at::Tensor& y0);

// The solution, made differentiable in y0 and the field's parameters by recomputation or the continuous adjoint.
Trajectory with_gradient(const Field& field, const at::Tensor& y0, StepPlan plan, Solution solution,
                         const Tableau& rule, Gradient gradient);

}  // namespace lgode::ode
