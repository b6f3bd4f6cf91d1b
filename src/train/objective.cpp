// Computes the evidence lower bound of Eq. 9 from the decoded paths and the posterior.
#include "lgode/train/objective.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "lgode/ops/segment.h"

namespace lgode::train {
namespace {

// Means of [N, c] over the objects of each system that count (weight 1), and 1 for systems with such an object.
// Shapes: [B, c], [B, 1].
struct SystemMeans {
  at::Tensor mean, present;
};

SystemMeans system_means(const at::Tensor& per_object, const at::Tensor& counts, const at::Tensor& object_offsets) {
  const at::Tensor number = ops::segment_sum(counts, object_offsets);
  return {ops::segment_sum(per_object * counts, object_offsets) / number.clamp_min(1),
          number.gt(0).to(number.scalar_type())};
}

// Eq. 9, KL[q | p(Z^0)]: (mu^2 + sigma^2 - 1) / 2 - log sigma for N(0, 1), mean over coordinates and objects   [B, 1]
at::Tensor divergence(const model::Paths& paths, const model::BatchTensors& batch) {
  const at::Tensor variance = paths.sigma.square();
  const at::Tensor kl_object =
      ((paths.mu.square() + variance - 1.0) * 0.5 - paths.sigma.clamp_min(1e-30).log()).mean(1, /*keepdim=*/true);
  return ops::segment_mean(kl_object, batch.object_offsets);
}

// The errors of training with `loss` distance, of every target: the distance of the positions in units of
// FramesShape::length, rounded off near zero, plus the squared errors of the other features.   [S, T, D] -> [T, S]
at::Tensor distances(const at::Tensor& error, const model::FramesShape& frames) {
  constexpr double kRound = 0.01;
  std::vector<double> distance(frames.scale.size(), 0.0), rest(frames.scale.size(), 1.0);
  for (const std::int64_t f : frames.positions)
    distance[static_cast<std::size_t>(f)] = std::pow(frames.scale[static_cast<std::size_t>(f)] / frames.length, 2),
    rest[static_cast<std::size_t>(f)] = 0;
  const at::Tensor all = error.square();
  const auto weighted = [&](const std::vector<double>& weights) {
    return at::matmul(all, at::tensor(weights, at::kDouble).to(error.options()));
  };
  const at::Tensor square = weighted(distance), others = weighted(rest);
  return (others + (square + kRound * kRound).sqrt() - kRound).t().contiguous();
}

// `loss` distance: the mean over all targets of a batch, so that a crowd counts more than a pair. What is reported is
// weighted in the same way.
Objective mean_distance(const model::Model& model, const model::BatchTensors& batch, const at::Tensor& predicted,
                        Over over) {
  const at::Tensor error = (predicted - batch.target_values) * batch.target_mask;
  const at::Tensor rows = batch.target_mask.amax(1, /*keepdim=*/true);
  const at::Tensor count = rows.sum();
  const at::Tensor loss = (distances(error, *model.shape().frames) * rows).mean(1).sum();
  const at::Tensor values = batch.target_mask.sum(1, /*keepdim=*/true).clamp_min(1);
  const at::Tensor mse = (error.square().sum(2).mean(0).unsqueeze(1) / values).sum();
  const auto averaged = [&](const at::Tensor& sum) { return over == Over::kSum ? sum : sum / count; };
  return {averaged(loss), averaged(-loss.detach()), at::zeros_like(count), averaged(mse.detach()), count};
}

}  // namespace

Objective elbo(const model::Model& model, const model::BatchTensors& batch, const model::Rollout& rollout,
               const at::Tensor& noise, const at::Tensor& kl_weight, const model::Dropout& dropout, Over over) {
  TORCH_CHECK_VALUE(batch.batch.asks_something(), "elbo: no system of the batch has a target");
  const std::int64_t samples = rollout.samples;
  const double sigma = model.options().sigma;
  const model::Paths paths = model.paths(batch, rollout, noise, dropout);
  const at::Tensor& predicted = paths.values;  // [S, T, D]
  if (model.options().loss == model::Loss::kDistance) return mean_distance(model, batch, predicted, over);

  // Squared errors: mean over the observed values of an object, then over objects.   [T, S] -> [N, S] -> [B, S]
  const auto squares = [&](const at::Tensor& path) {
    return ((path - batch.target_values) * batch.target_mask).square().sum(2).t().contiguous();
  };
  const at::Tensor error = squares(predicted);
  const at::Tensor values = ops::segment_sum(batch.target_mask.sum(1, /*keepdim=*/true), batch.target_offsets);
  const at::Tensor per_object = ops::segment_sum(error, batch.target_offsets) / values.clamp_min(1);
  const SystemMeans mse = system_means(per_object, values.gt(0).to(values.scalar_type()), batch.object_offsets);
  const at::Tensor systems = mse.present.sum();
  at::Tensor penalised = mse.mean;
  if (paths.unbridged.defined() && model.options().unbridged > 0) {
    const at::Tensor own = ops::segment_sum(squares(paths.unbridged), batch.target_offsets) / values.clamp_min(1);
    penalised = penalised + model.options().unbridged *
                                system_means(own, values.gt(0).to(values.scalar_type()), batch.object_offsets).mean;
  }

  // Eq. 8, log p(o | z): log N(x; mean, sigma) = -(x - mean)^2 / (2 sigma^2) - log(sigma sqrt(2 pi))
  const at::Tensor likelihood =
      penalised * (-0.5 / (sigma * sigma)) - std::log(sigma * std::sqrt(2.0 * std::numbers::pi));

  const at::Tensor kl = paths.mu.defined() ? divergence(paths, batch) : at::zeros_like(mse.present);

  // Eq. 9: E_q[log p(o)] - KL, with a weighted KL and S samples joined by log-mean-exp   [B, 1]
  const at::Tensor bound =
      (likelihood - kl_weight * kl).logsumexp(1, /*keepdim=*/true) - std::log(static_cast<double>(samples));
  auto over_systems = [&](const at::Tensor& x) {
    const at::Tensor sum = (x * mse.present).sum();
    return over == Over::kSum ? sum : sum / systems;
  };
  return {-over_systems(bound), over_systems(likelihood.mean(1, true)), over_systems(kl),
          over_systems(mse.mean.mean(1, true)), systems};
}

}  // namespace lgode::train
