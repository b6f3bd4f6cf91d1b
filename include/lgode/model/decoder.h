// The decoder: features from latent states, linear or with one hidden ReLU layer. Mean of p(o | z) in Eq. 8.
//
//   linear   y = W z + b
//   mlp      y = W_2 ReLU(W_1 z + b_1) + b_2
// Shapes: [.., L] -> [.., D]; H hidden. Gradients for z and all weights; CPU and CUDA.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "lgode/model/options.h"
#include "lgode/model/parameters.h"

namespace lgode::model {

class Decoder {
 public:
  Decoder(const ModelOptions& options, std::int64_t features);

  void declare(Parameters& parameters) const;
  at::Tensor operator()(const Parameters& parameters, const at::Tensor& z) const;

 private:
  DecoderKind kind_;
  std::int64_t latent_, hidden_, features_;
};

}  // namespace lgode::model
