// Learned places in the posterior, and their scores.
#include "lgode/model/latent_futures.h"

#include <cmath>

#include "lgode/ops/segment.h"
#include "model/layers.h"

namespace lgode::model {

void LatentFutures::declare(Parameters& p) const {
  if (count() == 0) return;
  const std::int64_t latent = options_.latent;
  p.add("futures.noise", {count(), latent}, std::sqrt(3.0));  // variance 1
  p.add("futures.shift.weight", {count() * latent, 2 * latent}, 0);
  p.add_linear("futures.score", count(), 2 * latent);
}

at::Tensor LatentFutures::starts(const Parameters& p, const Encoding& encoding, const Rollout& rollout,
                                 const at::Tensor& noise) const {
  const at::Tensor drawn = latent_samples(encoding, rollout.samples, noise);
  if (rollout.futures == 0) return drawn;
  const at::Tensor shift = at::matmul(at::cat({encoding.mu, encoding.sigma}, 1), p["futures.shift.weight"].t())
                               .view({-1, count(), options_.latent});
  const at::Tensor futures = encoding.mu.unsqueeze(1) + encoding.sigma.unsqueeze(1) * (p["futures.noise"] + shift);
  return at::cat({drawn, futures.transpose(0, 1).flatten(0, 1)});
}

at::Tensor LatentFutures::scores(const Parameters& p, const Encoding& encoding,
                                 const at::Tensor& object_offsets) const {
  const at::Tensor own = linear(p, "futures.score", at::cat({encoding.mu, encoding.sigma}, 1));
  if (options_.futures_of == FuturesOf::kObject) return own;
  return ops::segment_expand(ops::segment_mean(own, object_offsets), object_offsets, own.size(0));
}

}  // namespace lgode::model
