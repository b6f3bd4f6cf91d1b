// Several futures of the models with latent initial states: besides the paths of the posterior's mean and samples, paths
// from K learned places in the posterior, and a score of each.
//
//   zeta_ik = mu_i + sigma_i (eps_k + A_k [mu_i | sigma_i]),   score_ik = b_k [mu_i | sigma_i] + c_k
//
// eps_k is drawn like a sample at first and learned from then on; A_k starts at zero. With futures of scenes the scores
// of a system are the mean over its objects.
//
// Shapes: N objects, S samples, K futures, L latent.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "lgode/model/encoder.h"
#include "lgode/model/options.h"
#include "lgode/model/parameters.h"
#include "lgode/model/rollout.h"

namespace lgode::model {

class LatentFutures {
 public:
  explicit LatentFutures(const ModelOptions& options) : options_(options) {}

  // K; 0: none besides the mean path.
  std::int64_t count() const { return options_.futures > 1 ? options_.futures : 0; }
  // How many a roll-out computes.
  std::int64_t count(const RolloutOptions& options) const { return options.futures ? count() : 0; }
  void declare(Parameters& parameters) const;
  // latent_samples(), then the futures, if the roll-out has them.   [(S + K)*N, L]
  at::Tensor starts(const Parameters& parameters, const Encoding& encoding, const Rollout& rollout,
                    const at::Tensor& noise) const;
  // [N, K]. object_offsets: of the systems.
  at::Tensor scores(const Parameters& parameters, const Encoding& encoding, const at::Tensor& object_offsets) const;

 private:
  ModelOptions options_;
};

}  // namespace lgode::model
