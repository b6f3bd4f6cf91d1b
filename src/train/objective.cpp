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

// What several futures add to the loss: of each object, or of each system with futures of scenes, the error of its
// best future, a little of that of all, so that none is lost, and the cross entropy of which one is the best.
// errors [N, K]: sums over what an object has to predict; count [N, 1]: of it.
struct FuturesLoss {
  at::Tensor loss, count;  // [N, 1] or, with futures of scenes, [B, 1]
};

FuturesLoss futures_loss(const model::Model& model, const model::BatchTensors& batch, const at::Tensor& scores,
                         at::Tensor errors, at::Tensor count) {
  constexpr double kAll = 0.02, kWhich = 0.1;
  at::Tensor own = scores;
  if (model.options().futures_of == model::FuturesOf::kScene) {
    errors = ops::segment_sum(errors, batch.object_offsets), count = ops::segment_sum(count, batch.object_offsets);
    own = ops::segment_mean(own, batch.object_offsets);  // all objects of a system have the same
  }
  const at::Tensor each = errors / count.clamp_min(1);
  const auto [best, which] = each.min(1, /*keepdim=*/true);
  const at::Tensor entropy = own.log_softmax(1).gather(1, which).neg();
  return {best + kAll * each.mean(1, /*keepdim=*/true) + kWhich * entropy, count};
}

// `loss` distance: the mean over all targets of a batch, so that a crowd counts more than a pair. What is reported is
// weighted in the same way.
Objective mean_distance(const model::Model& model, const model::BatchTensors& batch, const model::Paths& paths,
                        Over over) {
  const at::Tensor& predicted = paths.values;
  const at::Tensor error = (predicted - batch.target_values) * batch.target_mask;
  const at::Tensor rows = batch.target_mask.amax(1, /*keepdim=*/true);
  const at::Tensor count = rows.sum();
  at::Tensor loss = (distances(error, *model.shape().frames) * rows).mean(1).sum();
  if (paths.futures.defined()) {
    const at::Tensor of_futures = (paths.futures - batch.target_values) * batch.target_mask;
    const at::Tensor sums =
        ops::segment_sum((distances(of_futures, *model.shape().frames) * rows).contiguous(), batch.target_offsets);
    const FuturesLoss of = futures_loss(model, batch, paths.scores, sums, ops::segment_sum(rows, batch.target_offsets));
    loss = loss + (of.loss * of.count).sum();
  }
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
  if (model.options().loss == model::Loss::kDistance) return mean_distance(model, batch, paths, over);

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
  at::Tensor bound =
      (likelihood - kl_weight * kl).logsumexp(1, /*keepdim=*/true) - std::log(static_cast<double>(samples));
  if (paths.futures.defined()) {
    const at::Tensor sums = ops::segment_sum(squares(paths.futures), batch.target_offsets) * (0.5 / (sigma * sigma));
    const FuturesLoss of = futures_loss(model, batch, paths.scores, sums, values);
    const bool per_object = model.options().futures_of == model::FuturesOf::kObject;
    bound = bound - (per_object
                         ? system_means(of.loss, of.count.gt(0).to(of.count.scalar_type()), batch.object_offsets).mean
                         : of.loss);
  }
  auto over_systems = [&](const at::Tensor& x) {
    const at::Tensor sum = (x * mse.present).sum();
    return over == Over::kSum ? sum : sum / systems;
  };
  return {-over_systems(bound), over_systems(likelihood.mean(1, true)), over_systems(kl),
          over_systems(mse.mean.mean(1, true)), systems};
}

}  // namespace lgode::train
