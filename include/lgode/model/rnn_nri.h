// The RNN-NRI baseline: a recurrent network imputes values on a time grid, then a graph network steps over the grid.
//
// Imputation: GRU-D (Che et al. 2018) over all objects' concatenated features, node by node; m the mask, x the values,
// d the time since a feature's last observation, x' that observation, c a learned mean:
//   g_x = exp(-max(0, w_x d + b_x)),  r = g_x x' + (1 - g_x) c,  x^ = m x + (1 - m) r
//   g_h = exp(-max(0, W_h d + b_h)),  s <- GRU(g_h s, [x^ | m]),  y = r + W_y s + b_y,  imputed = m x + (1 - m) y
// Decoder: as in NRI (Kipf et al. 2018), but with given edge types; a residual step of MLPs over pairs and objects,
//   p_{k+1} = v_k + step MLP_o([v_k | sum_j e_ij]),  e_ij = MLP_r^type([v_i | v_j])      (ops/graph_rk.h)
// where v_k are the imputed values while the system is seen, and p_k after that; p_0 = y_0. Targets between nodes are
// interpolated linearly. No latent variables: there is one path, and samples repeat it.
//
// Shapes: B systems of n objects, D features, u width of the recurrent state, T targets, S samples.
// Errors: ConfigError if systems differ in their number of objects.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>

#include "lgode/model/dynamics.h"
#include "lgode/model/grid_plan.h"
#include "lgode/model/model.h"

namespace lgode::model {

class RnnNri : public Model {
 public:
  // Needs shape.objects and the grid step shape.grid_step.
  RnnNri(const ModelOptions& options, const ModelShape& shape, std::uint64_t seed, at::ScalarType dtype = at::kFloat,
         at::Device device = at::kCPU);

  std::unique_ptr<Model> fresh() const override;
  std::int64_t latent() const override { return 0; }
  using Model::prepare;
  std::shared_ptr<const Rollout> prepare(const data::Batch& batch, const RolloutOptions& options,
                                         ops::Upload& upload) const override;
  Paths paths(const BatchTensors& batch, const Rollout& rollout, const at::Tensor& noise,
              const Dropout& dropout) const override;

 private:
  struct Imputed {
    at::Tensor first;   // [B, n*D] y_0
    at::Tensor values;  // [B, J, n*D]
  };
  Imputed impute(const GridPlan& grid) const;

  Dynamics decoder_;  // message and object networks over features instead of latent states
};

}  // namespace lgode::model
