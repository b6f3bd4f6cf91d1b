// Eq. 1 with step sizes chosen by error control. All systems attempt a step together, each with its own step size and
// judged by its own error estimate; the accepted steps form the plan. Gradients as for fixed steps over that
// plan: see solve.cpp.
//
// A system gets the same plan in every batch. A matrix product may round a row differently when the other rows change.
// In an error estimate the leading digits cancel, so it differs by about 1e-16 / rtol from batch to batch. The
// controller therefore stores step sizes and errors as whole notches of a geometric grid: its state contains no
// rounding error, and nodes agree bit for bit. A decision can differ only where an error is that close to the edge of
// a notch, which is rare in float64. In float32 that margin would be too wide; see Field::wide.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "lgode/core/error.h"
#include "lgode/ode/solve.h"
#include "step.h"

namespace lgode::ode {
namespace {

// A notch is a factor of 2^(1/4).
constexpr double kNotches = 4;
// Safety factor 0.9, in notches.
constexpr double kSafety = -0.608;
// A step grows or shrinks by at most this many notches at once, a factor of 4.8.
constexpr std::int64_t kMostNotches = 9;
// The controller's integral part; Hairer, Norsett and Wanner (1993), IV.2, for rules of order 5.
constexpr double kBeta = 0.04;
// Smaller errors count as this one (1e-4 of the tolerance): they may be pure rounding, and zero has no logarithm.
constexpr std::int64_t kSmallError = -53;
// A step is stretched by up to this factor if it then reaches the horizon: this avoids a tiny last step.
constexpr double kStretch = 1.01;
// The smallest step, in units of the horizon's precision.
constexpr double kPrecisions = 16;

struct System {
  double horizon = 0;
  double time = 0;
  std::int64_t notch = 0;               // step size of the next attempt, before it is cut at the horizon
  std::int64_t previous = kSmallError;  // notch of the error of the last accepted step
  bool rejected = false;                // whether the last attempt was rejected
  bool finite = true;                   // whether state and error of the last attempt were finite
  std::int64_t attempts = 0;
  std::vector<double> nodes{0};
  std::vector<std::int64_t> sources{0};  // history entry that holds each node

  bool done() const { return time >= horizon; }
  double step() const { return std::exp2(static_cast<double>(notch) / kNotches); }
};

// The largest notch whose step size does not exceed `size` > 0.
std::int64_t notch_of(double size) { return static_cast<std::int64_t>(std::floor(kNotches * std::log2(size))); }

// The notch of an error >= 0: at most 0 where it is within the tolerance.
std::int64_t error_notch(double error) {
  if (!(error > std::exp2(kSmallError / kNotches))) return kSmallError;
  return static_cast<std::int64_t>(std::ceil(kNotches * std::log2(error)));
}

class AdaptiveSolver {
 public:
  AdaptiveSolver(const Field& field, const at::Tensor& y0, const std::vector<std::int64_t>& row_offsets,
                 const std::vector<double>& horizons, const Tableau& rule, const Tolerance& tolerance)
      : field_(field), rule_(rule), tolerance_(tolerance), offsets_(row_offsets), y_(y0.clone()) {
    for (const double horizon : horizons) {
      systems_.emplace_back().horizon = horizon;
    }
  }

  Solution run() {
    slope_ = rate(field_, times(rows()), y_).clone();
    remember(y_.clone(), slope_.clone(), {});
    choose_first_steps();
    for (std::int64_t active = active_systems(); active > 0; active = active_systems()) {
      attempt(active);
    }
    return collect();
  }

  StepPlan plan() const {
    StepPlan plan{.row_offsets = offsets_, .nodes = {}};
    for (const System& system : systems_) {
      plan.nodes.push_back(system.nodes);
    }
    return plan;
  }

 private:
  std::int64_t rows() const { return offsets_.back(); }

  // One more than the index of the last unfinished system: the field can only be evaluated for a prefix of the rows.
  std::int64_t active_systems() const {
    std::int64_t active = static_cast<std::int64_t>(systems_.size());
    while (active > 0 && systems_[active - 1].done()) {
      --active;
    }
    return active;
  }

  // A value per system as a column [m, 1] over the rows of the first systems.
  template <typename Value>
  at::Tensor column(std::int64_t m, Value value) const {
    std::vector<double> values(m);
    for (std::size_t s = 0; s < systems_.size() && offsets_[s] < m; ++s) {
      std::fill(values.begin() + offsets_[s], values.begin() + offsets_[s + 1], value(s));
    }
    return tensor_of(values, {m, 1}, y_.options());
  }

