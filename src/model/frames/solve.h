// The dynamics of `model` frames with neighbours that do not move: every row by itself, with a gradient by hand. A step
// is a few products over all rows, and the gradients of the weights are products over all steps at once.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace lgode::model {

// Shapes: N objects in 2 images, J starts of each, H hidden width, W hidden coordinates, d position features, R scalar
// features, n_k objects in step k.
struct FramesDynamics {
  at::Tensor start;                  // [N, J, 2, W] w at the start; x = v = r = 0
  at::Tensor context;                // [N, 2, H] what is added in the first layer, in every step of every start
  at::Tensor first;                  // [H, W + d] of [w | v]
  at::Tensor second, bias;           // [H, H], [H]
  at::Tensor third, slopes;          // [d + R + W, H], [d + R + W] of [a | dr/dt | dw/dt]
  std::vector<std::int64_t> active;  // [K] n_k, not rising
  double step = 0;
  std::int64_t axes = 0, others = 0;  // d, R
};

// [x | v | a | r | dr/dt] at the begin of each step.   [sum of n_k, J, 2, 3 d + 2 R]
at::Tensor solve_alone(const FramesDynamics& dynamics);

}  // namespace lgode::model
