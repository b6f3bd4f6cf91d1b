// Layer normalisation: our own kernel on a GPU (float32, narrow rows), LibTorch's everywhere else.
#include "lgode/ops/layer_norm.h"

#include "ops/cuda/row_operators.h"

namespace lgode::ops {

at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  TORCH_CHECK_VALUE(x.dim() == 2 && weight.sizes() == at::IntArrayRef{x.size(1)} && bias.sizes() == weight.sizes(),
                    "layer_norm: expected x [M, d], weight and bias [d], got ", x.sizes(), ", ", weight.sizes(), ", ",
                    bias.sizes());
  if (cuda::has_layer_norm(x)) return cuda::layer_norm(x, weight, bias);
  return at::layer_norm(x, weight.sizes(), weight, bias);
}

}  // namespace lgode::ops