  at::Tensor times(std::int64_t m) const {
    return field_.autonomous ? at::Tensor() : column(m, [&](std::size_t s) { return systems_[s].time; });
  }

  // The root mean square of each system's entries of x [m, dim], summed in double. NaN and infinity pass through.
  std::vector<double> norms(const at::Tensor& x, std::int64_t systems) const {
    const at::Tensor squares = x.to(at::kDouble).square().sum(1).cpu();
    const double* square = squares.data_ptr<double>();
    std::vector<double> result(systems, 0);
    for (std::int64_t s = 0; s < systems; ++s) {
      const auto entries = static_cast<double>((offsets_[s + 1] - offsets_[s]) * x.size(1));
      for (std::int64_t row = offsets_[s]; row < offsets_[s + 1]; ++row) {
        result[s] += square[row];
      }
      result[s] = entries > 0 ? std::sqrt(result[s] / entries) : 0;
    }
    return result;
  }

  at::Tensor scale(const at::Tensor& magnitude) const {
    return at::add(at::mul(magnitude, tolerance_.relative), tolerance_.absolute);
  }

  // Hairer, Norsett and Wanner (1993), II.4: first step sizes from the norms of the state, its slope and the change of
  // the slope.
  void choose_first_steps() {
    const auto count = static_cast<std::int64_t>(systems_.size());
    const at::Tensor unit = scale(y_.abs());
    const std::vector<double> d0 = norms(y_ / unit, count), d1 = norms(slope_ / unit, count);
    std::vector<double> trial(count, 0);
    for (std::int64_t s = 0; s < count; ++s) {
      if (systems_[s].done()) {
        continue;
      }
      if (!std::isfinite(d0[s]) || !std::isfinite(d1[s])) {
        give_up(s, "the state or its slope is not finite");
      }
      const double guess = d0[s] < 1e-5 || d1[s] < 1e-5 ? 1e-6 : 0.01 * d0[s] / d1[s];
      trial[s] = std::min(guess, systems_[s].horizon);
    }
    const StepSize h{.value = 0, .column = column(rows(), [&](std::size_t s) { return trial[s]; })};
    const at::Tensor next = rate(field_, stage_time(times(rows()), h, 1), advance(y_, h, slope_));
    const std::vector<double> change = norms((next - slope_) / unit, count);
    for (std::int64_t s = 0; s < count; ++s) {
      if (systems_[s].done()) {
        continue;
      }
      const double steepest = std::max(d1[s], change[s] / trial[s]);
      double step = std::max(1e-6, trial[s] * 1e-3);
      if (!std::isfinite(steepest)) {
        step = trial[s];
      } else if (steepest > 1e-15) {
        step = std::pow(0.01 / steepest, 1.0 / rule_.order);
      }
      systems_[s].notch = notch_of(std::min({100 * trial[s], step, systems_[s].horizon}));
    }
  }

  // The time at which the next attempt of a system ends; throws if a further attempt is pointless.
  double target(std::int64_t s) const {
    const System& system = systems_[s];
    if (system.attempts >= tolerance_.max_steps) {
      give_up(s, fmt::format("{} attempts were not enough", system.attempts));
    }
    const double step = system.step();
    if (!(step > kPrecisions * std::numeric_limits<double>::epsilon() * system.horizon)) {
      give_up(s, system.finite ? fmt::format("the step fell to {:g}, below the time's precision", step)
                               : "the state stops being finite");
    }
    return system.time + kStretch * step >= system.horizon ? system.horizon : system.time + step;
  }

