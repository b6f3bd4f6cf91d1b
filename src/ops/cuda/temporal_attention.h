// The fused encoder layer (Eqs. 4 and 5) on a GPU, float32. Arguments and shapes as ops::temporal_attention(), which
// checks them.
#pragma once

#include "lgode/ops/temporal_attention.h"

namespace lgode::ops::cuda {

// Uploads the graph; padded shapes: with rows of padding, which have no edges.
std::shared_ptr<const TemporalGraphOnDevice> on_device(const TemporalGraph& graph, Upload& upload, Shapes shapes);

at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& weights, const TemporalGraph& graph,
                              const AttentionOptions& options);

}  // namespace lgode::ops::cuda
