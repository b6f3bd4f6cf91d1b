// The fused encoder layer on a GPU, in float32.
#pragma once

#include "lgode/ops/temporal_attention.h"

namespace lgode::ops::cuda {

std::shared_ptr<const TemporalGraphOnDevice> on_device(const TemporalGraph& graph, Upload& upload, Shapes shapes);

at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& weights, const TemporalGraph& graph,
                              const AttentionOptions& options);

}  // namespace lgode::ops::cuda