  // One attempted step of the first `active` systems; finished ones among them take a step of size 0.
  void attempt(std::int64_t active) {
    const std::int64_t m = offsets_[active];
    std::vector<double> targets(active);
    for (std::int64_t s = 0; s < active; ++s) {
      targets[s] = systems_[s].done() ? systems_[s].time : target(s);
    }
    // Step sizes are differences of nodes, as the plan will later compute them: same rounding.
    const StepSize h{.value = 0, .column = column(m, [&](std::size_t s) { return targets[s] - systems_[s].time; })};
    const at::Tensor t = times(m), y = head(y_, m), slope = head(slope_, m);
    const Step step = take_step(field_, rule_, t, y, h, slope, true);
    const at::Tensor next_slope =
        rule_.first_same_as_last() ? step.k.back() : rate(field_, stage_time(t, h, 1), step.next);

    const at::Tensor error =
        scaled(h, weighted_sum(rule_.error, step.k)) / scale(at::maximum(y.abs(), step.next.abs()));
    // An infinite state makes the scale infinite and the scaled error 0; adding next * 0 turns that into NaN.
    const std::vector<double> norm = norms(error + step.next * 0, active);
    bool any = false, all = true;
    std::vector<char> accepted(active, 0);
    for (std::int64_t s = 0; s < active; ++s) {
      accepted[s] = !systems_[s].done() && judge(systems_[s], targets[s], norm[s]);
      any = any || accepted[s];
      all = all && accepted[s];
    }
    if (!any) {
      return;
    }
    const at::Tensor mid = rule_.mid.empty() ? at::Tensor() : advance(y, h, weighted_sum(rule_.mid, step.k));
    remember(step.next, next_slope, mid);
    if (all) {
      y.copy_(step.next);
      slope.copy_(next_slope);
    } else {
      const at::Tensor taken = column(m, [&](std::size_t s) { return accepted[s]; }).to(at::kBool);
      y.copy_(at::where(taken, step.next, y));
      slope.copy_(at::where(taken, next_slope, slope));
    }
  }

  // Accepts or rejects an attempt that ended at `target` with this error, and sets the next step size.
  bool judge(System& system, double target, double error) const {
    const double exponent = 1.0 / rule_.order;
    ++system.attempts;
    system.finite = std::isfinite(error);
    const std::int64_t e = system.finite ? error_notch(error) : 0;
    if (!system.finite || e > 0) {
      const std::int64_t down = system.finite
                                    ? static_cast<std::int64_t>(std::floor(kSafety - exponent * static_cast<double>(e)))
                                    : -kMostNotches;
      // A step cut at the horizon has a size between two notches.
      const std::int64_t tried = target == system.horizon ? notch_of(target - system.time) : system.notch;
      system.notch = tried + std::max(down, -kMostNotches);
      system.rejected = true;
      return false;
    }
    const double wanted =
        kSafety - (exponent - 0.75 * kBeta) * static_cast<double>(e) + kBeta * static_cast<double>(system.previous);
    // Changes of less than one notch are ignored, so that the step size does not oscillate.
    const auto change = static_cast<std::int64_t>(std::trunc(wanted));
    system.notch += std::clamp(change, -kMostNotches, system.rejected ? 0 : kMostNotches);
    system.previous = e;
    system.rejected = false;
    system.time = target;
    system.nodes.push_back(target);
    system.sources.push_back(static_cast<std::int64_t>(states_.size()));
    return true;
  }

  void remember(const at::Tensor& state, const at::Tensor& slope, const at::Tensor& mid) {
    starts_.push_back(states_.empty() ? 0 : starts_.back() + states_.back().size(0));
    states_.push_back(state);
    slopes_.push_back(slope);
    if (mid.defined()) {
      mids_.push_back(mid);
    }
  }

  // Gathers from the history the accepted states of each system, node by node.
  Solution collect() {
    const std::int64_t K = plan().max_steps(), n = rows();
    const std::int64_t total = starts_.back() + states_.back().size(0);
    std::vector<std::int64_t> index((K + 1) * n, total);  // default: the row of zeros appended to the history
    for (std::size_t s = 0; s < systems_.size(); ++s) {
      for (std::size_t k = 0; k < systems_[s].nodes.size(); ++k) {
        for (std::int64_t row = offsets_[s]; row < offsets_[s + 1]; ++row) {
          index[k * n + row] = starts_[systems_[s].sources[k]] + row;
        }
      }
    }
    const at::Tensor order = tensor_of(index, {(K + 1) * n}, y_.options().dtype(at::kLong));
    const auto sorted = [&](std::vector<at::Tensor>& history, const at::Tensor& from, std::int64_t nodes) {
      history.push_back(at::zeros({1, y_.size(1)}, y_.options()));
      return at::cat(history).index_select(0, from).view({nodes, n, y_.size(1)});
    };
    Solution solution;
    solution.states = sorted(states_, order, K + 1);
    solution.slopes = sorted(slopes_, order, K + 1);
    if (!rule_.mid.empty()) {
      solution.mids = sorted(mids_, order.narrow(0, n, K * n) - n, K);
    }
    return solution;
  }

  [[noreturn]] void give_up(std::int64_t s, std::string_view why) const {
    throw NoProgressError(fmt::format("{}: system {} at time {:g} of {:g}: {}", rule_.name, s, systems_[s].time,
                                      systems_[s].horizon, why));
  }

