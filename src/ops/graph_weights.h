// The dynamics' weights between their own tensors and the flat buffer of graph_layout.h.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "ops/graph_layout.h"

namespace lgode::ops {

// tensors: as DynamicsWeights::tensors() lists them. Returns [layout.total] on their device, padded with zeros.
at::Tensor flatten_weights(const std::vector<at::Tensor>& tensors, const GraphSize& size, const GraphLayout& layout);

// Gradients from such a buffer, in the shapes of `tensors`.
std::vector<at::Tensor> unflatten_gradients(const at::Tensor& flat, const std::vector<at::Tensor>& tensors,
                                            const GraphSize& size, const GraphLayout& layout);

}  // namespace lgode::ops
