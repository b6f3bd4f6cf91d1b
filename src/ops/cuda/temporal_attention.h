// The fused encoder layer (Eqs. 4 and 5) and sequence summary (Eq. 6) on a GPU, float32. Arguments and shapes as
// ops::temporal_attention(), which checks them.
#pragma once

#include "lgode/ops/sequence_attention.h"
#include "lgode/ops/temporal_attention.h"

namespace lgode::ops::cuda {

// Uploads the graph; padded shapes: with rows of padding, which have no edges.
std::shared_ptr<const TemporalGraphOnDevice> on_device(const TemporalGraph& graph, Upload& upload, Shapes shapes);

at::Tensor temporal_attention(const at::Tensor& x, const AttentionWeights& weights, const TemporalGraph& graph,
                              const AttentionOptions& options);

// h + ReLU(temporal_attention(layer_norm(h))) where no gradient is needed.
bool has_attention_layer(const at::Tensor& h, const AttentionOptions& options);
at::Tensor attention_layer(const at::Tensor& h, const at::Tensor& norm_weight, const at::Tensor& norm_bias,
                           const AttentionWeights& weights, const TemporalGraph& graph,
                           const AttentionOptions& options);

// Eq. 6 where no gradient is needed; arguments as ops::sequence_attention(), which checks them.
bool has_sequence_attention(const at::Tensor& h, std::int64_t width);
at::Tensor sequence_attention(const at::Tensor& h, const SequenceWeights& weights, const at::Tensor& times,
                              const at::Tensor& offsets, double frequency);

}  // namespace lgode::ops::cuda