  const Field& field_;
  const Tableau& rule_;
  const Tolerance& tolerance_;
  std::vector<std::int64_t> offsets_;
  std::vector<System> systems_;
  at::Tensor y_, slope_;  // [n, dim] current state and slope of each system
  // History: every attempt that at least one system accepted, [m, dim] each; starts_ holds their first rows in the
  // concatenation. mids_ has no entry for the start.
  std::vector<at::Tensor> states_, slopes_, mids_;
  std::vector<std::int64_t> starts_;
};

void check(const at::Tensor& y0, const std::vector<std::int64_t>& row_offsets, const std::vector<double>& horizons,
           const Tableau& rule, const Tolerance& tolerance) {
  TORCH_CHECK_VALUE(!rule.error.empty(), "solve_adaptive: ", rule.name, " has no error estimate");
  TORCH_CHECK_VALUE(y0.dim() == 2 && at::isFloatingType(y0.scalar_type()),
                    "solve_adaptive: the state must be [n, dim] and floating, got ", y0.sizes(), " of ",
                    y0.scalar_type());
  TORCH_CHECK_VALUE(row_offsets.size() == horizons.size() + 1 && row_offsets.front() == 0 &&
                        std::is_sorted(row_offsets.begin(), row_offsets.end()),
                    "solve_adaptive: expected ascending row offsets of ", horizons.size(), " systems, got ",
                    row_offsets.size(), " numbers");
  TORCH_CHECK_VALUE(row_offsets.back() == y0.size(0), "solve_adaptive: the systems have ", row_offsets.back(),
                    " rows, the state ", y0.size(0));
  for (const double horizon : horizons) {
    TORCH_CHECK_VALUE(std::isfinite(horizon) && horizon >= 0, "solve_adaptive: a horizon must be >= 0, got ", horizon);
  }
  TORCH_CHECK_VALUE(tolerance.relative >= 0 && tolerance.absolute > 0,
                    "solve_adaptive: tolerances must be positive, got ", tolerance.relative, " and ",
                    tolerance.absolute);
}

StepPlan plan_in_double(const Field& field, const at::Tensor& y0, const std::vector<std::int64_t>& row_offsets,
                        const std::vector<double>& horizons, const Tableau& rule, const Tolerance& tolerance) {
  at::NoGradGuard no_grad;
  const Field wide = field.wide();
  AdaptiveSolver solver(wide, y0.detach().to(at::kDouble), row_offsets, horizons, rule, tolerance);
  solver.run();
  return solver.plan();
}

// A state that is finite in double may overflow in float.
void check_finite(const Trajectory& path, const Tableau& rule) {
  const at::Tensor bad = path.states.detach().isfinite().logical_not().any(2).cpu();  // [K+1, n]
  if (!bad.any().item<bool>()) return;
  const auto first = bad.flatten().to(at::kByte).argmax().item<std::int64_t>();
  const std::int64_t node = first / bad.size(1), row = first % bad.size(1);
  const std::vector<std::int64_t>& offsets = path.plan.row_offsets;
  const auto s = std::upper_bound(offsets.begin(), offsets.end(), row) - offsets.begin() - 1;
  throw NoProgressError(fmt::format("{}: system {} at time {:g} of {:g}: the state stops being finite", rule.name, s,
                                    path.plan.nodes[s][node], path.plan.nodes[s].back()));
}

}  // namespace

Trajectory solve_adaptive(const Field& field, const at::Tensor& y0, std::vector<std::int64_t> row_offsets,
                          const std::vector<double>& horizons, const Tableau& rule, const Tolerance& tolerance,
                          Gradient gradient) {
  check(y0, row_offsets, horizons, rule, tolerance);
  if (field.wide && y0.scalar_type() != at::kDouble) {
    StepPlan plan = plan_in_double(field, y0, row_offsets, horizons, rule, tolerance);
    Trajectory path = solve(field, y0, plan, rule, gradient);
    check_finite(path, rule);
    return path;
  }
  Solution solution;
  StepPlan plan;
  {
    at::NoGradGuard no_grad;
    AdaptiveSolver solver(field, y0, row_offsets, horizons, rule, tolerance);
    solution = solver.run();
    plan = solver.plan();
  }
  if (gradient == Gradient::kStored && needs_gradient(field, y0)) {
    // Rejected attempts need no autograd graph: build it over the accepted steps only.
    return solve(field, y0, plan, rule, gradient);
  }
  return with_gradient(field, y0, std::move(plan), std::move(solution), rule, gradient);
}

}  // namespace lgode::ode
