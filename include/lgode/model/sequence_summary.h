// The encoder's second half: one vector per object from its observations, with times relative to the start.
//
//   hat_r = ReLU(W_t [h_r | D_r] + b_t) + TE(D_r),   D the time since the start, r the observations of object i
//   attention   Eq. 6: u_i = mean of sigmoid(a_i . hat_r) hat_r,  a_i = tanh(W_a mean of hat); the parameter is
//               sqrt(u) W_a (ops/sequence_attention.h)
//   mean        u_i = mean of hat_r
//   first       u_i = hat_r of the earliest observation
//   weighted    u_i = sum of b_r hat_r,  b = softmax over r of v . hat_r;  here hat is without TE
// An object without observations gets zeros.
//
// Shapes: M observations, N objects, d width in, u width out. Gradients for h and all weights; CPU and CUDA.
#pragma once

#include <ATen/ATen.h>

#include "lgode/model/options.h"
#include "lgode/model/parameters.h"

namespace lgode::model {

class SequenceSummary {
 public:
  explicit SequenceSummary(const ModelOptions& options);

  void declare(Parameters& parameters) const;
  // h [M, d] -> [N, u]. times [M] float64, offsets [N+1] int64: rows of each object.
  at::Tensor operator()(const Parameters& parameters, const at::Tensor& h, const at::Tensor& times,
                        const at::Tensor& offsets) const;

 private:
  ModelOptions options_;
  Summary kind_;
};

}  // namespace lgode::model
