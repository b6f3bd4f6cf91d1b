// Updates the weights, and computes the learning rate and KL weight of each step.
#include "lgode/train/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lgode::train {
namespace {

constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

// The rate at `step` of `total`, after the warm-up.
double falling(RateSchedule schedule, double rate, std::int64_t step, std::int64_t total) {
  if (schedule != RateSchedule::kCosine) return rate;
  const double done = static_cast<double>(step) / static_cast<double>(std::max<std::int64_t>(1, total));
  return rate * 0.5 * (1.0 + std::cos(std::numbers::pi * std::clamp(done, 0.0, 1.0)));
}

}  // namespace

AdamState::AdamState(model::Parameters& parameters)
    : parameters_(parameters), m_(at::zeros_like(parameters.flat())), v_(at::zeros_like(parameters.flat())) {}

at::Tensor AdamState::clip(double limit) {
  at::NoGradGuard no_grad;
  at::Tensor& g = parameters_.flat_grad();
  const at::Tensor norm = g.norm();
  if (limit > 0) g.mul_((limit / norm).clamp_max(1.0));
  return norm;
}

void AdamState::update(const TrainOptions& options, const at::Tensor& rates, const at::Tensor& active) {
  at::NoGradGuard no_grad;
  at::Tensor &w = parameters_.flat(), &g = parameters_.flat_grad();
  if (active.defined()) {
    if (options.weight_decay > 0) {
      if (options.optimizer == Optimizer::kAdamW)
        w.mul_(1.0 - (1.0 - rates[kShrink]) * active);
      else
        g.add_(w * active, options.weight_decay);
    }
    m_.mul_(1.0 - (1.0 - kBeta1) * active).add_(g, 1.0 - kBeta1);
    v_.mul_(1.0 - (1.0 - kBeta2) * active).addcmul_(g, g, 1.0 - kBeta2);
    w.addcdiv_(m_ * (rates[kStepSize] * active), v_.sqrt().mul_(rates[kSecondMomentScale]).add_(kEpsilon), -1.0);
    return;
  }
  if (options.weight_decay > 0) {
    if (options.optimizer == Optimizer::kAdamW)
      w.mul_(rates[kShrink]);
    else
      g.add_(w, options.weight_decay);
  }
  m_.mul_(kBeta1).add_(g, 1.0 - kBeta1);
  v_.mul_(kBeta2).addcmul_(g, g, 1.0 - kBeta2);
  w.addcdiv_(m_ * rates[kStepSize], v_.sqrt().mul_(rates[kSecondMomentScale]).add_(kEpsilon), -1.0);
}

at::Tensor step_rates(const TrainOptions& options, std::int64_t step, std::int64_t total, double scale) {
  const double lr = scale * learning_rate(options, step, total), t = static_cast<double>(step + 1);
  const at::Tensor rates = at::empty({kStepRates}, at::TensorOptions(at::kDouble));
  auto* r = rates.data_ptr<double>();
  r[kKlWeight] = kl_weight_at(options, step);
  r[kShrink] = 1.0 - lr * options.weight_decay;
  r[kStepSize] = lr / (1.0 - std::pow(kBeta1, t));
  r[kSecondMomentScale] = 1.0 / std::sqrt(1.0 - std::pow(kBeta2, t));
  return rates;
}

double learning_rate(const TrainOptions& options, std::int64_t step, std::int64_t total) {
  if (!options.restarts.empty()) {
    const std::int64_t per_epoch = total / std::max<std::int64_t>(1, options.epochs.value_or(kDefaultEpochs));
    std::vector<Restart> restarts = restarts_of(options);
    for (; !restarts.empty(); restarts.pop_back()) {
      const std::int64_t begin = restarts.back().epoch * per_epoch;
      if (step >= begin) return falling(options.schedule, restarts.back().rate, step - begin, total - begin);
      total = begin;
    }
  }
  const bool open = options.schedule == RateSchedule::kPlateau;
  const std::int64_t warmup = open ? options.warmup : std::min(options.warmup, total / 10);
  if (step < warmup) return options.lr * static_cast<double>(step + 1) / static_cast<double>(warmup);
  return falling(options.schedule, options.lr, step - warmup, total - warmup);
}

double kl_weight_at(const TrainOptions& options, std::int64_t step) {
  if (options.kl_warmup == 0) return options.kl_weight;
  return options.kl_weight * std::min(1.0, static_cast<double>(step) / static_cast<double>(options.kl_warmup));
}

}  // namespace lgode::train
