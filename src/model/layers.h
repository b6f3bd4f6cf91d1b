// Layers used by several pieces of the model, addressed by the names of their parameters.
#pragma once

#include <ATen/ATen.h>

#include <string>

#include "lgode/model/parameters.h"
#include "lgode/ops/layer_norm.h"

namespace lgode::model {

inline at::Tensor linear(const Parameters& p, const std::string& name, const at::Tensor& x) {
  return at::linear(x, p[name + ".weight"], p[name + ".bias"]);
}

inline at::Tensor layer_norm(const Parameters& p, const std::string& name, const at::Tensor& x) {
  return ops::layer_norm(x, p[name + ".weight"], p[name + ".bias"]);
}

}  // namespace lgode::model
